"""Coarse copies of the cases with their meshes, in a folder that can be taken to another machine: cases.json lists them."""
import json
import pathlib
import shutil
import types

from program import Failed

MOST_BYTES = 20 << 20
SOLVER_TOLERANCE = 1e-10  # so that what another order of sums leaves is far below what is allowed


def prepare(folder, program):
    """Writes them; returns a line on what there is. Needs Gmsh where a mesh is too fine."""
    from coarse_cases import Meshes, Row, all_cases, methods  # these read case files: Python 3.11
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "meshes").mkdir(parents=True)
    made = folder / "made"
    options = types.SimpleNamespace(solver_tolerance=SOLVER_TOLERANCE, overrides=[])
    meshes, entries = Meshes(program, made), []
    for case in all_cases():
        entry = {"name": case.name, "file": f"{case.name}.toml", "set": [], "mesh": ""}
        shutil.copy(case.file, folder / entry["file"])
        if depth := case.get("boussinesq.depth_file"):
            shutil.copy(case.folder / depth, folder / depth)
        for word in Row(case, methods(case)[0]).overrides(meshes, options):
            key, _, value = word.partition("=")
            if key == "mesh.file":
                entry["mesh"] = _taken(pathlib.Path(value), folder)
            elif key != "time.steps":
                entry["set"].append(word)
        if not entry["mesh"] and case.get("mesh.file"):
            entry["mesh"] = _taken(case.folder / case.get("mesh.file"), folder)
        entry["is_in_time"] = bool(case.get("time"))
        entries.append(entry)
    shutil.rmtree(made, ignore_errors=True)
    (folder / "cases.json").write_text(json.dumps(entries, indent=1) + "\n")
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    if size > MOST_BYTES:
        raise Failed(f"{folder} has {size >> 20} MiB, more than {MOST_BYTES >> 20}")
    return f"{folder}: {len(entries)} cases, {size / 2**20:.1f} MiB"


def _taken(mesh, folder):
    name = f"meshes/{mesh.name}"
    shutil.copy(mesh, folder / name)
    return name


def prepared(folder):
    """What `prepare` wrote: dictionaries of name, file, set, mesh, is_in_time."""
    return json.loads((folder / "cases.json").read_text())


def set_words(entry, folder, steps):
    """The --set words of a run of so many steps."""
    words = list(entry["set"])
    if entry["mesh"]:
        words.append(f"mesh.file={folder / entry['mesh']}")
    if entry["is_in_time"]:
        words.append(f"time.steps={steps}")
    return [word for override in words for word in ("--set", override)]
