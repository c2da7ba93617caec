"""tools/validate long-tests: cases of the tests that take longer than what they prove is worth at every change."""
import subprocess
import time

from program import ROOT, Missing

# program of build/tests, case, what it shows beside the test of each change
LONG_TESTS = (
    ("channel_test", "Channel.DISABLED_InASquareDuctByTheOtherDrives",
     "flux and friction in a square duct by pressure on a jittered box and by a force on Gmsh's mesh; "
     "`channel_test` has the other two"),
    ("channel_test", "Channel.DISABLED_InAPipe",
     "flux and friction in a pipe, by a force and by pressure; `channel_test` has plates and a square duct"),
    ("viscosity_order_test", "ViscosityOrder.DISABLED_OfAPowerLawInAPipe",
     "power-law fluids in a pipe, the order from 4 000 to 20 000 tets; `viscosity_order_test` has plates, "
     "and viscosities of place among tets"),
    ("convective_outlet_test", "ConvectiveOutlet.DISABLED_LetsAVortexLeaveAmongTets",
     "a vortex that leaves a layer of tets; `convective_outlet_test` has triangles, by both methods"),
)

CHAPTER = """## Long tests

`tools/validate long-tests` runs the cases of `tests/` that `tools/test` leaves out for their time
(Google Test's `DISABLED_`). Seconds are on one core.

| case | what it shows | seconds | result |
|---|---|---|---|
"""


def long_tests():
    """The chapter, and whether all passed."""
    chapter, all_good = CHAPTER, True
    for name, case, what in LONG_TESTS:
        program = ROOT / "build" / "tests" / name
        if not program.exists():
            raise Missing(f"no {program}: tools/build {' '.join(sorted({one for one, _, _ in LONG_TESTS}))}")
        started = time.monotonic()
        code = subprocess.call([program, f"--gtest_filter={case}", "--gtest_also_run_disabled_tests"])
        seconds = time.monotonic() - started
        all_good = all_good and code == 0
        chapter += f"| `{case.replace('DISABLED_', '')}` | {what} | {seconds:.0f} | {'passed' if code == 0 else 'FAILED'} |\n"
    return chapter, all_good
