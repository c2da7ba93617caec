"""tools/validate reproducible: runs with --reproducible on 1 to 4 ranks of one kind of device, which must leave the same bits."""
import concurrent.futures
import re
import shutil
import subprocess
import types

from case_file import Case
from coarse_cases import SPECIAL, Meshes, Row, chosen_cases, methods
from program import ROOT, Failed, run_command, solenoid
from run_results import Results, difference

RANKS = (1, 2, 3, 4)
DEVICES = ("cpu", "compute")
PRECISE = ("cavity", "cavity3d", "quench")  # with these in mixed and single precision, too
# --quick: few steps on 1 and 3 ranks, on meshes of the tree; each row by what only it shows.
QUICK_RANKS, QUICK_CELLS, QUICK_STEPS = (1, 3), 500, 3
QUICK = {
    "cavity: exact, collocated, mixed, 1 rank, cpu": "rows of nodes in single precision; pictures",
    "cavity: classical, 1 rank, cpu": "rows of cells, and a pressure that is known up to a constant",
    "ethier-steinman: exact, rotational, 1 rank, cpu": "edges in an auxiliary space; boundary data in time; staggered momentum",
    "quench: heat, multigrid, 1 rank, cpu": "steps by estimated errors; heat by boundary",
}


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
    with open(folder / "log", "w") as out:
        code = subprocess.run([str(word) for word in command], stdout=out, stderr=subprocess.STDOUT, timeout=options.limit or 300).returncode
    words = "\n".join(line for line in (folder / "log").read_text(errors="replace").splitlines() if not line.startswith("warning: "))
    return folder, code, words.replace(str(folder), "").strip(), case.name


def _pictures(folder):
    return {file.relative_to(folder): file.read_bytes() for file in sorted(folder.rglob("*.png"))}


def _texts(folder):
    return {file.name: file.read_bytes() for file in sorted((folder / "monitors").glob("*.csv"))}


def _compared(row, base, meshes, options, program):
    """Whether all is the same on all numbers of ranks, and words for the table."""
    first, words = None, []
    for ranks in QUICK_RANKS if options.quick else RANKS:
        folder, code, end, name = _run(row, ranks, base, meshes, options, program)
        if code == 2 and (first is None or first == (code, end)):
            first = code, end
            continue
        if code != 0:
            return False, f"{ranks} ranks ended with code {code}: {end[-200:]}"
        found = Results(folder, name), _pictures(folder), _texts(folder)
        if first is None:
            first = found
            continue
        if not isinstance(first[0], Results):
            return False, f"refused on 1 rank, not on {ranks}"
        if worst := difference(first[0], found[0]):
            words.append(f"{ranks} ranks: {worst.value:.1e} of {worst.where}")
        elif first[1] != found[1]:
            words.append(f"{ranks} ranks: pictures")
        elif first[2] != found[2]:
            words.append(f"{ranks} ranks: " + ", ".join(name for name in first[2] if first[2][name] != found[2].get(name)))
    if words:
        return False, "; ".join(words)
    shutil.rmtree(base / row.file_name)
    return True, "same bits" if isinstance(first[0], Results) else "refused"


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
    if options.quick and (lost := set(QUICK) - {row.name for row in _rows(chosen_cases([]), DEVICES)}):
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
