"""Random cases on structured grids, of a seed: every physics that takes one, sizes from a few nodes to long strips, stretched and
mapped cells, land, every solver and smoother."""
import random

SHAPES = [(3, 3), (5, 2), (2, 9), (7, 6), (9, 17), (16, 16), (33, 2), (24, 31), (65, 49), (64, 33), (90, 60), (6, 400), (300, 4), (40, 80)]


def _table(heading, /, **keys):
    return f"[{heading}]\n" + "".join(f"{key} = {_text(value)}\n" for key, value in keys.items() if value is not None)


def _text(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_text, value)) + "]"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


class _Grid:
    """[grid] with its sides that are not periodic; where its middle is, and its size."""

    def __init__(self, rng, physics):
        self.nodes = list(rng.choice(SHAPES))
        self.keys, self.sides, self.has_land = {"nodes": self.nodes}, ["west", "east", "south", "north"], False
        stretched = rng.choice([1.0, 1.0, 0.2, 7.0])
        self.low, self.high = (0.0, 0.0), (1.0, stretched)
        if physics == "boussinesq":
            step = rng.choice([4.0, 5.0])
            self.high = tuple(step * (n - 1) if n > 1 else step for n in self.nodes)
        elif rng.random() < 0.35 and self.nodes[0] >= 5:
            self.keys["periodic"] = ["x"]
            self.sides = self.sides[2:]
            if rng.random() < 0.7:
                self.keys["map"] = rng.choice([["(1 + y)*cos(2*pi*x)", "-(1 + y)*sin(2*pi*x)"], ["4^y*cos(2*pi*x)", "-1.5*4^y*sin(2*pi*x)"]])
                self.high = (1.0, 1.0)
        elif rng.random() < 0.25:
            self.keys["map"] = ["x + 0.2*y", "y*(1 + 0.3*x)"]
        self.keys |= {"low": self.low, "high": self.high}
        if "map" not in self.keys and min(self.nodes) > 5 and rng.random() < 0.5:
            x, y = (self.high[k] * rng.uniform(0.3, 0.7) for k in range(2))
            if physics == "boussinesq":
                self.keys["land"] = f"(x - {x:.6g})^2 + (y - {y:.6g})^2 < {(0.1 * min(self.high)) ** 2:.6g}"
            else:
                self.keys["land"] = rng.choice([f"abs(x - {x:.6g}) < 0.08 && y < {y:.6g}", f"abs(x - {x:.6g}) < 0.06"])
            self.has_land = True

    def text(self):
        return _table("grid", **self.keys)


def _poisson(rng, grid):
    sides = grid.sides + ["land"] * grid.has_land
    text = _table("poisson", conductivity=rng.choice([None, "x < 0.5 ? 1 : 20", "1 + x*x"]), source=rng.choice([None, "400*x - 3*y", 7.5]),
                  reaction=rng.choice([None, None, 0.3]))
    kinds = rng.choice([["value"], ["mixed", "value"], ["slope", "mixed", "value"]])
    for side in sides:
        kind = kinds[-1] if side == sides[0] else rng.choice(kinds)
        of_kind = {"value": {"value": rng.choice(["sin(3*x) + y", 1])}, "slope": {"slope": rng.choice([None, "x"])},
                   "mixed": {"alpha": 1.0, "beta": 1.5, "gamma": rng.choice([None, "y"])}}
        text += _table(f"boundary.{side}", type=kind, **of_kind[kind])
    method = rng.choice(["cg", "cg", "cycles", "full"])
    sweeps = rng.choice([1, 1, 2])
    return text + _table("solver.U", method=method, cycle=rng.choice(["V", "V", "W"]), before=sweeps, after=sweeps,
                         smoother=rng.choice(["automatic", "automatic", "lines", "lines-x", "lines-y", "colours", "jacobi"]))


def _wave(rng, grid):
    text = _table("wave", speed=rng.choice(["0.3 + 0.1*x", 0.5]), source=rng.choice([None, "0.1*sin(5*t)*x"]),
                  time_scheme=rng.choice(["leapfrog", "trapezoidal", "trapezoidal"]))
    for side in grid.sides + ["land"] * grid.has_land:
        kind = rng.choice(["fixed", "free"] if side == "land" else ["fixed", "free", "absorbing"])
        text += _table(f"boundary.{side}", type=kind, value="0.1*sin(8*t)" if kind == "fixed" else None,
                       incident=rng.choice([None, "0.1*sin(4*(t - x))"]) if kind == "absorbing" else None)
    return text + _table("initial", displacement="0.1*exp(-30*((x - 0.5)^2 + (y - 0.5)^2))")


def _boussinesq(rng, grid):
    width, height = grid.high
    text = _table("boussinesq", depth=rng.choice(["10 + 3*sin(x/50)", 8.0]), current=rng.choice([None, ["0.3", "0.1*sin(x/100)"]]))
    long = min(width, height) / 3
    waves = [{"type": "wall"}, {"type": "absorbing", "width": long, "period": 8.0},
             {"type": "regular_waves", "amplitude": 0.2, "period": 8.0, "width": long, "angle": 10.0},
             {"type": "irregular_waves", "significant_height": 0.5, "peak_period": 9.0, "width": long, "components": 6, "spreading": 4.0}]
    text += _table("boundary.west", **rng.choice(waves))
    text += _table("boundary.east", **rng.choice(waves[:2])) + _table("boundary.default", type="wall")
    for number in range(rng.choice([0, 1, 2]) if min(width, height) > 60 else 0):
        text += _table("[ship]", name=f"s{number}", length=rng.uniform(15, 40), beam=rng.uniform(8, 14), draught=rng.uniform(1, 3),
                       at=[rng.uniform(0, width), rng.uniform(0, height)], heading=rng.uniform(0, 360), speed=rng.choice([0.0, 4.0]),
                       turn_rate=rng.choice([0.0, 2.0]), moves=rng.choice([None, ["heave"], ["heave", "pitch", "roll"]]))
    return text


def make(seed, steps):
    """Name, case file's text and --precision."""
    rng = random.Random(seed)
    physics = rng.choice(["poisson", "wave", "boussinesq"])
    grid = _Grid(rng, physics)
    own = {"poisson": _poisson, "wave": _wave, "boussinesq": _boussinesq}[physics](rng, grid)
    name = f"grid-{seed}"
    text = f'name = "{name}"\nphysics = "{physics}"\n' + grid.text() + own
    if physics != "poisson":
        step = {"wave": 0.01 if "trapezoidal" in own else None, "boussinesq": None}[physics]
        text += _table("time", end=1e3, steps=steps, step=step) + _table("output", every=max(1, steps // 2))
        text += _table("checkpoint", every=max(1, steps // 2)) + _table("average", **{"from": 0.0})
    height = {"poisson": "U", "wave": "displacement", "boussinesq": "elevation"}[physics]
    text += _table("[monitor]", type="line", name="along", **{"from": grid.low, "to": grid.high})
    text += _table("[picture]", name=height, field=height, width=80, height=60)
    return name, text, rng.choice(["double", "double", "double", "single" if physics != "poisson" else "double"])
