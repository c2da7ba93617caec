"""OpenFOAM's polyMesh of a mesh of triangles (one layer of prisms) or tets.

gmshToFoam is not used: it makes no layer of prisms, loses which cell was which, and numbers as the file does. Cells are
numbered here by breadth first from neighbour to neighbour (Cuthill-McKee), as renumberMesh would, so that icoFoam too
works on neighbours that lie near in memory."""
import collections
import itertools
import math

FLAT = "frontAndBack"  # the patch that tells OpenFOAM that nothing happens along z


def _key(positions, unit):
    return tuple(sorted(tuple(round(x / unit) for x in position) for position in positions))


class PolyMesh:
    """cell_of[i]: OpenFOAM's number of our cell i. patches: {name: [side, ...]}, a side with `nodes` of ours, their cell,
    the centroid and the outward area (m, m^2; in 2D of the whole layer)."""

    def __init__(self, state, groups):
        self.state, self.dimension = state, state.dimension
        low, high = ([f(x[k] for x in state.nodes) for k in range(3)] for f in (min, max))
        self.unit = 1e-9 * math.dist(low, high)
        self.thickness = math.sqrt(sum(state.volumes()) / len(state.cells)) if self.dimension == 2 else 1.0
        self._orient()
        self._connect()
        self._number()
        self._sort_patches(groups)

    # Corners in an order that makes every face's normal of `_cell_faces` point outward.
    def _orient(self):
        x = self.state.nodes
        self.cells = []
        for cell in self.state.cells:
            a, b, c = (x[i] for i in cell[:3])
            e, f = ([q[k] - a[k] for k in range(3)] for q in (b, c))
            normal = [e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3] for k in range(3)]
            side = normal[2] if self.dimension == 2 else sum(n * (x[cell[3]][k] - a[k]) for k, n in enumerate(normal))
            self.cells.append(tuple(cell) if side > 0 else (cell[1], cell[0], *cell[2:]))

    def _cell_faces(self, cell):
        if self.dimension == 2:
            return ((cell[0], cell[1]), (cell[1], cell[2]), (cell[2], cell[0]))
        a, b, c, d = cell
        return ((a, c, b), (a, b, d), (b, c, d), (a, d, c))

    def _connect(self):
        self.faces = {}  # sorted nodes -> [(cell, outward nodes), ...]
        for c, cell in enumerate(self.cells):
            for face in self._cell_faces(cell):
                self.faces.setdefault(tuple(sorted(face)), []).append((c, face))
        self.neighbours = [[] for _ in self.cells]
        for sides in self.faces.values():
            if len(sides) == 2:
                (a, _), (b, _) = sides
                self.neighbours[a].append(b)
                self.neighbours[b].append(a)

    def _number(self):
        self.cell_of = [-1] * len(self.cells)
        count = itertools.count()
        for seed in sorted(range(len(self.cells)), key=lambda c: len(self.neighbours[c])):
            if self.cell_of[seed] >= 0:
                continue
            self.cell_of[seed] = next(count)
            queue = collections.deque([seed])
            while queue:
                for other in self.neighbours[queue.popleft()]:
                    if self.cell_of[other] < 0:
                        self.cell_of[other] = next(count)
                        queue.append(other)

    def _sort_patches(self, groups):
        x = self.state.nodes
        at = collections.defaultdict(list)  # both sides of a thin wall lie at one place, with nodes of their own
        for nodes, sides in self.faces.items():
            if len(sides) == 1:
                at[_key([x[i] for i in nodes], self.unit)].append(nodes)
        group_of = {}
        for name, sides in groups.items():
            for side in sides:
                for nodes in at.get(_key(side, self.unit), ()):  # none: inside the domain, and the flow passes
                    group_of[nodes] = name
        left = [nodes for sides in at.values() for nodes in sides if nodes not in group_of]
        if left:
            raise ValueError(f"{len(left)} sides of the mesh lie in no boundary group")
        self.patches = {name: [] for name in groups if name in set(group_of.values())}
        for nodes, name in group_of.items():
            cell, outward = self.faces[nodes][0]
            self.patches[name].append(Side(outward, cell, *self._centroid_and_area(outward)))
        for sides in self.patches.values():
            sides.sort(key=lambda side: self.cell_of[side.cell])

    def _centroid_and_area(self, nodes):
        p = [self.state.nodes[i] for i in nodes]
        centroid = [sum(q[k] for q in p) / len(p) for k in range(3)]
        e = [p[1][k] - p[0][k] for k in range(3)]
        if self.dimension == 2:
            centroid[2] = 0.5 * self.thickness
            return tuple(centroid), (e[1] * self.thickness, -e[0] * self.thickness, 0.0)
        f = [p[2][k] - p[0][k] for k in range(3)]
        return tuple(centroid), tuple((e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3]) / 2
                                      for k in range(3))

    # ---- in OpenFOAM's numbering: faces inside by owner and neighbour ascending, then patch by patch

    def foam_faces(self):
        """[(nodes of ours, owner, neighbour or None), ...], normals from owner to neighbour or outward."""
        inside = []
        for sides in self.faces.values():
            if len(sides) == 2:
                (_, outward), (owner, neighbour) = min(
                    (((self.cell_of[a], f), (self.cell_of[a], self.cell_of[b]))
                     for (a, f), (b, _) in (sides, sides[::-1])), key=lambda entry: entry[0][0])
                inside.append((owner, neighbour, outward))
        inside.sort(key=lambda entry: entry[:2])
        faces = [(outward, owner, neighbour) for owner, neighbour, outward in inside]
        for sides in self.patches.values():
            faces += [(side.nodes, self.cell_of[side.cell], None) for side in sides]
        return faces

    def write(self, folder, header):
        folder.mkdir(parents=True, exist_ok=True)
        count, flat = len(self.state.nodes), self.dimension == 2
        points = [(x[0], x[1], 0.0 if flat else x[2]) for x in self.state.nodes]
        if flat:
            points += [(x[0], x[1], self.thickness) for x in points]
        ours = self.foam_faces()
        faces = [(n[0], n[1], n[1] + count, n[0] + count) if flat else n for n, _, _ in ours]
        owner = [o for _, o, _ in ours]
        neighbour = [n for _, _, n in ours if n is not None]
        patches, start = [], len(neighbour)
        for name, sides in self.patches.items():
            patches.append((name, "patch", len(sides), start))
            start += len(sides)
        if flat:
            for c in sorted(range(len(self.cells)), key=lambda c: self.cell_of[c]):
                a, b, d = self.cells[c]
                faces += [(a, d, b), (a + count, b + count, d + count)]
                owner += [self.cell_of[c]] * 2
            patches.append((FLAT, "empty", 2 * len(self.cells), start))

        def write(name, kind, lines, note=""):
            lines = list(lines)
            (folder / name).write_text(header(kind, name, note) + f"{len(lines)}\n(\n" + "\n".join(lines) + "\n)\n")
        write("points", "vectorField", (f"({x:.17g} {y:.17g} {z:.17g})" for x, y, z in points))
        write("faces", "faceList", (f"{len(f)}({' '.join(map(str, f))})" for f in faces))
        note = (f"nPoints: {len(points)} nCells: {len(self.cells)} nFaces: {len(faces)} "
                f"nInternalFaces: {len(neighbour)}")
        write("owner", "labelList", map(str, owner), note)
        write("neighbour", "labelList", map(str, neighbour), note)
        write("boundary", "polyBoundaryMesh",
              (f'"{name}" {{ type {kind}; nFaces {n}; startFace {first}; }}' if " " in name else
               f"{name} {{ type {kind}; nFaces {n}; startFace {first}; }}" for name, kind, n, first in patches))


Side = collections.namedtuple("Side", "nodes cell centroid area")
