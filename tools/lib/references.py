"""cases/*/validate.toml: what a case's results are compared with (format: tools/validate --help)."""
import pathlib
import tomllib

from case_file import get, put
from program import table
from sampling import extremum


class References:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        file = self.folder / "validate.toml"
        content = tomllib.loads(file.read_text()) if file.exists() else {}
        self.title = content.get("title", self.folder.name)
        self.runs = content.get("run", [])
        self.studies = content.get("study", [])
        self.exact = content.get("exact")

    def run_of(self, case):
        """The [[run]] whose settings the case has (mesh, time and solver aside), or None."""
        for run in self.runs:
            wanted = {}
            for override in run.get("set", []):
                put(wanted, override)
            if all(case.get(key) == get(wanted, key) for key in _keys(wanted) if key.split(".")[0] not in ("mesh", "time", "solver")):
                return run
        return None

    def profile(self, entry):
        """[(position along the line, value), ...] of a [[run.profile]]; empty fields of the table are left out."""
        rows = table(self.folder / entry["reference"])
        along, column = entry.get("reference_along", entry["along"]), entry.get("reference_column", entry["column"])
        left_out = entry.get("leave_out", [])
        return sorted((row[along], row[column]) for row in rows
                      if isinstance(row[column], float) and row[along] not in left_out)


def _keys(tables, before=""):
    for key, value in tables.items():
        if isinstance(value, dict):
            yield from _keys(value, before + key + ".")
        else:
            yield before + key


def taken(how, s, values):
    """One number of a row of samples: a [[run.quantity]]'s `take`."""
    if how in ("smallest", "largest"):
        return extremum(s, values, 1 if how == "largest" else -1)[1]
    if how == "magnitude":
        return max(abs(value) for value in values)
    if how == "last":
        return values[-1]
    if how == "mean":
        return sum(values) / len(values)
    if how == "crossing":
        return crossing(s, values)
    if isinstance(how, (int, float)):
        return interpolated(s, values, how)
    raise ValueError(f'take = {how!r}: known are "smallest", "largest", "magnitude", "last", "mean", "crossing" and a position')


def crossing(s, values):
    """The last place where linearly joined samples pass zero."""
    for (a, b), (p, q) in reversed(list(zip(zip(s, s[1:]), zip(values, values[1:])))):
        if (p < 0) != (q < 0):
            return a + (b - a) * p / (p - q)
    raise ValueError("the samples do not pass zero")


def interpolated(s, values, position):
    """Linear between samples."""
    for (a, b), (p, q) in zip(zip(s, s[1:]), zip(values, values[1:])):
        if a <= position <= b:
            return p + (q - p) * (position - a) / (b - a) if b > a else p
    raise ValueError(f"no sample near {position}")
