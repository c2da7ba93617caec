"""tools/validate soak: a long run whose resident memory must stay flat on every rank."""
import pathlib
import shutil
import statistics
import subprocess
import time

from program import ROOT, Failed, Missing, solenoid, summary

WARM_UP = 0.25  # of the time: caches, starting guesses and buffers of the libraries fill
WINDOW = 0.1  # of the time, at either end of what is compared
SAMPLES = 200
GROWTH, GROWTH_BYTES = 0.02, 4 << 20  # allowed of a rank: the larger of both
STOPPED = 3  # exit code

CASE = """physics = "flow"
[mesh.box]
cells = 4000
dimension = 2
[fluid]
viscosity = 1e-3
[boundary.ymax]
type = "wall"
velocity = ["1 + 0.2*sin(t)", 0]
[boundary.default]
type = "wall"
[scalar.dye]
diffusivity = 1e-3
initial = "x > 0.5 ? 1 : 0"
[time]
end = END
[output]
wall_interval = 10
[average]
from = 0
[[monitor]]
type = "line"
name = "middle"
from = [0.5, 0]
to = [0.5, 1]
every = 10
[[monitor]]
type = "point"
name = "eye"
at = [0.5, 0.7]
every = 10
[[monitor]]
type = "force"
name = "lid"
boundaries = ["ymax"]
every = 10
[[monitor]]
type = "energy"
name = "budget"
every = 10
[[picture]]
name = "speed"
field = "speed"
wall_interval = 5
width = 400
height = 300
[[picture]]
name = "dye"
field = "dye"
wall_interval = 5
width = 400
height = 300
"""


def _ranks_of(job, program):
    """Processes below `job` that run the program."""
    found, left = [], [job]
    while left:
        process = left.pop()
        try:
            for thread in pathlib.Path(f"/proc/{process}/task").iterdir():
                left += [int(child) for child in (thread / "children").read_text().split()]
            if pathlib.Path(f"/proc/{process}/exe").resolve() == program:
                found.append(process)
        except OSError:
            continue  # it has ended
    return sorted(found)


def _resident(process):
    """[bytes]; None where the process has ended."""
    try:
        for line in pathlib.Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return None


def _watched(job, program, seconds):
    """{process: [(seconds since the start, bytes)]} until the job ends."""
    samples, start = {}, time.monotonic()
    while job.poll() is None:
        for process in _ranks_of(job.pid, program):
            size = _resident(process)
            if size:
                samples.setdefault(process, []).append((time.monotonic() - start, size))
        time.sleep(min(seconds / SAMPLES, 10))
        if time.monotonic() - start > 1.5 * seconds + 60:
            job.terminate()
            job.wait(120)
            raise Failed("the run did not stop at its --wall-time")
    return samples


def _means(series, seconds):
    """The median behind the warm-up, and at the end [bytes]."""
    def median(low, high):
        chosen = [size for t, size in series if low * seconds <= t <= high * seconds]
        if not chosen:
            raise Failed("too few samples: take more minutes")
        return statistics.median(chosen)
    last = series[-1][0] / seconds
    return median(WARM_UP, WARM_UP + WINDOW), median(last - WINDOW, last)


def soak(options):
    """The exit code."""
    minutes = float(options.cases[1]) if len(options.cases) > 1 else 60.0
    if not 0.5 <= minutes <= 100000:
        raise ValueError("soak: MINUTES is from 0.5")
    ranks, program = options.ranks or 2, pathlib.Path(options.program or solenoid()).resolve()
    if not program.exists():
        raise Missing(f"no {program}")
    folder = pathlib.Path(options.folder or ROOT / "out" / "soak")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "case.toml").write_text(CASE.replace("END", f"{200 * minutes:g}"))
    seconds = 60 * minutes
    whole = round(seconds)
    limit = f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
    command = [ROOT / "tools" / "mpirun", "-n", ranks, program, "run", folder / "case.toml", "-o", folder / "out", "--quiet",
               "--device", options.device, "--wall-time", limit]
    with open(folder / "log", "w") as log:
        job = subprocess.Popen([str(word) for word in command], stdout=log, stderr=subprocess.STDOUT)
        try:
            samples = _watched(job, program, seconds)
        finally:
            if job.poll() is None:
                job.terminate()
    if job.returncode != STOPPED:
        raise Failed(f"the run ended with code {job.returncode}, not {STOPPED}: {(folder / 'log').read_text()[-2000:]}")
    with open(folder / "memory.csv", "w") as out:
        out.write("rank,seconds,bytes\n")
        for rank, series in enumerate(samples.values()):
            out.writelines(f"{rank},{t:.1f},{size}\n" for t, size in series)
    if len(samples) != ranks:
        raise Failed(f"{len(samples)} processes of {ranks} were seen")
    good = True
    print("| rank | resident behind the warm-up [MB] | at the end [MB] | growth [MB] | allowed [MB] |\n|---|---|---|---|---|")
    for rank, series in enumerate(samples.values()):
        before, after = _means(series, seconds)
        allowed = max(GROWTH * before, GROWTH_BYTES)
        fits = after - before <= allowed
        good = good and fits
        print(f"| {rank} | {before / 1e6:.1f} | {after / 1e6:.1f} | {(after - before) / 1e6:+.2f}{'' if fits else ' **too much**'} "
              f"| {allowed / 1e6:.1f} |")
    found = summary(folder / "out")
    print(f"{found['steps']} steps in {minutes:g} minutes on {ranks} ranks, device {options.device}; samples: {folder / 'memory.csv'}")
    return 0 if good else 1
