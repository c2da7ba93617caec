"""The rows of tools/validate thin: set-ups whose right result is known, on meshes with thin layers at walls."""
import cmath
import dataclasses
import itertools
import math
import re

import thin_exact as exact
import thin_meshes as meshes
from finished_run import frequency
from formula import VectorFormula
from thin_runs import ANY, AS_THICK, BEYOND, EITHER, NONE, Row, Setup, Value, at, most

MOST_PRODUCT = 20  # aspect x length along the wall over its radius that the momentum bears (twice that at the outer of two walls); a run beyond it warns at the start
MOST_ASPECT = 1000  # of flat walls, likewise: beyond it a run is right, or warns
# By the midpoint rule, of each method, likewise. It keeps explicit parts of diffusion that BDF2 has no more, and damps nothing in a viscous cell (docs/numerics.md, "Thin cells").
MOST_ASPECT_OF_MIDPOINT = {"exact": 80, "classical": 12}
RIGHT, ALTERNATING = "right", "alternating"
ASPECTS = (10, 100, 1000, 10000)
LATE = (1, 3)  # [s]: samples of a start-up by steps of 0.1 s, ten of which it takes to forget a jump (BDF2 in one dimension: 7 % after three, 0.1 % after ten)

HEAD = 'name = "thin"\nphysics = "flow"\n[output]\nvtk = false\n'
REST, LID = 'type = "wall"\n', 'type = "wall"\nvelocity = [{speed}, 0]\n'
PERIODIC = '[boundary.in]\ntype = "periodic"\npartner = "out"\n'
LIDS = '[boundary.low]\ntype = "symmetry"\n[boundary.high]\ntype = "symmetry"\n'


def fluid(viscosity=exact.VISCOSITY):
    return f"[fluid]\nviscosity = {viscosity}\n"


def walls(**tables):
    return "".join(f"[boundary.{name}]\n{text}" for name, text in tables.items())


def end(time, more=""):
    return f"[time]\nend = {time}\n{more}"


def force(name, *boundaries, more=""):
    return f'[[monitor]]\ntype = "force"\nname = "{name}"\nboundaries = {list(boundaries or [name])}\n{more}'.replace("'", '"')


def samples(name, start, stop, points=41):
    return f'[[monitor]]\ntype = "line"\nname = "{name}"\nfrom = {list(start)}\nto = {list(stop)}\npoints = {points}\n'


# ---- methods


def variants(methods=("exact", "classical"), schemes=("bdf2", "midpoint"), convections=("default", "blended")):
    return list(itertools.product(methods, schemes, convections))


ALL = variants()
METHODS = variants(schemes=("bdf2",), convections=("default",))  # exact and classical, else as by default
PLAIN = variants(convections=("default",))  # both time schemes, too
DEFAULT = ("exact", "bdf2", "default")


def settings(method, scheme, convection):
    return ((f"flow.method={method}",) if method != "exact" else ()) + ((f"flow.time_scheme={scheme}",) if scheme != "bdf2" else ()) + (
        (f"flow.convection={convection}",) if convection != "default" else ())


def row(group, setup, measure, variant=DEFAULT, **others):
    """`setup` without the settings of the variant."""
    layers = setup.layers
    if others.get("thick"):
        others["thick"] = others["thick"].but(*settings(*variant)) if others["thick"].layers.aspect < layers.aspect else None
    warns = BEYOND if layers.product > MOST_PRODUCT else EITHER if layers.aspect > MOST_ASPECT and not layers.product else NONE
    others = {"warns": warns, **others}
    method, scheme, _ = variant
    if scheme == "midpoint" and layers.aspect > MOST_ASPECT_OF_MIDPOINT[method] and others["warns"] in (NONE, AS_THICK):
        others["warns"] = EITHER
    return Row(group, setup.but(*settings(*variant)), measure, *variant, **others)


# ---- the flat channel


def startup(layers, speed=1.0, more=""):
    return Setup(layers, HEAD + more + fluid() + walls(bottom=REST, top=LID.format(speed=speed)) + PERIODIC + "[initial]\nvelocity = [0, 0]\n" + end(3) + force("top"))


def startup_values(times=(0.3, 1, 3), speed=1.0, tolerance=0.005, across=1e-6, area=exact.LENGTH):
    def measure(_, run):
        found = []
        for moment in times:
            near = run.near("top", moment)
            right = exact.startup_force(near["time"], speed, area)
            found += [Value(f"{form} at {moment:g} s", near[column], right, tolerance) for form, column in (("force", "force_x"), ("weak", "weak_force_x"))]
        if across:
            found.append(most("v over u", run.largest("velocity_y") / speed, across))
        return found
    return measure


def noise(seed, size=1e-3):
    """A velocity of each cell's own: of [initial]."""
    def one(k):
        a, b, c = 913.7 + 31.3 * k + 7.1 * seed, 1571.3 + 17.9 * k + 3.7 * seed, 2113.9 + 1.3 * seed
        hashed = f"43758.5453*sin({a:.4f}*x+{b:.4f}*y+{c:.4f}*z+{seed})"
        return f'"{2 * size:g}*({hashed}-floor({hashed})-0.5)"'
    return f"[{one(0)}, {one(1)}]"


def startup_rows():
    for aspect, diagonals, variant, (speed, reynolds) in itertools.product(ASPECTS, (RIGHT, ALTERNATING), ALL, ((1.0, 10), (100.0, 1000))):
        quick = variant == DEFAULT and diagonals == ALTERNATING and (aspect, reynolds) in ((1000, 10), (100, 1000))
        yield row("flat start-up", startup(meshes.flat(aspect, diagonals), speed), startup_values(speed=speed), variant, note=f"Re {reynolds}",
                  thick=startup(meshes.flat(10, diagonals), speed), quick=quick)
    for aspect, variant in itertools.product((100, 1000), METHODS):
        yield row("flat start-up", startup(meshes.flat(aspect)).but(ranks=4), startup_values(), variant, note="Re 10", thick=startup(meshes.flat(10)).but(ranks=4), quick=aspect == 1000 and variant == DEFAULT)
    for aspect, variant in itertools.product((100, 1000), PLAIN):
        for layers in (meshes.flat_one_sided(aspect), meshes.flat_film(aspect), meshes.flat_line(aspect)):
            yield row("flat start-up", startup(layers), startup_values(), variant, note="Re 10")
    for step, variant in itertools.product((0.001, 0.003, 0.01, 0.1), PLAIN):
        setup, measure = startup(meshes.flat(1000)).but(f"time.step={step}"), startup_values(LATE, tolerance=0.03) if step == 0.1 else startup_values()
        thick = startup(meshes.flat(10)).but(f"time.step={step}")
        yield row("flat start-up", setup, measure, variant, note=f"step {step}", thick=thick, quick=variant == DEFAULT and step == 0.01)
        if variant in METHODS:
            yield row("flat start-up", setup.but(f"initial.velocity={noise(1)}"), measure, variant, note=f"from noise, step {step}", thick=thick, quick=variant == DEFAULT and step == 0.01)


def poiseuille(layers, push=0.8, more="", stop=10):
    return Setup(layers, HEAD + f"[flow]\nbody_force = [{push}, 0]\n" + fluid() + walls(bottom=REST, top=REST) + PERIODIC + more + end(stop) + force("top") + force("bottom"))


def poiseuille_values(push=0.8, flux=2 / 3, tolerance=0.003):
    def measure(_, run):
        found = [Value(f"{form} {name}", run.last(name, column), 2 * push, tolerance) for name in ("top", "bottom") for form, column in (("force", "force_x"), ("weak", "weak_force_x"))]
        return [*found, Value("flux", run.last("flow", "flux_in"), flux, tolerance)]
    return measure


def poiseuille_rows():
    for aspect, diagonals, variant in itertools.product(ASPECTS, (RIGHT, ALTERNATING), ALL):
        layers = meshes.flat(aspect, diagonals)
        yield row("Poiseuille", poiseuille(layers), poiseuille_values(), variant, note="Re 10", thick=poiseuille(meshes.flat(10, diagonals)), quick=variant == DEFAULT and diagonals == ALTERNATING and aspect == 1000)
        fast = (80, '[initial]\nvelocity = ["400*y*(1-y)", 0]\n', 3)
        yield row("Poiseuille", poiseuille(layers, *fast), poiseuille_values(80, 200 / 3), variant, note="Re 1000, from the exact flow", thick=poiseuille(meshes.flat(10, diagonals), *fast))


# ---- channel with in- and outflow


def channel(layers):
    return Setup(layers, HEAD + fluid() + walls(bottom=REST, top=LID.format(speed=1), **{"in": 'type = "inflow"\nvelocity = ["y", 0]\n', "out": 'type = "outflow"\n'})
                 + end(3) + force("top") + samples("along", (0, 0.5), (4, 0.5)) + samples("upright", (2, 0), (2, 1)))


def channel_values(_, run):
    found = [Value(form, run.last("top", column), -0.4, 0.005) for form, column in (("force", "force_x"), ("friction", "friction_x"), ("weak", "weak_force_x"))]
    pressures = [run.largest("pressure")] if "pressure" in run.summary["ranges"] else [abs(r["p"]) for name in ("along", "upright") for r in run.rows(name)]
    return [*found, most("largest pressure", max(pressures), 1e-3)]


def channel_rows():
    for bump, diagonals, variant in itertools.product((0.05, 0.01, 0.003, 0.0003), (RIGHT, ALTERNATING), ALL):
        yield row("channel", channel(meshes.flat_bumped(bump, diagonals)), channel_values, variant, thick=channel(meshes.flat(10, diagonals)), warns=NONE,
                  quick=variant == DEFAULT and diagonals == ALTERNATING and bump == 0.05)


# ---- rings


def ring(layers, speed=1.0, stop='end = 20\nsteady_tolerance = 1e-4\n', more="", lids=""):
    return Setup(layers, HEAD + fluid() + f"[scalar.temperature]\ndiffusivity = {exact.VISCOSITY}\n"
                 + walls(inner=REST + f'velocity = ["{-2 * speed}*y", "{2 * speed}*x"]\ntemperature = 1\n', outer=REST + "temperature = 0\n") + lids + more + "[time]\n" + stop
                 + force("inner") + force("outer") + samples("gap", (0.5, 0), (1, 0), 11))


def ring_values(speed=1.0, heat=True, height=1.0, tolerance=0.005):
    def measure(_, run):
        found = [Value(f"{form} {name}", run.last(name, column), sign * speed * height * exact.RING_TORQUE, tolerance) for name, sign in (("inner", -1), ("outer", 1))
                 for form, column in (("torque", "moment_z"), ("weak", "weak_moment_z"))]
        if height != 1:
            return found
        gap = run.rows("gap")
        found.append(Value("p(1)-p(0.5)", gap[-1]["p"] - gap[0]["p"], speed ** 2 * (exact.ring_pressure(1) - exact.ring_pressure(0.5)), 0.01))
        found.append(Value("u(0.75)", gap[5]["v"], speed * exact.ring_velocity(0.75), 0.003))
        if heat:
            found += [Value(f"heat {name}", run.last("temperature", name), sign * exact.RING_HEAT, 0.005) for name, sign in (("inner", 1), ("outer", -1))]
        return found
    return measure


def ring_rows():
    for aspect, diagonals, variant in itertools.product((10, 100), (RIGHT, ALTERNATING), ALL):
        yield row("ring", ring(meshes.ring(aspect, diagonals)), ring_values(), variant, note="Re 5", thick=ring(meshes.ring(10, diagonals)))
    for diagonals, variant in itertools.product((RIGHT, ALTERNATING), METHODS):
        yield row("ring", ring(meshes.ring(1000, diagonals)), ring_values(), variant, note="Re 5")
    for bump, variant in itertools.product((0.05, 0.002), ALL):
        yield row("ring", ring(meshes.ring_bumped(bump)), ring_values(), variant, note="Re 5", thick=ring(meshes.ring(10)))
    for aspect, variant in itertools.product((10, 100), METHODS):
        yield row("ring", ring(meshes.ring(aspect)).but(ranks=4), ring_values(), variant, note="Re 5")
    short = "end = 3\n"
    yield row("ring", ring(meshes.ring(100, RIGHT), stop=short), ring_values(), note="Re 5, to 3 s", thick=ring(meshes.ring(10, RIGHT), stop=short), quick=True)
    around = '[initial]\nvelocity = ["-200*y*(-2/3+2/3/(x*x+y*y))", "200*x*(-2/3+2/3/(x*x+y*y))"]\n'
    for aspect, diagonals, variant in itertools.product((10, 100), (RIGHT, ALTERNATING), ALL):
        fast = (200.0, "end = 0.1\n", around)
        yield row("ring", ring(meshes.ring(aspect, diagonals), *fast), ring_values(200.0, heat=False), variant, note="Re 1000, from the exact flow", thick=ring(meshes.ring(10, diagonals), *fast))


# ---- in three dimensions


def box(layers):
    return startup(layers, more=LIDS)


def box_rows():
    for (bump, layers), variant in itertools.product(((0.02, 12), (0.0002, 24)), ALL):
        yield row("box", box(meshes.box_3d(bump, layers)), startup_values((0.1, 3), across=None), variant, note="start-up", thick=box(meshes.box_3d(0.3 if layers == 12 else 0.95, layers)))
    yield row("box", box(meshes.box_3d(0.02, 12)), startup_values((3,), across=None), note="start-up, at 3 s", quick=True)
    for variant in METHODS:
        yield row("box", box(meshes.box_3d(0.02, 12)).but(ranks=4), startup_values((0.1, 3), across=None), variant, note="start-up", thick=box(meshes.box_3d(0.3, 12)))


# ---- flows in time between flat walls


def womersley(layers):
    return Setup(layers, HEAD + '[flow]\nbody_force = ["cos(2*pi*t)", 0]\n' + fluid() + walls(bottom=REST, top=REST) + PERIODIC + end(8) + force("top"))


def womersley_values(_, run):
    found = []
    for what, monitor, column, (amplitude, phase) in zip(("force", "flux"), ("top", "flow"), ("force_x", "flux_in"), exact.womersley()):
        wave = oscillation(*run.series(monitor, column, after=7))
        found += [Value(f"amplitude of the {what}", abs(wave), amplitude, 0.01), Value(f"phase of the {what} [degrees]", math.degrees(cmath.phase(wave)), phase, 1, True)]
    return found


def oscillation(times, values):
    """The complex amplitude z of Re(z exp(2 pi i t)) beside a constant, by least squares over the samples."""
    columns = [[math.cos(2 * math.pi * t) for t in times], [-math.sin(2 * math.pi * t) for t in times], [1.0] * len(times)]
    weights = [b - a for a, b in zip([2 * times[0] - times[1], *times], times)]
    matrix = [[sum(w * a * b for w, a, b in zip(weights, one, other)) for other in columns] for one in columns]
    right = [sum(w * a * v for w, a, v in zip(weights, one, values)) for one in columns]
    for i in range(3):  # elimination; the matrix is positive definite
        for j in range(i + 1, 3):
            factor = matrix[j][i] / matrix[i][i]
            matrix[j] = [a - factor * b for a, b in zip(matrix[j], matrix[i])]
            right[j] -= factor * right[i]
    found = [0.0] * 3
    for i in reversed(range(3)):
        found[i] = (right[i] - sum(matrix[i][j] * found[j] for j in range(i + 1, 3))) / matrix[i][i]
    return complex(found[0], found[1])


def womersley_rows():
    for aspect, diagonals, variant in itertools.product(ASPECTS, (RIGHT, ALTERNATING), ALL):
        yield row("Womersley", womersley(meshes.flat(aspect, diagonals)), womersley_values, variant, thick=womersley(meshes.flat(10, diagonals)),
                  quick=variant == DEFAULT and diagonals == ALTERNATING and aspect == 1000)


def growing_rows():
    """Steps that grow against equal ones."""
    for aspect, variant in itertools.product((100, 1000), PLAIN):
        setup = startup(meshes.flat(aspect))

        def measure(bench, run, equal=setup.but("time.step=0.005", *settings(*variant))):
            times, values = bench.run(equal).series("top", "force_x")
            apart = [abs(value / at(times, values, moment) - 1) for moment, value in zip(*run.series("top", "force_x", after=0.3))]
            return [most("force: relative difference from that of equal steps", max(apart), 0.01)]
        yield row("growing steps", setup, measure, variant, quick=variant == DEFAULT and aspect == 1000)


# ---- cavity


def cavity(layers):
    return Setup(layers, HEAD + fluid() + walls(bottom=REST, top=LID.format(speed=1), **{"in": REST, "out": REST}) + end(3)
                 + samples("upright", (2, 0), (2, 1)) + samples("level", (0, 0.5), (4, 0.5)) + samples("early", (0.5, 0), (0.5, 1)))


def as_thick(lines, thick, tolerance, columns=("u", "v"), scale=1.0):
    """The largest difference from the run on thick layers along the lines."""
    def measure(bench, run):
        other = bench.run(thick)
        if other.code != 0:
            raise ValueError(f"aspect 10 ended with code {other.code}")
        return [most(f"{column}: difference from aspect 10", max(abs(a[column] - b[column]) for name in lines for a, b in zip(run.rows(name), other.rows(name), strict=True)) / scale,
                     tolerance) for column in columns]
    return measure


def cavity_rows():
    for aspect, diagonals, variant in itertools.product((100, 1000), (RIGHT, ALTERNATING), ALL):
        thick = cavity(meshes.flat(10, diagonals))
        yield row("cavity", cavity(meshes.flat(aspect, diagonals)), as_thick(("upright", "level", "early"), thick.but(*settings(*variant)), 0.02), variant, thick=thick,
                  quick=variant == DEFAULT and diagonals == ALTERNATING and aspect == 1000)


# ---- a ring whose inner wall speeds up and slows down


def swinging(layers):
    return Setup(layers, HEAD + fluid() + walls(inner=REST + 'velocity = ["-2*y*sin(2*pi*t)", "2*x*sin(2*pi*t)"]\n', outer=REST) + end(1) + force("inner") + force("outer"))


def swinging_rows():
    for aspect, diagonals, variant in itertools.product((100, 1000), (RIGHT, ALTERNATING), PLAIN):
        thick = swinging(meshes.ring(10, diagonals))

        def measure(bench, run, thick=thick.but(*settings(*variant))):
            found = []
            for name in ("inner", "outer"):
                times, values = bench.run(thick).series(name, "moment_z")
                apart = max(abs(value - at(times, values, moment)) for moment, value in zip(*run.series(name, "moment_z", after=0.05)))
                found.append(most(f"torque {name}: difference from aspect 10 over the largest", apart / max(map(abs, values)), 0.005))
            return found
        yield row("ring, swinging", swinging(meshes.ring(aspect, diagonals)), measure, variant, thick=thick, quick=variant == DEFAULT and diagonals == ALTERNATING and aspect == 100)


# ---- wedge


def wedge(layers):
    k, cosine = repr(exact.WEDGE_FLUX / exact.WEDGE_K), repr(math.cos(2 * exact.HALF_ANGLE))
    flow = ", ".join(f'"{x}*{k}/(x*x+y*y)*((x*x-y*y)/(x*x+y*y)-{cosine})"' for x in "xy")
    given = f'type = "inflow"\nvelocity = [{flow}]\n'
    return Setup(layers, HEAD + fluid() + walls(low=REST, high=REST, **{"in": given, "out": given}) + end(20, "steady_tolerance = 1e-4\n")
                 + force("low") + force("high") + samples("axis", (1, 0), (2, 0), 21))


def wedge_values(_, run):
    found, (cosine, sine) = [], (math.cos(exact.HALF_ANGLE), math.sin(exact.HALF_ANGLE))
    for name, sign in (("low", -1), ("high", 1)):
        for what, prefix in (("friction", "friction_"), ("weak force", "weak_force_")):
            along = run.last(name, prefix + "x") * cosine + sign * run.last(name, prefix + "y") * sine
            found.append(Value(f"{what} along {name}", along, exact.WEDGE_FRICTION, 0.01))
    axis = run.rows("axis")
    return [*found, Value("p(1)-p(2)", axis[0]["p"] - axis[-1]["p"], exact.WEDGE_PRESSURE, 0.02)]


def wedge_rows():
    for aspect, diagonals, variant in itertools.product((10, 100, 1000), (RIGHT, ALTERNATING), ALL):
        yield row("wedge", wedge(meshes.wedge(aspect, diagonals)), wedge_values, variant, thick=wedge(meshes.wedge(10, diagonals)),
                  quick=variant == DEFAULT and diagonals == RIGHT and aspect == 1000)


# ---- Blasius' plate


PLATE_VISCOSITY = 1e-4


def plate(layers):
    """In the stream that goes round the plate's layer: uniform, and that of the parabola by which the layer displaces it. With a uniform
    one given half a metre ahead, and none through a cover, the fluid at the layer's edge is 1.6 % too fast at x = 0.5, the friction 3.7 %."""
    groups, distance, a = {name: REST for _, name in meshes.PARTS_OF_PLATE}, "sqrt(x*x+y*y)", repr(exact.displacement_speed(1, PLATE_VISCOSITY))
    stream = f'type = "inflow"\nvelocity = ["1-{a}*sqrt(({distance}-x)/2)/{distance}", "{a}*sqrt(({distance}+x)/2)/{distance}"]\n'
    return Setup(layers, HEAD + fluid(PLATE_VISCOSITY) + walls(**groups, ahead='type = "symmetry"\n', stream=stream, out='type = "outflow"\n')
                 + "[initial]\nvelocity = [1, 0]\n" + end(6) + force("half") + force("rest", "fore", "half", "aft"))


def plate_values(other, tolerance=0.02):
    """`other`: the plate whose drag must be the same."""
    def measure(bench, run):
        found = [Value("c_f(0.5)", run.last("half", "friction_x") / (0.5 * 0.04), exact.plate_friction(0.5, PLATE_VISCOSITY), tolerance)]
        if other:
            thick = bench.run(other)
            found += [Value(f"drag by the {what} over x = 0.1 to 1, as at aspect {other.layers.aspect:g}", run.last("rest", column), thick.last("rest", column), 0.01)
                      for what, column in (("surface", "force_x"), ("weak form", "weak_force_x"))]
        return found
    return measure


def plate_rows():
    for aspect, diagonals, variant in itertools.product((10, 100, 1000), (RIGHT, ALTERNATING), ALL):
        other = plate(meshes.plate(100, diagonals)).but(*settings(*variant)) if aspect == 1000 else None
        yield row("plate", plate(meshes.plate(aspect, diagonals)), plate_values(other, 0.02 if aspect > 10 else None), variant, thick=plate(meshes.plate(10, diagonals)),
                  warns=AS_THICK if aspect > 10 else ANY)
    for aspect in (100, 1000):
        other = plate(meshes.coarse_plate(100, RIGHT)) if aspect == 1000 else None
        yield row("plate", plate(meshes.coarse_plate(aspect, RIGHT)), plate_values(other), note="coarse", thick=plate(meshes.coarse_plate(10, RIGHT)), warns=AS_THICK, quick=aspect == 1000)


# ---- a cylinder in Gmsh's layers


def cylinder(layers, viscosity, stop):
    return Setup(layers, HEAD + fluid(viscosity) + walls(cylinder=REST, sides='type = "symmetry"\n', **{"in": 'type = "inflow"\nvelocity = [1, 0]\n', "out": 'type = "outflow"\n'})
                 + end(stop) + force("cylinder", more="reference_speed = 1\n"))


def cylinder_values(drag_tolerance, lift):
    def measure(_, run):
        return [Value("drag coefficient", run.last("cylinder", "drag_coefficient"), 1.785, drag_tolerance),
                Value("by the weak form", run.last("cylinder", "weak_drag_coefficient"), 1.785, None),
                most("lift coefficient", abs(run.last("cylinder", "lift_coefficient")), lift)]
    return measure


def strouhal(run):
    return frequency(*run.series("cylinder", "lift_coefficient", after=60))


def even_strouhal(bench, variant):
    """Of even faces at the cylinder, refined until it changes by less than 0.3 %."""
    found = []
    for size in (1, 0.7, 0.5, 0.35, 0.25, 0.18):
        run = bench.run(cylinder(meshes.even_cylinder(size), 0.01, 100).but(*settings(*variant)))
        if run.code != 0:
            raise ValueError(f"even faces, size {size:g}: code {run.code}")
        found.append(strouhal(run))
        if len(found) > 1 and abs(found[-1] / found[-2] - 1) < 0.003:
            return found[-1]
    raise ValueError(f"no even mesh is fine enough: Strouhal numbers {found}")


def cylinder_rows():
    for first, variant in itertools.product((0.04, 0.004, 0.0004), METHODS):
        yield row("cylinder", cylinder(meshes.cylinder(first), 0.025, 20), cylinder_values(0.03, 0.0104), variant, note="Re 40", quick=variant == DEFAULT and first == 0.004)
    for first, variant in itertools.product((0.04, 0.004), METHODS):
        yield row("cylinder", cylinder(meshes.cylinder(first, 2), 0.025, 20), cylinder_values(0.01, 0.002), variant, note="Re 40, refined")
    for first in (0.04, 0.004):
        yield row("cylinder", cylinder(meshes.cylinder(first, 2), 0.01, 100), lambda bench, run: [Value("Strouhal number", strouhal(run), even_strouhal(bench, DEFAULT), 0.01)],
                  note="Re 100, refined", long=True)


# ---- a ring in three dimensions


def ring_3d_rows():
    for bump, variant in itertools.product((0.05, 0.002), METHODS):
        setup = ring(meshes.ring_3d(bump), stop="end = 3\n", lids=LIDS)
        yield row("ring in 3D", setup, ring_values(height=0.25, tolerance=0.01), variant, note="Re 5")
        yield row("ring in 3D", setup.but(ranks=4), ring_values(height=0.25, tolerance=0.01), variant, note="Re 5")


# ---- noise in fluid at rest


RESTING = {
    "flat": (meshes.flat, walls(bottom=REST, top=REST) + PERIODIC),
    "channel": (meshes.flat, walls(bottom=REST, top=REST, **{"in": 'type = "inflow"\nvelocity = [0, 0]\n', "out": 'type = "outflow"\n'})),
    "cavity": (meshes.flat, walls(bottom=REST, top=REST, **{"in": REST, "out": REST})),
    "ring": (meshes.ring, walls(inner=REST, outer=REST)),
}
SEEDS = (1, 2, 3, 4, 5)


def resting(kind, aspect, step, seed):
    make, sides = RESTING[kind]
    return Setup(make(aspect), HEAD + fluid() + sides + f"[initial]\nvelocity = {noise(seed)}\n" + end(300 * step, f"step = {step}\n"))


def noise_rows():
    for kind, aspect, step, variant in itertools.product(RESTING, (100, 1000), (0.001, 0.01, 0.1), PLAIN):
        setups = [resting(kind, aspect, step, seed).but(*settings(*variant)) for seed in SEEDS]

        def measure(bench, _, setups=setups):
            ratios, finals = [], []
            for seed, setup in zip(SEEDS, setups):
                run = bench.run(setup)
                if run.code != 0:
                    raise ValueError(f"seed {seed}: code {run.code} {run.words[:100]}")
                energies = run.series("flow", "kinetic_energy")[1]
                ratios.append(max(energies[49:]) / energies[9])
                finals.append(energies[-1] / energies[9])
            return [most(f"energy after step 50 over that of step 10, seeds {SEEDS[0]} to {SEEDS[-1]}", max(ratios), 1), most("at the end", max(finals), 1 - 1e-6)]
        quick = variant == DEFAULT and (kind, aspect, step) in (("flat", 100, 0.01), ("channel", 100, 0.01), ("cavity", 1000, 0.1))
        setup = resting(kind, aspect, step, 1)
        yield row("noise at rest", setup, measure, variant, note=f"{kind}, step {step}", quick=quick, warns=EITHER if setup.layers.product > MOST_PRODUCT else ANY)


# ---- scalars


def uneven_diffusivity(y):
    return exact.VISCOSITY * (1 + y)


SCALAR_STEPS = (0.001, 0.01, 0.02, 0.1)


def flat_scalar(layers, step, moves, diffusivity):
    top = (LID.format(speed=1) if moves else REST) + "temperature = 0\n"
    return Setup(layers, HEAD + fluid() + f'[scalar.temperature]\ndiffusivity = "{diffusivity}"\n' + walls(bottom=REST + "temperature = 1\n", top=top) + PERIODIC
                 + end(3, f"step = {step}\n"))


def ring_scalar(layers, step, moves):
    inner = REST + ('velocity = ["-2*y", "2*x"]\n' if moves else "") + "temperature = 1\n"
    return Setup(layers, HEAD + fluid() + f"[scalar.temperature]\ndiffusivity = {exact.VISCOSITY}\n" + walls(inner=inner, outer=REST + "temperature = 0\n") + end(1, f"step = {step}\n"))


def scalar_values(points, size, step, **layer):
    """`points`: boundary, whether it is the far one, and time."""
    def measure(_, run):
        low, high = run.summary["ranges"]["temperature"]
        found = [Value(f"flow through {name} at {moment:g} s", run.near("temperature", moment)[name], size * exact.startup_flow(run.near("temperature", moment)["time"], **layer)[far],
                       0.03 if step == 0.1 else 0.005) for name, far, moment in points]
        return [*found, most("beyond the range", max(high - 1, -low), 1e-9)]
    return measure


def scalar_rows():
    flat_points = (("bottom", 0, 0.3), ("bottom", 0, 1), ("bottom", 0, 3), ("top", 1, 3))
    for aspect, step, moves, uneven, method in itertools.product(ASPECTS, SCALAR_STEPS, (False, True), (False, True), METHODS):
        note = f"flat, {'moving' if moves else 'at rest'}, {'varying' if uneven else 'even'} diffusivity, step {step}"
        setup = flat_scalar(meshes.flat(aspect), step, moves, f"{exact.VISCOSITY}*(1+y)" if uneven else f"{exact.VISCOSITY}")
        if method != DEFAULT and not moves:
            continue  # a fluid at rest has no method
        warns = EITHER if aspect > MOST_ASPECT and moves else NONE
        points = [p for p in flat_points if p[2] in LATE] if step == 0.1 else flat_points
        yield row("scalar", setup, scalar_values(points, exact.LENGTH, step, diffusivity=uneven_diffusivity if uneven else None), method, note=note, warns=warns,
                  quick=method == DEFAULT and (aspect, step, moves, uneven) in ((10, 0.1, False, False), (1000, 0.02, True, True)))
    ring_points = (("inner", 0, 0.3), ("inner", 0, 1), ("outer", 1, 1))
    for aspect, step, moves in itertools.product((10, 100, 1000), SCALAR_STEPS, (False, True)):
        if aspect == 1000 and moves:
            continue  # the flow is not right there
        points = [p for p in ring_points if p[2] in LATE] if step == 0.1 else ring_points
        yield row("scalar", ring_scalar(meshes.ring(aspect), step, moves), scalar_values(points, 2 * math.pi, step, low=0.5, round_=True),
                  note=f"ring, {'moving' if moves else 'at rest'}, step {step}", warns=NONE, quick=aspect == 1000 and step == 0.02 and not moves)


RAYLEIGH, PRANDTL = 1e5, 0.71


def convection(layers):
    text = HEAD + f"[fluid]\nviscosity = {PRANDTL}\ngravity = [0, -1]\n[scalar.temperature]\ndiffusivity = 1\ninitial = 0.5\nexpansion = {RAYLEIGH * PRANDTL}\nreference = 0.5\n"
    hot = '[[monitor]]\ntype = "nusselt"\nname = "hot"\nboundary = "left"\n[[monitor]]\ntype = "nusselt"\nname = "cold"\nboundary = "right"\n'
    return Setup(layers, text + walls(left=REST + "temperature = 1\n", right=REST + "temperature = 0\n", bottom=REST, top=REST) + end(0.3) + hot)


def convection_rows():
    for aspect, diagonals, variant in itertools.product((100, 1000), (RIGHT, ALTERNATING), METHODS):
        thick = convection(meshes.square(10, diagonals))

        def measure(bench, run, thick=thick.but(*settings(*variant))):
            return [Value(f"Nusselt number of {name}, as at aspect 10", run.last(name, "nusselt"), bench.run(thick).last(name, "nusselt"), 0.01) for name in ("hot", "cold")]
        yield row("natural convection", convection(meshes.square(aspect, diagonals)), measure, variant, thick=thick,
                  quick=variant == DEFAULT and diagonals == ALTERNATING and aspect == 100)


# ---- a power law


def power_law(layers, index):
    text = poiseuille(layers, stop=20).text.replace(fluid(), f'[fluid]\ndensity = 1\n[viscosity]\ntype = "power_law"\nconsistency = 0.1\nindex = {index}\nleast = 1e-4\nlargest = 100\n')
    return Setup(layers, text)


def power_law_rows():
    for aspect, diagonals, index, variant in itertools.product((1000,), (RIGHT, ALTERNATING), (0.7, 1.4), PLAIN):
        yield row("power law", power_law(meshes.flat(aspect, diagonals), index), poiseuille_values(0.8, exact.power_law_flux(0.8, 0.1, index), 0.005), variant,
                  note=f"index {index}", thick=power_law(meshes.flat(10, diagonals), index), quick=variant == DEFAULT and diagonals == ALTERNATING and index == 0.7)


# ---- precision, steps, iterations, points, bits


def single_rows():
    for aspect, method in itertools.product((100, 1000, 10000), METHODS):
        yield row("single precision", startup(meshes.flat(aspect)).but(options=("--precision", "single")), startup_values(tolerance=0.02, across=None), method, refused=True,
                  quick=method == DEFAULT and aspect == 1000)


def crossing(layers):
    """A stream through layers that lie across it."""
    slip = 'type = "symmetry"\n'
    return Setup(layers, HEAD + fluid() + walls(bottom=slip, top=slip, left='type = "inflow"\nvelocity = [1, 0]\n', right='type = "outflow"\n')
                 + "[initial]\nvelocity = [1, 0]\n" + end(1, "steps = 60\n"))


def crossing_values(_, run):
    place = re.findall(r"Courant[^\n]*\(([-+.\de]+), ([-+.\de]+)", run.output)
    if not place:
        raise ValueError("no line of the output tells where the Courant number is largest")
    x = float(place[-1][0])
    return [most("Courant number", run.last("flow", "courant"), 0.66), most("its place's distance from the layers", min(abs(x), abs(1 - x)), 0.05)]


def crossing_rows():
    for aspect, variant in itertools.product((100, 1000), METHODS):
        yield row("steps across layers", crossing(meshes.square(aspect)), crossing_values, variant, quick=variant == DEFAULT and aspect == 1000)


def iteration_rows():
    for (kind, make), aspect, variant in itertools.product((("start-up", startup), ("cavity", cavity), ("channel", channel)), (1000, 10000), PLAIN):
        def setup_of(aspect, make=make):
            return make(meshes.flat(aspect)).but("time.step=0.01", "time.end=1")

        def measure(bench, run, thick=setup_of(10).but(*settings(*variant))):
            other = bench.run(thick)
            return [most(f"iterations of {what} a solve over those of aspect 10", run.iterations(*names) / max(other.iterations(*names), 1), 3)
                    for what, names in (("pressure", ("stream function", "stream_function", "pressure")), ("momentum", ("momentum",)))]
        yield row("iterations", setup_of(aspect), measure, variant, note=kind, quick=kind == "cavity" and variant == DEFAULT and aspect == 1000)


def points_rows():
    for aspect, diagonals, variant in itertools.product((100, 1000, 10000), (RIGHT, ALTERNATING), METHODS):
        layers = meshes.flat(aspect, diagonals)
        deep = 3 * layers.first
        setup = startup(layers).but('initial.velocity=["y", 0]', "time.steps=5")
        text = setup.text + samples("low", (1.03, 0), (1.17, deep)) + samples("high", (2.03, 1 - deep), (2.17, 1))

        def measure(_, run):
            return [most(f"u - y on the line {name}", max(abs(r["u"] - r["y"]) for r in run.rows(name)), 1e-6) for name in ("low", "high")]
        yield row("points in layers", dataclasses.replace(setup, text=text), measure, variant, quick=variant == DEFAULT and diagonals == ALTERNATING and aspect == 1000)


def same_tables(other):
    """As of another way to run the same."""
    def measure(bench, run):
        there = bench.run(other)
        if there.code != 0:
            raise ValueError(f"the other run: code {there.code} {there.words[:100]}")
        return [most("tables with other bits", sum(run.text(name) != there.text(name) for name in run.monitors), 0)]
    return measure


def bits_rows():
    for layers, variant in itertools.product((meshes.flat(1000), meshes.ring(100)), PLAIN):
        whole = (startup if layers.name == "flat" else swinging)(layers).but("time.steps=20", "checkpoint.every=5")
        for ranks in (1, 4):
            yield row("restart", whole.but("time.steps=10", ranks=ranks, goes_on=("time.steps=20",)), same_tables(whole.but(*settings(*variant), ranks=ranks)), variant, warns=ANY,
                      quick=layers.name == "flat" and variant == DEFAULT and ranks == 1)
        alone = whole.but(options=("--reproducible",))
        yield row("reproducible", alone.but(ranks=4), same_tables(alone.but(*settings(*variant))), variant, warns=ANY, quick=layers.name == "flat" and variant == DEFAULT)


# ---- order, on meshes of layers


KOVASZNAY = ("1 - exp((20 - sqrt(400 + 4*pi^2))*x)*cos(2*pi*y)", "(20 - sqrt(400 + 4*pi^2))/(2*pi)*exp((20 - sqrt(400 + 4*pi^2))*x)*sin(2*pi*y)")
TAYLOR_GREEN = ("-cos(x)*sin(y)*exp(-0.1*t)", "sin(x)*cos(y)*exp(-0.1*t)")


def known(layers, formulas, viscosity, stop):
    """A flow that is given on all sides."""
    velocity = f"velocity = {list(formulas)}\n".replace("'", '"')
    given = 'type = "inflow"\n' + velocity
    return Setup(layers, HEAD.replace("false", "true") + fluid(viscosity) + walls(bottom=given, top=given, **{"in": given, "out": given}) + "[initial]\n" + velocity + "[time]\n" + stop)


def order_rows():
    """On a mesh graded from a thin layer to none, and one with a thin layer in the middle, each halved twice."""
    flows = (("Kovasznay", KOVASZNAY, 0.025, "end = 20\nsteady_tolerance = 1e-5\n", (-0.5, 1.0), (-0.5, 1.5)),
             ("Taylor-Green", TAYLOR_GREEN, 0.05, "end = 1\n", (0.0, math.pi), (0.0, math.pi)))
    for (name, formulas, viscosity, stop, xs, ys), kind, variant in itertools.product(flows, ("one-sided", "line"), PLAIN):
        levels = [known(meshes.rectangle(kind, 1000, xs, ys, level), formulas, viscosity, stop) for level in range(3)]

        def measure(bench, run, coarse=levels[0].but(*settings(*variant)), formulas=formulas):
            formula = VectorFormula(list(formulas))
            return [most("2 less the order", 2 - math.log2(bench.run(coarse).velocity_error(formula) / run.velocity_error(formula)) / 2, 0.2)]
        yield row("order", levels[2], measure, variant, note=name)


def rows():
    """All, in the order of the table."""
    for make in (startup_rows, poiseuille_rows, womersley_rows, growing_rows, channel_rows, cavity_rows, ring_rows, swinging_rows, wedge_rows, plate_rows, box_rows, ring_3d_rows,
                 noise_rows, scalar_rows, convection_rows, power_law_rows, single_rows, crossing_rows, iteration_rows, points_rows, bits_rows, order_rows, cylinder_rows):
        yield from make()
