"""Runs solenoid and gmsh, and reads what a run leaves behind."""
import csv
import json
import os
import pathlib
import shutil
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Missing(Exception):
    """A program or a file that the tool needs is not there."""


class Failed(Exception):
    """A program that was started ended with an error."""


def solenoid():
    program = ROOT / "build" / "solenoid"
    if not program.exists():
        raise Missing("build/solenoid is not there: tools/build makes it")
    return program


def need(program, package):
    if not shutil.which(program):
        raise Missing(f"{program} is not there: Debian's package {package} brings it (apt-get install {package})")
    return program


def call(command, log, **options):
    """Runs a command; its output goes to the file `log`, whose end is shown when it fails."""
    with open(log, "w") as out:
        code = subprocess.run([str(word) for word in command], stdout=out, stderr=subprocess.STDOUT, **options).returncode
    if code:
        end = "".join(pathlib.Path(log).read_text(errors="replace").splitlines(keepends=True)[-12:])
        raise Failed(f"{command[0]} ended with code {code}; its last words, from {log}:\n{end}")


def timed(command, log, marks_step, **options):
    """Runs a command. The wall-clock times at which it printed the lines that `marks_step` accepts, and the processor time
    that it and all its ranks took [s]."""
    stamps = []
    with open(log, "w") as out:
        process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, errors="replace", **options)
        for line in process.stdout:
            if marks_step(line):
                stamps.append(time.perf_counter())
            out.write(line)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = code = os.waitstatus_to_exitcode(status)
    if code:
        end = "".join(pathlib.Path(log).read_text(errors="replace").splitlines(keepends=True)[-12:])
        raise Failed(f"{command[0]} ended with code {code}; its last words, from {log}:\n{end}")
    return stamps, usage.ru_utime + usage.ru_stime


def seconds_a_step(stamps, skipped):
    """The mean over the steps after the first few, by the times at which each ended."""
    if len(stamps) <= skipped:
        raise Failed(f"{len(stamps)} steps are too few to take a time from: raise --steps")
    return (stamps[-1] - stamps[skipped - 1]) / (len(stamps) - skipped)


def seconds_a_step_between(short, long):
    """The same of solenoid, by the summaries of two runs that differ in their number of steps: seconds of `solve`."""
    steps = long["steps"] - short["steps"]
    seconds = long["seconds"]["solve"] - short["seconds"]["solve"]
    if steps <= 0:
        raise Failed(f"runs of {short['steps']} and {long['steps']} steps give no time of a step: raise --steps")
    if seconds <= 0:
        raise Failed(f"{steps} steps are too few to take a time from: raise --steps")
    return seconds / steps


def run_command(case, output, ranks, overrides, device="cpu", program=None):
    """`program`: build/solenoid, if it is not given."""
    command = [ROOT / "tools" / "mpirun", "-n", ranks, program or solenoid(), "run", case.file, "-o", output, "--device", device,
               *case.options]
    for override in overrides:
        command += ["--set", override]
    return command


def summary(output):
    return json.loads((pathlib.Path(output) / "summary.json").read_text())


def table(file):
    """A CSV file as a list of rows, numbers where they are numbers; comment lines are skipped."""
    def number(text):
        try:
            return float(text)
        except ValueError:
            return text
    with open(file) as lines:
        rows = csv.DictReader(line for line in lines if not line.startswith("#"))
        return [{key: number(value) for key, value in row.items() if key} for row in rows]


def make_mesh(entry, folder):
    """meshes/GEOMETRY at a size [m], made by gmsh once and kept in `folder`. `entry` has geometry, size, and whatever else of
    the file's constants is to be set."""
    source = ROOT / "meshes" / entry["geometry"]
    if not source.exists():
        raise Missing(f"no {source}")
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    constants = {key: value for key, value in entry.items() if key != "geometry"}
    others = "".join(f"_{key}{value:g}" for key, value in constants.items() if key != "size")
    mesh = folder / f"{source.stem}_{constants['size']:g}{others}.msh"
    if not mesh.exists() or mesh.stat().st_mtime < source.stat().st_mtime:
        dimension = 3 if "Volume" in source.read_text() else 2
        part = mesh.with_suffix(".part.msh")
        settings = [word for key, value in constants.items() for word in ("-setnumber", key, f"{value:g}")]
        call([need("gmsh", "gmsh"), f"-{dimension}", source, *settings, "-format", "msh41", "-bin", "-o", part],
             mesh.with_suffix(".log"))
        part.rename(mesh)
    return mesh
