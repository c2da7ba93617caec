"""tools/validate rates: growth about frozen flows, by build/tests/step_rates."""
import subprocess

from program import ROOT, Missing

CHAPTER = """## Rates of growth

`tools/validate rates` freezes the convecting flux. A step of collocated momentum is then a matrix.
Steps of the program itself make it, with tolerances of 1e-13
(`tests/flow/collocated/frozen_flow.hpp`). The rate is the largest real part of the eigenvalues of
flux and velocity in continuous time, by skew-symmetric and by central convection. The largest
Courant number is the one at which a step's spectral radius is at most 1 + 1e-10; where the rate is
positive, the one at which a step grows by no more than the rate says. The meshes are of the unit
square: a jittered box, Gmsh's, graded 1 to 3, flattened 3 to 1. A part of this is a test
(`step_spectrum_test`).

"""


def rates():
    """The chapter, and whether nothing grows that must not."""
    program = ROOT / "build" / "tests" / "step_rates"
    if not program.exists():
        raise Missing(f"no {program}: tools/build step_rates")
    lines = []
    with subprocess.Popen([program], stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line)
    return CHAPTER + "".join(lines), process.returncode == 0
