"""tools/validate kill: runs that are killed, or whose disk fills up or turns read-only, and go on as if nothing had happened."""
import concurrent.futures
import functools
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from program import ROOT, Missing, solenoid
from whole_files import faults, files_in, listed_in, steps_of_checkpoints

LIMIT = 120  # of a run [s]
EVERY = 5  # steps between checkpoints
CASE = f"""name = "cavity"
physics = "flow"
[mesh.box]
cells = 600
dimension = 2
[fluid]
viscosity = 0.01
[scalar.dye]
diffusivity = 0.01
initial = "x"
[boundary.ymax]
type = "wall"
velocity = [1, 0]
[boundary.default]
type = "wall"
[time]
end = 2.4
step = 0.02
[output]
every = 10
[average]
from = 0
[[monitor]]
type = "point"
name = "middle"
at = [0.5, 0.5]
every = 1
[[monitor]]
type = "line"
name = "vertical"
from = [0.5, 0]
to = [0.5, 1]
points = 5
[[picture]]
name = "speed"
field = "speed"
every = 20
width = 64
height = 48
[checkpoint]
every = {EVERY}
"""
# What has the time of day, and is compared in words or not at all.
OF_THE_CLOCK = ("summary.json", "as-run.toml")
IN_A_NAMESPACE = "SOLENOID_VALIDATE_MAY_MOUNT"


def _ranks_below(process):
    """The processes of the program that a launcher has started, by their numbers."""
    found, queue = [], [process]
    while queue:
        parent = queue.pop()
        try:
            for task in os.listdir(f"/proc/{parent}/task"):
                with open(f"/proc/{parent}/task/{task}/children") as file:
                    queue += map(int, file.read().split())
            if os.path.basename(os.readlink(f"/proc/{parent}/exe")).startswith("solenoid"):
                found.append(parent)
        except OSError:
            continue
    return sorted(found)


class Runs:
    """A case, how it is run, and what an undisturbed run leaves."""

    def __init__(self, options):
        self.program = (options.program or solenoid()).resolve()
        self.libraries = {}
        for name in ("failing_calls", "full_disk"):
            places = [options.library.parent, options.library.parent / "end_to_end"] if options.library else []
            places += [ROOT / "build" / "tests", ROOT / "build" / "tests" / "end_to_end"]
            found = [place / f"lib{name}.so" for place in places if (place / f"lib{name}.so").exists()]
            if not found:
                raise Missing(f"lib{name}.so is not there: tools/build {name} makes it")
            self.libraries[name] = found[0].resolve()
        words = subprocess.run([self.program, "run", "--help"], capture_output=True, text=True, check=True).stdout
        if "--continue" not in words:
            raise Missing("this program cannot go on with a run: run has no option --continue")
        self.folder = (options.folder or ROOT / "out" / "kill").resolve()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        (self.folder / "case.toml").write_text(CASE)
        self._references = {}
        self._lock = threading.Lock()

    def start(self, words, ranks, library=None, **variables):
        command = [ROOT / "tools" / "mpirun", "-n", ranks] if ranks > 1 else []
        command += [self.program, *words]
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "SOLENOID_GL_SOFTWARE": "1", **variables}
        if library:
            environment["LD_PRELOAD"] = str(self.libraries[library])
        said = tempfile.TemporaryFile("w+", errors="replace", dir=self.folder)
        process = subprocess.Popen([str(word) for word in command], env=environment, stdout=said, stderr=said)
        process.said = said
        return process

    def run(self, out, ranks, **variables):
        return self.start(["run", self.folder / "case.toml", "-o", out, "--device", "cpu"], ranks, **variables)

    def go_on(self, out, ranks, by_restart=False, **variables):
        if by_restart:
            return self.start(["restart", out, "--device", "cpu"], ranks, **variables)
        return self.start(["run", self.folder / "case.toml", "-o", out, "--device", "cpu", "--continue"], ranks, **variables)

    def reference(self, ranks):
        """The folder of an undisturbed run on so many ranks, how long it took [s], and its calls (rank, call, number)."""
        with self._lock:
            return self._reference(ranks)

    def _reference(self, ranks):
        if ranks not in self._references:
            out, listed = self.folder / f"undisturbed-{ranks}", self.folder / f"calls-{ranks}"
            listed.mkdir()
            started = time.monotonic()
            code, said = ended(self.run(out, ranks))
            if code:
                raise ValueError(f"an undisturbed run ends with code {code}: {said}")
            seconds = time.monotonic() - started
            other = self.folder / "listed"
            ended(self.run(other, ranks, library="failing_calls", LISTED_CALLS=f"{listed} {other}"))
            shutil.rmtree(other)
            calls = {}
            for file in listed.iterdir():
                for line in file.read_text().splitlines():
                    kind = int(file.name), line.split()[0]
                    calls[kind] = calls.get(kind, 0) + 1
            self._references[ranks] = out, seconds, calls
        return self._references[ranks]


def ended(process, limit=LIMIT):
    """Exit code (None: too long, it was ended) and what was said."""
    try:
        code = process.wait(limit)
    except subprocess.TimeoutExpired:
        code = None
        for rank in _ranks_below(process.pid):
            os.kill(rank, 9)
        process.wait(60)
    process.said.seek(0)
    text = process.said.read()
    process.said.close()
    return code, text


def _last_step(out):
    """The last of which there is something."""
    states = [int(name.removesuffix(".pvtu").rpartition("_")[2]) for name in listed_in(out) if name.endswith(".pvtu")]
    rows = (out / "monitors" / "middle.csv").read_text().count("\n") - 2 if (out / "monitors" / "middle.csv").exists() else 0
    return max([0, rows, *states])


class Trial:
    """A run that is disturbed and goes on. `wrong`: why it is not what it must be, in words."""

    def __init__(self, runs, name, ranks, numbers):
        self.runs, self.name, self.ranks, self.numbers = runs, name, ranks, numbers
        self.out, self.wrong, self.words = runs.folder / name / "out", [], []
        shutil.rmtree(self.out.parent, ignore_errors=True)
        self.out.parent.mkdir()
        self.undisturbed, self.seconds, self.calls = runs.reference(ranks)

    def say(self, words):
        self.words.append(words)

    def judge_files(self):
        if self.out.exists():
            self.wrong += [f"{self.words[-1]}: {fault}" for fault in faults(self.out, parts=True)]

    def kill(self, process, moment):
        """A rank, sometimes all, so long after the start [s]."""
        time.sleep(moment)
        while process.poll() is None:
            ranks = _ranks_below(process.pid)
            if len(ranks) == self.ranks:
                rank = self.numbers.randrange(self.ranks)
                at_once = ranks if self.numbers.random() < 0.2 else [ranks[rank]]
                for victim in at_once:
                    os.kill(victim, 9)
                self.say(f"{f'rank {rank}' if len(at_once) == 1 else 'all ranks'} killed {moment:.2f} s after the start")
                return
            time.sleep(0.01)
        self.say(f"ended within {moment:.2f} s")

    def killed(self, go_on):
        """Kills a run at a random moment, or at a random call that touches a file."""
        start = self.runs.go_on if go_on else self.runs.run
        if self.numbers.random() < 0.5:
            process = start(self.out, self.ranks)
            self.kill(process, self.numbers.uniform(0, self.seconds))
        else:
            rank, call = self.numbers.choice(sorted(self.calls))
            at = self.numbers.randint(1, min(12, self.calls[rank, call]) if go_on else self.calls[rank, call])  # 12: while it takes up what there is
            self.say(f"rank {rank} killed at its {at}-th {call}")
            process = start(self.out, self.ranks, library="failing_calls", FAILING_CALL=f"{call} {at} {rank} {self.out} kill")
        code, _ = ended(process)
        if code is None:
            self.wrong.append(f"{self.words[-1]}: the other ranks still ran after {LIMIT} s")
        self.judge_files()

    def go_on(self, could_write=True):
        """To the end; all is as if nothing had happened. could_write: whether checkpoints could be written up to then."""
        last, steps = (_last_step(self.out), steps_of_checkpoints(self.out)) if self.out.exists() else (0, [])
        newest = steps[-1] if steps else 0
        by_restart = bool(steps) and self.numbers.random() < 0.5
        if could_write and last - newest > EVERY:
            self.wrong.append(f"the run had come to step {last}, its newest checkpoint is of step {newest}")
        code, said = ended(self.runs.go_on(self.out, self.ranks, by_restart))
        self.say(f"{'restart' if by_restart else '--continue'} from step {newest} of at least {last}: code {code}")
        if code != 0:
            self.wrong.append(f"going on ends with code {code}: {said[-600:]}")
            return
        if steps and f"from step {newest}," not in said and "is done" not in said:
            self.wrong.append(f"does not go on from step {newest}: {said[:600]}")
        self.judge_results()

    def judge_results(self):
        self.wrong += [f"after going on: {fault}" for fault in faults(self.out)]
        # the probe of a run that is killed goes with the next run that writes
        self.wrong += [f"after going on there is {file.name}" for file in self.out.iterdir()
                       if file.name.startswith(".") and not file.name.startswith(".solenoid-probe-")]
        theirs, mine = files_in(self.undisturbed), files_in(self.out)
        self.wrong += [f"{name}: only in one of the folders" for name in sorted(theirs.keys() ^ mine.keys())]
        for name in sorted(theirs.keys() & mine.keys()):
            if not name.endswith((*OF_THE_CLOCK, ".checkpoint")) and theirs[name].read_bytes() != mine[name].read_bytes():
                self.wrong.append(f"{name}: other bytes")
        pairs = [(self.undisturbed, self.out), *((theirs[name], mine[name]) for name in theirs.keys() & mine.keys() if name.endswith(".checkpoint"))]
        for one, other in pairs:
            diff = subprocess.run([self.runs.program, "diff", one, other], capture_output=True, text=True, check=False)
            if diff.returncode:
                self.wrong.append(f"solenoid diff: {(diff.stdout + diff.stderr)[-400:]}")

    def end(self):
        """Prints it; whether it is good."""
        print("\n    ".join([f"{self.name}, {self.ranks} ranks: {'; '.join(self.words)}", *self.wrong]), flush=True)
        if not self.wrong:
            shutil.rmtree(self.out.parent)
        return not self.wrong


def _kills(runs, seed):
    numbers = random.Random(seed)
    trial = Trial(runs, f"kill-{seed}", numbers.choice([1, 2, 2, 3]), numbers)
    trial.killed(go_on=False)
    if numbers.random() < 0.3:
        trial.killed(go_on=True)
    trial.go_on()
    return trial.end()


# ---- disks


class Disk:
    """Of 20 MB: a file system of its own where one may be mounted, else the library that stands in for one."""

    def __init__(self, folder, stands_in=False):
        self.folder, self.flag = folder, folder / "flag"
        folder.mkdir(exist_ok=True)
        self.is_real = IN_A_NAMESPACE in os.environ and not stands_in
        if self.is_real:
            subprocess.run(["mount", "-t", "tmpfs", "-o", "size=20m", "none", folder], check=True)

    def fill(self):
        if not self.is_real:
            self.flag.write_text("")
            return
        with open(self.folder / "ballast", "wb", buffering=0) as ballast:
            for size in (1 << 20, 1 << 12):
                try:
                    while True:
                        ballast.write(b"\0" * size)
                except OSError:
                    continue

    def empty(self):
        (self.folder / "ballast" if self.is_real else self.flag).unlink()

    def remount(self, how):
        subprocess.run(["mount", "-o", f"remount,{how}", self.folder], check=True)

    def close(self):
        if self.is_real:
            subprocess.run(["umount", self.folder], check=True)


def _wait_for_steps(trial, process, least):
    """Until a table has rows of so many steps."""
    for _ in range(LIMIT * 100):
        if process.poll() is not None or _last_step(trial.out) >= least:
            return
        time.sleep(0.01)


def _full(runs, seed, stands_in=False):
    """The disk fills up; the run is killed, or comes to its end. Then there is room again."""
    numbers = random.Random(seed)
    trial = Trial(runs, f"{'stand-in' if stands_in else 'full-disk'}-{seed}", 2, numbers)
    disk = Disk(trial.out.parent, stands_in)
    variables = {} if disk.is_real else {"library": "full_disk", "FULL_DISK": str(disk.flag)}
    process = runs.run(trial.out, 2, **variables)
    _wait_for_steps(trial, process, 1)
    disk.fill()
    trial.say(f"the {'disk' if disk.is_real else 'stand-in for a disk'} is full at step {_last_step(trial.out)} or later")
    if seed % 2:
        trial.kill(process, numbers.uniform(0, 2))
    code, said = ended(process)
    trial.say(f"code {code}")
    if not seed % 2 and (code != 1 or "not written: " not in said):
        trial.wrong.append(f"a run whose disk is full ends with code {code}: {said[-400:]}")
    trial.judge_files()
    disk.empty()
    trial.go_on(could_write=False)
    disk.close()
    return trial.end()


def _read_only(runs, seed):
    """Nothing can be changed from some moment on, and later it can."""
    numbers = random.Random(seed)
    trial = Trial(runs, f"read-only-{seed}", 2, numbers)
    disk = Disk(trial.out.parent)
    process = runs.run(trial.out, 2, library="full_disk", READ_ONLY=str(disk.flag))
    _wait_for_steps(trial, process, 1)
    disk.flag.write_text("")
    trial.say(f"read-only at step {_last_step(trial.out)} or later")
    code, said = ended(process)
    disk.flag.unlink()
    trial.say(f"code {code}")
    if code != 1 or "not written: " not in said:
        trial.wrong.append(f"a run whose disk is read-only ends with code {code}: {said[-400:]}")
    trial.judge_files()
    if disk.is_real:  # and so from the start
        before = {name: file.read_bytes() for name, file in files_in(trial.out).items()}
        disk.remount("ro")
        code, said = ended(runs.start(["run", runs.folder / "case.toml", "-o", trial.out, "--device", "cpu", "--continue"], 2))
        disk.remount("rw")
        trial.say(f"refused: code {code}")
        if code != 2 or "Read-only" not in said:
            trial.wrong.append(f"going on in a read-only folder ends with code {code}: {said[-400:]}")
        if before != {name: file.read_bytes() for name, file in files_in(trial.out).items()}:
            trial.wrong.append("a run in a read-only folder has changed it")
    trial.go_on(could_write=False)
    disk.close()
    return trial.end()


def kills(options):
    """1 where a run is not what it must be."""
    if IN_A_NAMESPACE not in os.environ and shutil.which("unshare"):  # begins anew where it may mount file systems
        may = subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "-o", "size=1m", "none", "/mnt"], capture_output=True, check=False)
        if may.returncode == 0:
            os.environ[IN_A_NAMESPACE] = "1"
            os.execvp("unshare", ["unshare", "-m", sys.executable, *sys.argv])
        print(f"no mount here ({may.stderr.decode().strip()}): a library stands in for the disks")
    runs, started = Runs(options), time.monotonic()
    trials = [functools.partial(_kills, runs, seed) for seed in range(options.seed, options.seed + options.count)]
    for seed in range(options.seed, options.seed + max(1, options.count // 10)):
        trials += [functools.partial(_full, runs, 2 * seed), functools.partial(_full, runs, 2 * seed + 1), functools.partial(_read_only, runs, seed)]
    if IN_A_NAMESPACE in os.environ:  # what other machines have in place of mounts works, too
        trials.append(functools.partial(_full, runs, 2 * options.seed, stands_in=True))
    with concurrent.futures.ThreadPoolExecutor(options.jobs or 2 * len(os.sched_getaffinity(0))) as pool:  # they often wait
        good = list(pool.map(lambda trial: trial(), trials))
    bad = good.count(False)
    print(f"{bad} of {len(good)} bad, {time.monotonic() - started:.0f} s")
    if not bad:
        shutil.rmtree(runs.folder)
    return 1 if bad else 0
