"""Meshes with thin layers at walls, written for tools/validate thin: triangles and tets in layers, in Gmsh's format 2.2."""
import dataclasses
import math
import typing

from program import call, need

COLUMNS, LENGTH = 16, 4.0  # of the flat channel, which is 1 m high
ROUND = 96  # faces round a ring of radii 0.5 and 1 m


class Mesh:
    """Points, cells by their corners, and the faces of each boundary by its name."""

    def __init__(self, points, cells, sides):
        self.points, self.cells, self.sides = points, cells, sides

    def write(self, file):
        dimension = len(self.cells[0]) - 1
        names = sorted(self.sides)
        simplex = {2: 1, 3: 2, 4: 4}  # Gmsh's types, by corners
        elements = [(number, face) for number, name in enumerate(names, 1) for face in self.sides[name]]
        elements += [(len(names) + 1, cell) for cell in self.cells]
        lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", str(len(names) + 1)]
        lines += [f'{dimension - 1} {number} "{name}"' for number, name in enumerate(names, 1)]
        lines += [f'{dimension} {len(names) + 1} "fluid"', "$EndPhysicalNames", "$Nodes", str(len(self.points))]
        lines += [f"{i} {' '.join(f'{x:.17g}' for x in (*point, 0.0)[:3])}" for i, point in enumerate(self.points, 1)]
        lines += ["$EndNodes", "$Elements", str(len(elements))]
        lines += [f"{i} {simplex[len(corners)]} 2 {group} {group} {' '.join(str(c + 1) for c in corners)}"
                  for i, (group, corners) in enumerate(elements, 1)]
        file.write_text("\n".join([*lines, "$EndElements", ""]))


# ---- heights of layers


def growing(first, height, most=1.3):
    """Layers that grow by the same ratio, at most about `most`, from the height `first` at both walls to the middle."""
    count = 1
    while first * (most ** count - 1) / (most - 1) < height / 2:
        count += 1
    return graded(2 * count, first, height)


def graded(count, first, height):
    """`count` layers that grow from both walls to the middle; the first is `first` high."""
    half = count // 2
    low, high = 1.0, 50.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if first * sum(middle ** k for k in range(half)) < height / 2 else (low, middle)
    places = [0.0]
    for k in range(half):
        places.append(places[-1] + first * low ** k)
    places = [y * height / 2 / places[-1] for y in places]
    return places + [height - y for y in reversed(places[:-1])]


def growing_from_one(first, height, ratio=1.25):
    """Layers that grow from one wall."""
    places = [0.0]
    while places[-1] < height:
        places.append(places[-1] + first * ratio ** (len(places) - 1))
    return [y * height / places[-1] for y in places]


def bumped(count, bump, height):
    """As Gmsh's `Transfinite Line{...} = count + 1 Using Bump bump`: thin at both ends."""
    root = math.sqrt(1 - bump)
    places = [height / 2 * (1 + math.tanh(math.atanh(root) * (2 * k / count - 1)) / root) for k in range(count + 1)]
    return [0.0, *places[1:-1], height]


def even(count, low, high):
    return [low + (high - low) * k / count for k in range(count + 1)]


# ---- triangles of rows and columns


def structured(points, names, diagonals="right", closed=False):
    """Triangles between rows of points, points[j][i]. `names` of the sides: of the first and the last row, of the first and the
    last column, each a name or what gives one for the number of the face. `diagonals`: "right", all alike, or "alternating".
    `closed`: the last column joins the first."""
    rows, columns = len(points), len(points[0])
    across = columns if closed else columns - 1

    def at(j, i):
        return j * columns + i % columns
    cells = []
    for j in range(rows - 1):
        for i in range(across):
            a, b, c, d = at(j, i), at(j, i + 1), at(j + 1, i + 1), at(j + 1, i)
            cells += [(a, b, c), (a, c, d)] if diagonals == "right" or (i + j) % 2 == 0 else [(a, b, d), (b, c, d)]
    faces = [(names[0], i, (at(0, i), at(0, i + 1))) for i in range(across)]
    faces += [(names[1], i, (at(rows - 1, i), at(rows - 1, i + 1))) for i in range(across)]
    if not closed:
        faces += [(names[2], j, (at(j, 0), at(j + 1, 0))) for j in range(rows - 1)]
        faces += [(names[3], j, (at(j, columns - 1), at(j + 1, columns - 1))) for j in range(rows - 1)]
    sides = {}
    for name, number, face in faces:
        sides.setdefault(name(number) if callable(name) else name, []).append(face)
    return Mesh([point for row in points for point in row], cells, sides)


def extruded(mesh, height, layers):
    """Tets: prisms over the triangles, each cut into three by the order of its corners, so that they fit; lids low and high."""
    count = len(mesh.points)
    points = [(x, y, z) for z in even(layers, 0, height) for x, y in mesh.points]
    cells, sides = [], {"low": [], "high": []}
    for k in range(layers):
        for triangle in mesh.cells:
            a, b, c = (k * count + corner for corner in sorted(triangle))
            tets = [(a, b, c, c + count), (a, b, b + count, c + count), (a, a + count, b + count, c + count)]
            cells += [tet if _volume(points, tet) > 0 else (tet[0], tet[2], tet[1], tet[3]) for tet in tets]
        for name, faces in mesh.sides.items():
            for face in faces:
                a, b = (k * count + corner for corner in sorted(face))
                sides.setdefault(name, []).extend([(a, b, b + count), (a, a + count, b + count)])
    sides["low"] = list(mesh.cells)
    sides["high"] = [tuple(corner + layers * count for corner in triangle) for triangle in mesh.cells]
    return Mesh(points, cells, sides)


def _volume(points, tet):
    o, *ends = (points[corner] for corner in tet)
    (a, b, c), (d, e, f), (g, h, i) = ([x - y for x, y in zip(end, o)] for end in ends)
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


# ---- the meshes of the rows


@dataclasses.dataclass(frozen=True)
class Layers:
    """A mesh that is made when it is first used. `aspect`: of the cells at the walls; `product`: that times their length along the
    wall over its radius, of a ring at the inner one."""

    name: str
    aspect: float
    product: float
    diagonals: str
    make: typing.Callable = dataclasses.field(compare=False)
    first: float = 0.0  # height of the first layer [m]

    @property
    def file(self):
        return f"{self.name}_{self.diagonals}_{self.aspect:g}.msh"

    def write(self, file):
        self.make().write(file)


def _rectangle(xs, ys, names, diagonals):
    return structured([[(x, y) for x in xs] for y in ys], names, diagonals)


def flat(aspect, diagonals="alternating"):
    """A channel 4 m x 1 m with layers at the bottom and the top."""
    first = LENGTH / COLUMNS / aspect
    return Layers("flat", aspect, 0, diagonals, lambda: _rectangle(
        even(COLUMNS, 0, LENGTH), growing(first, 1), ("bottom", "top", "in", "out"), diagonals), first)


def flat_bumped(bump, diagonals="right", count=14):
    """The same by Gmsh's `Bump`."""
    ys = bumped(count, bump, 1)
    return Layers(f"bump_{bump:g}", float(f"{LENGTH / COLUMNS / ys[1]:.3g}"), 0, diagonals, lambda: _rectangle(
        even(COLUMNS, 0, LENGTH), ys, ("bottom", "top", "in", "out"), diagonals), ys[1])


def flat_one_sided(aspect, diagonals="alternating"):
    """Graded from `aspect` at the bottom to about 1 at the top."""
    first = LENGTH / COLUMNS / aspect
    return Layers("flat_one_sided", aspect, 0, diagonals, lambda: _rectangle(
        even(COLUMNS, 0, LENGTH), growing_from_one(first, 1), ("bottom", "top", "in", "out"), diagonals), first)


def flat_film(aspect, diagonals="alternating"):
    """Even layers, but for one thin one at either wall."""
    first = LENGTH / COLUMNS / aspect
    return Layers("flat_film", aspect, 0, diagonals, lambda: _rectangle(
        even(COLUMNS, 0, LENGTH), [0.0, *even(14, first, 1 - first), 1.0], ("bottom", "top", "in", "out"), diagonals), first)


def flat_line(aspect, diagonals="alternating"):
    """Even layers, but for one thin one in the middle."""
    first = LENGTH / COLUMNS / aspect
    return Layers("flat_line", aspect, 0, diagonals, lambda: _rectangle(
        even(COLUMNS, 0, LENGTH), even(8, 0, 0.5 - first / 2) + even(8, 0.5 + first / 2, 1), ("bottom", "top", "in", "out"), diagonals), first)


def ring(aspect, diagonals="alternating", round_=ROUND):
    """Between circles of 0.5 and 1 m, with layers at both; the aspect at the inner one."""
    first = math.pi / round_ / aspect
    layers = 2 * max(8, int(math.log(1 + 0.075 / first) / math.log(1.3)) + 1)
    return Layers("ring" if round_ == ROUND else f"ring{round_}", aspect, aspect * 2 * math.pi / round_, diagonals,
                  lambda: _ring(graded(layers, first, 0.5), diagonals, round_), first)


def ring_bumped(bump, diagonals="right", round_=ROUND, layers=24):
    """By Gmsh's `Bump`; the aspect is that at the outer wall, twice that at the inner one."""
    ys = bumped(layers, bump, 0.5)
    return Layers(f"ring_bump_{bump:g}", float(f"{2 * math.pi / round_ / ys[1]:.3g}"), 2 * math.pi ** 2 / round_ ** 2 / ys[1], diagonals,
                  lambda: _ring(ys, diagonals, round_), ys[1])


def _ring(ys, diagonals, round_):
    angles = [2 * math.pi * i / round_ for i in range(round_)]
    return structured([[((0.5 + y) * math.cos(a), (0.5 + y) * math.sin(a)) for a in angles] for y in ys], ("inner", "outer", "", ""), diagonals, closed=True)


def ring_3d(bump):
    """ring_bumped, 0.25 m high, with three layers of cells."""
    plane = ring_bumped(bump)
    return Layers(f"ring3d_bump_{bump:g}", plane.aspect, plane.product, "right", lambda: extruded(plane.make(), 0.25, 3), plane.first)


def box_3d(bump, layers):
    """A box 4 m x 1 m x 1 m with layers at y = 0 and 1."""
    ys = bumped(layers, bump, 1)
    return Layers(f"box3d_bump_{bump:g}", float(f"{0.5 / ys[1]:.3g}"), 0, "right", lambda: extruded(
        _rectangle(even(8, 0, LENGTH), ys, ("bottom", "top", "in", "out"), "right"), 1, 4), ys[1])


HALF_ANGLE = math.radians(10)


def wedge(aspect, diagonals="alternating"):
    """Between radii of 1 and 2 m, 10 degrees to either side of the x-axis, with layers at both walls."""
    first = 0.05 / aspect / (2 * HALF_ANGLE)
    angles = [(y - 0.5) * 2 * HALF_ANGLE for y in growing(first, 1)]
    return Layers("wedge", aspect, 0, diagonals, lambda: structured(
        [[(r * math.cos(a), r * math.sin(a)) for r in even(20, 1, 2)] for a in angles], ("low", "high", "in", "out"), diagonals), first)


def rectangle(kind, aspect, xs, ys, level):
    """Twelve columns, and layers that grow from one thin one at the bottom ("one-sided"), or even ones with a thin one in the middle
    ("line"); then each face halved `level` times."""
    (left, right), (bottom, top) = xs, ys
    first, height = (right - left) / 12 / aspect, top - bottom
    rows = growing_from_one(first, height) if kind == "one-sided" else even(8, 0, (height - first) / 2) + even(8, (height + first) / 2, height)
    rows = [bottom + y for y in rows]
    for _ in range(level):
        rows = [y for low, high in zip(rows, rows[1:]) for y in (low, (low + high) / 2)] + rows[-1:]
    return Layers(f"rectangle_{kind}_{left:.3g}_{level}", aspect, 0, "alternating", lambda: _rectangle(
        even(12 * 2 ** level, left, right), rows, ("bottom", "top", "in", "out"), "alternating"), first / 2 ** level)


PARTS_OF_PLATE = ((0.1, "lead"), (0.48, "fore"), (0.52, "half"), (1.0, "aft"))  # each up to its x


def plate(aspect, diagonals="alternating"):
    """Air over a plate from x = 0 to 1 m with a symmetry plane ahead, in a stream up to 3 m. Faces along it are 0.02 m long, and 0.002 m
    at the leading edge."""
    ahead = [-x for x in _stretched(0.002, 0.02, 0.5)[:0:-1]]
    return _plate("plate", [*ahead, *_stretched(0.002, 0.02, 0.1), *even(45, 0.1, 1)[1:]], aspect, diagonals)


def coarse_plate(aspect, diagonals="alternating"):
    """The same with even faces of 0.02 m along it."""
    return _plate("coarse_plate", even(75, -0.5, 1), aspect, diagonals)


def _plate(name, xs, aspect, diagonals):
    first = 0.02 / aspect

    def part(i):
        middle = (xs[i] + xs[i + 1]) / 2
        return "ahead" if middle < 0 else next(name for end, name in PARTS_OF_PLATE if middle < end)
    return Layers(name, aspect, 0, diagonals, lambda: _rectangle(xs, growing_from_one(first, 3), (part, "stream", "stream", "out"), diagonals), first)


def _stretched(first, largest, length):
    """From 0 to `length`: faces that grow by 1.15 from `first` to `largest`."""
    places, size = [0.0], first
    while places[-1] < length:
        places.append(places[-1] + size)
        size = min(1.15 * size, largest)
    return [x * length / places[-1] for x in places]


def square(aspect, diagonals="alternating", across=32):
    """A square of 1 m with layers at its left and right side."""
    first = 1 / across / aspect
    return Layers("square", aspect, 0, diagonals, lambda: _rectangle(
        growing(first, 1), even(across, 0, 1), ("bottom", "top", "left", "right"), diagonals), first)


# ---- a cylinder of 1 m, by Gmsh


_CYLINDER = """Point(1) = {0, 0, 0}; Point(2) = {0.5, 0, 0, NEAR}; Point(3) = {0, 0.5, 0, NEAR}; Point(4) = {-0.5, 0, 0, NEAR}; Point(5) = {0, -0.5, 0, NEAR};
Circle(1) = {2, 1, 3}; Circle(2) = {3, 1, 4}; Circle(3) = {4, 1, 5}; Circle(4) = {5, 1, 2};
Point(6) = {-5, -5, 0, FAR}; Point(7) = {12, -5, 0, FAR}; Point(8) = {12, 5, 0, FAR}; Point(9) = {-5, 5, 0, FAR};
Line(5) = {6, 7}; Line(6) = {7, 8}; Line(7) = {8, 9}; Line(8) = {9, 6};
Line Loop(1) = {5:8}; Line Loop(2) = {1:4}; Plane Surface(1) = {1, 2};
Physical Line("cylinder") = {1:4}; Physical Line("in") = {8}; Physical Line("out") = {6}; Physical Line("sides") = {5, 7}; Physical Surface("fluid") = {1};
"""
_THIN = """Transfinite Line{1:4} = 9;
Field[1] = BoundaryLayer; Field[1].EdgesList = {1:4}; Field[1].hwall_n = FIRST; Field[1].thickness = 0.15; Field[1].ratio = 1.6; Field[1].hfar = 0.6;
BoundaryLayer Field = 1;
"""
_EVEN = """Field[1] = Box; Field[1].XMin = -1; Field[1].XMax = 6; Field[1].YMin = -1; Field[1].YMax = 1; Field[1].VIn = WAKE; Field[1].VOut = FAR; Field[1].Thickness = 4;
Background Field = 1;
"""


@dataclasses.dataclass(frozen=True)
class GmshLayers(Layers):
    """A mesh that Gmsh makes of a geometry, and halves so many times."""

    geometry: str = ""
    halved: int = 0

    def write(self, file):
        gmsh, source = need("gmsh", "gmsh"), file.with_suffix(".geo")
        source.write_text(self.geometry)
        format_ = ["-format", "msh41", "-v", "1"]
        call([gmsh, "-2", source, *format_, "-o", file], file.with_suffix(".log"))
        for _ in range(self.halved):
            call([gmsh, "-refine", file, *format_, "-o", file], file.with_suffix(".log"))


def cylinder(first, halved=0):
    """In a stream, with Gmsh's boundary layer of triangles."""
    along = math.pi / 64
    geometry = (_CYLINDER + _THIN).replace("NEAR", "0.1").replace("FAR", "1").replace("FIRST", f"{first:g}")
    return GmshLayers(f"cylinder_halved_{halved}" if halved else "cylinder", float(f"{2 * along / first:.3g}"), 2 * along / first * 2 * along / 0.5 / 2 ** halved, "Gmsh", _no_points,
                      first / 2 ** halved, geometry, halved)


def even_cylinder(size):
    """The same without layers, all finer by the factor `size`."""
    geometry = _CYLINDER + _EVEN
    for name, width in (("NEAR", 0.05), ("WAKE", 0.12), ("FAR", 1)):
        geometry = geometry.replace(name, f"{width * size:g}")
    return GmshLayers(f"even_cylinder_{size:g}", 1, 0, "Gmsh", _no_points, 0.05 * size, geometry)


def _no_points():
    raise ValueError("a mesh of Gmsh is written by write()")
