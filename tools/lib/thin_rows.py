"""The rows of tools/validate thin: set-ups whose right result is known, on meshes with thin layers at walls."""
import itertools
import math

import thin_exact as exact
import thin_meshes as meshes
from thin_runs import BEYOND, EITHER, NONE, Row, Setup, Value, at

MOST_PRODUCT = 7  # aspect x length along the wall over its radius that the momentum bears; a run beyond it warns at the start
MOST_ASPECT = 1000  # of flat walls, likewise: beyond it a run is right, or warns
RIGHT, ALTERNATING = "right", "alternating"
ASPECTS = (10, 100, 1000, 10000)

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
    warns = BEYOND if layers.product > MOST_PRODUCT else EITHER if layers.aspect > MOST_ASPECT and not layers.product else NONE
    return Row(group, setup.but(*settings(*variant)), measure, *variant, **{"warns": warns, **others})


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
            found.append(Value("|v|/u", run.largest("velocity_y") / speed, 0, across, True))
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
        yield row("flat start-up", startup(meshes.flat(aspect, diagonals), speed), startup_values(speed=speed), variant, note=f"Re {reynolds}", quick=quick)
    for aspect, variant in itertools.product((100, 1000), METHODS):
        yield row("flat start-up", startup(meshes.flat(aspect)).but(ranks=4), startup_values(), variant, note="Re 10", quick=aspect == 1000 and variant == DEFAULT)
    for aspect, variant in itertools.product((100, 1000), PLAIN):
        for layers in (meshes.flat_one_sided(aspect), meshes.flat_film(aspect), meshes.flat_line(aspect)):
            yield row("flat start-up", startup(layers), startup_values(), variant, note="Re 10")
    for step, variant in itertools.product((0.001, 0.003, 0.01, 0.1), PLAIN):
        yield row("flat start-up", startup(meshes.flat(1000)).but(f"time.step={step}"), startup_values(tolerance=0.03 if step == 0.1 else 0.005), variant,
                  note=f"step {step}", quick=variant == DEFAULT and step == 0.01)
    for step, variant in itertools.product((0.001, 0.003, 0.01, 0.1), METHODS):
        setup = startup(meshes.flat(1000)).but(f"time.step={step}", f"initial.velocity={noise(1)}")
        yield row("flat start-up", setup, startup_values(tolerance=0.03 if step == 0.1 else 0.005), variant, note=f"from noise, step {step}",
                  quick=variant == DEFAULT and step == 0.01)


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
        yield row("Poiseuille", poiseuille(layers), poiseuille_values(), variant, note="Re 10", quick=variant == DEFAULT and diagonals == ALTERNATING and aspect == 1000)
        setup = poiseuille(layers, 80, '[initial]\nvelocity = ["400*y*(1-y)", 0]\n', 3)
        yield row("Poiseuille", setup, poiseuille_values(80, 200 / 3), variant, note="Re 1000")


# ---- channel with in- and outflow


def channel(layers):
    return Setup(layers, HEAD + fluid() + walls(bottom=REST, top=LID.format(speed=1), **{"in": 'type = "inflow"\nvelocity = ["y", 0]\n', "out": 'type = "outflow"\n'})
                 + end(3) + force("top") + samples("along", (0, 0.5), (4, 0.5)) + samples("upright", (2, 0), (2, 1)))


def channel_values(_, run):
    found = [Value(form, run.last("top", column), -0.4, 0.005) for form, column in (("force", "force_x"), ("friction", "friction_x"), ("weak", "weak_force_x"))]
    pressures = [run.largest("pressure")] if "pressure" in run.summary["ranges"] else [abs(r["p"]) for name in ("along", "upright") for r in run.rows(name)]
    return [*found, Value("|p|", max(pressures), 0, 1e-3, True)]


def channel_rows():
    for bump, diagonals, variant in itertools.product((0.05, 0.01, 0.003, 0.0003), (RIGHT, ALTERNATING), ALL):
        yield row("channel", channel(meshes.flat_bumped(bump, diagonals)), channel_values, variant, quick=variant == DEFAULT and diagonals == RIGHT and bump in (0.01, 0.0003))


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
        yield row("ring", ring(meshes.ring(aspect, diagonals)), ring_values(), variant, note="Re 5", quick=variant == DEFAULT and diagonals == ALTERNATING and aspect == 100)
    for diagonals, variant in itertools.product((RIGHT, ALTERNATING), METHODS):
        yield row("ring", ring(meshes.ring(1000, diagonals)), ring_values(), variant, note="Re 5")
    for bump, variant in itertools.product((0.05, 0.002), ALL):
        yield row("ring", ring(meshes.ring_bumped(bump)), ring_values(), variant, note="Re 5")
    for aspect, variant in itertools.product((10, 100), METHODS):
        yield row("ring", ring(meshes.ring(aspect)).but(ranks=4), ring_values(), variant, note="Re 5")
    around = '[initial]\nvelocity = ["-200*y*(-2/3+2/3/(x*x+y*y))", "200*x*(-2/3+2/3/(x*x+y*y))"]\n'
    for aspect, diagonals, variant in itertools.product((10, 100), (RIGHT, ALTERNATING), ALL):
        setup = ring(meshes.ring(aspect, diagonals), 200.0, "end = 0.1\n", around)
        yield row("ring", setup, ring_values(200.0, heat=False), variant, note="Re 1000, from the exact flow")


# ---- in three dimensions


def box(layers):
    return startup(layers, more=LIDS)


def box_rows():
    for (bump, layers), variant in itertools.product(((0.02, 12), (0.0002, 24)), ALL):
        yield row("box", box(meshes.box_3d(bump, layers)), startup_values((0.1, 3), across=None), variant, note="start-up", quick=variant == DEFAULT and layers == 12)
    for variant in METHODS:
        yield row("box", box(meshes.box_3d(0.02, 12)).but(ranks=4), startup_values((0.1, 3), across=None), variant, note="start-up")


def rows():
    """All, in the order of the table."""
    for make in (startup_rows, poiseuille_rows, channel_rows, ring_rows, box_rows):
        yield from make()
