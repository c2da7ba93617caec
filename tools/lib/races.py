"""tools/validate races: races between the threads of a rank, by the thread sanitizer (docs/reliability.md)."""
import os
import re
import shutil
import subprocess

from program import ROOT, Failed

BUILD = ROOT / "build-tsan"
CODE = 66  # of a program with a report
LIMIT = 900  # of a program [s]
SMALL = ["races"]
PLANTED = ["increment_in_threads", "increment_in_tbb"]  # functions of tests/races/races.cpp
TESTS = ["threads_test", "multigrid_parts_test", "mesh_topology_test", "mesh_ordering_test", "output_folder_test"]
TESTS_ON_RANKS = ["parallel_halo_test", "slices_test", "operators_test", "multigrid_test", "heat_state_test", "take_back_test",
                  "step_repeats_test", "checkpoint_test"]
# Name, case, overrides.
RUNS = [
    ("heat", "crankshaft", []),
    ("flow", "cavity", ["time.steps=4"]),
    ("flow in 3D", "cavity3d", ["time.steps=2"]),
    ("wave", "membrane", ["time.steps=20"]),
]
DEVICES = ["cpu", "compute"]


def _prefix():
    """Where addresses are too random for the sanitizer, they are not."""
    allowed = subprocess.run(["setarch", "-R", "true"], capture_output=True).returncode == 0
    return ["setarch", "-R"] if allowed else []


def _reports(text):
    """The first lines of the sanitizer's reports, and where each was."""
    found = []
    for report in re.split(r"={18}\n", text):
        if title := re.search(r"WARNING: ThreadSanitizer: (.*?) \(pid", report):
            where = re.search(r"SUMMARY: ThreadSanitizer: .*", report)
            found.append(where.group(0).replace("SUMMARY: ThreadSanitizer: ", "") if where else title.group(1))
    return found


def _run(command, folder, ranks):
    """The exit code (-1: too long), the reports, and the file with what was printed."""
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "log"
    options = (f"suppressions={ROOT / 'tests/races/suppressions.txt'}:exitcode={CODE}:halt_on_error=0:second_deadlock_stack=1:"
               "history_size=4:print_suppressions=0")
    environment = dict(os.environ, TSAN_OPTIONS=options, SOLENOID_GL_SOFTWARE="1")
    words = [*([ROOT / "tools/mpirun", "-n", ranks] if ranks else []), *_prefix(), *command]
    with open(log, "w") as out:
        try:
            code = subprocess.run([str(w) for w in words], stdout=out, stderr=subprocess.STDOUT, env=environment, timeout=LIMIT,
                                  cwd=folder).returncode
        except subprocess.TimeoutExpired:
            code = -1
    return code, _reports(log.read_text(errors="replace")), log


def _checked(name, command, folder, ranks, codes=(0,)):
    """Runs a program; whether it made no report and ended well."""
    code, reports, log = _run(command, folder, ranks)
    wrong = f"{len(reports)} reports" if reports else "" if code in codes else f"code {code}"
    on = f" on {ranks} rank{'s' if ranks > 1 else ''}" if ranks else ""
    print(f"{name}{on}: {wrong + ', ' + str(log) if wrong else 'none'}", flush=True)
    for report in sorted(set(reports)):
        print(f"    {report} ({reports.count(report)} times)", flush=True)
    return not wrong


def _finds_planted(folder):
    """Whether races that are there are reported, in spite of what is left out by name."""
    _, reports, log = _run([BUILD / "races", "planted"], folder, 0)
    missed = [name for name in PLANTED if not any(report.startswith("data race") and name in report for report in reports)]
    print("planted races: " + (f"{', '.join(missed)} not reported, {log}" if missed else "reported"), flush=True)
    return not missed


def _build(targets):
    if subprocess.call([ROOT / "tools/build", "--preset", "tsan", *targets]):
        raise Failed("build-tsan could not be built")


def races(options):
    """The exit code."""
    base = ROOT / "out" / "validate-races"
    shutil.rmtree(base, ignore_errors=True)
    tests = BUILD / "tests"
    _build(SMALL if options.quick else [*SMALL, *TESTS, *TESTS_ON_RANKS, "solenoid"])
    good = _finds_planted(base / "planted")
    good &= _checked("races", [BUILD / "races"], base / "races", 2)
    if options.quick:
        return 0 if good else 1
    chosen = re.compile(options.only)
    for name in TESTS:
        if chosen.search(name):
            good &= _checked(name, [tests / name], base / name, 0)
    for ranks in (1, 4):
        for name in TESTS_ON_RANKS:
            if chosen.search(name):
                good &= _checked(name, [tests / name, "--gtest_filter=-*Order*:*Compute*"], base / f"{name}-{ranks}", ranks)
        for name, case, words in RUNS:
            for device in DEVICES:
                if not chosen.search(f"{name} {device}"):
                    continue
                folder = base / f"{case}-{device}-{ranks}"
                command = [BUILD / "solenoid", "run", ROOT / "cases" / case / "case.toml", "-o", folder / "out", "--quiet",
                           "--device", device, "--threads", 2]
                for word in words:
                    command += ["--set", word]
                good &= _checked(f"{name}, device {device}", command, folder, ranks)
    return 0 if good else 1
