"""Runs tests with seeded faults, many at a time, each test in a folder tree of its own."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from program import Failed, Missing

LEAST_LIMIT, TIMES_LONGER, MOST_LIMIT = 120, 20, 900  # of a test with a fault: seconds, times its seconds without, seconds
NO_PLACE = 120  # code of a test whose file systems could not be mounted
# Hides what a test writes from the others: mounts of its own over the scratch folder and over the copy.
_APART = ('{ mount -t tmpfs tmpfs "$1" && mkdir "$1/up" "$1/work" "$1/tmp" && '
          f'mount -t overlay overlay -o "lowerdir=$2,upperdir=$1/up,workdir=$1/work" "$2" && cd "$3"; }} || exit {NO_PLACE}; shift 3; exec "$@"')


def _is_test_program(word, build):
    return word.startswith(f"{build}/tests/") and ".so" not in word and os.path.isfile(word) and os.access(word, os.X_OK)


class Test:
    """One of ctest's. room: the folder of tests/ that it is in."""

    def __init__(self, row, build):
        properties = {entry["name"]: entry["value"] for entry in row.get("properties", [])}
        self.name, self.command = row["name"], row.get("command")
        self.labels = properties.get("LABELS", [])
        self.environment = dict(word.split("=", 1) for word in properties.get("ENVIRONMENT", []))
        self.processors, self.limit = properties.get("PROCESSORS", 1), properties.get("TIMEOUT", MOST_LIMIT)
        self.folder = properties.get("WORKING_DIRECTORY", str(build))
        self.passes, self.skips = properties.get("PASS_REGULAR_EXPRESSION"), properties.get("SKIP_RETURN_CODE")
        self.room = (pathlib.PurePath(os.path.relpath(self.folder, build / "tests")).parts or ("",))[0]

    def outcome(self, code, said):
        if self.skips is not None and code == self.skips:
            return "passed"
        if self.passes:
            return "passed" if any(re.search(pattern, said) for pattern in self.passes) else "failed"
        return "failed" if code else "passed"

    def writes_by_itself(self, build):
        """Whether it is a script, or one that writes into the build folder: what C++ tests write goes to TMPDIR otherwise."""
        return self.room == "library" or not any(_is_test_program(str(word), build) for word in self.command)


def tests_of(copy):
    build = copy / "build"
    if not (build / "CTestTestfile.cmake").is_file():
        raise Missing(f"no tests in {build}: {copy}/tools/build makes them")
    said = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True).stdout
    tests = [Test(row, build) for row in json.loads(said)["tests"]]
    return [test for test in tests if test.command]


class _Running:
    """A test that has been started with a fault (0: none)."""

    def __init__(self, runs, fault, test, limit, is_second):
        self.fault, self.test, self.limit, self.is_second = fault, test, limit, is_second
        self.scratch = tempfile.mkdtemp(prefix="m", dir=runs.scratch)
        self.log = runs.folder / f"{fault}-{test.name}.log"
        temporary, command = self.scratch, [str(word) for word in test.command]
        if fault and runs.apart:
            temporary = f"{self.scratch}/tmp"
            command = [*runs.apart, "sh", "-c", _APART, "sh", self.scratch, str(runs.copy), test.folder, *command]
        environment = {**os.environ, **test.environment, "TMPDIR": temporary, "SOLENOID_FAULT": str(fault)}
        self.mark = f"TMPDIR={temporary}".encode()
        self.started = time.monotonic()
        with open(self.log, "w") as out:
            self.process = subprocess.Popen(command, cwd=test.folder, env=environment, stdin=subprocess.DEVNULL, stdout=out,
                                            stderr=subprocess.STDOUT, start_new_session=True)

    def seconds(self):
        return time.monotonic() - self.started

    def outcome(self):
        """None while it runs."""
        code = self.process.poll()
        if code is None:
            if self.seconds() < self.limit:
                return None
            self.end()
            return "timed out"
        if code == NO_PLACE:
            raise Failed(f"{self.test.name}: its file systems could not be mounted: {self.log.read_text(errors='replace')[-400:]}")
        outcome = self.test.outcome(code, self.log.read_text(errors="replace"))
        self.clean(outcome)
        return outcome

    def end(self):
        """By force, with the ranks that it has started, which are in sessions of their own."""
        for _ in range(5):
            left = [int(folder.name) for folder in pathlib.Path("/proc").iterdir() if folder.name.isdigit() and self._is_ours(folder)]
            for process in left:
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            if not left and self.process.poll() is not None:
                break
            if self.process.poll() is None:
                self.process.kill()
            time.sleep(0.05)
        self.process.wait()
        self.clean("")

    def _is_ours(self, folder):
        try:
            return self.mark in (folder / "environ").read_bytes().split(b"\0")
        except OSError:
            return False

    def clean(self, outcome):
        shutil.rmtree(self.scratch, ignore_errors=True)
        if outcome == "passed":
            self.log.unlink(missing_ok=True)


class _Queue:
    """The tests that a fault still has to pass, in order. verdict: None, "survived" or the test that failed."""

    def __init__(self, fault, tests):
        self.fault, self.tests, self.again = fault, tests, []
        self.running, self.verdict, self.seconds, self.how = 0, None, 0.0, ""


class Runs:
    """Tests of a copy, at most `jobs` processors at a time. What ended is kept in the copy's folder mutations, where the next call goes on."""

    def __init__(self, copy, jobs):
        self.copy, self.jobs, self.folder = copy, jobs, copy / "mutations"
        self.folder.mkdir(exist_ok=True)
        self.scratch = tempfile.mkdtemp(prefix="solenoid-m")
        self.apart = self._way_apart()
        self._kept = self.folder / "results.jsonl"
        self.ended = {}  # {(fault, test): (outcome, seconds)}
        if self._kept.exists():
            for line in self._kept.read_text().splitlines():
                fault, test, outcome, seconds = json.loads(line)
                self.ended[fault, test] = outcome, seconds

    def _way_apart(self):
        """The command that makes mounts of its own, None where that is not permitted."""
        for command in (["unshare", "-m"], ["unshare", "-r", "-m"]):
            place = tempfile.mkdtemp(dir=self.scratch)
            try:
                tried = subprocess.run([*command, "sh", "-c", _APART, "sh", place, str(self.copy), str(self.copy), "touch", "mutations/.tried"],
                                       capture_output=True, check=False)
            except FileNotFoundError:
                break
            if tried.returncode == 0 and not (self.folder / ".tried").exists():
                return command
        print("no mounts of their own for tests here: scripts among them run one at a time", flush=True)
        return None

    def close(self):
        shutil.rmtree(self.scratch, ignore_errors=True)

    def _keep(self, running, outcome, seconds):
        self.ended[running.fault, running.test.name] = outcome, seconds
        with open(self._kept, "a") as kept:
            kept.write(json.dumps([running.fault, running.test.name, outcome, round(seconds, 2)]) + "\n")

    def without_fault(self, tests):
        """Runs them once; {name: seconds} of those that pass."""
        queue = _Queue(0, [test for test in tests if (0, test.name) not in self.ended])
        queue.tests.sort(key=lambda test: -test.processors)
        self._work([queue], lambda test: test.limit, stops=False)
        outcomes = {test.name: self.ended[0, test.name] for test in tests}
        return {name: seconds for name, (outcome, seconds) in outcomes.items() if outcome == "passed"}

    def with_faults(self, chosen, seconds):
        """chosen: {fault: tests in order}. {fault: the queue with its verdict}."""
        queues = {}
        for fault, tests in chosen.items():
            queue = queues[fault] = _Queue(fault, [test for test in tests if (fault, test.name) not in self.ended])
            found = [(self.ended[fault, test.name], test.name) for test in tests if (fault, test.name) in self.ended]
            queue.seconds = sum(row[0][1] for row in found)
            for (outcome, _), name in found:
                if outcome != "passed":
                    queue.verdict, queue.how = name, outcome
            if not queue.tests and not queue.verdict:
                queue.verdict = "survived"
        self._work(list(queues.values()), lambda test: min(MOST_LIMIT, max(LEAST_LIMIT, TIMES_LONGER * seconds[test.name])), stops=True)
        return queues

    def _work(self, queues, limit, stops):
        """A failure counts where the test fails twice; then the fault's other tests are left out, if it `stops`."""
        running = []
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        try:
            while True:
                self._start(queues, running, limit)
                if not running:
                    return
                time.sleep(0.02)
                for one in list(running):
                    if one not in running:
                        continue  # ended with another of its fault
                    outcome = one.outcome()
                    if outcome:
                        running.remove(one)
                        self._end(next(queue for queue in queues if queue.fault == one.fault), one, outcome, running, stops)
        finally:
            for one in running:
                one.end()

    def _start(self, queues, running, limit):
        free = self.jobs - sum(one.test.processors for one in running)
        for queue in sorted((queue for queue in queues if queue.verdict is None), key=lambda queue: queue.running):
            if free <= 0:
                return
            while free > 0 and (test := self._next(queue, running, free)):
                again = test in queue.again
                (queue.again if again else queue.tests).remove(test)
                running.append(_Running(self, queue.fault, test, limit(test), again))
                queue.running += 1
                free -= test.processors
                if len(queues) > 1:
                    break  # another fault's turn
        # what is left free goes round again at the next look

    def _next(self, queue, running, free):
        for test in [*queue.again, *queue.tests]:
            fits = test.processors <= free or not running
            is_alone = self.apart or queue.fault == 0 or not test.writes_by_itself(self.copy / "build") or all(one.test.name != test.name for one in running)
            if fits and is_alone:
                return test
        return None

    def _end(self, queue, one, outcome, running, stops):
        queue.running -= 1
        queue.seconds += one.seconds()
        if outcome == "failed" and not one.is_second:
            queue.again.append(one.test)
            return
        self._keep(one, outcome, one.seconds())
        if outcome != "passed" and stops:
            queue.verdict, queue.how = one.test.name, outcome
            print(f"{queue.fault}: {one.test.name} {outcome}, {queue.seconds:.0f} s", flush=True)
            for other in [other for other in running if other.fault == queue.fault]:
                other.end()
                running.remove(other)
        elif stops and not queue.tests and not queue.again and not queue.running:
            queue.verdict = "survived"
            print(f"{queue.fault}: survived, {queue.seconds:.0f} s", flush=True)
        elif not stops and outcome != "passed":
            print(f"without any fault: {one.test.name} {outcome}", flush=True)
