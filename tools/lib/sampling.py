"""Point values from cell values, by one method whatever program they come from: a local quadratic, least squares."""
import math

NEAREST = {2: 14, 3: 32}  # values that a fit takes; a quadratic has 6 and 10 coefficients


def solve(a, b):
    """Gaussian elimination with pivots, in place."""
    n = len(b)
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(a[r][i]))
        a[i], a[pivot], b[i], b[pivot] = a[pivot], a[i], b[pivot], b[i]
        for r in range(i + 1, n):
            factor = a[r][i] / a[i][i]
            if factor:
                for k in range(i, n):
                    a[r][k] -= factor * a[i][k]
                b[r] -= factor * b[i]
    for i in reversed(range(n)):
        b[i] = (b[i] - sum(a[i][k] * b[k] for k in range(i + 1, n))) / a[i][i]
    return b


def _basis(x, dimension):
    terms = [1.0, *x[:dimension]]
    return terms + [x[i] * x[j] for i in range(dimension) for j in range(i, dimension)]


class Fit:
    """Known values (of several columns) at scattered places, found by a grid of boxes."""

    def __init__(self, places, dimension):
        self.places, self.dimension = places, dimension
        low = [min(p[k] for p in places) for k in range(dimension)]
        high = [max(p[k] for p in places) for k in range(dimension)]
        volume = math.prod(max(h - l, 1e-300) for l, h in zip(low, high))
        self.low, self.size = low, 1.6 * (volume / len(places)) ** (1 / dimension)
        self.boxes = {}
        for i, p in enumerate(places):
            self.boxes.setdefault(self._box(p), []).append(i)

    def _box(self, p):
        return tuple(int((p[k] - self.low[k]) // self.size) for k in range(self.dimension))

    def near(self, point):
        """The nearest places, (distance, number) ascending."""
        count, reach = NEAREST[self.dimension], 1
        centre = self._box(point)
        while True:
            offsets = [()]
            for c in centre:
                offsets = [o + (c + k,) for o in offsets for k in range(-reach, reach + 1)]
            found = sorted((math.dist(self.places[i][:self.dimension], point[:self.dimension]), i)
                           for box in offsets for i in self.boxes.get(box, ()))
            if len(found) >= count and found[count - 1][0] <= reach * self.size:
                return found[:count]
            reach += 1
            if reach > 1000:
                raise ValueError("too few values for a fit")

    def weights(self, point):
        """[(number, weight)]: the fit's value at the point is the weighted sum; exact for quadratics."""
        near = self.near(point)
        radius = near[-1][0]
        rows, w = [], []
        for distance, i in near:
            rows.append(_basis([(a - b) / radius for a, b in zip(self.places[i], point)], self.dimension))
            w.append(math.exp(-4 * (distance / radius) ** 2))
        n = len(rows[0])
        normal = [[sum(wi * r[a] * r[b] for wi, r in zip(w, rows)) for b in range(n)] for a in range(n)]
        first = solve(normal, [1.0] + [0.0] * (n - 1))
        return [(i, wi * sum(c * t for c, t in zip(first, row))) for (_, i), wi, row in zip(near, w, rows)]

    def coefficients(self, point, values):
        """Of the quadratic round the point, in the order of 1, x, y, (z), x x, x y, ... [m]."""
        near = self.near(point)
        radius = near[-1][0]
        rows = [_basis([(a - b) / radius for a, b in zip(self.places[i], point)], self.dimension) for _, i in near]
        w = [math.exp(-4 * (distance / radius) ** 2) for distance, _ in near]
        n = len(rows[0])
        normal = [[sum(wi * r[a] * r[b] for wi, r in zip(w, rows)) for b in range(n)] for a in range(n)]
        c = solve(normal, [sum(wi * r[a] * values[i] for wi, r, (_, i) in zip(w, rows, near)) for a in range(n)])
        return [v / radius ** (0 if k == 0 else 1 if k <= self.dimension else 2) for k, v in enumerate(c)]

    def at(self, points, values):
        """Tuples of values at the points."""
        result = []
        for point in points:
            weights = self.weights(point)
            result.append(tuple(sum(w * values[i][k] for i, w in weights) for k in range(len(values[0]))))
        return result


def extremum(s, values, sign):
    """The largest (sign = 1) or smallest (-1) of samples, at the vertex of the parabola through the three round it."""
    i = max(range(len(values)), key=lambda k: sign * values[k])
    if i == 0 or i == len(values) - 1:
        return s[i], values[i]
    (a, b, c), (p, q, r) = s[i - 1:i + 2], values[i - 1:i + 2]
    slope, next_slope = (q - p) / (b - a), (r - q) / (c - b)
    bend = (next_slope - slope) / (c - a)
    if not bend:
        return b, q
    x = 0.5 * (a + b) - slope / (2 * bend)
    return x, q + (x - b) * (slope + bend * (x - a))


def extremum_of_field(places, values, sign):
    """The same of a field in the plane: the vertex of the quadratic fitted round the extreme value."""
    start = max(range(len(values)), key=lambda k: sign * values[k])
    p = places[start]
    c, gx, gy, a, b, d = Fit(places, 2).coefficients(p, values)
    determinant = 4 * a * d - b * b
    if determinant <= 0 or sign * a > 0:
        return p, values[start]
    x, y = (b * gy - 2 * d * gx) / determinant, (b * gx - 2 * a * gy) / determinant
    return (p[0] + x, p[1] + y), c + 0.5 * (gx * x + gy * y)


def root_mean_square(values):
    values = list(values)
    return math.sqrt(sum(v * v for v in values) / len(values))
