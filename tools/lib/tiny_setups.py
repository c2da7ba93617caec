"""tools/validate tiny-setups: random set-ups of a few cells on 1 to 8 ranks, every one of which must end, and end well."""
import collections
import math
import os
import re
import shutil
import signal
import subprocess
import time

from case_file import toml
from program import ROOT, solenoid, table
from tiny_cases import TinyCase
from vtk_state import State

# Each rank's exit code goes to a file, so that codes which differ are seen; a rank that a signal ended takes the others with it.
RANK = 'folder=$1; shift; "$@"; code=$?; echo $code > "$folder/code.${OMPI_COMM_WORLD_RANK:-0}"; [ $code -lt 128 ]'
DEAD = re.compile(r"terminate called|Assertion|Segmentation|std::|MPI_ABORT|AddressSanitizer|runtime error|BUG", re.I)
# Words by which a message says what to do, or what would be right.
REMEDY = re.compile(r"\b(take|takes|give|gives|gave|use|make|leave|choose|name|names|needs?|must|set|put|raise|lower|write|remove|slit|join|did you mean|it has|known|known:|allowed|at most|at least|"
                    r"belongs? to|may depend on|required|instead|be positive|add|refine|change|not negative|asks?|let|finer|smaller|run with|in \[|nodes? \d|is (not a number|infinite) at)\b", re.I)


def _descendants(root):
    """Of a process, itself first."""
    children = collections.defaultdict(list)
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat") as file:
                    children[int(file.read().rpartition(")")[2].split()[1])].append(int(entry))
            except OSError:
                continue
    found, queue = [], [root]
    while queue:
        found.append(queue.pop())
        queue += children[found[-1]]
    return found


def _stacks(processes, file):
    """Where the ranks are, where gdb is there to ask."""
    if not shutil.which("gdb"):
        return
    with open(file, "w") as out:
        for process in processes:
            try:
                name = os.path.basename(os.readlink(f"/proc/{process}/exe"))
            except OSError:
                continue
            if name.startswith("solenoid"):
                subprocess.run(["gdb", "-p", str(process), "-batch", "-ex", "thread apply 1 bt 25"], stdout=out, stderr=subprocess.DEVNULL, timeout=60)


def _run(case, folder, ranks, options):
    """Exit codes of the ranks (None: too long), and what was said."""
    command = [ROOT / "tools" / "mpirun", "-n", ranks, "bash", "-c", RANK, "rank", folder, options.program or solenoid(), "run", folder / "case.toml",
               "-o", folder / "results", "--device", "cpu", *case.options]
    with open(folder / "log", "w") as out:
        process = subprocess.Popen([str(word) for word in command], stdout=out, stderr=subprocess.STDOUT, env={**os.environ, "OMP_NUM_THREADS": "1"})
        try:
            process.wait(options.limit or 60)
        except subprocess.TimeoutExpired:
            all_of_it = _descendants(process.pid)
            _stacks(all_of_it, folder / "stacks")
            for one in reversed(all_of_it):
                try:
                    os.kill(one, signal.SIGKILL)
                except ProcessLookupError:
                    continue
            process.wait()
            return None, (folder / "log").read_text(errors="replace")
    codes = [int(file.read_text() or -1) for file in sorted(folder.glob("code.*"))]
    return codes + [-1] * (ranks - len(codes)), (folder / "log").read_text(errors="replace")


def _not_finite(folder):
    """The first quantity in the results that is no number."""
    for file in sorted((folder / "results" / "monitors").glob("*.csv")):
        for row in table(file):
            for column, value in row.items():
                if isinstance(value, float) and not math.isfinite(value):
                    return f"{column} in {file.name}"
    if list((folder / "results").glob("*.pvd")):
        state = State(folder / "results", folder.name)
        for name, values in [*state.points.items(), *state.values.items()]:
            flat = (v for value in values if value is not None for v in (value if isinstance(value, tuple) else (value,)))
            if not all(map(math.isfinite, flat)):
                return name
    return None


def _message(text):
    """The last error that was told."""
    found = re.findall(r"solenoid: .*", text)  # a line of progress may stand before it
    return (found or text.splitlines() or [""])[-1]


def _judged(codes, text, folder):
    """(how it ended, what is wrong with that or "")."""
    if codes is None:
        return "too long", "it does not end"
    if dead := DEAD.search(text):
        return "dead", f'"{dead[0]}"'
    if len(set(codes)) > 1:
        return "codes", f"exit codes {codes}"
    code = codes[0]
    if code not in (0, 1, 2, 3):
        return f"code {code}", f"exit code {code}"
    if code in (1, 2) and not REMEDY.search(_message(text)):
        return f"code {code}", "no remedy"
    if code == 0 and (what := _not_finite(folder)):
        return "not finite", what
    return f"code {code}", ""


def tiny(options):
    """Runs the set-ups of seeds SEED, SEED + 1, ...; 1 where one is bad."""
    base = (options.folder or ROOT / "out" / "tiny-setups").resolve()
    ends, bad, messages = collections.Counter(), [], collections.defaultdict(list)
    for seed in range(options.seed, options.seed + options.count):
        folder = base / f"seed-{seed}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        case = TinyCase(seed)
        (folder / "case.toml").write_text(toml(case.table))
        if case.mesh:
            (folder / "mesh.msh").write_text(case.mesh.text())
        started, ranks = time.monotonic(), options.ranks or case.ranks
        codes, text = _run(case, folder, ranks, options)
        how, wrong = _judged(codes, text, folder)
        ends[case.physics, how] += 1
        if how in ("code 1", "code 2"):
            messages[re.sub(r'"[^"]*"|[-+]?\d[\d.e+-]*', "_", re.sub(r"\S*case.toml:?\d*:", "", _message(text)[10:]))[:100]].append(seed)
        print(f"seed {seed}: {'BAD ' if wrong else ''}{how}, {ranks} ranks, {case.words}, {time.monotonic() - started:.1f} s{'; ' + wrong if wrong else ''}", flush=True)
        if how in ("code 1", "code 2") and not wrong:
            print(f"    {_message(text)[:200]}", flush=True)
        if wrong:
            bad.append(seed)
            print(f"    {_message(text)[:300]}\n    {folder}", flush=True)
        elif not options.keep:
            shutil.rmtree(folder)
    print("\n| physics | ended | set-ups |\n|---|---|---|")
    for (physics, how), count in sorted(ends.items()):
        print(f"| {physics} | {how} | {count} |")
    print("\nMessages, numbers and names left out, with the first seed of each:")
    for message, seeds in sorted(messages.items(), key=lambda item: -len(item[1])):
        print(f"{len(seeds):5} {seeds[0]:6} {message}")
    print(f"\n{len(bad)} of {options.count} bad" + (f": seeds {' '.join(map(str, bad))}" if bad else ""))
    return 1 if bad else 0
