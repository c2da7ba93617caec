"""The checks of tools/gpu-check --ranks: each a line in the log, with figures and seconds."""
import json
import re
import shutil
import subprocess
import time

from prepared_cases import prepared, set_words
from run_results import Results, difference

# Programs of tests/ that take any number of ranks, of what goes between them and what is built on it.
RANK_TESTS = ("parallel_communicator_test", "parallel_halo_test", "exchange_check_test", "cg_columns_test", "bicgstab_test", "matrix_halo_test", "multigrid_test",
              "multigrid_columns_test", "multigrid_ranks_test")


class Log:
    """Standard output, and a file where there is one."""

    def __init__(self, file):
        self.file = open(file, "w") if file else None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.file:
            self.file.close()

    def say(self, line):
        print(line, flush=True)
        if self.file:
            print(line, file=self.file, flush=True)


class Checks:
    def __init__(self, options, log):
        self.options, self.log = options, log
        self.done, self.bad, self.started = 0, [], time.monotonic()
        shutil.rmtree(options.output / "runs", ignore_errors=True)
        (options.output / "runs").mkdir(parents=True)

    def run(self, name, command):
        """On the ranks. (Whether it ended with code 0 in time, its words, seconds.)"""
        started = time.monotonic()
        words = [self.options.mpirun, "-n", self.options.ranks, *command]
        log = self.options.output / "runs" / (re.sub(r"[^\w.-]+", "-", name) + ".log")
        with open(log, "w") as out:
            process = subprocess.Popen([str(word) for word in words], stdout=out, stderr=subprocess.STDOUT)
            try:
                code = process.wait(self.options.limit)
            except subprocess.TimeoutExpired:
                process.terminate()
                try:
                    process.wait(70)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
                code = None
        said = log.read_text(errors="replace")
        return code == 0, said if code is not None else said + f"\nmore than {self.options.limit} s", time.monotonic() - started

    def tell(self, name, is_well, figures, seconds):
        self.done += 1
        if not is_well:
            self.bad.append(name)
        self.log.say(f"{'ok    ' if is_well else 'FAILED'} {name}: {figures}, {seconds:.1f} s")

    def told(self):
        """The last lines. Whether all was well."""
        self.log.say(f"{self.done} checks, {len(self.bad)} failed, {time.monotonic() - self.started:.0f} s")
        for name in self.bad:
            self.log.say(f"  failed: {name}")
        return not self.bad

    # ---- what is checked

    def stress(self):
        o = self.options
        for number, transport in enumerate(o.transports):
            for k in range(1 if number else o.stress_runs):
                name, file = f"stress by {transport}, seed {k + 1}", o.output / "runs" / "stress.json"
                file.unlink(missing_ok=True)
                is_well, words, seconds = self.run(name, [o.bench, "stress", "--device", o.device, "--transport", transport, "--sums", o.sums, "--exchanges", o.exchanges, "--size",
                                                          o.entities, "--seed", k + 1, "--threads", o.threads, "--json", file])
                rows = json.loads(file.read_text())["rows"] if is_well else []
                figures = "; ".join(f"{row['count']} {row['operation']} in {row['seconds']:.1f} s, wrong {row['wrong']}" for row in rows)
                self.tell(name, is_well and bool(rows) and not any(row["wrong"] for row in rows), figures or last_words(words), seconds)

    def steps(self):
        """Every run of a method in a precision takes the same iterations."""
        o = self.options
        for method in ("classical", "exact"):
            for precision in ("mixed", "double"):
                name, file = f"step {method} {precision} by {o.transports[0]}", o.output / "runs" / "step.json"
                found, failed, total, milliseconds = [], "", 0.0, []
                for k in range(o.step_runs):
                    file.unlink(missing_ok=True)
                    is_well, words, seconds = self.run(f"{name} {k + 1}", [o.bench, "step", "--size", o.step_size, "--method", method, "--device", o.device, "--precision", precision,
                                                                           "--transport", o.transports[0], "--threads", o.threads, "--steps", o.steps, "--json", file])
                    total += seconds
                    if not is_well:
                        failed = failed or f"run {k + 1}: {last_words(words)}"
                        continue
                    row = json.loads(file.read_text())["rows"][0]
                    milliseconds.append(1e3 * row["seconds"])
                    found.append({key: value for key, value in row.items() if key.startswith("iterations_")})
                different = sorted({json.dumps(iterations) for iterations in found})
                figures = f"{len(found)} of {o.step_runs} runs, iterations {' or '.join(different)}"
                if milliseconds:
                    figures += f", {min(milliseconds):.1f} to {max(milliseconds):.1f} ms a step"
                self.tell(name, not failed and len(different) <= 1, figures + (f"; {failed}" if failed else ""), total)

    def cases(self):
        o = self.options
        for entry in prepared(o.cases):
            if re.search(o.filter, entry["name"]):
                self._case(entry)

    def _case(self, entry):
        """By two transports, several times: every run's numbers are those of the first run by the second transport."""
        o = self.options
        first, second = o.transports[:2]
        reference, worst, faults, total, runs = None, None, [], 0.0, 0
        for transport in (second, first):
            for k in range(o.case_runs):
                name = f"case {entry['name']} by {transport} {k + 1}"
                folder = o.output / "runs" / "case"
                shutil.rmtree(folder, ignore_errors=True)
                is_well, words, seconds = self.run(name, [o.program, "run", o.cases / entry["file"], "-o", folder, "--device", o.device, "--transport", transport, "--quiet",
                                                          "--threads", o.threads, *set_words(entry, o.cases, o.case_steps)])
                total += seconds
                runs += 1
                if not is_well:
                    faults.append(f"{transport}, run {k + 1}: {last_words(words)}")
                    continue
                results = Results(folder)
                if reference is None:
                    reference = results
                    continue
                if results.summary["status"] != reference.summary["status"]:
                    faults.append(f"{transport}, run {k + 1}: {results.summary['status']}, not {reference.summary['status']}")
                found = difference(reference, results)
                if found and (worst is None or found.value > worst.value):
                    worst = found
                if found and found.value > o.tolerance:
                    faults.append(f"{transport}, run {k + 1}: {found.value:.1e} of {found.where}")
        figures = f"{runs} runs, {'same bits' if worst is None else f'{worst.value:.1e} of {worst.where}'}"
        self.tell(f"case {entry['name']} by {first} and {second}", not faults, "; ".join([figures, *faults[:3]]), total)


def rank_tests(checks):
    o = checks.options
    for test in RANK_TESTS:
        program = o.build / "tests" / test
        if program.exists():
            is_well, words, seconds = checks.run(test, [program.resolve()])
            ended = re.findall(r"\[  (?:PASSED|FAILED)  \] (\d+ tests?)", words)
            checks.tell(f"{test} on {o.ranks} ranks", is_well, ended[0] if ended else last_words(words), seconds)
        else:
            checks.tell(test, False, f"no {program}: tools/build {test}", 0.0)


def last_words(said):
    """The first error that a program told, else its last line."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line or "FAILED" in line]
    return (errors or lines or ["no words"])[0 if errors else -1][:400]
