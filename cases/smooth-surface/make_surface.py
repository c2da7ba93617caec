#!/usr/bin/env python3
"""make_surface.py knot|tube FILE.obj: a knotted tube with a rough skin, as of a scan (closed, 15 360 triangles); a tube between two rings."""
import math
import random
import sys

ALONG, ROUND, RADIUS, ROUGHNESS = 320, 24, 0.42, 0.035


def curve(s):
    """A trefoil, and its tangent."""
    x = (math.sin(s) + 2 * math.sin(2 * s), math.cos(s) - 2 * math.cos(2 * s), -math.sin(3 * s))
    d = (math.cos(s) + 4 * math.cos(2 * s), -math.sin(s) + 4 * math.sin(2 * s), -3 * math.cos(3 * s))
    return x, d


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(a):
    length = math.sqrt(sum(x * x for x in a))
    return tuple(x / length for x in a)


def knot():
    """Rings of points along a trefoil: point j of ring i is number i * ROUND + j + 1."""
    numbers = random.Random(1)
    points = []
    for i in range(ALONG):
        centre, tangent = curve(2 * math.pi * i / ALONG)
        side = unit(cross(tangent, (centre[0], centre[1], 0.0)))
        out = unit(cross(side, tangent))
        for j in range(ROUND):
            angle = 2 * math.pi * (j + 0.5 * (i % 2)) / ROUND
            radius = RADIUS + numbers.uniform(-ROUGHNESS, ROUGHNESS)
            points.append([centre[k] + radius * (math.cos(angle) * out[k] + math.sin(angle) * side[k]) for k in range(3)])
    return points, ALONG, ALONG, ROUND


def tube():
    """Rings of radius 1 from z = -0.5 to 0.5."""
    rows, around = 24, 72
    points = []
    for i in range(rows + 1):
        for j in range(around):
            angle = 2 * math.pi * (j + 0.5 * (i % 2)) / around
            points.append([math.cos(angle), math.sin(angle), i / rows - 0.5])
    return points, rows, rows + 1, around


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("knot", "tube"):
        sys.exit(__doc__)
    points, bands, rings, around = knot() if sys.argv[1] == "knot" else tube()

    def number(i, j):
        return i % rings * around + j % around + 1

    with open(sys.argv[2], "w") as file:
        for point in points:
            file.write("v %.6f %.6f %.6f\n" % tuple(point))
        for i in range(bands):
            up = i % 2
            for j in range(around):
                file.write("f %d %d %d\n" % (number(i, j), number(i, j + 1), number(i + 1, j + up)))
                file.write("f %d %d %d\n" % (number(i, j + 1 - up), number(i + 1, j + 1), number(i + 1, j)))


if __name__ == "__main__":
    main()
