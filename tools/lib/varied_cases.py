"""Random set-ups with more in them than random_cases draws: plates of no thickness, ramps and pulses, coefficients that jump, slow flow.

The set-up of a seed is that of random_cases; what is added comes from a stream of random numbers of its own, so that the seed stays the same flow."""
import dataclasses
import math
import pathlib
import random

import random_cases
from case_file import toml
from random_shapes import Piece, log_uniform, make_random_mesh

AXES = "xyz"
SLOWEST = 1e-3  # of Reynolds numbers
NARROWING = 3.0  # what plates may add to the speeds that data explain


class _Additions:
    """What is added to one set-up, drawn in a fixed order."""

    def __init__(self, seed, set_up):
        self.rng, self.s = random.Random(f"more {seed}"), set_up
        self.table, self.words = set_up.table, []
        self.d = set_up.shape.dimension
        self.time = set_up.length / set_up.speed

    def at(self, k, position):
        """[m], of a position in the unit shape."""
        return position * self.s.shape.stretch[k] * self.s.length

    # ---- how slow

    def slow(self):
        drawn, reynolds = self.rng.random() < 0.4, log_uniform(self.rng, SLOWEST, 1)
        if drawn:
            viscosity = self.s.speed * self.s.length / reynolds
            self.s.explained.braking *= self.table["fluid"]["viscosity"] / viscosity
            self.table["fluid"]["viscosity"], self.s.reynolds = random_cases._number(viscosity), reynolds

    # ---- plates

    def _place(self, k, low, high):
        """A position along an axis, between parts of the domain's extent."""
        a, b = self.s.shape.low[k], self.s.shape.high[k]
        return a + (b - a) * self.rng.uniform(low, high)

    def plates(self):
        """One or two: along an axis, or tilted in the plane; 3D ones straight along z, through the depth or part of it."""
        count = self.rng.choices([0, 1, 2], weights=[4, 5, 1])[0]
        for number in range(1, count + 1):
            centre, angle = [self._place(k, 0.15, 0.85) for k in range(3)], self.rng.choice([0, math.pi / 2, self.rng.uniform(0, math.pi)])
            size = min(b - a for a, b in zip(self.s.shape.low[:2], self.s.shape.high[:2])) * self.rng.uniform(0.15, 0.7)
            ends = [tuple(c + sign * size / 2 * e for c, e in zip(centre, (math.cos(angle), math.sin(angle)))) for sign in (-1, 1)]
            kind, slides = self.rng.random(), self.rng.random() < 0.5
            part = sorted(self._place(2, 0.1, 0.9) for _ in range(2))
            deep = [self.s.shape.low[2] - 0.1, self.s.shape.high[2] + 0.1] if self.rng.random() < 0.5 and not self.s.periodic else part
            if self.s.shape.kind == "box":
                continue  # of the program's own: nothing lies in it
            name = f"plate_{number}"
            corners = [(*e, 0.0) for e in ends]
            if self.d == 3:
                corners = [(*ends[0], deep[0]), (*ends[1], deep[0]), (*ends[1], deep[1]), (*ends[0], deep[1])]
            self.s.shape.inside.append(Piece(name, corners))
            low, high = (tuple(f(c[k] for c in corners) for k in range(3)) for f in (min, max))
            self.s.shape.fine.append((low, high))
            condition = {"type": "symmetry"} if kind > 0.85 else {"type": "wall"}
            if kind < 0.15:
                along = [self.at(k, b) - self.at(k, a) for k, (a, b) in enumerate(zip(*ends))]
                length, speed = math.hypot(*along), self.s.speed * (1 if slides else -1)
                condition["velocity"] = [random_cases._number(speed * a / length) for a in along] + [0.0] * (self.d - 2)
                self.s.explained.through += self.s.speed
            self.table["boundary"][name] = condition
            self.words.append("plate")
        if self.s.shape.inside:
            self.s.explained.through *= NARROWING
            self.s.explained.force *= NARROWING

    # ---- data in time

    def factor(self):
        """Of time, from 0 to 1, and what it is called."""
        start, width = (f"{random_cases._number(log_uniform(self.rng, low, 2) * self.time):g}" for low in (0.05, 0.01))
        return self.rng.choice([
            (f"min(t/{start}, 1)", "ramp"), (f"(0.5 - 0.5*cos(pi*min(t/{start}, 1)))", "smooth ramp"), (f"(t < {start} ? 0 : 1)", "jump in time"),
            (f"(t < {start} ? 1 : 0.1)", "jump in time"), (f"exp(-((t - {start})/{width})^2)", "pulse"),
            (f"(t > {start} && t < {start} + {width} ? 1 : 0)", "pulse"), (f"(t/{start} - floor(t/{start}) < 0.3 ? 1 : 0.2)", "train of pulses")])

    @staticmethod
    def _times(value, factor):
        return value if value in (0, 0.0) else f"({value})*{factor}"

    def in_time(self):
        """What flows in shares one factor, so that as much flows out; all else has its own."""
        inflow = self.factor() if self.rng.random() < 0.4 else None
        for condition in self.table["boundary"].values():
            own = self.factor() if self.rng.random() < 0.4 else None
            chosen = inflow if condition["type"] == "inflow" else own
            for key in ("velocity", "pressure", "flux") if chosen else ():
                if key in condition:
                    value = condition[key]
                    condition[key] = [self._times(v, chosen[0]) for v in value] if isinstance(value, list) else self._times(value, chosen[0])
                    self.words.append(chosen[1])
        own = self.factor() if self.rng.random() < 0.3 else None
        if own and "body_force" in self.table["flow"]:
            self.table["flow"]["body_force"] = [self._times(v, own[0]) for v in self.table["flow"]["body_force"]]
            self.words.append(own[1])

    # ---- jumps of coefficients

    def jump(self):
        """Of the viscosity, and of diffusivities, at one plane: along faces where a mesh of Gmsh's is cut there, else inside cells."""
        drawn, k = self.rng.random() < 0.4, self.rng.randrange(2)
        position, ratio = self._place(k, 0.25, 0.75), log_uniform(self.rng, 1, 1e3)
        below, along_faces = self.rng.random() < 0.5, self.rng.random() < 0.6
        if not drawn:
            return
        side = f"{AXES[k]} {'<' if below else '>'} {self.at(k, position):.9g}"
        base = self.table["fluid"]["viscosity"]
        self.table["fluid"]["viscosity"] = f"{side} ? {base * ratio:.9g} : {base!r}"
        for scalar in self.table.get("scalar", {}).values():
            scalar["diffusivity"] = f"{side} ? {scalar['diffusivity'] * ratio:.9g} : {scalar['diffusivity']!r}"
        may_cut = along_faces and self.s.shape.kind != "box" and not self.s.periodic
        if may_cut:
            low, high = list(self.s.shape.low), list(self.s.shape.high)
            low, high = [a - 0.1 for a in low], [b + 0.1 for b in high]
            low[k] = high[k] = position
            if self.d == 2:
                corners = [(low[0], low[1], 0.0), (high[0], high[1], 0.0)]
            else:
                corners = [(low[0], low[1], low[2]), (high[0], high[1], low[2]), (high[0], high[1], high[2]), (low[0], low[1], high[2])]
            self.s.shape.inside.append(Piece("", corners))
        self.words.append(f"viscosity jumps {ratio:.2g} times {'along faces' if may_cut else 'in cells'}")


def _groups_of(mesh):
    """Names of the groups that have elements."""
    names, used, section = {}, set(), None
    with open(mesh) as lines:
        for line in lines:
            words = line.split()
            if line.startswith("$"):
                section = line.strip()
            elif section == "$PhysicalNames" and len(words) == 3:
                names[words[1]] = words[2].strip('"')
            elif section == "$Elements" and len(words) > 3:
                used.add(words[3])
    return {names.get(tag) for tag in used}


def _force_monitors(table):
    """Of all walls together, and of every body and plate."""
    walls = [name for name, b in table["boundary"].items() if b["type"] in ("wall", "symmetry")]
    bodies = [name for name in walls if name.startswith(("body", "plate", "car", "inner"))]
    return [{"type": "force", "name": f"force_{name}", "boundaries": names} for name, names in
            [*([("all", walls)] if walls else []), *((name, [name]) for name in bodies)]]


def make(seed, limits, steps, folder):
    """The set-up of a seed with what is added, its case file and its mesh in a folder. One that is bad on purpose stays as it is."""
    folder = pathlib.Path(folder)
    set_up = random_cases.make(seed, limits, steps, folder)
    if not set_up.refusal:
        set_up.shape = dataclasses.replace(set_up.shape, inside=[], fine=list(set_up.shape.fine))
        more = _Additions(seed, set_up)
        more.slow()
        more.plates()
        more.in_time()
        more.jump()
        if set_up.shape.inside:
            _mesh_anew(set_up, more, limits, folder)
        set_up.more = more.words
        set_up.table["title"] = f"Random set-up {seed}: {set_up.words()}"
        if monitors := _force_monitors(set_up.table):
            set_up.table["monitor"] = monitors
    (folder / "case.toml").write_text(toml(set_up.table))
    return set_up


def _mesh_anew(set_up, more, limits, folder):
    """With what lies inside; without what Gmsh cannot mesh, or finds no room for."""
    plain = (folder / "mesh.msh").read_bytes()
    (lowest, highest), pieces = limits, set_up.shape.inside
    cells = make_random_mesh(set_up.shape, set_up.periodic, set_up.cells, set_up.ratio, (lowest, 2 * highest), folder)
    if cells is None:
        (folder / "mesh.msh").write_bytes(plain)
        more.words.append("without what lies inside: no mesh")
    else:
        set_up.cells = cells
    there = _groups_of(folder / "mesh.msh")
    for piece in pieces:
        if piece.name and piece.name not in there:
            del set_up.table["boundary"][piece.name]
            more.words.append(f"no room for {piece.name}")
