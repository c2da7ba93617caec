"""Whether what a run left behind can be read: states, tables, pictures, summaries, checkpoints."""
import csv
import json
import pathlib
import re
import struct
import subprocess
import sys
import xml.etree.ElementTree
import zlib

from program import ROOT
from vtk_state import State

HIDDEN = (".solenoid-",)  # locks, probes, results set aside


def _pvd(file):
    tree = xml.etree.ElementTree.parse(file)
    for entry in tree.iter("DataSet"):
        if not (file.parent / entry.get("file")).is_file():
            raise ValueError(f"names {entry.get('file')}, which is not there")
    if any(not entry.get("file").endswith(".pvtu") for entry in tree.iter("DataSet")):
        return  # of a structured grid: its pieces are read one by one
    for state in State.every(file.parent, file.stem):
        if any(cell is None for cell in state.cells):
            raise ValueError(f"the state of t = {state.time:g} s lacks cells")


def _pvtu(file):
    for piece in xml.etree.ElementTree.parse(file).iter("Piece"):
        if not (file.parent / piece.get("Source")).is_file():
            raise ValueError(f"names {piece.get('Source')}, which is not there")


def _vtu(file):
    data = file.read_bytes()
    start = data.index(b"<AppendedData")
    if not data.rstrip().endswith(b"</VTKFile>"):
        raise ValueError("is cut short")
    xml.etree.ElementTree.fromstring(data[:start] + b"</VTKFile>")  # what follows is not text


def _csv(file):
    text = file.read_text()
    if not text.endswith("\n"):
        raise ValueError("ends within a line")
    head, *rows = csv.reader(line for line in text.splitlines() if not line.startswith("#"))
    for number, row in enumerate(rows, 2):
        if len(row) != len(head):
            raise ValueError(f"row {number} has {len(row)} cells for {len(head)} columns")
    times = [float(row[head.index("time")]) for row in rows] if "time" in head and "x" not in head else []
    if times != sorted(set(times)):
        raise ValueError("a time comes twice, or goes back")


def _json(file):
    json.loads(file.read_text())


def _png(file):
    data, at, pixels = file.read_bytes(), 8, b""
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("is no PNG")
    while True:
        length, kind = struct.unpack_from(">I4s", data, at)
        body, check = data[at + 4:at + 8 + length], struct.unpack_from(">I", data, at + 8 + length)[0]
        if zlib.crc32(body) != check:
            raise ValueError("is damaged")
        pixels += body[4:] if kind == b"IDAT" else b""
        at += 12 + length
        if kind == b"IEND":
            break
    zlib.decompress(pixels)


def _checkpoint(file):
    read = subprocess.run([sys.executable, ROOT / "tools" / "read-checkpoint", file], capture_output=True, text=True, check=False)
    if read.returncode:
        raise ValueError(read.stderr.strip().splitlines()[-1])


LISTS, PIECES = (".pvtu", ".pvti", ".pvtr", ".pvts"), (".vtu", ".vti", ".vtr", ".vts")
READERS = {".pvd": _pvd, **dict.fromkeys(LISTS, _pvtu), **dict.fromkeys(PIECES, _vtu), ".csv": _csv, ".json": _json, ".png": _png, ".checkpoint": _checkpoint}


def steps_of_checkpoints(folder):
    """In an output folder, ascending."""
    return sorted(int(file.stem.removeprefix("step-")) for file in pathlib.Path(folder).glob("checkpoints/step-*.checkpoint"))


def files_in(folder):
    """Results below a folder, by their names in it; no locks, and nothing that has been set aside."""
    return {name: file for file in sorted(pathlib.Path(folder).rglob("*")) if file.is_file()
            for name in [file.relative_to(folder).as_posix()] if not any(part.startswith(HIDDEN) for part in name.split("/"))}


def listed_in(folder):
    """The files of the states that the .pvd files of a folder name, with those that they name."""
    names = set()
    for index in pathlib.Path(folder).glob("*.pvd"):
        for state in re.findall(r'file="([^"]*)"', index.read_text()):
            names.add(state)
            if (index.parent / state).is_file():
                names |= set(re.findall(r'Source="([^"]*)"', (index.parent / state).read_text()))
    return names


def faults(folder, parts=False):
    """What is wrong with the files of a folder, in words. parts: unfinished files are none, and states that no .pvd lists."""
    found, listed = [], listed_in(folder)
    for name, file in files_in(folder).items():
        if name.endswith(".part") and not parts:
            found.append(f"{name}: was left behind")
        if parts and file.suffix in LISTS and name not in listed:
            continue
        reader = READERS.get(file.suffix)
        try:
            if reader:
                reader(file)
        except (ValueError, IndexError, KeyError, OSError, struct.error, zlib.error, xml.etree.ElementTree.ParseError,
                UnicodeDecodeError) as error:
            found.append(f"{name}: {error}")
    return found
