"""Reports of tools/validate trouble about wrong answers without a word: buoyancy, waves on currents, surfaces, pictures, restarts, ranks of grids."""
import math
import random
import struct
import zlib

from trouble_inputs import QUIET, WALL, sides

# ---- still air between two openings

OPEN = 'type = "pressure"\npressure = 0\ntemperature = 293'
DOORS = ('physics = "flow"\n[mesh.box]\ncells = 600\ndimension = 2\n[fluid]\nviscosity = 1e-2\ngravity = [0, -9.81]\n[flow]\nmethod = "classical"\n'
         + '[scalar.temperature]\ndiffusivity = 1e-2\ninitial = 293\nexpansion = 3.4e-3\n'
         + sides(ymin=OPEN, ymax=OPEN, xmin=WALL, xmax=WALL) + '[time]\nend = 2\n' + QUIET)


def speed(run):
    return run.summary()["ranges"]["speed"][1]


def two_doors(b):
    """Air of the openings' temperature everywhere: with a reference it is at rest."""
    run = b.run(DOORS)
    told = run.code == 0 and "no reference is given" in run.words
    b.row("buoyancy without a reference", "a warning", b.first_line(run.words), "right" if told else "**wrong**")
    run = b.run(DOORS, "scalar.temperature.reference=293")
    b.number("the remedy, a reference of 293: largest speed [m/s]", run, speed, 0, 1e-9, absolute=True)
    b.row("the remedy: warnings", "none", run.words or "none", "**wrong**" if run.words else "right")


# ---- waves made in a current

TANK = ('physics = "boussinesq"\n[grid]\nnodes = [300, 6]\nlow = [1, 1]\nhigh = [599, 11]\n[boussinesq]\ndepth = 5\ncurrent = [CURRENT, 0]\n[time]\nend = 300\n' + QUIET
        + sides(west='type = "regular_waves"\namplitude = 0.1\nperiod = 8\nwidth = 55', east='type = "absorbing"\nwidth = 55\nperiod = 8', default=WALL)
        + "".join(f'[[monitor]]\ntype = "point"\nname = "p{i}"\nat = [{200 + 4 * i}, 6]\nevery = 1\nfields = ["elevation"]\n' for i in range(17)))


def amplitude(run):
    """Half of the height of the last five periods, the mean of the largest and the least of points over half a wavelength, which a small reflection leaves as it is."""
    heights = []
    for i in range(17):
        last = [row["elevation"] for row in run.rows(f"p{i}") if row["time"] > 260]
        heights.append((max(last) - min(last)) / 2)
    return (max(heights) + min(heights)) / 2


def waves_on_current(b):
    for current in (0, 1, -1):
        b.number(f"a current of {current:g} m/s: amplitude [m]", b.run(TANK.replace("CURRENT", repr(float(current)))), amplitude, 0.1, 0.01)
    b.refused("waves that the current holds back", b.run(TANK.replace("CURRENT", "-8.0")), "current")


# ---- surfaces of scans


def ball(noise=0.02, seed=1):
    """Points and triangles of an icosahedron divided three times, on a rough sphere of radius 1."""
    g = (1 + math.sqrt(5)) / 2
    points = [(-1, g, 0), (1, g, 0), (-1, -g, 0), (1, -g, 0), (0, -1, g), (0, 1, g), (0, -1, -g), (0, 1, -g), (g, 0, -1), (g, 0, 1), (-g, 0, -1), (-g, 0, 1)]
    faces = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6), (7, 1, 8),
             (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1)]
    for _ in range(3):
        middles, finer = {}, []

        def middle(i, j):
            key = (min(i, j), max(i, j))
            if key not in middles:
                middles[key] = len(points)
                points.append(tuple((p + q) / 2 for p, q in zip(points[i], points[j])))
            return middles[key]
        for i, j, k in faces:
            p, q, r = middle(i, j), middle(j, k), middle(k, i)
            finer += [(i, p, r), (j, q, p), (k, r, q), (p, q, r)]
        faces = finer
    rough = random.Random(seed)
    return [tuple(x / math.hypot(*point) * radius for x in point) for point, radius in ((p, 1 + rough.gauss(0, noise)) for p in points)], faces


def obj(points, faces):
    return "".join(f"v {x:.9g} {y:.9g} {z:.9g}\n" for x, y, z in points) + "".join(f"f {i + 1} {j + 1} {k + 1}\n" for i, j, k in faces)


def radii(run):
    """Mean and deviation of the distances from the ball's middle, away from hole and speck."""
    points = [tuple(map(float, line.split()[1:4])) for line in (run.folder / "b.obj").read_text().splitlines() if line.startswith("v ")]
    lengths = [math.hypot(*p) for p in points if p[2] < 0.5 and p[0] < 1.3]
    mean = sum(lengths) / len(lengths)
    return mean, math.sqrt(sum((r - mean) ** 2 for r in lengths) / len(lengths)) / mean


def scans(b):
    """What `smooth` does to a rough ball, with a speck of dust beside it, with a hole, with a doubled corner."""
    points, faces = ball()
    small, small_faces = ball(0)
    dust = obj(points + [(1.5 + 1e-3 * x, 1e-3 * y, 1e-3 * z) for x, y, z in small], faces + [tuple(i + len(points) for i in face) for face in small_faces])
    hole = obj(points, [face for face in faces if not all(points[i][2] > 0.95 for i in face)])
    twice = obj(points + [points[0]], [tuple(len(points) if i == 0 and n == 0 else i for i in face) for n, face in enumerate(faces)])
    alone = b.tool("smooth", "a.obj", "-o", "b.obj", files={"a.obj": obj(points, faces)})
    if not b.ended(alone, "the ball alone", "runs"):
        return
    radius, rough = radii(alone)
    b.row("roughness of the ball alone, 2 % before", "less than 0.7 %", f"{100 * rough:.2f} %", "right" if rough < 0.007 else "**wrong**")
    for name, text in (("a speck of dust", dust), ("a hole", hole), ("a corner twice", twice)):
        run = b.tool("smooth", "a.obj", "-o", "b.obj", files={"a.obj": text})
        b.number(f"{name}: mean radius", run, lambda r: radii(r)[0], radius, 0.02, source="the ball alone")
        b.number(f"{name}: roughness", run, lambda r: radii(r)[1], rough, 0.3, source="the ball alone")


# ---- pictures


def exr(rows, bits):
    """An OpenEXR file of scan lines, not compressed, of half or single floats."""
    height, width, kind, letter = len(rows), len(rows[0]), {16: 1, 32: 2}[bits], {16: "e", 32: "f"}[bits]

    def attribute(name, type_, value):
        return name.encode() + b"\0" + type_.encode() + b"\0" + struct.pack("<I", len(value)) + value
    window = struct.pack("<4i", 0, 0, width - 1, height - 1)
    head = struct.pack("<II", 20000630, 2)
    head += attribute("channels", "chlist", b"".join(c + b"\0" + struct.pack("<iB3xii", kind, 0, 1, 1) for c in (b"B", b"G", b"R")) + b"\0")
    head += attribute("compression", "compression", b"\0") + attribute("dataWindow", "box2i", window) + attribute("displayWindow", "box2i", window)
    head += attribute("lineOrder", "lineOrder", b"\0") + attribute("pixelAspectRatio", "float", struct.pack("<f", 1))
    head += attribute("screenWindowCenter", "v2f", struct.pack("<2f", 0, 0)) + attribute("screenWindowWidth", "float", struct.pack("<f", 1)) + b"\0"
    size, table, body = width * 3 * bits // 8, b"", b""
    for y, row in enumerate(rows):
        table += struct.pack("<Q", len(head) + 8 * height + y * (8 + size))
        body += struct.pack("<iI", y, size) + b"".join(struct.pack(f"<{width}{letter}", *(pixel[c] for pixel in row)) for c in (2, 1, 0))
    return head + table + body


def brightness(file, x, y):
    """The largest channel of a pixel of a PNG of bytes."""
    data, at, packed = file.read_bytes(), 8, b""
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        if name == b"IHDR":
            width, height, _, kind = struct.unpack(">IIBB", data[at + 8:at + 18])
        if name == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += 12 + length
    channels = {0: 1, 2: 3, 4: 2, 6: 4}[kind]
    raw, stride, before = zlib.decompress(packed), width * channels, bytearray(width * channels)
    for line in range(y + 1):
        start = line * (stride + 1)
        how, row = raw[start], bytearray(raw[start + 1:start + 1 + stride])
        for i in range(stride):
            left, up, corner = row[i - channels] if i >= channels else 0, before[i], before[i - channels] if i >= channels else 0
            guess = left + up - corner
            nearest = min((left, up, corner), key=lambda c: abs(guess - c))
            row[i] = (row[i] + (0, left, up, (left + up) // 2, nearest)[how]) & 255
        before = row
    return max(before[x * channels:x * channels + min(channels, 3)])


def sun_beyond_half(b):
    def scene(sun):
        rows = [[(2.2 + 1.5 * math.sin(x / 5) * math.cos(y / 4),) * 3 for x in range(48)] for y in range(32)]
        for y in range(3, 10):
            for x in range(37, 44):
                rows[y][x] = sun
        return rows
    finite = b.tool("tonemap", "a.exr", "-o", "a.png", files={"a.exr": exr(scene((65504.0,) * 3), 16)})
    if not b.ended(finite, "a sun of 65504", "runs"):
        return
    right = brightness(finite.folder / "a.png", 40, 6)
    for what, sun, bits in (("of inf", (math.inf,) * 3, 16), ("of inf in red alone", (math.inf, 6e4, 5e4), 16), ("of inf in blue alone, single floats", (1e30, 1e30, math.inf), 32)):
        run = b.tool("tonemap", "a.exr", "-o", "a.png", files={"a.exr": exr(scene(sun), bits)})
        b.number(f"a sun {what}: brightness of 255", run, lambda r: brightness(r.folder / "a.png", 40, 6), right, 1, absolute=True, source="a sun of 65504")


# ---- lists of a case that goes on


def ship(name, at, speed_):
    return f'[[ship]]\nname = "{name}"\nlength = 30\nbeam = 12\ndraught = 2\nat = {at}\nspeed = {speed_}\n'


HARBOUR = 'physics = "boussinesq"\n[grid]\nnodes = [64, 40]\nhigh = [315.0, 195.0]\n[boussinesq]\ndepth = 10\n' + sides(default=WALL) + QUIET + '[checkpoint]\nkeep = 1\n[time]\nend = 1e3\n'
A, B = ship("a", [60, 60], 3), ship("b", [200, 120], 1)
TRIGGERED = ('physics = "wave"\n[mesh.box]\ncells = 200\ndimension = 2\n[wave]\nspeed = 1\n' + sides(default='type = "free"') + '[initial]\ndisplacement = "x"\n[time]\nend = 1\n' + QUIET)


def trigger(column, action):
    return f'[[trigger]]\nmonitor = "wave"\ncolumn = "{column}"\nabove = 1e-9\naction = "{action}"\n'


def lists_by_name(b):
    whole = b.reference(HARBOUR + A + B, "time.steps=12")
    exchanged = b.continued(b.reference(HARBOUR + A + B, "time.steps=7"), HARBOUR + B + A, "time.steps=12")
    if b.ended(exchanged, "ships exchanged in the file", "runs"):
        b.alike("ships exchanged in the file, then gone on with", whole, exchanged)
    stopped = b.reference(TRIGGERED + trigger("kinetic_energy", "checkpoint"), "time.steps=10")
    other = b.continued(stopped, TRIGGERED + trigger("energy", "stop"), "time.steps=20")
    b.number("a trigger in the place of another stops the run after step", other, lambda r: r.summary()["steps"], 11, 0, absolute=True)


# ---- the same bits on grids

PROFILE = ('name = "grid"\nphysics = "wave"\n[grid]\nnodes = [33, 2]\n[wave]\nspeed = "0.00275"\nsource = "0.0833"\ntime_scheme = "trapezoidal"\n'
           + sides(west='type = "free"', east='type = "absorbing"', south='type = "absorbing"', north='type = "free"')
           + '[time]\nend = 1\nsteps = 3\nstep = 0.01\n[initial]\ndisplacement = "0.296"\n' + QUIET
           + '[[monitor]]\ntype = "point"\nname = "p"\nat = [0.3, 0.4]\n[[picture]]\nname = "q"\nwidth = 64\nheight = 48\n')
POISSON = ('name = "grid"\nphysics = "poisson"\n[grid]\nnodes = [65, 49]\nland = "(x-0.5)^2+(y-0.5)^2<0.02"\n[poisson]\nconductivity = "x < 0.5 ? 1 : 20"\nsource = 400\n'
           + sides(west='type = "value"\nvalue = 1', land='type = "slope"', default='type = "mixed"\nalpha = 1\nbeta = 1'))
HEAVE = ('name = "grid"\nphysics = "boussinesq"\n[grid]\nnodes = [64, 64]\nhigh = [315.0, 315.0]\n[boussinesq]\ndepth = 10\n' + sides(default=WALL)
         + ship("a", [60, 60], 0).replace("speed = 0\n", 'moves = ["heave"]\n') + '[time]\nend = 5\nsteps = 5\n')
ANNULUS = ('name = "grid"\nphysics = "wave"\n[grid]\nnodes = [64, 33]\nperiodic = ["x"]\nmap = ["(1 + y)*cos(2*pi*x)", "-(1 + y)*sin(2*pi*x)"]\n[wave]\nspeed = "1+0.1*x"\ntime_scheme = "trapezoidal"\n'
           + sides(south='type = "fixed"\nvalue = "0.1*sin(8*t)"', north='type = "absorbing"') + '[time]\nend = 0.4\nstep = 0.02\n[[monitor]]\ntype = "point"\nname = "p"\nat = [1.5, 0.4]\nevery = 1\n')


def grids_on_ranks(b):
    for name, text in (("trapezoidal", PROFILE), ("poisson", POISSON), ("a ship that heaves", HEAVE), ("an annulus", ANNULUS)):
        alone = b.run(text, options=["--reproducible"])
        if not b.ended(alone, f"{name}, 1 rank, --reproducible", "runs"):
            continue
        for ranks in (2, 3, 4):
            b.runs(f"{name}, {ranks} ranks", b.run(text, ranks=ranks))
            run = b.run(text, ranks=ranks, options=["--reproducible"])
            if b.ended(run, f"{name}, {ranks} ranks, --reproducible", "runs"):
                b.alike(f"{name}, --reproducible on {ranks} ranks and on one", alone, run)


REPORTS = {"two_doors": two_doors, "waves_on_current": waves_on_current, "scans": scans, "sun_inf": sun_beyond_half, "lists_by_name": lists_by_name, "grids_on_ranks": grids_on_ranks}
