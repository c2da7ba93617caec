"""Random tiny set-ups: meshes of a few cells and cases of every physics, sensible and not, of a seed."""
import itertools
import random

# A box of simplices is cut from a lattice: two triangles of a square, six tets of a cube (Kuhn).
TRIANGLES = [(0, 1, 3), (0, 3, 2)]
TETS = []
for order in itertools.permutations(range(3)):
    corner, path = 0, [0]
    for axis in order:
        corner |= 1 << axis
        path.append(corner)
    odd = sum(order[i] > order[j] for i in range(3) for j in range(i + 1, 3)) % 2
    TETS.append(tuple(path if not odd else [path[0], path[2], path[1], path[3]]))


class TinyMesh:
    """Boxes side by side, joined or apart, of random lattices; their sides' names, regions and groups inside."""

    def __init__(self, rng):
        self.rng, self.dimension = rng, rng.choice([2, 2, 3])
        self.nodes, self.cells, self.sides, self.regions, self.boundaries, self.pairs = [], [], [], [], [], []
        d, parts = self.dimension, rng.choices([1, 2, 3, 5], weights=[6, 3, 2, 1])[0]
        several, shared = rng.random() < 0.3, rng.random() < 0.4
        self.shift, gap = 0.0, rng.choice([0.5] * 9 + [0.01])
        for part in range(parts):
            counts = [rng.randint(1, 5 if d == 2 else 4 if part == 0 and rng.random() < 0.2 else 2) for _ in range(d)]
            size = [rng.choice([1.0, 1.0, rng.uniform(0.2, 3)]) for _ in range(d)]
            self._box(counts, size, "" if shared else f"{part}" if part else "", several)
            self.shift += size[0] + gap
        if rng.random() < 0.15 and self.boundaries:
            self._inside()
        if rng.random() < 0.06:
            self._lose_sides()

    def _number(self, names, name):
        if name not in names:
            names.append(name)
        return names.index(name)

    def _box(self, counts, size, suffix, several):
        d, first, rng = self.dimension, len(self.nodes), self.rng
        strides = [1, counts[0] + 1, (counts[0] + 1) * (counts[1] + 1)][:d]
        jitter = rng.choice([0, 0, 0.2])  # of nodes inside
        for place in itertools.product(*[range(n + 1) for n in reversed(counts)]):
            at = list(reversed(place))
            free = jitter * all(0 < i < n for i, n in zip(at, counts))
            x = [size[k] * (i + rng.uniform(-free, free)) / counts[k] for k, i in enumerate(at)]
            self.nodes.append([x[0] + self.shift, x[1], x[2] if d == 3 else 0.0])
        for place in itertools.product(*map(range, counts)):
            corner = [first + sum(s * (i + (c >> k & 1)) for k, (s, i) in enumerate(zip(strides, place))) for c in range(2 ** d)]
            region = self._number(self.regions, "fluid" if not several or 2 * place[0] < counts[0] else "solid")
            self.cells += [([corner[j] for j in simplex], region) for simplex in (TRIANGLES if d == 2 else TETS)]
        low, high = [self.shift, 0.0, 0.0], [self.shift + size[0], *size[1:], 0.0][:3]
        names = {}
        for axis, end in itertools.product(range(d), (0, 1)):
            merged = rng.random() < 0.06
            names[axis, end] = ("walls" if merged else "xyz"[axis] + ("max" if end else "min")) + suffix
        self.pairs += [(names[k, 0], names[k, 1]) for k in range(d)]
        for nodes, _ in self.cells:
            for left_out in range(d + 1):
                side = [n for j, n in enumerate(nodes) if j != left_out]
                if min(side) < first:
                    continue
                for axis, end in names:
                    if all(abs(self.nodes[n][axis] - (high if end else low)[axis]) < 1e-9 for n in side):
                        self.sides.append((side, self._number(self.boundaries, names[axis, end])))

    def _inside(self):
        """A group of a few faces, inside most of them."""
        nodes, _ = self.rng.choice(self.cells)
        group = self._number(self.boundaries, "within")
        for left_out in self.rng.sample(range(len(nodes)), self.rng.randint(1, len(nodes))):
            self.sides.append(([n for j, n in enumerate(nodes) if j != left_out], group))

    def _lose_sides(self):
        self.sides = [side for side in self.sides if self.rng.random() < 0.8]

    def text(self):
        """Of a file of Gmsh's format 2.2."""
        d = self.dimension
        names = [f'{d - 1} {k + 1} "{name}"' for k, name in enumerate(self.boundaries)] + [f'{d} {k + 101} "{name}"' for k, name in enumerate(self.regions)]
        elements = [f"{1 if d == 2 else 2} 2 {group + 1} {group + 1} " + " ".join(str(n + 1) for n in side) for side, group in self.sides]
        elements += [f"{2 if d == 2 else 4} 2 {region + 101} {region + 1} " + " ".join(str(n + 1) for n in nodes) for nodes, region in self.cells]
        lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", len(names), *names, "$EndPhysicalNames", "$Nodes", len(self.nodes)]
        lines += [f"{i + 1} {x!r} {y!r} {z!r}" for i, (x, y, z) in enumerate(self.nodes)]
        lines += ["$EndNodes", "$Elements", len(elements), *[f"{i + 1} {element}" for i, element in enumerate(elements)], "$EndElements", ""]
        return "\n".join(map(str, lines))


class TinyCase:
    """table: the case; options: of the command; words: what it is."""

    def __init__(self, seed):
        self.rng = rng = random.Random(f"tiny {seed}")
        self.seed, self.mesh, self.options = seed, None, []
        self.physics = rng.choices(["flow", "heat", "wave"], weights=[6, 3, 2])[0]
        self.sober = rng.random() < 0.5  # conditions that go together, steps that may do
        self.table = {"physics": self.physics}
        self._draw_mesh()
        getattr(self, f"_{self.physics}")()
        self._boundaries()
        self._output()
        self._command()

    @property
    def words(self):
        return f"{self.physics}, {self.dimension}D, {self.cells} cells{', sober' if self.sober else ''} {' '.join(self.options)}"

    def _draw_mesh(self):
        rng = self.rng
        if rng.random() < 0.4:
            self.dimension, self.cells = rng.choice([2, 3]), rng.choice([1, 2, 4, 8, 12, 24, 60])
            self.names = ["xmin", "xmax", "ymin", "ymax", "zmin", "zmax"][:2 * self.dimension]
            self.pairs, self.regions = [(f"{a}min", f"{a}max") for a in "xyz"[:self.dimension]], ["box"]
            self.table["mesh"] = {"box": {"cells": self.cells, "dimension": self.dimension}}
        else:
            self.mesh = TinyMesh(rng)
            self.dimension, self.cells, self.names = self.mesh.dimension, len(self.mesh.cells), self.mesh.boundaries
            self.pairs, self.regions = self.mesh.pairs, self.mesh.regions
            self.table["mesh"] = {"file": "mesh.msh"}
            if rng.random() < 0.3:
                self.table["mesh"]["glue"] = rng.choice([0, 0, 0.02, 1e-6])
        if rng.random() < 0.3:
            self.table["mesh"]["ordering"] = rng.choice(["file", "reverse-cuthill-mckee"])
        if rng.random() < 0.3:
            self.table["mesh"]["cut"] = "hilbert"

    # ---- values

    def number(self, *usual):
        """Now and then one that nobody would give."""
        odd = [0, 0, 1e-12, 1e-6, 1e6, 1e12, -1, 1e-300, 1e30, "sqrt(x-5)", "1/t", "t > 0.05 ? 1 : 0", "exp(1000*t)"]
        return self.rng.choice(usual if self.sober or self.rng.random() < 0.93 else odd)

    def formula(self, scale=1.0):
        return self.number(0, scale, -scale, f"{scale}*sin(30*t)", f"{scale}*(x - y)", f"{scale}*x*t", f"t > 0.03 ? {scale} : 0")

    def vector(self):
        return [self.formula() if self.rng.random() < 0.6 else 0 for _ in range(self.dimension)]

    def _time(self, least=1):
        rng, time = self.rng, {"end": self.number(0.1, 1.0)}
        if rng.random() < 0.7:
            time["step"] = self.number(0.01, 0.05, 0.3)
        elif self.physics == "flow" and rng.random() < 0.5:
            time["courant"] = self.number(0.3, 1.0)
        time["steps"] = rng.randint(least, 6)
        self.table["time"] = time

    # ---- physics

    def _flow(self):
        rng = self.rng
        self.method = rng.choice(["exact", "classical"])
        flow, fluid = {"method": self.method}, {"viscosity": self.number(0.01, 0.1, 1, 0, "0.1*(1+x^2)", "0.1*(1+t)")}
        if self.method == "exact" and rng.random() < 0.25:
            flow["momentum"] = rng.choice(["rotational", "thesis"])
            if rng.random() < 0.3:
                flow["diffusion"] = "explicit"
        elif rng.random() < 0.5:
            flow["convection"] = rng.choice(["central", "upwind", "blended"])
        if rng.random() < 0.2:
            flow["time_scheme"] = "midpoint"
        if rng.random() < 0.2:
            flow["body_force"] = self.vector()
        if self.method == "classical" and rng.random() < 0.3:
            flow["non_orthogonal_corrections"] = rng.randint(0, 3)
        if len(self.regions) > 1 and rng.random() < 0.95:
            fluid["regions"] = rng.sample(self.regions, rng.randint(1, len(self.regions)))
        if rng.random() < 0.1:
            del fluid["viscosity"]
            fluid["density"] = 1.5
            self.table["viscosity"] = {"type": "power_law", "least": 1e-4, "largest": 1.0, "consistency": 0.01, "index": self.number(0.5, 1.5)}
        self._time()
        if rng.random() < 0.2:
            self.table["time"]["steady_tolerance"] = self.number(1e-3, 0.5)
        if rng.random() < 0.4:
            self.table["initial"] = {"velocity": self.vector()}
            if rng.random() < 0.3:
                self.table["initial"]["pressure"] = self.formula()
        self.scalars = rng.sample(["dye", "temperature"], rng.choices([0, 1, 2], weights=[5, 3, 1])[0])
        if self.scalars:
            self.table["scalar"] = {name: {"diffusivity": self.number(0.1, 0.1, 0, "0.1*(1+t)"), "initial": self.formula()} for name in self.scalars}
            for scalar in self.table["scalar"].values():
                if rng.random() < 0.4:
                    scalar["source"] = self.formula()
                if rng.random() < 0.3:
                    scalar["convection"] = rng.choice(["central", "upwind", "blended", "bounded"])
                if rng.random() < 0.3:
                    scalar["expansion"] = self.number(0.1)
                    fluid["gravity"] = [0, -9.81] + [0] * (self.dimension - 2)
        self.table |= {"flow": flow, "fluid": fluid}
        self._solvers(["stream_function", "pressure", "momentum", "scalar"])

    def _heat(self):
        rng = self.rng
        tables = ["default"] if rng.random() < 0.5 else self.regions
        self.table["material"] = {name: {"conductivity": self.number(1, 10, "1+x^2"), "heat_capacity": self.number(1, 100)} for name in tables}
        for material in self.table["material"].values():
            if rng.random() < 0.4:
                material["source"] = self.formula()
        if rng.random() < 0.6:
            self._time()
            self.table["initial"] = {"temperature": self.formula(300)}
        self._solvers(["temperature"])

    def _wave(self):
        rng = self.rng
        self.table["wave"] = {"speed": self.number(1, "1+x^2"), "time_scheme": rng.choice(["leapfrog", "trapezoidal"])}
        if rng.random() < 0.3:
            self.table["wave"]["source"] = self.formula()
        self._time()
        if rng.random() < 0.6:
            self.table["initial"] = {"displacement": self.formula(), "velocity": self.formula()}
        if self.table["wave"]["time_scheme"] == "trapezoidal" or rng.random() < 0.1:
            self._solvers(["displacement"])

    def _solvers(self, names):
        for name in names:
            if self.rng.random() < 0.15:
                self.table.setdefault("solver", {})[name] = {"preconditioner": self.rng.choice(["multigrid", "jacobi", "none"])}
                if not self.sober and self.rng.random() < 0.3:
                    self.table["solver"][name]["tolerance"] = self.rng.choice([1e-3, 1e-15, 0.5])

    # ---- boundaries

    KINDS = {"heat": ["temperature", "flux", "convection", "insulated"], "wave": ["fixed", "free"],
             "flow": ["wall", "inflow", "outflow", "pressure", "symmetry", "rotating_wall", "convective"]}

    def _boundaries(self):
        rng, tables = self.rng, {}
        names = list(self.names)
        if "solid" in self.regions and "solid" not in self.table.get("fluid", {}).get("regions", ["solid"]) and rng.random() < 0.5:
            names.append("interface_solid")
        for pair in self.pairs:
            if rng.random() < (0.06 if self.cells < 40 else 0.2) and pair[0] != pair[1]:
                tables[pair[0]] = {"type": "periodic", "partner": pair[1]}
                tables[pair[1]] = None
                if self.physics == "flow" and rng.random() < 0.3:
                    tables[pair[0]]["flux"] = self.formula()
        sober = self.sober and self.physics == "flow"
        self.is_fed = False  # by an inflow: a convective boundary needs one
        for name in sorted(names, key=lambda name: not name.startswith("xmin")) if sober else names:
            if name in tables or (name == "within" and rng.random() < 0.7) or (not self.sober and rng.random() < 0.03):
                continue
            tables[name] = self._condition(self._sober_kind(name) if sober else rng.choice(self._kinds()), name)
        if rng.random() < 0.25:
            tables["default"] = self._condition(rng.choice(self.KINDS[self.physics]), "default")
        if not self.sober and rng.random() < 0.03:
            tables[rng.choice([*names, "nowhere"])] = self._condition(rng.choice(sum(self.KINDS.values(), [])), "nowhere")
        self.table["boundary"] = {name: table for name, table in tables.items() if table}

    def _kinds(self):
        """Of the physics; seldom a pressure where the method takes none."""
        kinds = self.KINDS[self.physics]
        return [kind for kind in kinds if kind != "pressure"] if getattr(self, "method", "") == "exact" and self.rng.random() < 0.9 else kinds

    def _sober_kind(self, name):
        if name.startswith("xmax"):
            kinds = ["outflow", "outflow", "convective", "wall"] + (["pressure"] if self.method == "classical" else [])
            return self.rng.choice([kind for kind in kinds if kind != "convective" or self.is_fed])
        if name.startswith("xmin"):
            kind = self.rng.choice(["inflow", "inflow", "wall"] + (["pressure"] if self.method == "classical" else []))
            self.is_fed = kind == "inflow"
            return kind
        return self.rng.choice(["wall", "wall", "symmetry"])

    def _condition(self, kind, name):
        rng, table = self.rng, {"type": kind}
        if kind == "inflow":
            table["velocity"] = [self.number(1, "sin(30*t)", "y*(1-y)*t"), *[0] * (self.dimension - 1)] if self.sober else self.vector()
        elif kind == "wall" and rng.random() < 0.3:
            table["velocity"] = [1, *[0] * (self.dimension - 1)] if self.sober and name[0] == "y" else self.vector()
        elif kind == "pressure":
            table["pressure"] = self.formula(0.1)
        elif kind == "rotating_wall":
            table["omega"] = self.number(0, 1, "t")
        elif kind in ("temperature", "flux"):
            table["value"] = self.formula(300 if kind == "temperature" else 1)
        elif kind == "convection":
            table |= {"h": self.number(0, 10, "1+t"), "T_inf": self.formula(300)}
        elif kind == "fixed" and rng.random() < 0.5:
            table["value"] = self.formula()
        for scalar in getattr(self, "scalars", []):
            if kind == "inflow" and rng.random() < 0.95 or rng.random() < 0.3:
                table[scalar] = self.formula()
            elif rng.random() < 0.1:
                table[f"{scalar}_flux"] = self.formula()
        return table

    # ---- output and command

    def _output(self):
        rng, monitors = self.rng, []
        at = [round(rng.uniform(-0.2, 1.2), 3) for _ in range(self.dimension)]
        if rng.random() < 0.3:
            monitors.append({"type": "point", "name": "p1", "at": at})
        if rng.random() < 0.3:
            monitors.append({"type": "line", "name": "l1", "from": [0.0] * self.dimension, "to": at, "points": 5})
        if self.physics == "flow":
            if rng.random() < 0.4:
                walls = [n for n, b in self.table["boundary"].items() if b["type"] in ("wall", "symmetry") and n != "default"]
                among = walls if walls and rng.random() < 0.9 else self.names
                monitors.append({"type": "force", "name": "f1", "boundaries": rng.sample(among, min(len(among), rng.randint(1, 2)))})
            if rng.random() < 0.2:
                monitors.append({"type": "energy", "name": "e1"})
            if self.scalars and rng.random() < 0.3:
                monitors.append({"type": "nusselt", "name": "n1", "boundary": rng.choice(self.names)})
        if monitors:
            self.table["monitor"] = monitors
        if rng.random() < 0.3:
            self.table["output"] = {"every": rng.randint(1, 3)}
        if rng.random() < 0.02:
            self.table["picture"] = [{"name": "all", "width": 64, "height": 64}]

    def _command(self):
        rng = self.rng
        self.ranks = rng.choices(range(1, 9), weights=[2, 4, 4, 4, 2, 2, 1, 2])[0]
        if rng.random() < 0.9:
            self.ranks = min(self.ranks, self.cells)
        if rng.random() < 0.25:
            self.options += ["--precision", rng.choice(["single", "mixed"])]
        if rng.random() < 0.25:
            self.options += ["--transport", "mpi"]
