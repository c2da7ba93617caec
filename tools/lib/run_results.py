"""The numbers that a run left, how far those of two runs are apart, and a digest of them that fits into a small file."""
import array
import collections
import json
import math
import re

from program import summary, table
from vtk_state import State

SAMPLES = 4  # of a field, in a digest; of a table's column the last row

Difference = collections.namedtuple("Difference", "value where")  # relative; of which quantity


class Results:
    """quantities[WHERE, NAME]: numbers; WHERE is "points", "cells" or "mesh" of the last state, or a monitor, or "ranges", those
    of the whole run in its summary. NaN stands where a monitor has no value. Without a case's name: monitors and summary alone."""

    def __init__(self, folder, name=None):
        self.summary, self.quantities = summary(folder), {}
        if name is not None:
            state = State(folder, name)
            self.quantities = {("mesh", "position"): _flat(state.nodes), ("mesh", "cells"): _flat(state.cells),
                               ("mesh", "time"): _flat([state.time])}
            for where, fields in (("points", state.points), ("cells", state.values)):
                for field, values in fields.items():
                    self.quantities[where, field] = _flat(values)
        for file in sorted((folder / "monitors").glob("*.csv")):
            rows = table(file)
            for column in rows[0] if rows else []:
                self.quantities[file.stem, column] = array.array("d", [_number(row[column]) for row in rows])
        for key, values in self.summary.get("ranges", {}).items():
            self.quantities["ranges", key] = _flat(values)

    @property
    def iterations(self):
        return sum(solve["iterations"] for solve in self.summary.get("solves", []))

    def magnitudes(self):
        """By group of quantities (see _group), of the largest of its numbers."""
        found = collections.defaultdict(float)
        columns = _columns(self.quantities)
        for (where, name), values in self.quantities.items():
            group = _group(where, name, columns[where])
            found[group] = max(found[group], max((abs(v) for v in values if not math.isnan(v)), default=0.0))
        found["max_divergence"] = 1.0  # it is relative already
        found["q_criterion"] = max(found["q_criterion"], found["vorticity"] ** 2 / 4)  # the larger of its two parts, at least
        found["flux"] = max(found["flux"], found["velocity"])  # through sides that let nothing through it is rounding
        return found

    def digest(self):
        """Of every quantity but the places of monitors: how many numbers, how many of them known, the least, the largest, the
        root mean square, and some of them. With "magnitudes" of their groups, which `digest_difference` needs."""
        magnitudes, columns, used, digest = self.magnitudes(), _columns(self.quantities), {}, {}
        for (where, name), values in self.quantities.items():
            if name in ("s", "x", "y", "z") or where == "ranges":
                continue
            group = _group(where, name, columns[where])
            used[group] = magnitudes[group]
            digest[f"{where}: {name}"] = [group, *_digest(where, values)]
        return {"magnitudes": used, **digest}


def _number(text):
    return math.nan if text == "" else float(text)


def _flat(values):
    """Numbers, or tuples of them, as one array; None, an entity that is not there, is left out."""
    result = array.array("d")
    for value in values:
        if isinstance(value, tuple):
            result.extend(value)
        elif value is not None:
            result.append(value)
    return result


def _columns(keys):
    """The names at every place."""
    found = collections.defaultdict(set)
    for where, name in keys:
        found[where].add(name)
    return found


def _group(where, name, columns):
    """What is measured by the same magnitude: a component by its vector's, a sum by that of its parts."""
    if where == "ranges":
        return "velocity" if name == "speed" else re.sub(r"_[xyz]$", "", name)
    if where in ("mesh", "points", "cells"):
        return name
    if name in ("s", "x", "y", "z"):
        return "position"
    if name in ("time", "step_length"):
        return "time"
    if where == "boundaries" or name.startswith("flux_"):
        return "flux"
    if name in ("u", "v", "w"):
        return "velocity"
    if name == "p" or name.startswith("pressure_rise_"):
        return "pressure"
    if name.startswith("omega"):
        return "vorticity"
    if "force_x" in columns and name == "apart":
        return f"{where}: apart"
    if "force_x" in columns:
        return f"{where}: " + ("coefficients" if name.endswith("_coefficient") else "forces")
    if {"rate", "residual"} <= columns and name != "kinetic_energy":
        return f"{where}: power"
    return name


def difference(old, new):
    """None: the same, bit by bit. Otherwise the largest difference, relative to the magnitude of its quantity."""
    for key in old.quantities.keys() | new.quantities.keys():
        for results, which in ((old, "new"), (new, "old")):
            if key not in results.quantities:
                return Difference(math.inf, f"{_words(key)}, only in the {which} one")
    one, other = old.magnitudes(), new.magnitudes()
    columns = _columns(old.quantities)
    worst = None
    for (where, name), values in old.quantities.items():
        changed = new.quantities[where, name]
        if values.tobytes() == changed.tobytes():
            continue
        if len(values) != len(changed):
            return Difference(math.inf, f"{_words((where, name))}: {len(values)} and {len(changed)} numbers")
        group = _group(where, name, columns[where])
        found = Difference(_largest(values, changed, max(one[group], other[group])), _words((where, name)))
        if worst is None or found.value > worst.value:
            worst = found
    return worst


def _words(key):
    where, name = key
    return f"{name} ({where})"


def _largest(values, changed, magnitude):
    """Of the differences, relative; 0 where only signs of zeros differ."""
    return max(_relative(a, b, magnitude) for a, b in zip(values, changed))


def _relative(a, b, magnitude):
    if a == b or math.isnan(a) and math.isnan(b):
        return 0.0
    gap = abs(a - b)
    return gap / magnitude if gap < math.inf and magnitude > 0 else math.inf  # NaN is not less


def _digest(where, values):
    known = [v for v in values if not math.isnan(v)]
    last = len(values) - 1
    samples = [values[i * last // (SAMPLES - 1)] for i in range(SAMPLES)] if where in ("points", "cells") else values[-1:]
    return [len(values), len(known), min(known, default=0.0), max(known, default=0.0),
            math.sqrt(math.fsum(v * v for v in known) / max(1, len(known))),
            *(None if math.isnan(v) else v for v in samples)]


def digest_text(digest):
    return "{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(values)}" for name, values in digest.items()) + "\n}\n"


def digest_difference(stored, found):
    """As `difference`, of two digests."""
    for name in stored.keys() | found.keys():
        if name not in stored or name not in found:
            return Difference(math.inf, f"{name}, only in the {'stored' if name in stored else 'new'} one")
    worst = None
    for name in stored.keys() - {"magnitudes"}:
        (group, *one), (_, *other) = stored[name], found[name]
        if one[:2] != other[:2] or len(one) != len(other):
            return Difference(math.inf, f"{name}: {one[1]} and {other[1]} numbers of {one[0]} and {other[0]}")
        magnitude = max(digest["magnitudes"].get(group, 0.0) for digest in (stored, found))
        gap = _largest(*([math.nan if v is None else v for v in values] for values in (one, other)), magnitude)
        if one != other and (worst is None or gap > worst.value):
            worst = Difference(gap, name)
    return worst
