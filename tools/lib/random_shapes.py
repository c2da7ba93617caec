"""Random geometries of flows: Gmsh text of unit size, and the mesh that gmsh makes of it."""
import dataclasses
import math
import pathlib
import subprocess

from program import Failed, call, need

LARGEST_RATIO = 20  # of the mesh size far from bodies and corners to that near them
LARGEST_STRETCH = 5  # of one direction, when the mesh is made


def log_uniform(rng, low, high):
    return math.exp(rng.uniform(math.log(low), math.log(high)))


@dataclasses.dataclass
class Side:
    """A boundary group. The corners of its bounding box; openings and flat walls fill it."""
    name: str
    low: tuple
    high: tuple
    kind: str  # "opening", "flat", "round", "body", "other"
    is_rest: bool = False  # what the other sides leave

    def extents(self):
        return [k for k in range(3) if self.high[k] > self.low[k]]

    def normal(self):
        """The direction across a flat side."""
        return min(range(3), key=lambda k: self.high[k] - self.low[k])

    def centre(self):
        return tuple((a + b) / 2 for a, b in zip(self.low, self.high))


@dataclasses.dataclass
class Piece:
    """A straight line (in 3D a flat parallelogram) inside the domain, along which faces of the mesh lie: a plate of no thickness where it has a name."""
    name: str
    corners: list  # 2 points, in 3D 4, in order around it


@dataclasses.dataclass
class Shape:
    kind: str
    dimension: int
    text: str  # makes the domain, for Gmsh's OpenCASCADE kernel; "" for a [mesh.box]
    sides: list
    high: tuple  # the corner of largest coordinates, the smallest are 0 unless low says otherwise
    low: tuple = (0, 0, 0)
    narrowing: float = 1.0  # by how much continuity can speed up what flows in
    fine: list = dataclasses.field(default_factory=list)  # boxes (low, high) whose points get the fine size
    pairs: list = dataclasses.field(default_factory=list)  # of sides that match when moved
    stretch: tuple = (1, 1, 1)
    has_round_inlet: bool = False
    inside: list = dataclasses.field(default_factory=list)  # of Piece

    def side(self, name):
        return next(s for s in self.sides if s.name == name)

    def openings(self):
        return [s for s in self.sides if s.kind == "opening"]

    def scaled(self, point):
        return tuple(a * b for a, b in zip(point, self.stretch))

    def section(self, side):
        """The length or area of an opening in the stretched mesh."""
        extents = side.extents()
        return math.prod((side.high[k] - side.low[k]) * self.stretch[k] for k in extents) if extents else 1.0


# ---- parts of Gmsh text

def _polygon(tag, points):
    n = len(points)
    lines = ["p = newp;"] + [f"Point(p + {i}) = {{{x:.9g}, {y:.9g}, 0}};" for i, (x, y) in enumerate(points)]
    lines += ["l = newl;"] + [f"Line(l + {i}) = {{p + {i}, p + {(i + 1) % n}}};" for i in range(n)]
    return "\n".join(lines + ["c = newll;", f"Curve Loop(c) = {{l:l + {n - 1}}};", f"Plane Surface({tag}) = {{c}};"])


def _without(entity, others):
    return f"BooleanDifference{{ {entity}{{1}}; Delete; }}{{ {entity}{{{', '.join(map(str, others))}}}; Delete; }}"


def _flat(name, kind, a, b, depth):
    """A straight side from a to b, in three dimensions as deep as the domain."""
    low, high = (min(a[0], b[0]), min(a[1], b[1]), 0), (max(a[0], b[0]), max(a[1], b[1]), depth)
    return Side(name, low, high, kind)


def _body(rng, tag, x, y, r):
    """A body in the plane within r of (x, y): its Gmsh text and its kind."""
    kind = rng.choice(["cylinder", "square", "triangle", "plate"])
    angle = rng.uniform(0, math.pi)
    if kind == "cylinder":
        return f"Disk({tag}) = {{{x:.9g}, {y:.9g}, 0, {r:.9g}}};", kind
    if kind == "triangle":
        corners = [(angle + 2 * math.pi * i / 3) for i in range(3)]
    else:
        half = math.pi / 4 if kind == "square" else math.atan(rng.uniform(0.05, 0.2))
        corners = [angle + a for a in (-half, half, math.pi - half, math.pi + half)]
    return _polygon(tag, [(x + r * math.cos(a), y + r * math.sin(a)) for a in corners]), kind


def _bodies(rng, count, length, height):
    """Texts, sides, kinds of so many bodies in a row, and how far they narrow the passage."""
    texts, sides, kinds, narrowing = [], [], [], 1.0
    room = length / count
    for i in range(count):
        r = rng.uniform(0.08, 0.3) * min(room, height)
        x = room * (i + 0.5) + rng.uniform(-1, 1) * 0.8 * (room / 2 - r - 0.05 * room)
        y = height / 2 + rng.uniform(-1, 1) * 0.8 * (height / 2 - r - 0.05 * height)
        text, kind = _body(rng, 10 + i, x, y, r)
        texts.append(text)
        kinds.append(kind)
        sides.append(Side(f"body_{i + 1}", (x - r, y - r, 0), (x + r, y + r, 0), "round" if kind == "cylinder" else "body"))
        narrowing = max(narrowing, height / (height - 2 * r))
    return texts, sides, kinds, narrowing


def _extruded(shape, depth):
    """The plane shape as the section of a solid between side_low and side_high."""
    text = shape.text + f"\nExtrude {{0, 0, {depth:.9g}}} {{ Surface{{:}}; }}\n"
    deep = [dataclasses.replace(s, high=(s.high[0], s.high[1], depth)) for s in shape.sides]
    (x0, y0, _), (x1, y1, _) = shape.low, shape.high
    deep += [Side(name, (x0, y0, z), (x1, y1, z), "flat") for name, z in (("side_low", 0), ("side_high", depth))]
    pairs = shape.pairs + [("side_low", "side_high")]
    fine = [(low, (high[0], high[1], depth)) for low, high in shape.fine]
    return dataclasses.replace(shape, dimension=3, text=text, sides=deep, pairs=pairs, fine=fine, high=(x1, y1, depth))


# ---- the shapes; in 2D, and those that make a solid when extruded

def _channel(rng, bodies=0):
    length = rng.uniform(2, 8)
    texts, others, kinds, narrowing = _bodies(rng, bodies, length, 1) if bodies else ([], [], [], 1.0)
    text = "\n".join([f"Rectangle(1) = {{0, 0, 0, {length:.9g}, 1}};", *texts])
    if bodies:
        text += "\n" + _without("Surface", range(10, 10 + bodies))
    sides = [_flat("inlet", "opening", (0, 0), (0, 1), 0), _flat("outlet", "opening", (length, 0), (length, 1), 0),
             _flat("bottom", "flat", (0, 0), (length, 0), 0), _flat("top", "flat", (0, 1), (length, 1), 0)]
    fine = [(s.low, s.high) for s in others] or [((0, 0, 0), (0, 0, 0))]
    return Shape("channel" + "".join(" " + kind for kind in kinds), 2, text, sides + others, (length, 1, 0),
                 narrowing=narrowing, fine=fine, pairs=[("inlet", "outlet"), ("bottom", "top")])


def _bodies_in_channel(rng):
    return _channel(rng, rng.randint(1, 3))


def _cavity(rng):
    width = rng.uniform(0.5, 2)
    count = rng.randint(1, 2)
    texts, bodies, kinds, _ = _bodies(rng, count, width, 1)
    text = "\n".join([f"Rectangle(1) = {{0, 0, 0, {width:.9g}, 1}};", *texts, _without("Surface", range(10, 10 + count))])
    sides = [_flat("left", "flat", (0, 0), (0, 1), 0), _flat("right", "flat", (width, 0), (width, 1), 0),
             _flat("bottom", "flat", (0, 0), (width, 0), 0), _flat("top", "flat", (0, 1), (width, 1), 0)]
    fine = [(s.low, s.high) for s in bodies]
    return Shape("cavity " + " ".join(kinds), 2, text, sides + bodies, (width, 1, 0), fine=fine)


def _polygonal(kind, points, openings, narrowing, corner):
    """A polygon whose openings are (name, first point of the edge); all else is walls, fine at the corner."""
    sides = [_flat(name, "opening", points[i], points[(i + 1) % len(points)], 0) for name, i in openings]
    low = tuple(min(p[k] for p in points) for k in range(2)) + (0,)
    high = tuple(max(p[k] for p in points) for k in range(2)) + (0,)
    sides.append(Side("walls", low, high, "other", True))
    return Shape(kind, 2, _polygon(1, points), sides, high, low, narrowing, [((*corner, 0), (*corner, 0))])


def _step(rng):
    h, before, behind = rng.uniform(0.2, 0.6), rng.uniform(0.5, 3), rng.uniform(3, 8)
    points = [(0, h), (before, h), (before, 0), (before + behind, 0), (before + behind, 1), (0, 1)]
    return _polygonal("step", points, [("inlet", 5), ("outlet", 3)], 1 / (1 - h), (before, h))


def _contraction(rng):
    c, before, behind, taper = rng.uniform(0.2, 0.7), rng.uniform(1, 3), rng.uniform(1, 3), rng.choice([0, rng.uniform(0.2, 2)])
    a, b, end = before, before + taper, before + taper + behind
    low = rng.choice([0, (1 - c) / 2])
    points = [(0, 0), *([(a, 0), (b, low)] if low else [(b, 0)]), (end, low), (end, low + c), (b, low + c), (a, 1), (0, 1)]
    outlet = points.index((end, low))
    return _polygonal("contraction", points, [("inlet", len(points) - 1), ("outlet", outlet)], 1 / c, (b, low + c))


def _bend(rng):
    before, behind, inner = rng.uniform(1, 3), rng.uniform(1, 3), rng.choice([0, rng.uniform(0.2, 1)])
    n = 8 if inner else 0
    def arc(r):
        angles = [math.pi / 2 * i / n for i in range(n + 1)]
        return [(before + r * math.sin(a), inner + 1 - r * math.cos(a)) for a in angles]
    if inner:
        points = [(0, 0), *arc(1 + inner), (before + 1 + inner, 1 + inner + behind), (before + 1, 1 + inner + behind),
                  *reversed(arc(inner)), (0, 1)]
        outlet, corner = n + 2, (before, 1)
    else:
        points = [(0, 0), (before + 1, 0), (before + 1, 1 + behind), (before, 1 + behind), (before, 1), (0, 1)]
        outlet, corner = 2, (before, 1)
    return _polygonal("bend", points, [("inlet", len(points) - 1), ("outlet", outlet)], 1.0, corner)


def _junction(rng):
    b, before, behind, leg = rng.uniform(0.3, 1), rng.uniform(1, 3), rng.uniform(1, 3), rng.uniform(1, 3)
    end = before + b + behind
    points = [(0, 0), (end, 0), (end, 1), (before + b, 1), (before + b, 1 + leg), (before, 1 + leg), (before, 1), (0, 1)]
    openings = [("inlet", 7), ("outlet", 1), ("branch", 4)]
    return _polygonal("T-junction", points, openings, 2 / b, (before, 1))


def _annulus(rng):
    r = rng.uniform(0.2, 0.8)
    off = rng.choice([0, rng.uniform(0, 0.8) * (1 - r)])
    text = f"Disk(1) = {{1, 1, 0, 1}};\nDisk(2) = {{{1 + off:.9g}, 1, 0, {r:.9g}}};\n" + _without("Surface", [2])
    inner = Side("inner", (1 + off - r, 1 - r, 0), (1 + off + r, 1 + r, 0), "round")
    outer = Side("outer", (0, 0, 0), (2, 2, 0), "round", True)
    return Shape("annulus", 2, text, [inner, outer], (2, 2, 0), fine=[(inner.low, inner.high)])


# ---- in 3D only

def _bodies_in_duct(rng):
    """A channel with a sphere, a box or a standing cylinder wholly inside."""
    shape = _extruded(_channel(rng), rng.uniform(0.6, 1.5))
    depth, length = shape.high[2], shape.high[0]
    r = rng.uniform(0.1, 0.32) * min(depth, 1)
    c = (length * rng.uniform(0.25, 0.5), 0.5 + rng.uniform(-1, 1) * 0.8 * (0.45 - r), depth / 2)
    kind = rng.choice(["sphere", "box", "pillar"])
    text = {"sphere": f"Sphere(100) = {{{c[0]:.9g}, {c[1]:.9g}, {c[2]:.9g}, {r:.9g}}};",
            "box": f"Box(100) = {{{c[0] - r:.9g}, {c[1] - r:.9g}, {c[2] - r:.9g}, {2 * r:.9g}, {2 * r:.9g}, {2 * r:.9g}}};",
            "pillar": f"Cylinder(100) = {{{c[0]:.9g}, {c[1] - r:.9g}, {c[2]:.9g}, 0, {2 * r:.9g}, 0, {r:.9g}}};"}[kind]
    body = Side("body", tuple(a - r for a in c), tuple(a + r for a in c), "round" if kind == "sphere" else "body")
    return dataclasses.replace(shape, kind=f"channel {kind}", text=f"{shape.text}{text}\n{_without('Volume', [100])}",
                               sides=[*shape.sides, body], narrowing=1 / (1 - 4 * r * r / depth),
                               fine=[(body.low, body.high)])


def _car(rng):
    """A bluff body with a slanted back over the ground, which may move."""
    length, height, depth = rng.uniform(4, 6), rng.uniform(1, 1.6), rng.uniform(0.8, 1.4)
    gap, h, w, x = rng.uniform(0.04, 0.12), rng.uniform(0.25, 0.4), rng.uniform(0.3, 0.5), rng.uniform(1, 1.5)
    slant, end, roof, z = rng.uniform(0.05, 0.6), x + 1.2, gap + h, (depth - w) / 2
    profile = [(x, gap), (end, gap), (end, gap + h * (1 - 0.8 * slant)), (end - slant, roof), (x + 0.15, roof), (x, gap + 0.6 * h)]
    text = "\n".join([_polygon(100, profile), f"Translate {{0, 0, {z:.9g}}} {{ Surface{{100}}; }}",
                      f"body() = Extrude {{0, 0, {w:.9g}}} {{ Surface{{100}}; }};", "Recursive Delete { Surface{100}; }",
                      f"Box(50) = {{0, 0, 0, {length:.9g}, {height:.9g}, {depth:.9g}}};",
                      "BooleanDifference{ Volume{50}; Delete; }{ Volume{body(1)}; Delete; }"])
    sides = [_flat("inlet", "opening", (0, 0), (0, height), 0), _flat("outlet", "opening", (length, 0), (length, height), 0),
             _flat("ground", "flat", (0, 0), (length, 0), 0), _flat("top", "flat", (0, height), (length, height), 0)]
    room = _extruded(Shape("car", 2, "", sides, (length, height, 0)), depth)
    body = Side("car", (x, gap, z), (end, roof, z + w), "body")
    return dataclasses.replace(room, text=text, sides=[*room.sides, body], narrowing=1 / (1 - roof * w / (height * depth)),
                               fine=[(body.low, body.high)])


def _pipe(rng):
    length = rng.uniform(2, 6)
    text = f"Cylinder(1) = {{0, 0.5, 0.5, {length:.9g}, 0, 0, 0.5}};"
    sides = [Side("inlet", (0, 0, 0), (0, 1, 1), "opening"), Side("outlet", (length, 0, 0), (length, 1, 1), "opening"),
             Side("wall", (0, 0, 0), (length, 1, 1), "round", True)]
    return Shape("pipe", 3, text, sides, (length, 1, 1), fine=[((0, 0, 0), (0, 1, 1))], pairs=[("inlet", "outlet")],
                 has_round_inlet=True)


def _box(rng):
    """A [mesh.box] of the program's own."""
    dimension = rng.choice([2, 3])
    high = (rng.uniform(0.5, 4), 1, rng.uniform(0.5, 2) if dimension == 3 else 0)
    sides = []
    for k in range(dimension):
        for end in (0, 1):
            low, far = [0, 0, 0], list(high)
            low[k] = far[k] = end * high[k]
            sides.append(Side("xyz"[k] + ("min", "max")[end], tuple(low), tuple(far), "flat" if k else "opening"))
    return Shape("box", dimension, "", sides, high, pairs=[(f"{a}min", f"{a}max") for a in "xyz"[:dimension]])


def _solid(make):
    return lambda rng: _extruded(make(rng), rng.uniform(0.5, 2))


BOTH = [_channel, _bodies_in_channel, _cavity, _step, _contraction, _bend, _junction]
PLANE = [*BOTH, _bodies_in_channel, _annulus]
SPACE = [*map(_solid, BOTH), _bodies_in_duct, _bodies_in_duct, _car, _car, _pipe]


def random_shape(rng):
    """One in eight a box of the program's own, half of the rest in the plane."""
    make = _box if rng.random() < 1 / 8 else rng.choice(rng.choice([PLANE, SPACE]))
    shape = make(rng)
    if rng.random() < 0.2 and not shape.has_round_inlet:
        axis, factor = rng.randrange(shape.dimension), log_uniform(rng, 1, LARGEST_STRETCH) ** rng.choice([-1, 1])
        turns = any(s.normal() != shape.openings()[0].normal() for s in shape.openings())
        shape = dataclasses.replace(shape, stretch=tuple(factor if k == axis else 1 for k in range(3)),
                                    narrowing=shape.narrowing * (max(factor, 1 / factor) if turns else 1))
    return shape


# ---- meshes

def _corners(points):
    """Of the bounding box."""
    return tuple(map(min, zip(*points))), tuple(map(max, zip(*points)))


def _pieces(shape, around):
    """Gmsh text that cuts the domain along the shape's pieces, each of which may end outside of it."""
    lines = []
    for piece in shape.inside:
        n = len(piece.corners)
        lines += ["p = newp;"] + [f"Point(p + {i}) = {{{x:.9g}, {y:.9g}, {z:.9g}}};" for i, (x, y, z) in enumerate(piece.corners)] + ["l = newl;"]
        if n == 2:
            lines += ["Line(l) = {p, p + 1};", f"part() = BooleanIntersection{{ Curve{{l}}; Delete; }}{{ {around}{{:}}; }};"]
        else:
            lines += [f"Line(l + {i}) = {{p + {i}, p + {(i + 1) % n}}};" for i in range(n)]
            lines += ["c = newll;", f"Curve Loop(c) = {{l:l + {n - 1}}};", "s = news;", "Plane Surface(s) = {c};",
                      f"part() = BooleanIntersection{{ Surface{{s}}; Delete; }}{{ {around}{{:}}; }};"]
        lines.append("parts() += part();")
    what = "Curve" if shape.dimension == 2 else "Surface"
    return ["parts() = {};", *lines, f"If (#parts() > 0)\nBooleanFragments{{ {around}{{:}}; Delete; }}{{ {what}{{parts()}}; Delete; }}\nEndIf"]


def geometry(shape, periodic):
    """The whole .geo: the shape, its groups, the sizes `size` and `fine`; pairs of sides meshed alike."""
    inside, around = ("Curve", "Surface") if shape.dimension == 2 else ("Surface", "Volume")
    e = 1e-4
    def box(low, high):
        return "{" + ", ".join(f"{a - e:.9g}" for a in low) + ", " + ", ".join(f"{a + e:.9g}" for a in high) + "}"
    lines = ['SetFactory("OpenCASCADE");', "DefineConstant[ size = {0.1}, fine = {0.1} ];", shape.text,
             *(_pieces(shape, around) if shape.inside else []), f"domain() = {around}{{:}};",
             f"rest() = Abs({'Combined' if shape.inside else ''}Boundary{{ {around}{{domain()}}; }});"]
    named = [s for s in shape.sides if not s.is_rest]
    for s in named:
        lines += [f"{s.name}() = {inside} In BoundingBox{box(s.low, s.high)};", f"rest() -= {s.name}();"]
    groups = {s.name: f"{s.name}()" if s in named else "rest()" for s in shape.sides}
    lines += [f'Physical {inside}("{name}") = {tags};' for name, tags in groups.items()]
    for piece in (piece for piece in shape.inside if piece.name):
        lines.append(f"{piece.name}() = {inside} In BoundingBox{box(*_corners(piece.corners))};")
        lines += [f"{piece.name}() -= Abs(CombinedBoundary{{ {around}{{domain()}}; }});", f'Physical {inside}("{piece.name}") = {piece.name}();']
    lines += [f'Physical {around}("fluid") = domain();', f"MeshSize{{ PointsOf{{ {around}{{domain()}}; }} }} = size;"]
    lines += [f"near() = Point In BoundingBox{box(low, high)};\nMeshSize{{ near() }} = fine;" for low, high in shape.fine]
    for one, other in periodic:
        shift = ", ".join(f"{b - a:.9g}" for a, b in zip(shape.side(one).low, shape.side(other).low))
        lines.append(f"Periodic {inside}{{{groups[other]}}} = {{{groups[one]}}} Translate {{{shift}}};")
    return "\n".join(lines) + "\n"


def _stretched(source, target, factors):
    """Copies a mesh in format 2.2 with its coordinates multiplied; counts the cells of the highest dimension."""
    counts, section = {}, None
    with open(source) as lines, open(target, "w") as out:
        for line in lines:
            words = line.split()
            if line.startswith("$"):
                section = line.strip()
            elif section == "$Nodes" and len(words) == 4:
                line = " ".join([words[0], *(f"{float(word) * f:.17g}" for word, f in zip(words[1:], factors))]) + "\n"
            elif section == "$Elements" and len(words) > 3:
                counts[words[1]] = counts.get(words[1], 0) + 1
            out.write(line)
    return counts.get("4") or counts.get("2", 0)


def make_random_mesh(shape, periodic, cells, ratio, limits, folder):
    """FOLDER/mesh.msh of about so many cells, within the limits; None where gmsh cannot make it."""
    source, raw = pathlib.Path(folder) / "mesh.geo", pathlib.Path(folder) / "raw.msh"
    source.write_text(geometry(shape, periodic))
    measure = math.prod(b - a for a, b in list(zip(shape.low, shape.high))[:shape.dimension])
    size = (measure / cells) ** (1 / shape.dimension) * (1.5 if shape.dimension == 2 else 2)
    for attempt in range(8):
        sizes = ["-setnumber", "size", f"{size:.6g}", "-setnumber", "fine", f"{size / ratio:.6g}"]
        command = [need("gmsh", "gmsh"), f"-{shape.dimension}", source, *sizes, "-format", "msh22", "-nt", "1", "-o", raw]
        try:
            call(command, pathlib.Path(folder) / "gmsh.log", timeout=60)
            count = _stretched(raw, pathlib.Path(folder) / "mesh.msh", shape.stretch)
        except Failed:
            count = 0
        except subprocess.TimeoutExpired:
            count = 8 * limits[1]
        raw.unlink(missing_ok=True)
        near = cells / 2 < count < cells * 2 or attempt > 4
        if limits[0] <= count <= limits[1] and near:
            return count
        size *= min(max((count / cells) ** (1 / shape.dimension), 0.4), 2.5) if count else 0.8
    return None
