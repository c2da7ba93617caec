"""Tones of evenly taken samples: peaks of their power spectrum."""
import cmath
import math

# Blackman & Harris (Harris 1978, table 1): side lobes 92 dB below a peak, which is eight bins wide.
WINDOW = (0.35875, -0.48829, 0.14128, -0.01168)
LEAST = 1e-7  # of the highest peak's power: lower ones are no tones


def transform(x):
    """The discrete Fourier transform of 2^n values (Cooley & Tukey 1965)."""
    if len(x) == 1:
        return x
    even, odd = transform(x[::2]), transform(x[1::2])
    turned = [cmath.exp(-2j * math.pi * k / len(x)) * v for k, v in enumerate(odd)]
    return [a + b for a, b in zip(even, turned)] + [a - b for a, b in zip(even, turned)]


def power(values):
    """Of the windowed values less their mean, at four times as many frequencies at least."""
    mean, n = sum(values) / len(values), len(values)
    windowed = [(v - mean) * sum(c * math.cos(2 * math.pi * k * (i + 0.5) / n) for k, c in enumerate(WINDOW))
                for i, v in enumerate(values)]
    full = 2 ** math.ceil(math.log2(4 * n))
    return [abs(v) ** 2 for v in transform(windowed + [0.0] * (full - n))[:full // 2]]


def tones(times, series):
    """Frequencies of the peaks of the sum of the series' spectra, ascending [1/s]."""
    step = (times[-1] - times[0]) / (len(times) - 1)
    if any(abs(t - times[0] - i * step) > 1e-3 * step for i, t in enumerate(times)):
        raise ValueError("a spectrum takes samples at even times")
    summed = [sum(column) for column in zip(*(power(values) for values in series))]
    least, found = LEAST * max(summed), []
    for i in range(1, len(summed) - 1):
        if summed[i] > least and summed[i - 1] < summed[i] >= summed[i + 1]:
            a, b, c = (math.log(summed[k]) for k in (i - 1, i, i + 1))
            found.append((i + 0.5 * (a - c) / (a - 2 * b + c)) / (2 * len(summed) * step))
    return found
