"""tools/validate restart: runs that are broken off at a step drawn at random and go on must leave what a run leaves that nothing disturbed."""
import random
import re
import shutil
import subprocess
import types
import zlib

from case_file import Case
from coarse_cases import SPECIAL, STEPS, Meshes, Row, chosen_cases, methods
from program import ROOT, run_command, solenoid

RANKS = (1, 2, 4)
PRECISE = ("cavity", "quench", "membrane")  # with these in mixed and single precision, too
QUICK_CELLS = 500


def _rows(cases, ranks):
    """Every method of every case in time, and what is special."""
    rows = []
    for case in cases:
        if not case.get("time"):
            continue
        variants = [(method, "", [], "double") for method in methods(case)]
        variants += [(method, special, settings, "double") for name, special, method, settings in SPECIAL if name == case.name]
        if case.name in PRECISE:
            variants += [(methods(case)[0], "", [], precision) for precision in ("mixed", "single")]
        rows += [Row(case, method, special, settings, ranks=count, precision=precision)
                 for method, special, settings, precision in variants for count in ranks]
    return rows


class _Trial:
    """A row: a run of STEPS steps, and one that is broken off on its way."""

    def __init__(self, row, base, meshes, options, program):
        self.row, self.options, self.program = row, options, program
        self.rng = random.Random(zlib.crc32(row.name.encode()) ^ options.seed)
        self.folder = base / row.file_name
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        quick = [f"mesh.box.cells={QUICK_CELLS}"] if options.quick and row.case.get("mesh.box") else []
        settings = types.SimpleNamespace(solver_tolerance=None, overrides=quick)
        self.words = [word for word in row.overrides(meshes, settings) if word != "picture=[]"]

    def _call(self, command, name):
        """The exit code and the last words."""
        with open(self.folder / f"{name}.log", "w") as out:
            code = subprocess.run([str(word) for word in command], stdout=out, stderr=subprocess.STDOUT,
                                  timeout=self.options.limit or 300).returncode
        return code, (self.folder / f"{name}.log").read_text(errors="replace").strip()[-300:]

    def _run(self, name, words):
        case = Case(self.row.case.file, [*self.words, *words], ROOT)
        return self._call([*run_command(case, self.folder / name, self.row.ranks, [], self.row.device, self.program),
                           "--quiet", "--precision", self.row.precision], name)

    def _goes_on(self, steps):
        return self._call([ROOT / "tools" / "mpirun", "-n", self.row.ranks, self.program, "restart", self.folder / "broken",
                           "--device", self.row.device, "--quiet", "--set", f"time.steps={steps}"], "restart")

    def compared(self):
        """Whether all is the same, and words for the table."""
        every = self.rng.randint(1, 4)
        stops = sorted(self.rng.sample(range(1, STEPS), 2))
        output = [f"checkpoint.every={every}", "checkpoint.keep=1", f"output.every={self.rng.randint(1, 5)}"]
        code, end = self._run("whole", output)
        if code == 2:
            return True, "refused"
        told = f"stopped at steps {stops[0]} and {stops[1]}"
        if code:
            return False, f"ended with code {code}: {end}"
        parts = [self._run("broken", [*output, f"time.steps={stops[0]}"]), self._goes_on(stops[1]), self._goes_on(STEPS)]
        for code, end in parts:
            if code:
                return False, f"{told}: code {code}: {end}"
        code, end = self._call([self.program, "diff", self.folder / "whole", self.folder / "broken"], "diff")
        if code:
            return False, f"{told}: {end}"
        shutil.rmtree(self.folder)
        return True, told


def restart(options):
    """The exit code."""
    base = options.folder or ROOT / "out" / "validate-restart"
    program = options.program or solenoid()
    meshes = Meshes(program, base / "meshes")
    ranks = [options.ranks] if options.ranks else RANKS
    print(f"seed {options.seed}\n\n| case | variant | ranks | the same bits |\n|---|---|---|---|")
    good = True
    for row in _rows(chosen_cases(options.cases[1:]), ranks):
        if not re.search(options.only, row.name):
            continue
        well, words = _Trial(row, base, meshes, options, program).compared()
        good = good and well
        print(f"| {row.case.name} | {row.variant} | {row.ranks} | {words if well else f'**{words}**'} |".replace("\n", " "), flush=True)
    return 0 if good else 1
