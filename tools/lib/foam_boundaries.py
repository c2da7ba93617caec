"""What icoFoam has no counterpart of in a case of solenoid, and the case's boundary tables as patches of U and p."""
import math

from formula import Formula, VectorFormula

GIVEN = ("wall", "rotating_wall", "inflow")  # whose velocity the case says
OPEN = ("outflow", "pressure")
TRANSLATED = (*GIVEN, *OPEN, "symmetry")


def constant(case, key, default):
    """The value of a key that may be a formula, if it is the same everywhere and always; else ValueError."""
    text = case.get(key, default)
    formula = Formula(text)
    if formula.variables:
        raise ValueError(f"icoFoam takes a number for {key}, and here it is the formula {formula.text!r}")
    return formula((0.0, 0.0, 0.0))


def check_translatable(case, *, runs_to_the_end):
    """ValueError, in words, at the first thing of the case that icoFoam knows nothing of.

    runs_to_the_end: both programs compute the whole case, not a few steps of it."""
    physics = case.get("physics", "heat")
    if physics != "flow":
        raise ValueError(f"icoFoam knows flows only, and the physics of this case is {physics!r}")
    if case.get("viscosity") is not None:
        raise ValueError("icoFoam knows no viscosity by the shear rate: take fluid.viscosity in place of the table [viscosity]")
    if case.get("fluid.viscosity") is None:
        raise ValueError("the case has no fluid.viscosity")
    constant(case, "fluid.viscosity", None)
    if scalars := case.get("scalar", {}):
        raise ValueError(f"icoFoam carries no scalars and knows no buoyancy: [scalar.{min(scalars)}] has no counterpart")
    force = VectorFormula(case.get("flow.body_force", [0, 0, 0]))
    if any(part.variables or part((0.0, 0.0, 0.0)) != 0 for part in force.parts):
        raise ValueError("icoFoam knows no forces in the volume: leave out flow.body_force")
    if case.get("time.end") is None:
        raise ValueError("the case has no time.end")
    if runs_to_the_end and case.get("time.steps") is not None:
        raise ValueError("time.steps ends solenoid's run before time.end, to which icoFoam goes: leave it out, or take --no-errors")
    for name, table in case.get("boundary", {}).items():
        _check_boundary(name, table)


def _check_boundary(name, table):
    kind = table.get("type")
    if kind not in TRANSLATED:
        known = ", ".join(f'"{word}"' for word in TRANSLATED)
        raise ValueError(f"[boundary.{name}]: the type {kind!r} has no counterpart in icoFoam here; {known} have one")
    wanted = {"inflow": "velocity", "pressure": "pressure", "rotating_wall": "omega"}.get(kind)
    if wanted and wanted not in table:
        raise ValueError(f"[boundary.{name}]: a boundary of type {kind!r} has no key {wanted!r}")
    if kind == "pressure" and Formula(table["pressure"]).depends_on_time:
        raise ValueError(f"[boundary.{name}]: a pressure that changes in time is not translated for icoFoam")


class Rotation:
    """The velocity omega a x (x - c) of a wall that turns: omega a formula of t [rad/s], a a direction, c a point [m]."""

    def __init__(self, table):
        self.omega = Formula(table["omega"])
        self.depends_on_time = self.omega.depends_on_time
        axis = [*table.get("axis", [0, 0, 1]), 0.0][:3]
        self.axis = [a / math.hypot(*axis) for a in axis]
        self.centre = [*table.get("centre", [0, 0, 0]), 0.0][:3]

    def __call__(self, point, time=0.0):
        omega, a, r = self.omega((0.0, 0.0, 0.0), time), self.axis, [x - c for x, c in zip(point, self.centre)]
        return tuple(omega * (a[(k + 1) % 3] * r[(k + 2) % 3] - a[(k + 2) % 3] * r[(k + 1) % 3]) for k in range(3))


def _along(velocity, area):
    """What of a velocity is tangential to a side with that area vector."""
    across = sum(a * v for a, v in zip(area, velocity)) / sum(a * a for a in area)
    return tuple(v - across * a for v, a in zip(velocity, area))


class Boundaries:
    """The boundary tables of a case, made into patches of U and p."""

    def __init__(self, case, mesh):
        self.mesh, self.settings, self.formulas = mesh, {}, {}
        self.density = case.get("fluid.density", 1.0)
        for name in mesh.patches:
            table = case.get("boundary", {}).get(name)
            if table is None:
                raise ValueError(f"the case has no [boundary.{name}]")
            _check_boundary(name, table)
            self.settings[name] = table
            if table["type"] == "rotating_wall":
                self.formulas[name] = Rotation(table)
            elif table["type"] in GIVEN:
                self.formulas[name] = VectorFormula(table.get("velocity", [0, 0, 0]))
        self.is_open = any(table["type"] in OPEN for table in self.settings.values())

    def velocity(self, time):
        """{patch: velocity at the sides' centroids}, as solenoid takes it: of walls what lies along them; without an open
        boundary the inflows' sum is brought to zero."""
        values = {name: [f(side.centroid, time) for side in self.mesh.patches[name]] for name, f in self.formulas.items()}
        inflows = [name for name in values if self.settings[name]["type"] == "inflow"]
        for name in values.keys() - inflows:
            values[name] = [_along(v, side.area) for side, v in zip(self.mesh.patches[name], values[name])]
        if self.is_open or not inflows:
            return values
        net = area = 0.0
        for name in inflows:
            for side, v in zip(self.mesh.patches[name], values[name]):
                net += sum(a * b for a, b in zip(side.area, v))
                area += math.hypot(*side.area)
        for name in inflows:
            for i, side in enumerate(self.mesh.patches[name]):
                size = math.hypot(*side.area)
                values[name][i] = tuple(v - net / area * a / size for v, a in zip(values[name][i], side.area))
        return values

    def changes(self, name):
        return name in self.formulas and self.formulas[name].depends_on_time

    def pressure(self, name):
        """At the sides of an open patch, over the density, as icoFoam counts it [m^2/s^2]."""
        formula = Formula(self.settings[name].get("pressure", 0))
        return [formula(side.centroid) / self.density for side in self.mesh.patches[name]]
