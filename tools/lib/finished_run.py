"""One run of a case that tools/validate has made, and the values that it looks at."""
import json
import math
import re
import shutil

from case_file import Case
from program import ROOT, call, make_mesh, run_command, summary, table
from references import interpolated, taken
from sampling import Fit, extremum_of_field
from spectrum import tones
from vtk_state import State


class Run:
    def __init__(self, folder, work, name, entry, options):
        """Runs `entry`, a table with `set`, `mesh`, `case` and `ranks`, of the case in `folder`, if not done before."""
        overrides = list(entry.get("set", []))
        if mesh := entry.get("mesh"):
            overrides.append(f"mesh.file={make_mesh(mesh, work.parent / 'meshes')}")
        ranks = entry.get("ranks", options.ranks or 2)
        self.case = Case(folder / entry.get("case", "case.toml"), overrides, ROOT)
        self.folder = work / re.sub(r"[^\w.=-]+", "_", name)
        self.folder.mkdir(parents=True, exist_ok=True)
        stamp = self.folder / "settings.json"
        settings = json.dumps([self.case.table, ranks], default=str)
        if not (options.reuse and stamp.exists() and stamp.read_text() == settings):
            shutil.rmtree(self.folder)
            self.folder.mkdir()
            print(f"{folder.name}: {name}", flush=True)
            call(run_command(self.case, self.folder, ranks, [], options.device), self.folder / "log")
            stamp.write_text(settings)
        self.summary = summary(self.folder)
        self._state = None

    @property
    def state(self):
        self._state = self._state or State(self.folder, self.case.name)
        return self._state

    def rows(self, monitor, column):
        return [row for row in table(self.folder / "monitors" / f"{monitor}.csv") if isinstance(row[column], float)]

    def column(self, monitor, column, along=None, after=None):
        """Samples: positions or times, and values."""
        rows = self.rows(monitor, column)
        if after is not None:
            rows = [row for row in rows if row["time"] >= after]
        along = along or ("s" if "s" in rows[0] else "time")
        return [row[along] for row in rows], [row[column] for row in rows]

    def quantity(self, entry, other=None):
        """One number; `other` is the run that `minus_run` names."""
        return self._found(entry, other) * entry.get("scale", 1.0)

    def _found(self, entry, other):
        if "range" in entry:
            return self._range(entry["range"], entry["take"])
        if "uneven" in entry:
            return unevenness(self.state, *entry["uneven"])
        if "field" in entry:
            values = self.state.points[entry["field"]]
            return extremum_of_field(self.state.nodes, values, 1 if entry["take"] == "largest" else -1)[1]
        if entry["take"] == "peak":
            return self._tone(entry)
        found = self._taken(entry, entry["monitor"], entry["column"], other)
        if "over" in entry:
            found /= self._taken(entry, entry["monitor"], entry["over"], other)
        return found - (self._taken(entry, entry["minus"], entry["column"], other) if "minus" in entry else 0)

    def _taken(self, entry, monitor, column, other):
        s, values = self.column(monitor, column, after=entry.get("after"))
        if other:
            there = other.column(monitor, column)
            values = [value - interpolated(*there, min(max(x, there[0][0]), there[0][-1])) for x, value in zip(s, values)]
        return frequency(s, values) if entry["take"] == "frequency" else taken(entry["take"], s, values)

    def _tone(self, entry):
        """[1/s]; the last two samples may be nearer than the others, as a run's last steps are shortened."""
        monitors = [entry["monitor"]] if isinstance(entry["monitor"], str) else entry["monitor"]
        columns = [self.column(monitor, entry["column"], after=entry.get("after")) for monitor in monitors]
        found = tones(columns[0][0][:-2], [values[:-2] for _, values in columns])
        if len(found) < entry["number"]:
            raise ValueError(f"the spectrum has {len(found)} peaks, and number = {entry['number']}")
        return found[entry["number"] - 1]

    def _range(self, field, take):
        """Of a field on nodes and cells, over every written state."""
        found = [value for state in State.every(self.folder, self.case.name) for place in (state.points, state.values)
                 for value in place.get(field, [])]
        return max(found) if take == "largest" else min(found)

    def velocity_error(self, exact):
        """Relative L2 over the cells."""
        top = bottom = 0.0
        for u, x, v in zip(self.state.values["velocity"], self.state.centroids(), self.state.volumes()):
            w = exact(x, self.state.time)
            top += v * sum((a - b) ** 2 for a, b in zip(u, w))
            bottom += v * sum(b * b for b in w)
        return math.sqrt(top / bottom)

    def mesh_size(self):
        """Of a cell, the mean [m]."""
        return (sum(self.state.volumes()) / self.summary["cells"]) ** (1 / self.state.dimension)

    def mesh_and_time(self):
        s = self.summary
        kind = "cells" if s["faces"] == 0 else "triangles" if s["edges"] == s["faces"] else "tets"  # a grid has no faces
        where = "" if self.summary["devices"][0].startswith("cpu") else " " + self.summary["devices"][0].split(":")[0]
        return (f"{self.summary['cells']:,} {kind}".replace(",", " "),
                f"{duration(self.summary['seconds']['solve'])} on {self.summary['ranks']}{where}")


def duration(seconds):
    return f"{seconds:.1f} s" if seconds < 100 else f"{seconds / 60:.1f} min"


def frequency(times, values):
    """Of an oscillation, from its upward crossings of the mean [1/s]."""
    mean = sum(values) / len(values)
    crossings = [t + (mean - a) * (u - t) / (b - a)
                 for t, u, a, b in zip(times, times[1:], values, values[1:]) if a < mean <= b]
    if len(crossings) < 3:
        raise ValueError("fewer than two periods to take a frequency from")
    return (len(crossings) - 1) / (crossings[-1] - crossings[0])


def unevenness(state, low, high):
    """By how much the velocity of a cell differs from the quadratic through the cells around it, over the largest speed:
    the largest of the cells between the corners `low` and `high`."""
    velocity, places = state.values["velocity"], state.centroids()
    fit, worst = Fit(places, state.dimension), 0.0
    for c, place in enumerate(places):
        if all(a <= x <= b for a, x, b in zip(low, place, high)):
            weights = fit.weights(place)
            own = dict(weights)[c]
            off = [velocity[c][k] - sum(w * velocity[i][k] for i, w in weights) for k in range(3)]
            worst = max(worst, math.hypot(*off) / (1 - own))  # less the cell's own share: the fit without it
    return worst / max(math.hypot(*u) for u in velocity)
