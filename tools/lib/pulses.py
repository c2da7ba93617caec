"""Pulses of a thousandth of the run in every datum that may depend on time, for tools/validate trouble.

What a pulse leaves is known: of a linear problem that is at rest before and after it, the integral over time of any value is that
of the steady answer to the datum 1, times the pulse's own integral; else a solution in closed form."""
import collections
import math

from trouble_inputs import FREE, INSULATED, OUTFLOW, POINT, WALL, box, inflow, sides

END = 1000.0
SHAPES = {"jump": "(t > 400.3 && t < 401.3 ? 1 : 0)", "bell": "exp(-pi*(t-400.3)^2)"}  # with an integral of 1 s

# PULSE stands for a shape in `text`. The value is the integral over time of `column` of monitors/`file`.csv ("means": of what are means over
# steps; "samples": of values at their ends, by cubics between them that are monotone where the values are), or its last value ("last").
# What comes after `until` is left out.
Pulse = collections.namedtuple("Pulse", "datum text file column how value until", defaults=[END])

SYMMETRY = 'type = "symmetry"'
LOW = '[[monitor]]\ntype = "point"\nname = "low"\nat = [0.5, 0.1]\n'
MIDDLE = LOW + POINT.format(0.5) + "[output]\nvtk = false\nevery = 1\n"


def heat(tables, source="0", conductivity="0.1", capacity=1, start=0):
    return (box(60) + f'[material.default]\nconductivity = {conductivity}\nheat_capacity = {capacity}\nsource = "{source}"\n'
            f"[initial]\ntemperature = {start}\n[time]\nend = {END}\n" + tables + MIDDLE)


def flow(tables, more="", viscosity='"1"'):
    return f'physics = "flow"\n{box(60)}[fluid]\nviscosity = {viscosity}\n[time]\nend = {END}\n' + tables + more + MIDDLE


def wave(tables, source="0", speed=0.05):
    return f'physics = "wave"\n{box(60)}[wave]\nspeed = {speed}\nsource = "{source}"\n[time]\nend = {END}\n' + tables + MIDDLE


def across(kind, **x):
    """Sides y of one kind, xmin and xmax by their texts."""
    return sides(ymin=kind, ymax=kind, **x)


PERIODIC = 'type = "periodic"\npartner = "xmax"'
STILL = sides(xmin=WALL, xmax=WALL, ymin=WALL, ymax=WALL)
COLD = 'type = "temperature"\nvalue = 0'
ROUND = 'physics = "flow"\n[mesh]\nfile = "mesh.msh"\n'

RING_GEO = """SetFactory("OpenCASCADE");
Disk(1) = {0, 0, 0, 2};
Disk(2) = {0, 0, 0, 1};
BooleanDifference{ Surface{1}; Delete; }{ Surface{2}; Delete; }
e = 1e-3;
inner() = Curve In BoundingBox{-1-e, -1-e, -1, 1+e, 1+e, 1};
outer() = Curve{:}; outer() -= inner();
Physical Surface("fluid") = Surface{:};
Physical Curve("inner") = inner(); Physical Curve("outer") = outer();
MeshSize{:} = 0.1;
"""
# Between cylinders of radius 1, turning at omega, and 2, at rest: u = omega (-r/3 + 4/(3 r)) (Couette); at r = 1.5.
RING_SPEED = -1.5 / 3 + 4 / (3 * 1.5)
RING = (ROUND + f"[fluid]\nviscosity = 1\n[time]\nend = {END}\n"
        + sides(inner='type = "rotating_wall"\nomega = "0.01*PULSE"', outer=WALL)
        + '[[monitor]]\ntype = "point"\nname = "middle"\nat = [1.5, 0]\n[output]\nvtk = false\nevery = 1\n')

STRIP = (f'physics = "wave"\n[mesh.box]\ncells = 1200\ndimension = 2\nhigh = [60, 0.4]\n[wave]\nspeed = 1\n[time]\nend = {END}\n'
         + across(FREE, xmin='type = "fixed"\nvalue = "PULSE"', xmax='type = "fixed"')
         + '[[monitor]]\ntype = "point"\nname = "middle"\nat = [10, 0.2]\n[output]\nvtk = false\nevery = 1\n')

PULSES = [
    Pulse("heat: source", heat(across(INSULATED, xmin=INSULATED, xmax=INSULATED), "PULSE"), "middle", "temperature", "last", 1),
    Pulse("heat: flux", heat(across(INSULATED, xmin='type = "flux"\nvalue = "PULSE"', xmax=INSULATED)), "middle", "temperature", "last", 1),
    Pulse("heat: temperature", heat(across(INSULATED, xmin='type = "temperature"\nvalue = "PULSE"', xmax=COLD)), "boundaries", "xmax", "means", -0.1),
    # 0.5 and 0.1 W/(m^2 K) in series: 1/12 W/m^2 for 1 K.
    Pulse("heat: T_inf", heat(across(INSULATED, xmin='type = "convection"\nh = 0.5\nT_inf = "PULSE"', xmax=COLD)), "boundaries", "xmax", "means", -1 / 12),
    # Of one temperature at all times (conductivity over h): T = T_inf (1 - exp(-integral of h)).
    Pulse("heat: h", heat(across(INSULATED, xmin='type = "convection"\nh = "0.1*PULSE"\nT_inf = 1', xmax=INSULATED), conductivity=100),
          "middle", "temperature", "last", 1 - math.exp(-0.1)),
    Pulse("flow: inflow", flow(across(WALL, xmin=inflow("6*y*(1-y)*PULSE"), xmax=OUTFLOW)), "boundaries", "xmin", "means", 1),
    Pulse("flow: velocity of a wall", flow(sides(xmin=PERIODIC, ymin=WALL, ymax=WALL + '\nvelocity = ["0.01*PULSE", 0]')), "middle", "u", "samples", 0.005),
    Pulse("flow: omega", RING, "middle", "v", "samples", 0.01 * RING_SPEED),
    Pulse("flow: body_force", flow(across(SYMMETRY, xmin=PERIODIC), '[flow]\nbody_force = ["1e-3*PULSE", 0]\n'), "middle", "u", "last", 1e-3),
    Pulse("flow: body_force between walls", flow(across(WALL, xmin=PERIODIC), '[flow]\nbody_force = ["0.01*PULSE", 0]\n').replace("cells = 60", "cells = 400"), "middle", "u", "samples", 0.01 / 8),
    Pulse("flow: imposed flux", flow(across(SYMMETRY, xmin=PERIODIC + '\nflux = "PULSE"')), "flow", "flux_xmin", "means", 1),
    Pulse("flow: pressure", flow(across(SYMMETRY, xmin='type = "pressure"\npressure = "1e-3*PULSE"', xmax='type = "pressure"\npressure = 0'),
                                 '[flow]\nmethod = "classical"\n', '"1e-3"'), "middle", "u", "last", 1e-3),
    # A free stream of cos(pi y) along x decays as exp(-pi^2 integral of the viscosity).
    Pulse("flow: viscosity", flow(across(SYMMETRY, xmin=PERIODIC), '[initial]\nvelocity = ["1e-3*cos(pi*y)", 0]\n', '"1e-6 + 0.05*PULSE"').replace("cells = 60", "cells = 2000"),
          "low", "u", "last", 1e-3 * math.cos(0.1 * math.pi) * math.exp(-math.pi ** 2 * (1e-6 * END + 0.05))),
    Pulse("scalar: source", flow(STILL, '[scalar.T]\ndiffusivity = 0.1\nsource = "PULSE"\n'), "middle", "T", "last", 1),
    Pulse("scalar: flux", flow(across(WALL, xmin=WALL + '\nT_flux = "PULSE"', xmax=WALL), "[scalar.T]\ndiffusivity = 0.1\n"), "middle", "T", "last", 1),
    Pulse("scalar: value at a wall", flow(across(WALL, xmin=WALL + '\nT = "PULSE"', xmax=WALL + "\nT = 0"), "[scalar.T]\ndiffusivity = 0.1\n"),
          "T", "xmax", "samples", -0.1),
    Pulse("scalar: value that enters", flow(across(SYMMETRY, xmin=inflow("0.1", 'T = "PULSE"'), xmax=OUTFLOW), '[initial]\nvelocity = [0.1, 0]\n[scalar.T]\ndiffusivity = 0.01\n'),
          "middle", "T", "samples", 1),
    Pulse("scalar: diffusivity", flow(STILL, '[scalar.T]\ndiffusivity = "1e-6 + 0.05*PULSE"\ninitial = "cos(pi*y)"\n').replace("cells = 60", "cells = 2000"),
          "low", "T", "last", math.cos(0.1 * math.pi) * math.exp(-math.pi ** 2 * (1e-6 * END + 0.05))),
    Pulse("wave: source", wave(sides(xmin=FREE, xmax=FREE, ymin=FREE, ymax=FREE), "PULSE"), "middle", "velocity", "last", 1),
    # A point that the wave passes once before 460 s, on its way along a strip.
    Pulse("wave: displacement of a side", STRIP, "middle", "displacement", "samples", 1, 460),
]
# Those whose pulses may have any length, by parts of the run; the largest error of what is left.
JUMPS, BELLS = [1e-3, 1e-5, 1e-7, 1e-9], [1e-3, 1e-5, 1e-7]
JUMP, BELL = "(t > 400.3 && t < 400.3 + {width} ? {peak} : 0)", "{peak}*exp(-pi*((t-400.3)/{width})^2)"
LENGTHS = [("jump", JUMP, part, 1e-6) for part in JUMPS] + [("bell", BELL, part, 1e-4) for part in BELLS]
# Of them, those whose pulses have an integral of 1 s however short they are: others would leave the fluid with speeds that steps must follow.
OF_ONE_SECOND = ["heat: source", "heat: flux", "flow: body_force", "flow: pressure", "scalar: source", "scalar: flux"]
OF_ANY_LENGTH = [*OF_ONE_SECOND, "flow: inflow", "flow: imposed flux"]


def of_length(pulse, formula, part):
    """The text of a case with a pulse of a part of the run, and what that leaves."""
    width = part * END
    peak = 1 / width if pulse.datum in OF_ONE_SECOND else 1
    return pulse.text.replace("PULSE", f"({formula.format(width=width, peak=peak)})"), pulse.value * width * peak


GEOMETRIES = {"flow: omega": RING_GEO}


def integral(samples):
    """Of a piecewise cubic through (position, value), monotone where they are (Fritsch & Carlson 1980, by harmonic means)."""
    slopes = [(v - u) / (b - a) for (a, u), (b, v) in zip(samples, samples[1:])]
    inner = [2 * p * q / (p + q) if p * q > 0 else 0.0 for p, q in zip(slopes, slopes[1:])]
    at = [0.0, *inner, 0.0]
    return sum((b - a) * (u + v) / 2 + (b - a) ** 2 * (at[i] - at[i + 1]) / 12 for i, ((a, u), (b, v)) in enumerate(zip(samples, samples[1:])))


def value_of(pulse, rows):
    samples = [(row["time"], row[pulse.column]) for row in rows if row["time"] <= pulse.until]
    if pulse.how == "last":
        return samples[-1][1]
    if pulse.how == "means":
        return sum((t - before) * value for (t, value), before in zip(samples, [0.0, *(t for t, _ in samples)]))
    return integral(samples)
