"""Exact values of the rows of tools/validate thin, by series and closed forms."""
import cmath
import functools
import math

VISCOSITY = 0.1  # [m^2/s] of the flat channel and the ring
LENGTH = 4.0  # of the channel [m]


def startup_force(time, speed=1.0, area=LENGTH):
    """On the wall at y = 1 that moves from t = 0 on, along it; the other one is at rest [N/m]."""
    return -speed * VISCOSITY * area * (1 + 2 * sum(math.exp(-n * n * math.pi ** 2 * VISCOSITY * time) for n in range(1, 200)))


def womersley():
    """Amplitude and phase [degrees] of the force on a wall of the channel by the body force cos(2 pi t), and of the flux."""
    omega = 2 * math.pi
    root = cmath.sqrt(1j * omega / VISCOSITY)
    shear = cmath.tanh(root / 2) * root * VISCOSITY / (1j * omega)
    flux = (1 - 2 / root * cmath.tanh(root / 2)) / (1j * omega)
    return [(abs(z), math.degrees(cmath.phase(z))) for z in (shear * LENGTH, flux)]


# The ring: u = A r + B/r round it, 1 m/s at the radius 0.5 m, at rest at 1 m.
A, B = -2 / 3, 2 / 3
RING_TORQUE = 4 * math.pi * VISCOSITY * B  # of the fluid on the outer wall; the opposite on the inner one
RING_HEAT = 2 * math.pi * VISCOSITY / math.log(2)  # from 1 inside to 0 outside


def ring_velocity(r):
    return A * r + B / r


def ring_pressure(r):
    return A * A * r * r / 2 + 2 * A * B * math.log(r) - B * B / (2 * r * r)


# Slow flow in a wedge of half angle a from a source of flux Q: u_r = Q/r (cos 2 phi - cos 2a)/k
WEDGE_FLUX = 1e-3
HALF_ANGLE = math.radians(10)
WEDGE_K = math.sin(2 * HALF_ANGLE) - 2 * HALF_ANGLE * math.cos(2 * HALF_ANGLE)
WEDGE_FRICTION = 2 * VISCOSITY * WEDGE_FLUX * math.sin(2 * HALF_ANGLE) / WEDGE_K / 2  # along a wall from 1 to 2 m
WEDGE_PRESSURE = 2 * VISCOSITY * WEDGE_FLUX / WEDGE_K * (1 - 1 / 4)  # fall along the axis


def power_law_flux(force, consistency, index):
    """Between walls 1 m apart by a body force."""
    return index / (2 * index + 1) / 2 * (force / (2 * consistency)) ** (1 / index)


# Blasius' plate of 1 m at 1 m/s.
BLASIUS = 0.664115
DISPLACEMENT = 1.720788  # thickness of displacement over sqrt(viscosity x / speed)


def plate_friction(x, viscosity):
    return BLASIUS / math.sqrt(x / viscosity)


def displacement_speed(x, viscosity):
    """Across the plate, at the edge of its layer."""
    return DISPLACEMENT / 2 * math.sqrt(viscosity / x)


# ---- what diffuses into a layer, by finite volumes in one dimension


@functools.lru_cache(None)
def startup_flow(time, low=0.0, round_=False, diffusivity=None):
    """What flows into a layer from y = `low` to 1 through either side, an area (in a ring: an angle), when from t = 0 on the value is 1
    at y = `low`, 0 at y = 1. `diffusivity`: of y; else VISCOSITY."""
    (a, b), (c, d) = (_startup_flow(time, low, round_, diffusivity or (lambda y: VISCOSITY), count) for count in (200, 400))
    return (4 * c - a) / 3, (4 * d - b) / 3  # of second order in the cells


def _startup_flow(time, low, round_, diffusivity, count):
    h = (1 - low) / count
    places = [low + h * i for i in range(count + 1)]
    conductance = [diffusivity(y) * (y if round_ else 1) / (h / 2 if i in (0, count) else h) for i, y in enumerate(places)]
    capacity = [h * ((low + h * (i + 0.5)) if round_ else 1) for i in range(count)]
    values, now, step = [0.0] * count, 0.0, time * 1e-6
    while now < time * (1 - 1e-12):
        step = min(step * 1.03, time - now) if now + 1.5 * step * 1.03 < time else time - now
        # An L-stable pair of two implicit stages, of second order.
        gamma = 1 - math.sqrt(0.5)
        first = _implicit(values, gamma * step, conductance, capacity)
        slope = [(x - v) / (gamma * step) for x, v in zip(first, values)]
        second = _implicit([v + (1 - gamma) * step * s for v, s in zip(values, slope)], gamma * step, conductance, capacity)
        values, now = second, now + step
    return conductance[0] * (1 - values[0]), -conductance[count] * values[-1]


def _implicit(values, step, conductance, capacity):
    """v with v = values + step * (what flows in)/capacity, by elimination; 1 at the first side, 0 at the last."""
    count, above, right = len(values), [0.0], [1.0]  # v[i-1] = above v[i] + right; the side itself is 1
    for i in range(count):
        k, m, c = conductance[i], conductance[i + 1], capacity[i] / step
        pivot = c + k + m - k * above[i]
        above.append(m / pivot)
        right.append((c * values[i] + k * right[i]) / pivot)
    found, ahead = [0.0] * count, 0.0
    for i in reversed(range(count)):
        ahead = found[i] = above[i + 1] * ahead + right[i + 1]
    return found
