"""Reads a state that solenoid wrote (.pvd, .pvtu, .vtu with appended, zlib-compressed arrays; docs/output.md)."""
import array
import pathlib
import re
import struct
import sys
import zlib

CODES = {"Float64": "d", "Float32": "f", "Int64": "q", "Int32": "i", "UInt16": "H", "UInt8": "B", "Int8": "b", "UInt64": "Q"}


def _attribute(tag, name):
    found = re.search(rf'\b{name}="([^"]*)"', tag)
    return found.group(1) if found else None


def _unpacked(data, at, code):
    """One compressed array: number of blocks, their size, the last one's, then each block's compressed size."""
    blocks = struct.unpack_from("<Q", data, at)[0]
    sizes = struct.unpack_from(f"<{blocks}Q", data, at + 24)
    at += 24 + 8 * blocks
    values = array.array(code)
    raw = b""
    for size in sizes:
        raw += zlib.decompress(data[at:at + size])
        at += size
    values.frombytes(raw)
    if sys.byteorder == "big":
        values.byteswap()
    return values


def _piece(file):
    data = pathlib.Path(file).read_bytes()
    start = data.index(b"<AppendedData")
    header = data[:start].decode()
    base = data.index(b"_", start) + 1
    arrays, place = {}, None
    for tag in re.findall(r"<[^>]*>", header):
        if found := re.match(r"<(Points|Cells|PointData|CellData|FieldData)\b", tag):
            place = found.group(1)
        if tag.startswith("<DataArray") and _attribute(tag, "offset") and _attribute(tag, "type") in CODES:
            key = (place, "Points" if place == "Points" else _attribute(tag, "Name"))
            arrays[key] = _unpacked(data, base + int(_attribute(tag, "offset")), CODES[_attribute(tag, "type")])
    return arrays


class State:
    """Nodes and cells of the whole mesh in the mesh file's order, and the fields on them.

    nodes: positions (x, y, z) [m]; cells: tuples of nodes; ranks: a cell's rank; points[NAME], values[NAME]: fields on
    nodes and on cells, tuples where they have several components."""

    def __init__(self, folder, name, number=-1):
        folder = pathlib.Path(folder)
        time, file = self._files(folder, name)[number]
        self.time = float(time)
        pieces = [_piece(folder / source) for source in re.findall(r'<Piece Source="([^"]*)"', (folder / file).read_text())]
        self.nodes = self._gathered(pieces, "PointData", "GlobalPointIds", "Points", "Points", 3)
        self.points, self.values = {}, {}
        for place, ids, fields in (("PointData", "GlobalPointIds", self.points), ("CellData", "GlobalCellIds", self.values)):
            for where, key in pieces[0]:
                if where == place and key not in (ids, "vtkGhostType"):
                    counts = sum(len(p[place, ids]) for p in pieces)
                    columns = sum(len(p[place, key]) for p in pieces) // counts
                    fields[key] = self._gathered(pieces, place, ids, place, key, columns)
        self.cells = [None] * sum(len(p["CellData", "GlobalCellIds"]) for p in pieces)
        for p in pieces:
            ids, node_ids = p["CellData", "GlobalCellIds"], p["PointData", "GlobalPointIds"]
            nodes, first = p["Cells", "connectivity"], 0
            for cell, end in zip(ids, p["Cells", "offsets"]):
                self.cells[cell] = tuple(node_ids[i] for i in nodes[first:end])
                first = end
        self.ranks = self.values.pop("rank")
        self.dimension = len(self.cells[0]) - 1

    @staticmethod
    def _files(folder, name):
        text = (pathlib.Path(folder) / f"{name}.pvd").read_text()
        return re.findall(r'timestep="([^"]*)"[^>]*file="([^"]*)"', text)

    @classmethod
    def every(cls, folder, name):
        """The written states, one after another."""
        for number in range(len(cls._files(folder, name))):
            yield cls(folder, name, number)

    @staticmethod
    def _gathered(pieces, id_place, id_name, place, name, columns):
        count = 1 + max(max(p[id_place, id_name], default=-1) for p in pieces)
        result = [None] * count
        for p in pieces:
            values = p[place, name]
            for i, entity in enumerate(p[id_place, id_name]):
                result[entity] = values[i] if columns == 1 else tuple(values[columns * i:columns * (i + 1)])
        return result

    def centroids(self):
        """Of the cells."""
        n = self.dimension + 1
        return [tuple(sum(self.nodes[i][k] for i in cell) / n for k in range(3)) for cell in self.cells]

    def volumes(self):
        """Of the cells [m^d]."""
        def size(cell):
            a, *others = (self.nodes[i] for i in cell)
            e = [[b[k] - a[k] for k in range(3)] for b in others]
            if len(e) == 2:
                return abs(e[0][0] * e[1][1] - e[0][1] * e[1][0]) / 2
            return abs(sum(e[0][k] * (e[1][(k + 1) % 3] * e[2][(k + 2) % 3] - e[1][(k + 2) % 3] * e[2][(k + 1) % 3])
                           for k in range(3))) / 6
        return [size(cell) for cell in self.cells]
