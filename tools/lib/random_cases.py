"""Random set-ups of flows, each drawn from its seed: the case file, the mesh, and what the data can explain."""
import dataclasses
import math
import pathlib
import random

from case_file import toml
from random_shapes import Shape, log_uniform, make_random_mesh, random_shape

GRAVITY = 9.81  # [m/s^2]
AXES = "xyz"


# ---- what the data of a set-up can explain

@dataclasses.dataclass
class Explained:
    """Bounds of a flow, from its data."""
    through: float = 0.0  # speed by boundaries and pressures that are given [m/s]
    initial: float = 0.0  # [m/s]
    force: float = 0.0  # of the body, on a unit of mass, and of the pressure along the domain [m/s^2]
    buoyancy: list = dataclasses.field(default_factory=list)  # of (acceleration by one unit, scalar)
    braking: float = math.inf  # speed that friction leaves to one unit of force [s]
    # {name: (least, largest, change in a second)}, None where a flux is given
    scalars: dict = dataclasses.field(default_factory=dict)

    def range_of(self, name, time):
        low, high, rate = self.scalars[name]
        return low + min(rate, 0) * time, high + max(rate, 0) * time

    def speed(self, time):
        """Largest root mean square [m/s] up to a time."""
        force = self.force
        for by_unit, name in self.buoyancy:
            low, high = self.range_of(name, time)
            force += by_unit * (high - low)
        return self.through + self.initial + force * min(time, self.braking)


@dataclasses.dataclass
class SetUp:
    seed: int
    shape: Shape
    method: str
    drive: str  # "through", "periodic", "closed"
    reynolds: float
    table: dict  # of the case file
    explained: Explained
    refusal: str = ""  # what the message must say, where the set-up is bad on purpose
    may_refuse: str = ""  # what it may say, where the set-up may turn out bad
    cells: int = 0
    length: float = 1.0  # of a unit of the shape [m]
    speed: float = 1.0  # of what drives the flow [m/s]
    periodic: list = dataclasses.field(default_factory=list)  # pairs of sides
    ratio: float = 1.0  # of the mesh's sizes
    more: list = dataclasses.field(default_factory=list)  # words for what varied_cases has added

    def words(self):
        count = len(self.explained.scalars)
        scalars = ["", ", 1 scalar", f", {count} scalars"][min(count, 2)]
        return f"{self.shape.dimension}D {self.shape.kind}, {self.drive}, {self.method}, Re {self.reynolds:.3g}{scalars}{''.join(', ' + word for word in self.more)}"


# ---- drawing one

def _number(value):
    return float(f"{value:.6g}")


class _Draw:
    """The parts of one set-up, drawn in a fixed order."""

    def __init__(self, rng, limits):
        self.rng, self.shape = rng, random_shape(rng)
        self.cells = round(log_uniform(rng, *limits))
        self.length, self.speed = _number(log_uniform(rng, 1e-3, 1e2)), _number(log_uniform(rng, 1e-2, 1e2))
        self.reynolds, self.density = log_uniform(rng, 1, 1e5), rng.choice([1.0, 1.2, 1000.0])
        self.method = rng.choice(["exact", "classical"])
        self.boundary, self.flow, self.fluid = {}, {"method": self.method}, {}
        self.explained, self.periodic, self.scalars = Explained(), [], {}
        self.fluid = {"viscosity": _number(self.speed * self.length / self.reynolds), "density": self.density}

    # positions in metres, in the stretched mesh

    def at(self, k, position):
        return position * self.shape.stretch[k] * self.length

    def fraction(self, k, low, high):
        """From 0 to 1 along a direction, as a formula."""
        a, b = self.at(k, low), self.at(k, high)
        return f"({AXES[k]} - {a:.9g})/{b - a:.9g}" if a else f"{AXES[k]}/{b:.9g}"

    def across(self, k):
        """From 0 to 1 through the whole domain."""
        return self.fraction(k, self.shape.low[k], self.shape.high[k])

    def extent(self, k):
        return self.at(k, self.shape.high[k]) - self.at(k, self.shape.low[k])

    def dimension(self):
        return self.shape.dimension

    def is_fine_across(self, pair):
        """Whether a mesh of so many cells will likely have the three cells that a periodic direction needs."""
        sides = list(zip(self.shape.low, self.shape.high))[:self.dimension()]
        size = (math.prod(b - a for a, b in sides) / self.cells) ** (1 / self.dimension())
        low, high = sides[self.shape.side(pair[0]).normal()]
        return high - low > 7 * size

    def in_time(self):
        """A factor of time, and its largest size."""
        period = f"{_number(log_uniform(self.rng, 0.1, 3) * self.length / self.speed):g}"
        wave = f"sin(2*pi*t/{period})"
        return self.rng.choices([("", 1), (f"min(t/{period}, 1)", 1), (f"(1 + 0.5*{wave})", 1.5), (wave, 1)], weights=[6, 2, 1, 1])[0]

    def along(self, k, size, *factors):
        """A vector of formulas along an axis."""
        text = "*".join([f"{_number(size):g}", *(f for f in factors if f)])
        return [text if j == k else 0.0 for j in range(self.dimension())]

    # ---- openings and walls

    def profile(self, side):
        if self.rng.random() < 0.5:
            return ""
        if self.shape.has_round_inlet:
            y, z = (self.fraction(k, side.low[k], side.high[k]) for k in (1, 2))
            return f"max(0, 1 - 4*(({y} - 0.5)^2 + ({z} - 0.5)^2))"
        fractions = [self.fraction(k, side.low[k], side.high[k]) for k in side.extents()]
        return "*".join(f"4*({s})*(1 - {s})" for s in fractions)

    def inflow(self, side, profile):
        k, (factor, most) = side.normal(), self.in_time()
        inward = 1 if side.low[k] <= self.shape.low[k] else -1
        velocity = self.along(k, inward * self.speed, profile, factor)
        slope = self.rng.uniform(-1, 1) if not profile and self.rng.random() < 0.25 else 0
        if slope:
            across = self.rng.choice([j for j in range(self.dimension()) if j != k])
            velocity[across] = self.along(across, slope * self.speed, factor)[across]
        self.explained.through += most * self.speed * math.hypot(1, slope) * self.shape.narrowing
        return {"type": "inflow", "velocity": velocity}

    def pressure(self):
        p, (factor, most) = self.density * self.speed ** 2 * log_uniform(self.rng, 0.1, 2), self.in_time()
        by_density = most * p / self.density
        self.explained.through += math.sqrt(2 * by_density) * self.shape.narrowing
        self.explained.force += by_density / (0.5 * self.length * min(self.shape.stretch)) * self.shape.narrowing
        return {"type": "pressure", "pressure": self.along(0, p, factor)[0]}

    def turning(self, side):
        axis = 0 if self.shape.has_round_inlet else 2
        i, j = [(1, 2), (2, 0), (0, 1)][axis]
        r = max(side.high[k] - side.low[k] for k in (i, j)) / 2 * max(self.shape.stretch) * self.length * math.sqrt(2)
        rate = self.rng.choice([-1, 1]) * self.rng.uniform(0.3, 2) * self.speed / r
        centre = [self.at(k, side.centre()[k]) for k in range(3)]
        self.explained.through += abs(rate) * r
        parts = [0.0] * self.dimension()
        parts[i], parts[j] = f"{-rate:.6g}*({AXES[j]} - {centre[j]:.9g})", f"{rate:.6g}*({AXES[i]} - {centre[i]:.9g})"
        return {"type": "wall", "velocity": parts}

    def wall(self, side, moves=False):
        turns = {"round": 0.4, "body": 0.05}.get(side.kind, 0)
        draw = self.rng.random()
        if side.kind in ("round", "body") and (draw < turns or moves):
            return self.turning(side)
        if side.kind in ("flat", "opening") and (draw < 0.25 or moves):
            k, (factor, most) = self.rng.choice(side.extents()), self.in_time()
            size = self.speed * self.rng.uniform(0.2, 1) * self.rng.choice([-1, 1])
            self.explained.through += abs(size) * most
            return {"type": "wall", "velocity": self.along(k, size, factor)}
        if draw > 0.8:
            return {"type": "symmetry"}
        if side.kind in ("flat", "other"):
            widest = max(self.extent(k) for k in range(self.dimension()))
            self.explained.braking = widest ** 2 / self.fluid["viscosity"]
        return {"type": "wall"}

    # ---- what drives the flow

    def drive(self):
        shape, pairs = self.shape, [p for p in self.shape.pairs if self.rng.random() < 0.6 and self.is_fine_across(p)]
        ways = (["through"] * 2 if shape.openings() else []) + (["periodic"] if pairs else [])
        ways += ["closed"] if shape.kind == "box" or not shape.openings() else []
        way = self.rng.choice(ways)
        opening_names = {s.name for s in shape.openings()}
        if way == "through":
            self.through(shape.openings())
            pairs = [p for p in pairs if not opening_names & set(p) and self.rng.random() < 0.4]
        self.periodic = [] if way == "closed" else pairs
        joined = {name for pair in self.periodic for name in pair}
        for one, other in self.periodic:
            self.boundary[one] = {"type": "periodic", "partner": other}
        must_move = way == "closed"
        for side in shape.sides:
            if side.name not in self.boundary and side.name not in joined:
                self.boundary[side.name] = self.wall(side, must_move and self.rng.random() < 0.5)
                must_move = must_move and "velocity" not in self.boundary[side.name]
        if way == "periodic":
            self.drive_periodic()
        elif self.rng.random() < 0.1:
            self.body_force(self.rng.randrange(self.dimension()), "")
        return way

    def through(self, openings):
        """The first takes in what the others let out; or the other way round."""
        ins, outs = openings[:1], openings[1:]
        if self.rng.random() < 0.25:
            ins, outs = outs, ins
        classical = self.method == "classical"
        by_pressure = classical and self.rng.random() < 0.4
        for side in ins:
            self.boundary[side.name] = self.pressure() if by_pressure else self.inflow(side, self.profile(side))
        for side in outs:
            self.boundary[side.name] = {"type": "outflow"}
        if classical and self.rng.random() < 0.3:
            none = {"type": "pressure", "pressure": 0.0}
            self.boundary[outs[0].name] = self.pressure() if self.rng.random() < 0.3 else none
        straight = len(openings) == 2 and self.shape.narrowing == 1 and ins[0].extents() == outs[0].extents()
        if straight and not by_pressure and self.shape.kind not in ("step", "bend", "pipe") and self.rng.random() < 0.1:
            self.boundary[outs[0].name] = dict(self.boundary[ins[0].name])

    def body_force(self, k, shape_factor):
        size, (factor, most) = self.speed ** 2 / self.length * log_uniform(self.rng, 0.1, 3), self.in_time()
        self.flow["body_force"] = self.along(k, size, shape_factor, factor)
        self.explained.force += size * most

    def drive_periodic(self):
        one, other = self.rng.choice(self.periodic)
        side = self.shape.side(one)
        k = side.normal()
        if self.method == "exact" and self.rng.random() < 0.5:
            area = self.shape.section(side) * self.length ** (self.dimension() - 1)
            factor, most = self.in_time()
            self.boundary[one]["flux"] = self.along(0, self.speed * area, factor)[0]
            self.explained.through += self.speed * most * self.shape.narrowing
        else:
            j = (k + 1) % self.dimension()
            wave = f"sin(2*pi*{self.across(j)})"
            self.body_force(k, self.rng.choice(["", wave]))

    # ---- the start

    def initial(self):
        kind = self.rng.choices(["rest", "uniform", "vortices"], weights=[5, 2, 3])[0]
        size, d = self.speed * self.rng.uniform(0.2, 1), self.dimension()
        if kind == "rest":
            return {}
        if kind == "uniform":
            velocity, self.explained.initial = self.along(self.rng.randrange(d), size), size
        else:
            i, j = self.rng.sample(range(d), 2)
            n, m = self.rng.randint(1, 3), self.rng.randint(1, 3)
            a, b = 2 * math.pi * n / self.extent(i), 2 * math.pi * m / self.extent(j)
            x, y = f"{_number(a):g}*{AXES[i]}", f"{_number(b):g}*{AXES[j]}"
            velocity = self.along(i, size, f"sin({x})", f"cos({y})")
            velocity[j] = self.along(j, -size * a / b, f"cos({x})", f"sin({y})")[j]
            self.explained.initial = size * max(1, a / b)
        return {"velocity": velocity}

    # ---- scalars

    def blob(self):
        """From 0 to 1, as a formula."""
        i, j = self.rng.sample(range(self.dimension()), 2)
        parts = [f"({self.across(k)} - {self.rng.uniform(0.2, 0.8):.3g})^2" for k in (i, j)]
        return f"exp(-({parts[0]} + {parts[1]})/{self.rng.uniform(0.003, 0.1):.3g})"

    def start(self, low, span):
        part = self.across(self.rng.randrange(self.dimension()))
        step = f"{part} < {self.rng.uniform(0.2, 0.8):.3g} ? {low + span!r} : {low!r}"
        return self.rng.choice([low, _number(low + span / 2), step, f"{low!r} + {span!r}*{self.blob()}",
                                f"{low!r} + {span!r}*max(0, min(1, {part}))"])

    def scalar(self, name):
        rng, scale = self.rng, self.speed * self.length
        low, span = (293.0, _number(log_uniform(rng, 0.1, 100))) if name == "temperature" else (0.0, 1.0)
        diffusivity = 0.0 if rng.random() < 0.25 else _number(scale * log_uniform(rng, 1e-6, 1e-2))
        table, rate, extent = {"diffusivity": diffusivity, "initial": self.start(low, span)}, 0.0, (low, low + span)
        if rng.random() < 0.2:
            rate = _number(span * self.speed / self.length * log_uniform(rng, 0.01, 1) * rng.choice([-1, 1]))
            table["source"] = rng.choice([rate, f"{rate!r}*{self.blob()}"])
        if buoyant := rng.random() < (0.4 if name == "temperature" else 0.15):
            size = (self.speed * log_uniform(rng, 0.1, 3)) ** 2 / self.length  # the acceleration by the whole span
            table |= {"expansion": _number(size / GRAVITY / span), "reference": rng.choice([low, _number(low + span / 2)])}
            self.fluid["gravity"] = [0.0, -GRAVITY] + [0.0] * (self.dimension() - 2)
            self.explained.buoyancy.append((size / span, name))
        self.scalars[name] = table
        self.explained.scalars[name] = (*extent, rate)
        for side, condition in self.boundary.items():
            self.scalar_at(name, side, condition, low, span, not buoyant)

    def scalar_at(self, name, side, condition, low, span, may_flow):
        """The value or the flux of a scalar at a boundary."""
        type_, draw, period = condition["type"], self.rng.random(), f"{_number(self.length / self.speed):g}"
        value = self.rng.choice([low, low + span, f"{low!r} + {span!r}*(0.5 + 0.5*sin(2*pi*t/{period}))"])
        if type_ == "periodic":
            return
        if type_ == "inflow" or draw < (0.1 if type_ in ("outflow", "pressure") else 0.35):
            condition[name] = value
        elif draw > 0.95 and may_flow and type_ == "wall":
            condition[f"{name}_flux"] = _number(0.1 * span * self.speed)
            self.explained.scalars[name] = None


def _spoiled(rng, draw, way, table):
    """Makes a set-up bad on purpose; what the message must say."""
    inflows = [name for name, b in draw.boundary.items() if b["type"] == "inflow"]
    ways = ["condition", "key", "viscosity", "formula"]
    ways += ["outlet"] * 4 if way == "through" and len(inflows) == 1 else []
    ways += ["value"] * 2 if inflows and draw.scalars else []
    ways += ["method"] if draw.method == "exact" and way == "through" else []
    kind = rng.choice(ways)
    if kind == "condition":
        name = rng.choice([n for n, b in draw.boundary.items() if b["type"] != "periodic"] or list(draw.boundary))
        del draw.boundary[name]
        return "no condition for the boundary"
    if kind == "key":
        table["fluid"]["viscocity"] = table["fluid"].pop("viscosity")
        return "viscocity"
    if kind == "viscosity":
        table["fluid"]["viscosity"] *= -1
        return "must not be negative"
    if kind == "formula":
        table["initial"] = {"velocity": ["sqrt(-1 - x^2)"] + [0.0] * (draw.dimension() - 1)}
        return "not a number"
    if kind == "outlet":
        for b in draw.boundary.values():
            if b["type"] in ("outflow", "pressure"):
                b.clear()
                b["type"] = "wall"
        return "inflow does not equal the outflow"
    if kind == "value":
        del draw.boundary[inflows[0]][next(iter(draw.scalars))]
        return "needs a value of"
    outlet = next(n for n, b in draw.boundary.items() if b["type"] == "outflow")
    draw.boundary[outlet] = {"type": "pressure", "pressure": 0.0}
    return "classical"


def _drawn(rng, seed, limits, steps):
    """A set-up without its mesh."""
    draw, ratio = _Draw(rng, limits), log_uniform(rng, 1, 20)
    way = draw.drive()
    initial = draw.initial()
    for name in rng.sample(["temperature", "dye"], rng.choices([0, 1, 2], weights=[4, 4, 2])[0]):
        draw.scalar(name)
    table = {"physics": "flow"}
    if draw.shape.kind == "box":
        corner = [_number(draw.at(k, draw.shape.high[k])) for k in range(draw.dimension())]
        table["mesh"] = {"box": {"cells": draw.cells, "dimension": draw.dimension(), "high": corner}}
    else:
        table["mesh"] = {"file": "mesh.msh", "scale": draw.length}
    table |= {"fluid": draw.fluid, "flow": draw.flow, "scalar": draw.scalars, "boundary": draw.boundary, "initial": initial,
              "time": {"end": _number(100 * draw.length / draw.speed), "steps": steps}}
    set_up = SetUp(seed, draw.shape, draw.method, way, draw.reynolds, table, draw.explained, cells=draw.cells,
                    length=draw.length, speed=draw.speed, periodic=draw.periodic, ratio=ratio)
    table["title"] = f"Random set-up {seed}: {set_up.words()}"
    if rng.random() < 0.07:
        set_up.refusal = _spoiled(rng, draw, way, table)
    if draw.periodic:
        set_up.may_refuse = "too few cells"
    return set_up


def make(seed, limits, steps, folder):
    """The set-up of a seed, its case file and its mesh in a folder."""
    rng = random.Random(seed)
    folder = pathlib.Path(folder)
    while True:
        set_up = _drawn(rng, seed, limits, steps)
        if set_up.shape.kind != "box":
            cells = make_random_mesh(set_up.shape, set_up.periodic, set_up.cells, set_up.ratio, limits, folder)
            if cells is None:
                continue  # Gmsh has no such mesh: draw another
            set_up.cells = cells
        (folder / "case.toml").write_text(toml(set_up.table))
        return set_up
