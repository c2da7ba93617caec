"""tools/validate restart: runs that are broken off at a step drawn at random and go on must leave what a run leaves that nothing disturbed."""
import concurrent.futures
import random
import re
import shutil
import subprocess
import types
import zlib

from case_file import Case
from coarse_cases import SPECIAL, Meshes, Row, chosen_cases, methods
from program import ROOT, run_command, solenoid

RANKS = (1, 2, 4)
STEPS = 20
PRECISE = ("cavity", "quench", "membrane")  # with these in mixed and single precision, too
QUICK_CELLS = 500

# --elsewhere: what is begun on two ranks of the processor goes on for so many steps with other ranks, device or precision.
ELSEWHERE = [(1, "cpu", "double"), (3, "cpu", "double"), (2, "compute", "double"), (2, "fragment", "double"), (2, "cpu", "mixed")]
STEPS_ELSEWHERE = 10
TOLERANCE, DIFFERENCE = 1e-10, 1e-6  # of the solvers; of a field's range


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
        settings = types.SimpleNamespace(solver_tolerance=TOLERANCE if options.elsewhere else None, overrides=quick)
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

    def _goes_on(self, steps, folder="broken", ranks=None, device=None, words=()):
        return self._call([ROOT / "tools" / "mpirun", "-n", ranks or self.row.ranks, self.program, "restart", self.folder / folder,
                           "--device", device or self.row.device, "--quiet", "--set", f"time.steps={steps}", *words], "restart")

    def compared(self):
        """Whether all is the same, and words for the table."""
        every = self.rng.randint(1, 4)
        stops = sorted(self.rng.sample(range(1, STEPS), 2))
        output = [f"checkpoint.every={every}", "checkpoint.keep=1", f"output.every={self.rng.randint(1, 5)}", f"time.steps={STEPS}"]
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

    def _last_state(self, folder):
        return max((self.folder / folder).rglob("*.pvt[uirs]"))  # their names end with the number of the step

    def compared_elsewhere(self):
        """Whether the last states agree, and words for the table."""
        stop = self.rng.randint(1, STEPS - STEPS_ELSEWHERE)
        last = stop + STEPS_ELSEWHERE
        output = ["checkpoint.every=1", "checkpoint.keep=1", f"output.every={STEPS}"]
        code, end = self._run("whole", [*output, f"time.steps={last}"])
        if code == 2:
            return True, "refused"
        if code == 0:
            code, end = self._run("begun", [*output, f"time.steps={stop}"])
        if code:
            return False, f"ended with code {code}: {end}"
        told, bad = [], False
        for ranks, device, precision in ELSEWHERE:
            shutil.rmtree(self.folder / "broken", ignore_errors=True)
            shutil.copytree(self.folder / "begun", self.folder / "broken")
            place = f"{ranks} {device} {precision}"
            code, end = self._goes_on(last, ranks=ranks, device=device, words=["--precision", precision])
            if code:
                words = f"code {code}: {end}"
            else:
                code, end = self._call([self.program, "diff", "--tolerance", DIFFERENCE, self._last_state("whole"),
                                        self._last_state("broken")], "diff")
                words = end if code else "alike"
            bad = bad or code != 0
            told.append(f"{place}: {words}")
        if not bad:
            shutil.rmtree(self.folder)
        return not bad, f"stopped at step {stop}; " + "; ".join(told)


def restart(options):
    """The exit code."""
    base = options.folder or ROOT / "out" / "validate-restart"
    program = options.program or solenoid()
    meshes = Meshes(program, base / "meshes")
    ranks = [options.ranks] if options.ranks else [2] if options.elsewhere else RANKS
    rows = [row for row in _rows(chosen_cases(options.cases[1:]), ranks) if re.search(options.only, row.name)]
    if options.elsewhere:
        rows = [row for row in rows if row.precision == "double"]
    for row in rows:
        meshes.coarse(row.case)  # each once, before rows run beside each other
    print(f"seed {options.seed}\n\n| case | variant | ranks | {'alike' if options.elsewhere else 'the same bits'} |\n|---|---|---|---|")

    def tried(row):
        trial = _Trial(row, base, meshes, options, program)
        well, words = trial.compared_elsewhere() if options.elsewhere else trial.compared()
        return well, f"| {row.case.name} | {row.variant} | {row.ranks} | {words if well else f'**{words}**'} |".replace("\n", " ")

    differ = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs or 1) as pool:
        for well, line in pool.map(tried, rows):
            differ += not well
            print(line, flush=True)
    print(f"\n{differ} of {len(rows)} differ")
    return 1 if differ else 0
