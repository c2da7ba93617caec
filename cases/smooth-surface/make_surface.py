#!/usr/bin/env python3
"""make_surface.py [FILE.obj]: a knotted tube with a rough skin, as a scan might have it: 15 360 triangles, closed."""
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


def main():
    numbers = random.Random(1)
    lines = []
    for i in range(ALONG):
        centre, tangent = curve(2 * math.pi * i / ALONG)
        outward = unit((centre[0], centre[1], 0.0))
        side = unit(cross(tangent, outward))
        out = unit(cross(side, tangent))
        for j in range(ROUND):
            angle = 2 * math.pi * (j + 0.5 * (i % 2)) / ROUND
            radius = RADIUS + numbers.uniform(-ROUGHNESS, ROUGHNESS)
            p = [centre[k] + radius * (math.cos(angle) * out[k] + math.sin(angle) * side[k]) for k in range(3)]
            lines.append("v %.6f %.6f %.6f" % tuple(p))
    for i in range(ALONG):
        for j in range(ROUND):
            at = lambda a, b: a % ALONG * ROUND + b % ROUND + 1
            a, b = at(i, j), at(i, j + 1)
            up = i % 2
            lines.append("f %d %d %d" % (a, b, at(i + 1, j + up)))
            lines.append("f %d %d %d" % (at(i, j + 1 - up), at(i + 1, j + 1), at(i + 1, j)))
    with open(sys.argv[1] if len(sys.argv) > 1 else "knot.obj", "w") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
