"""tools/validate reproducible: runs with --reproducible on 1 to 4 ranks of one kind of device, which must leave the same bits."""
import concurrent.futures
import json
import re
import shutil
import subprocess
import types

import grid_cases
from case_file import Case
from coarse_cases import SPECIAL, Meshes, Row, chosen_cases, methods, physics
from program import ROOT, Failed, run_command, solenoid, summary

RANKS = (1, 2, 3, 4)
DEVICES = ("cpu", "compute")
PRECISE = ("cavity", "cavity3d", "quench")  # with these in mixed and single precision, too
GRIDS = 48  # random cases on structured grids, by seeds from 1 on
GRID_STEPS = 6
WHOLE_STEPS = 20  # of --whole
# What a summary says of ranks, devices, time and memory.
OF_RANKS = ("ranks", "threads", "devices", "transport", "transport_speed", "partition", "seconds", "halo_bytes", "messages", "memory_bytes")
# --quick: few steps on 1 and 3 ranks, on meshes of the tree; each row by what only it shows.
QUICK_RANKS, QUICK_CELLS, QUICK_STEPS = (1, 3), 500, 3
QUICK = {
    "cavity: exact, collocated, mixed, 1 rank, cpu": "rows of nodes in single precision; pictures",
    "cavity: classical, 1 rank, cpu": "rows of cells, and a pressure that is known up to a constant",
    "ethier-steinman: exact, rotational, 1 rank, cpu": "edges in an auxiliary space; boundary data in time; staggered momentum",
    "quench: heat, multigrid, 1 rank, cpu": "steps by estimated errors; heat by boundary",
    "grid-1: poisson, cycles, lines-y, 1 rank, cpu": "cut lines, solved whole; a grid that closes round itself",
    "grid-24: boussinesq, 1 rank, cpu": "ships that not every rank has",
}


class GridRow(Row):
    """A random case on a grid, as it is."""

    def __init__(self, seed, folder, device):
        name, text, precision = grid_cases.make(seed, GRID_STEPS)
        file = folder / name / "case.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        super().__init__(Case(file, [], ROOT), None, device=device, precision=precision)
        settings = [word for word in (self.case.get("solver.U.method"), self.case.get("solver.U.smoother"), self.case.get("wave.time_scheme")) if word]
        self.variant = ", ".join([physics(self.case), *settings, *([precision] if precision != "double" else [])])

    def overrides(self, meshes, options):
        return []


def _rows(cases, devices):
    """Every method of every case, and what is special; pictures are drawn of each."""
    rows = []
    for case in cases:
        variants = [(method, "", [], "double") for method in methods(case)]
        variants += [(method, special, settings, "double") for name, special, method, settings in SPECIAL if name == case.name]
        if case.name in PRECISE:
            variants += [(methods(case)[0], "", [], precision) for precision in ("mixed", "single")]
        rows += [Row(case, method, special, settings, device=device, precision=precision)
                 for device in devices for method, special, settings, precision in variants]
    return rows


def _run(row, ranks, base, meshes, options, program):
    """The folder of a run and how it ended: exit code and last words."""
    quick = [f"time.steps={QUICK_STEPS}"] + ([f"mesh.box.cells={QUICK_CELLS}"] if row.case.get("mesh.box") else [])
    settings = types.SimpleNamespace(solver_tolerance=None, overrides=quick if options.quick else [])
    words = [word for word in row.overrides(meshes, settings) if word != "picture=[]"]
    case = Case(row.case.file, words, ROOT)
    folder = base / row.file_name / str(ranks)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    command = [*run_command(case, folder, ranks, [], row.device, program), "--quiet", "--reproducible", "--precision", row.precision]
    try:
        with open(folder / "log", "w") as out:
            code = subprocess.run([str(word) for word in command], stdout=out, stderr=subprocess.STDOUT, timeout=options.limit or 300).returncode
    except subprocess.TimeoutExpired:
        return folder, None, "it does not end", case.name
    words = "\n".join(line for line in (folder / "log").read_text(errors="replace").splitlines() if not line.startswith("warning: "))
    return folder, code, words.replace(str(folder), "").strip(), case.name


def _texts(folder):
    """Pictures and tables, byte by byte."""
    return {file.relative_to(folder): file.read_bytes() for file in sorted(folder.rglob("*")) if file.suffix in (".png", ".csv")}


def _numbers(folder):
    """The summary, but for what is of ranks, devices, time and memory."""
    numbers = {key: value for key, value in summary(folder).items() if key not in OF_RANKS}
    for solve in numbers.get("solves", []):
        solve.pop("setup_seconds", None)
    return numbers


def unlike(one, other, program):
    """Words on what two runs have not left alike to the bit: fields, checkpoints and tables by the numbers of entities (solenoid
    diff), texts of tables, pictures, the numbers of the summary. None: all is alike."""
    found = subprocess.run([program, "diff", one, other], capture_output=True, text=True)
    if found.returncode:
        return (found.stdout + found.stderr).strip().splitlines()[0][:200]
    texts, others = _texts(one), _texts(other)
    if different := [str(name) for name in texts.keys() | others.keys() if texts.get(name) != others.get(name)]:
        return ", ".join(sorted(different))
    numbers, others = _numbers(one), _numbers(other)
    if different := [key for key in numbers.keys() | others.keys() if json.dumps(numbers.get(key)) != json.dumps(others.get(key))]:
        return "summary.json: " + ", ".join(sorted(different))
    return None


def _compared(row, base, meshes, options, program):
    """Whether all is the same on all numbers of ranks, and words for the table."""
    first, words, refused = None, [], 0
    for ranks in QUICK_RANKS if options.quick else RANKS:
        folder, code, end, _ = _run(row, ranks, base, meshes, options, program)
        if code == 2 and "run it on fewer" in end:
            refused += 1
            continue
        if code in (1, 2) and (first is None or first == (code, end)):
            first = code, end
            continue
        if code != 0:
            return False, f"{ranks} ranks ended with code {code}: {end[-200:]}"
        if first is None:
            first = folder
        elif isinstance(first, tuple):
            return False, f"ended with code {first[0]} on 1 rank, not on {ranks}"
        elif worst := unlike(first, folder, program):
            words.append(f"{ranks} ranks: {worst}")
    if words:
        return False, "; ".join(words)
    shutil.rmtree(base / row.file_name)
    if isinstance(first, tuple):
        return first[0] == 2 or isinstance(row, GridRow), "refused" if first[0] == 2 else "an error, alike"
    return True, "same bits" + (f", too few nodes for {refused} of the numbers" if refused else "")


def _ended(case, base, options, program):
    """Of a case as it is, some steps on 1 to 4 ranks with --reproducible and without: whether each run ends, and with it leaves the
    same bits; words for the table."""
    first, words, seconds = None, [], 0.0
    settings = [f"time.steps={WHOLE_STEPS}"] if case.get("time") else []
    for ranks in RANKS:
        for extra in ([], ["--reproducible"]):
            folder = base / f"{case.folder.name}-{case.file.stem}" / f"{ranks}{'-same' if extra else ''}"
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            command = [*run_command(case, folder, ranks, settings, program=program), "--quiet", *extra]
            what = f"{ranks} ranks" + (" with --reproducible" if extra else "")
            try:
                ended = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=options.limit or 600)
            except subprocess.TimeoutExpired:
                words.append(f"{what}: does not end")
                continue
            if ended.returncode:
                words.append(f"{what}: code {ended.returncode}, {ended.stderr.strip()[-200:]}")
                continue
            seconds += summary(folder)["seconds"]["total"]
            if extra and first is None:
                first = folder
            elif extra and (worst := unlike(first, folder, program)):
                words.append(f"{what}: {worst}")
    if not words:
        shutil.rmtree(base / f"{case.folder.name}-{case.file.stem}")
    return not words, "; ".join(words) or f"all end, same bits ({seconds:.0f} s)"


def whole(options):
    """Whether every case as it is ends on any number of ranks, with --reproducible and without."""
    base = options.folder or ROOT / "out" / "validate-whole"
    program, good = options.program or solenoid(), True
    cases = [case for case in chosen_cases(options.cases[1:]) if re.search(options.only, case.name)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs or 1) as pool:
        for case, (well, words) in zip(cases, pool.map(lambda case: _ended(case, base, options, program), cases)):
            good = good and well
            print(f"{'ok    ' if well else 'WRONG '} {case.folder.name}/{case.file.name}: {words}", flush=True)
    return good


def reproducible(options):
    """The chapter of the page, and whether all is well."""
    base = options.folder or ROOT / "out" / "validate-reproducible"
    program = options.program or solenoid()
    meshes = Meshes(program, base / "meshes")
    devices = DEVICES if options.device == "cpu" else [options.device]
    lines, good = ["| case | variant | device | 1 to 4 ranks |", "|---|---|---|---|"], True
    for line in lines:
        print(line)
    rows = _rows(chosen_cases(options.cases[1:]), devices)
    if len(options.cases) == 1:
        rows += [GridRow(seed, base / "grids", device) for device in devices for seed in range(1, GRIDS + 1)]
    if options.quick and (lost := set(QUICK) - {row.name for row in rows}):
        raise Failed("no rows of these names: " + "; ".join(sorted(lost)))
    rows = [row for row in rows if re.search(options.only, row.name) and not (options.quick and row.name not in QUICK)]
    for row in rows:
        meshes.coarse(row.case)  # each once, before rows run beside each other
    with concurrent.futures.ThreadPoolExecutor(options.jobs or 1) as pool:
        for row, (well, words) in zip(rows, pool.map(lambda row: _compared(row, base, meshes, options, program), rows)):
            good = good and well
            lines.append(f"| {row.case.name} | {row.variant} | {row.device} | {words if well else f'**{words}**'} |".replace("\n", " "))
            print(lines[-1], flush=True)
    return "## The same bits\n\n" + "\n".join(lines) + "\n", good
