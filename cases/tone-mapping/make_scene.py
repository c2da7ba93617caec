#!/usr/bin/env python3
"""make_scene.py OUT.hdr [WIDTH]: a dark room with coloured walls and a window onto a bright day, in Radiance HDR.

Rays from the eye meet the walls and three balls, which the window and a lamp light; nothing else is needed than Python.
WIDTH (640) sets the size, 4 : 3. The luminances go over seven orders of magnitude."""
import math
import sys

WIDTH, HEIGHT, DEPTH = 4.0, 3.0, 5.0  # of the room [m]: x to the right, y upward, z away from the eye
EYE = (2.0, 1.5, -2.2)
WINDOW = (1.7, 3.2, 1.0, 2.3)  # in the far wall: x from, to, y from, to
BALLS = [((0.9, 0.45, 3.4), 0.45, (0.75, 0.12, 0.10)), ((2.1, 0.35, 2.6), 0.35, (0.12, 0.45, 0.75)), ((3.1, 0.5, 3.9), 0.5, (0.85, 0.75, 0.2))]
# place, colour times power
LIGHTS = [((x, y, 4.6), (2.6, 2.9, 3.3)) for x in (2.0, 2.9) for y in (1.3, 2.0)] + [((0.55, 1.35, 2.2), (0.55, 0.33, 0.14))]
LAMP = ((0.55, 1.35, 2.2), 0.10, (420.0, 250.0, 110.0))


def outside(x, y):
    """What is seen through the window, by the direction's slopes."""
    sun = math.hypot(x - 0.17, y - 0.17)
    if sun < 0.012:
        return (90000.0, 80000.0, 60000.0)
    hill = 0.02 + 0.035 * math.sin(9 * x + 1) + 0.012 * math.sin(31 * x)
    if y < hill - 0.06:
        stripe = 1 + 0.35 * math.sin(160 * y / (0.2 + abs(x)))
        return (420.0 * stripe, 760.0 * stripe, 190.0 * stripe)
    if y < hill:
        tree = 1 + 0.5 * math.sin(310 * x) * math.sin(270 * y)
        return (120.0 * tree, 260.0 * tree, 90.0 * tree)
    cloud = max(0.0, math.sin(14 * x + 3) * math.sin(34 * y + 4 * x) - 0.25)
    glow = 9000 * math.exp(-26 * sun)
    return (1500 + 5200 * cloud + glow, 2500 + 4600 * cloud + 0.9 * glow, 4600 + 3100 * cloud + 0.7 * glow)


def ball_hit(o, d, ball, far):
    c, radius = ball[0], ball[1]
    m = [o[k] - c[k] for k in range(3)]
    b = m[0] * d[0] + m[1] * d[1] + m[2] * d[2]
    q = b * b - (m[0] * m[0] + m[1] * m[1] + m[2] * m[2] - radius * radius)
    if q <= 0:
        return far
    t = -b - math.sqrt(q)
    return t if 1e-4 < t < far else far


def surface(p, normal_axis):
    """Reflectance at a point of the walls."""
    x, y, z = p
    if normal_axis == 1:
        if y > HEIGHT / 2:
            return (0.7, 0.7, 0.68)
        plank = 0.75 + 0.25 * math.sin(7 * math.floor(x * 5)) + 0.06 * math.sin(60 * x + 3 * math.sin(4 * z))
        return (0.36 * plank, 0.22 * plank, 0.12 * plank)
    if normal_axis == 0:
        paper = 1 + 0.25 * math.sin(22 * y) * math.sin(22 * z)
        return (0.6 * paper, 0.16 * paper, 0.12 * paper) if x < WIDTH / 2 else (0.14 * paper, 0.45 * paper, 0.2 * paper)
    joint = 0.75 if (math.floor(y * 6) % 2 == 0 and (x * 3 % 1) < 0.06) or (y * 6 % 1) < 0.08 else 1.0
    return (0.55 * joint, 0.5 * joint, 0.42 * joint)


def lit(p, n, reflectance):
    total = [0.006 * r for r in reflectance]
    for place, power in LIGHTS:
        to = [place[k] - p[k] for k in range(3)]
        distance = math.sqrt(to[0] ** 2 + to[1] ** 2 + to[2] ** 2)
        if distance < 1e-3:
            continue
        d = [v / distance for v in to]
        facing = d[0] * n[0] + d[1] * n[1] + d[2] * n[2]
        if facing <= 0 or any(ball_hit(p, d, ball, distance) < distance for ball in BALLS):
            continue
        for k in range(3):
            total[k] += reflectance[k] * power[k] * facing / (0.1 + distance * distance)
    return total


def seen(d):
    far, axis = 1e9, 2
    for k, (low, high) in enumerate(((0, WIDTH), (0, HEIGHT), (-9, DEPTH))):
        if abs(d[k]) > 1e-9:
            t = ((high if d[k] > 0 else low) - EYE[k]) / d[k]
            if 0 < t < far:
                far, axis = t, k
    for ball in BALLS + [LAMP]:
        t = ball_hit(EYE, d, ball, far)
        if t < far:
            if ball is LAMP:
                return LAMP[2]
            p = [EYE[k] + t * d[k] for k in range(3)]
            n = [(p[k] - ball[0][k]) / ball[1] for k in range(3)]
            return lit(p, n, ball[2])
    p = [EYE[k] + far * d[k] for k in range(3)]
    if axis == 2 and WINDOW[0] < p[0] < WINDOW[1] and WINDOW[2] < p[1] < WINDOW[3]:
        across, up = (p[0] - WINDOW[0]) % 0.75, (p[1] - WINDOW[2]) % 0.65
        if across > 0.05 and up > 0.05:
            return outside(d[0] / d[2], d[1] / d[2])
        return lit(p, (0, 0, -1), (0.25, 0.24, 0.22))  # bars
    n = [0, 0, 0]
    n[axis] = -1 if d[axis] > 0 else 1
    return lit(p, n, surface(p, axis))


def rgbe(colour):
    most = max(colour)
    if most < 1e-32:
        return (0, 0, 0, 0)
    exponent = math.frexp(most)[1]
    scale = math.ldexp(256.0, -exponent)
    return tuple(min(255, int(c * scale)) for c in colour) + (exponent + 128,)


def encoded(line):
    """A line of pixels, each component by runs."""
    if not 8 <= len(line) < 32768:
        return bytes(b for pixel in line for b in pixel)
    out = bytearray((2, 2, len(line) >> 8, len(line) & 255))
    for c in range(4):
        values = [pixel[c] for pixel in line]
        k = 0
        while k < len(values):
            run = 1
            while k + run < len(values) and run < 127 and values[k + run] == values[k]:
                run += 1
            if run > 2:
                out += bytes((128 + run, values[k]))
                k += run
                continue
            end = k + 1
            while end < len(values) and end - k < 128 and values[end:end + 3] != [values[end]] * 3:
                end += 1
            out += bytes((end - k,)) + bytes(values[k:end])
            k = end
    return bytes(out)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    width = int(sys.argv[2]) if len(sys.argv) == 3 else 640
    height = width * 3 // 4
    with open(sys.argv[1], "wb") as file:
        file.write(b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n" % (height, width))
        for j in range(height):
            line = []
            for i in range(width):
                d = ((2 * (i + 0.5) / width - 1) * 0.62, (1 - 2 * (j + 0.5) / height) * 0.465, 1.0)
                length = math.sqrt(d[0] ** 2 + d[1] ** 2 + 1)
                line.append(rgbe(seen([v / length for v in d])))
            file.write(encoded(line))


main()
