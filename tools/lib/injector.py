"""tools/validate injector: each call of the system that touches a run's folder fails once on each rank, and for good."""
import collections
import concurrent.futures
import itertools
import json
import os
import queue
import shutil
import subprocess
import time

from program import ROOT, Missing, solenoid
from whole_files import faults, files_in

RANKS = 2
LIMIT = 60  # of a run [s]
DEVICE = ["--device", "cpu", "--quiet"]
CASE = """name = "cavity"
physics = "flow"
[mesh]
file = "box.msh"
[fluid]
viscosity = 0.01
[boundary.ymax]
type = "wall"
velocity = [1, 0]
[boundary.default]
type = "wall"
[time]
end = 0.2
step = 0.1
[output]
every = 1
[average]
from = 0
[[monitor]]
type = "point"
name = "middle"
at = [0.5, 0.5]
[[monitor]]
type = "line"
name = "vertical"
from = [0.5, 0]
to = [0.5, 1]
points = 5
[[picture]]
name = "speed"
field = "speed"
width = 64
height = 48
"""
CHECKPOINTS = "[checkpoint]\nevery = 1\n"
# What differs between two runs of the same bits.
OF_THE_CLOCK = ("summary.json", "as-run.toml")


class Place:
    """A folder in which runs are made one after another, with the library that makes calls fail."""

    def __init__(self, options, folder):
        self.program = str((options.program or solenoid()).resolve())
        self.library = (options.library or ROOT / "build" / "tests" / "libfailing_calls.so").resolve()
        if not self.library.exists():
            raise Missing(f"{self.library} is not there: tools/build failing_calls makes it")
        self.folder = folder
        self.folder.mkdir()
        self.inside, self.out = self.folder / "case", self.folder / "case" / "out"  # calls in there fail
        self.inside.mkdir()
        text = CASE
        if subprocess.run([self.program, "keys", "checkpoint"], capture_output=True, check=False).returncode == 0:
            text += CHECKPOINTS
        (self.inside / "case.toml").write_text(text)
        subprocess.run([self.program, "mesh", "box", "--cells", "60", "--dimension", "2", "-o", self.inside / "box.msh"],
                       check=True, capture_output=True)

    def run(self, words=(), ranks=RANKS, **variables):
        """Exit code (None: too long) and what was said, without the library's own words; whether a call failed."""
        command = [ROOT / "tools" / "mpirun", "-n", ranks] if ranks > 1 else []
        command += [self.program, "run", self.inside / "case.toml", "-o", self.out, *DEVICE, *words]
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "SOLENOID_GL_SOFTWARE": "1"}
        if variables:
            environment |= {**variables, "LD_PRELOAD": str(self.library)}
        process = subprocess.Popen([str(word) for word in command], env=environment, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True, errors="replace")
        try:
            _, said = process.communicate(timeout=LIMIT)
            code = process.returncode
        except subprocess.TimeoutExpired:
            code = None
            process.terminate()
            try:
                process.communicate(timeout=90)  # tools/mpirun ends ranks the hard way after a minute
            except subprocess.TimeoutExpired:
                process.kill()
            said = ""
        lines = said.splitlines()
        own = [line for line in lines if line.startswith("failing_calls: ")]
        return code, "\n".join(line for line in lines if line not in own), [line.split(maxsplit=1)[1] for line in own]

    def calls(self, words):
        """Of a run in which nothing fails: {(rank, call): names of files, in order}."""
        listed = self.folder / "calls"
        shutil.rmtree(listed, ignore_errors=True)
        listed.mkdir()
        code, said, _ = self.run(words, LISTED_CALLS=f"{listed} {self.inside}")
        if code:
            raise ValueError(f"a run in which nothing fails ends with code {code}: {said}")
        found = collections.defaultdict(list)
        for file in sorted(listed.iterdir()):
            for line in file.read_text().splitlines():
                call, name = line.split(maxsplit=1)
                found[int(file.name), call].append(os.path.relpath(name, self.inside))
        return found


def _contents(folder):
    """Of checkpoints, which tell where the case was, the names alone."""
    return {name: file.read_bytes() if file.suffix != ".checkpoint" else b"" for name, file in files_in(folder).items()
            if name not in OF_THE_CLOCK}


def _is_told(name, said):
    """Whether a message names the file, or its state."""
    state = name.split("/")[0] if name.endswith(".vtu") else name.removesuffix(".pvtu")
    step = name.removesuffix(".checkpoint").rpartition("-")[2].lstrip("0")
    return name in said or state in said or name.endswith(".checkpoint") and f"the checkpoint of step {step}" in said


def _judge(place, clean, call, code, said):
    """What is wrong with a run in which a call failed."""
    if code is None:
        return [f"not done in {LIMIT} s"]
    if code not in (0, 1, 2):
        return [f"ended with code {code}: {said[-400:]}"]
    wrong = faults(place.out, parts=call == "unlink") if place.out.exists() else []
    summary = place.out / "summary.json"
    ended = json.loads(summary.read_text()).get("status") in ("done", "stopped") if summary.exists() else False
    if code and not said.strip():
        wrong.append(f"code {code} without a word")
    left = _contents(place.out) if place.out.exists() else {}
    lacks = sorted(name for name in clean if left.get(name) != clean[name])
    last = max((name for name in clean if name.endswith(".checkpoint")), default="")
    if last in left:  # what went before is only warned of
        lacks = [name for name in lacks if not name.endswith(".checkpoint") or not _is_told(name, said)]
    if code == 0 and (lacks or not ended):
        wrong.append("code 0, but " + (f"not as it should be: {', '.join(lacks)}" if lacks else "the summary does not say so"))
    if code == 1 and ended:
        wrong += [f"{name}: not as it should be, and no word of it" for name in lacks if not _is_told(name, said) and
                  not name.endswith(".pvd")]
    return wrong


def _judge_next(place):
    """A run into the folder afterwards, which must not mind."""
    code, said, _ = place.run(["--overwrite", "--set", "time.steps=1"], ranks=1)
    wrong = [] if code == 0 else [f"the next run ends with code {code}: {said[-400:]}"]
    hidden = [file.name for file in place.out.iterdir() if file.name.startswith(".")] if place.out.exists() else []
    return wrong + [f"after the next run: {words}" for words in faults(place.out)] + [
        f"after the next run there is {name}" for name in hidden]


class Scenario:
    """`words`: options of the run. `earlier`: a folder of results that are there before."""

    def __init__(self, name, words, earlier, place):
        self.name, self.words, self.earlier = name, words, earlier
        self.prepare(place)
        self.calls = place.calls(words)
        self.clean = _contents(place.out)

    def prepare(self, place):
        shutil.rmtree(place.out, ignore_errors=True)
        if self.earlier:
            shutil.copytree(self.earlier, place.out)

    def kinds(self):
        """Of each kind (rank, call, mode) the numbers of its calls: of calls on one file in a row the first and the last."""
        for (rank, call), names in sorted(self.calls.items()):
            numbers = []
            for _, row in itertools.groupby(enumerate(names, 1), lambda numbered: numbered[1]):
                row = [number for number, _ in row]
                numbers += sorted({row[0], row[-1]})
            for mode in ("once", "always"):
                yield (rank, call, mode), numbers


def _chosen(scenarios, stride, quick):
    """Every stride-th call of each kind, from another place on in each kind.

    Quick: half of the kinds, so that of scenario, rank and mode any two meet in all ways with each call."""
    kind_number = 0
    for number_of_scenario, scenario in enumerate(scenarios):
        for (rank, call, mode), numbers in scenario.kinds():
            kind = rank, call, mode
            if quick and (number_of_scenario + rank + (mode == "always") + sum(call.encode())) % 2:
                continue
            first = 7 * kind_number % min(stride, len(numbers))
            kind_number += 1
            for number in numbers[first::stride]:
                yield scenario, kind, number


def _scenarios(place):
    """Into a new folder, and in place of earlier results."""
    new = Scenario("new", [], None, place)
    shutil.rmtree(place.out)
    code, said, _ = place.run(["--set", "time.steps=1", "--set", "name=before"])
    if code:
        raise ValueError(f"earlier results: code {code}: {said}")
    earlier = place.folder / "earlier"
    shutil.move(place.out, earlier)
    return [new, Scenario("overwrite", ["--overwrite"], earlier, place)]


class Tried:
    """A run in which a call failed."""

    def __init__(self, place, scenario, kind, number):
        (rank, call, mode), names = kind, scenario.calls[kind[:2]]
        scenario.prepare(place)
        plan = f"{call} {number} {rank} {place.inside}" + (" always" if mode == "always" else "")
        self.code, said, failed = place.run(scenario.words, FAILING_CALL=plan)
        self.has_failed = bool(failed)
        self.wrong = _judge(place, scenario.clean, call, self.code, said)
        if self.code in (0, 1, 2):
            self.wrong += _judge_next(place)
        what = failed[0] if failed else names[number - 1]
        self.words = f"{scenario.name}: {call} {number} of rank {rank}, {mode}: {what}, code {self.code}"


def injector(options):
    """1 where a run is not what it must be."""
    folder = (options.folder or ROOT / "out" / "injector").resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    started, jobs = time.monotonic(), options.jobs or 2 * len(os.sched_getaffinity(0))  # they often wait
    places = queue.Queue()
    for number in range(jobs):
        places.put(Place(options, folder / str(number)))
    place = places.get()
    rows = list(_chosen(_scenarios(place), options.stride, options.quick))
    places.put(place)

    def tried(row):
        place = places.get()
        try:
            return Tried(place, *row)
        finally:
            places.put(place)

    codes, missed, bad = collections.Counter(), 0, 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for one in pool.map(tried, rows):
            codes[one.code] += 1
            missed += not one.has_failed
            bad += bool(one.wrong)
            if one.wrong:
                print("\n    ".join([one.words, *one.wrong]), flush=True)
    shutil.rmtree(folder)
    ended = ", ".join(f"{count} with code {code}" for code, count in sorted(codes.items(), key=str))
    print(f"{bad} of {len(rows)} bad; {ended}; in {missed} the call did not come; {time.monotonic() - started:.0f} s")
    return 1 if bad else 0
