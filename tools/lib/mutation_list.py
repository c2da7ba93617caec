"""The seeded faults of tools/validate mutations: their list, their places in a tree, how a source is rewritten to hold them, and how they
are drawn."""
import json
import pathlib
import random
import re
import shutil
import subprocess
import tempfile
import tomllib

from mutation_places import Source, changes, tokens_of
from program import ROOT, Failed, Missing

LIST = ROOT / "tests" / "data" / "mutations.toml"
SEED = 1
RANKS, KERNELS, ROOMS = 12, 8, 20
HEADING = """# The faults of tools/validate mutations, drawn by `tools/validate mutations --draw` of the seed from the sources of the
# commit. `before` are the lines that hold the place, as many as make it the only one of its kind; `after` is what the
# fault makes of them, from the word with the number `word` on. Blanks, breaks of lines and comments do not matter.
"""
# What is done at build time, what wants graphics cards of one make, and what watches the program itself.
NOT_DRAWN = ("src/device/generator/", "src/device/cuda/", "src/parallel/checks/", "src/parallel/calls/",
             "src/parallel/peer_", "src/parallel/device_allreduce", "shaders/bench/")
# The rooms of ranks, statements with the first words, and where several ranks matter beside them, with the second.
PARTLY_OF_RANKS = ("src/algebra/", "src/core/", "src/grid/", "src/io/", "src/mesh/", "src/operators/", "src/run/", "src/solvers/", "src/surface/")
OF_RANKS = ("src/parallel/", "src/partition/")
WORDS_OF_EXCHANGE = re.compile(r"ghost|halo|owne[rd]|exchange|rank|peer|send|receive|border|request|slice|part|label|neighbour|comm", re.I)
WORDS_OF_RANKS = re.compile(r"ghosts?(?!s?_of)|halo|owner|exchange|rank(?!s_differ)", re.I)
FUNCTION = "solenoid_fault"
HEADER = f"""// Which of the seeded faults acts: that of the variable SOLENOID_FAULT (tools/validate mutations).
#pragma once

#include <cstdlib>

inline bool {FUNCTION}(int number) {{
    static const int chosen = [] {{
        const char* const text = std::getenv("SOLENOID_FAULT");
        return text ? std::atoi(text) : 0;
    }}();
    return number == chosen;
}}
"""


class Gone(Exception):
    """The place of a fault is not in the tree, or it is there more than once."""


class Fault:
    """One row of the list. kind: ranks, kernel or room; `word`: where in the words of `before` the change begins."""

    def __init__(self, number, kind, file, operator, word, before, after):
        self.number, self.kind, self.file, self.operator = number, kind, file, operator
        self.word, self.before, self.after = word, before, after

    @property
    def room(self):
        return self.file.split("/")[1]

    def change(self):
        """How many words are replaced, and the text in place of them."""
        old, new = tokens_of(self.before), tokens_of(self.after)
        same, most = 0, min(len(old), len(new)) - self.word
        while same < most and old[-1 - same].text == new[-1 - same].text:
            same += 1
        count = len(new) - self.word - same
        text = self.after[new[self.word].start:new[self.word + count - 1].end] if count else ""
        return len(old) - self.word - same, text

    def words(self):
        """The changed line and what it becomes, in one line each."""
        return " ".join(self.before.split()), " ".join(self.after.split())

    def toml(self):
        return (f"\n[[fault]]\nnumber = {self.number}\nkind = \"{self.kind}\"\nroom = \"{self.room}\"\nfile = \"{self.file}\"\n"
                f"operator = \"{self.operator}\"\nword = {self.word}\nbefore = '''\n{self.before}'''\nafter = '''\n{self.after}'''\n")


def read_list(file=LIST):
    if not file.exists():
        raise Missing(f"no {file}: tools/validate mutations --draw writes it")
    table = tomllib.loads(file.read_text())
    return table, [Fault(*(row[key] for key in ("number", "kind", "file", "operator", "word", "before", "after"))) for row in table["fault"]]


def write_list(faults, seed, commit):
    text = HEADING + f'\nseed = {seed}\ncommit = "{commit}"\n' + "".join(fault.toml() for fault in faults)
    tomllib.loads(text)
    LIST.write_text(text)


# ---- places


class Tree:
    """The sources of a folder, read as they are needed."""

    def __init__(self, root):
        self.root, self._sources, self._joined = pathlib.Path(root), {}, {}
        if not (self.root / "src").is_dir():
            raise Missing(f"no {self.root / 'src'}")

    def files(self):
        found = [path for folder, ends in (("src", (".cpp", ".hpp")), ("shaders", (".glsl",)))
                 for path in (self.root / folder).rglob("*") if path.suffix in ends]
        names = sorted(str(path.relative_to(self.root)) for path in found)
        return [name for name in names if not name.startswith(NOT_DRAWN) and not re.search(r"/prologue|\.include\.glsl$", name)]

    def source(self, file):
        if file not in self._sources:
            self._sources[file] = Source((self.root / file).read_text())
        return self._sources[file]

    def _words(self, file):
        """All tokens of a file in one text."""
        if file not in self._joined:
            self._joined[file] = "\n" + "\n".join(token.text for token in tokens_of((self.root / file).read_text())) + "\n"
        return self._joined[file]

    def count(self, file, text):
        return self._words(file).count("\n" + "\n".join(token.text for token in tokens_of(text)) + "\n")

    def files_with(self, text):
        """Of all files, one for each time that a text is in it."""
        return [file for file in self.files() for _ in range(self.count(file, text))]

    def find(self, fault):
        """The file that holds the place, which may have moved, and the first of the tokens that change."""
        file = fault.file
        if not (self.root / file).exists() or self.count(file, fault.before) != 1:
            found = self.files_with(fault.before)
            if len(found) != 1:
                old, _ = fault.words()
                raise Gone(f"fault {fault.number}: `{old}` of {file} is in the tree {len(found) or 'no'} time{'s' if len(found) > 1 else ''}: "
                           f"tools/validate mutations --draw --only {fault.number} draws another, or tests/data/mutations.toml gets the text as it is now")
            file = found[0]
        words = self._words(file)
        at = words.index("\n" + "\n".join(token.text for token in tokens_of(fault.before)) + "\n")
        return file, words.count("\n", 0, at + 1) - 1 + fault.word


# ---- rewriting


def replacement(source, first, count, text, number):
    """(start, end, text): what a source says in place of its characters from start to end, so that the variable chooses between the
    statement as it was and one whose `count` tokens from `first` on are `text`. None where no such unit is there."""
    last = first + count
    inside = [unit for unit in source.units if unit.first <= first and max(last, first) <= unit.last]
    if not inside:
        return None
    unit = min(inside, key=lambda one: one.last - one.first)
    start, end = source.tokens[unit.first].start, source.tokens[unit.last - 1].end
    from_, to = _characters(source, first, count)
    old, new = source.text[start:end], source.text[start:from_] + text + source.text[to:end]
    choice = f"{FUNCTION}({number})"
    if unit.kind == "condition":
        return start, end, f"({choice} ? static_cast<bool>({new}) : static_cast<bool>({old}))"
    if unit.kind == "value":
        return start, end, f"({choice} ? ({new}) : ({old}))"
    return start, end, f"{{ if ({choice}) {{ {new} }} else {{ {old} }} }}"


def _characters(source, first, count):
    """Where `count` tokens stand; of none, the place before the first, behind the blank."""
    start = source.tokens[first].start
    return (start, source.tokens[first + count - 1].end) if count else (start, start)


def mutated(source, first, count, text):
    """The whole text with its fault in place."""
    start, end = _characters(source, first, count)
    return source.text[:start] + text + source.text[end:]


def rewritten(source, places):
    """A C++ text with a choice at each of [(first token, count, text, number)], None where one has no unit."""
    rows = [replacement(source, *place) for place in places]
    if None in rows:
        return None
    rows.sort(reverse=True)
    for (start, _, _), (_, end, _) in zip(rows, rows[1:]):
        if end > start:
            return None  # one within another
    text = source.text
    for start, end, new in rows:
        text = text[:start] + new + text[end:]
    include = '#include "core/fault.hpp"\n'
    return text.replace("#pragma once\n", "#pragma once\n" + include, 1) if "#pragma once\n" in text else include + "#line 1\n" + text


def kernel_variant(text, number):
    """A kernel's text under a name of its own."""
    return re.sub(r"\bKERNEL\((\w+)\)", rf"KERNEL(\1_fault{number})", text)


# ---- drawing


class Compiler:
    """Does a rewritten source compile? In a copy of the tree, by the options of a build folder that is configured and has the generated
    headers (tools/build kernel_generator and the rooms' _texts)."""

    def __init__(self, tree, build):
        database = build / "compile_commands.json"
        if not database.is_file():
            raise Missing(f"no {database}: tools/build makes it")
        cache = (build / "CMakeCache.txt").read_text()
        home = re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", cache, re.M)[1]
        self._folder = tempfile.TemporaryDirectory(prefix="mutations")
        self.root, self.build, self.tree = pathlib.Path(self._folder.name), build, tree
        for name in ("src", "shaders"):
            shutil.copytree(tree.root / name, self.root / name)
        (self.root / "src" / "core" / "fault.hpp").write_text(HEADER)
        options = dict.fromkeys(option for one in json.loads(database.read_text())
                                for option in re.findall(r"(?:-I|-isystem )\S+|-D[A-Z_]\S*(?=\s)", one["command"]))
        words = " ".join(option for option in options if "SOLENOID_SOURCE_DIR" not in option and "SOLENOID_BINARY_DIR" not in option).split()
        self.options = [word.replace(f"{home}/src", f"{self.root}/src").replace(f"{home}/shaders", f"{self.root}/shaders") for word in words]

    def _passes(self, file, *options):
        command = ["c++", "-std=c++20", "-march=native", "-O0", "-w", "-fsyntax-only", *options, *self.options, "-I", file.parent, file]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    def accepts(self, file, text):
        """A source by itself; a header by four sources that include it."""
        path = self.root / file
        before = path.read_text()
        path.write_text(text)
        try:
            if path.suffix == ".cpp":
                return self._passes(path)
            name = file.removeprefix("src/")
            users = [user for user in sorted((self.root / "src").rglob("*.cpp")) if f'"{name}"' in user.read_text() or
                     user.parent == path.parent and f'"{path.name}"' in user.read_text()]
            return bool(users) and all(self._passes(user) for user in users[:4])
        finally:
            path.write_text(before)

    def accepts_kernel(self, file, text):
        path = self.root / file
        variant = path.with_name(f"{path.stem}_fault0.glsl")
        variant.write_text(kernel_variant(text, 0))
        stem = self.root / "generated" / "kernels"
        stem.parent.mkdir(exist_ok=True)
        try:
            made = subprocess.run([self.build / "kernel_generator", "kernels", stem, variant], capture_output=True, check=False)
            return made.returncode == 0 and self._passes(stem.parent / f"kernels_{variant.stem}.cpp")
        finally:
            variant.unlink()


def context(tree, file, source, first, count):
    """(first character, last character) of the lines round a place, as many as make them the only ones of their words in the tree."""
    start, end = _characters(source, first, count)
    lines = [0, *(found.end() for found in re.finditer("\n", source.text))]
    top = max(n for n, at in enumerate(lines) if at <= start)
    bottom = max(n for n, at in enumerate(lines) if at < max(end, start + 1))
    lines.append(len(source.text) + 1)
    for grown in range(16):
        text = source.text[lines[top]:lines[bottom + 1] - 1]
        if tokens_of(text) and tree.files_with(text) == [file]:
            return lines[top], lines[bottom + 1] - 1
        if grown % 2 == 0 and top > 0:
            top -= 1
        elif bottom + 2 < len(lines):
            bottom += 1
    return None


def as_fault(tree, number, kind, file, change):
    """The row of a change, None where its lines say nothing of their own."""
    source, count = tree.source(file), change.last - change.first
    place = context(tree, file, source, change.first, count)
    if not place:
        return None
    start, end = place
    from_, to = _characters(source, change.first, count)
    before, after = source.text[start:end], source.text[start:from_] + change.text + source.text[to:end]
    fault = Fault(number, kind, file, change.operator, len(tokens_of(source.text[start:from_])), before, after)
    return fault if "'''" not in before and tree.find(fault) == (file, change.first) else None


def pools(tree, seed):
    """[(kind, files)] of the forty."""
    files = tree.files()
    of_ranks = [file for file in files if file.startswith(OF_RANKS)]
    partly = [file for file in files if file.startswith(PARTLY_OF_RANKS)]
    rows = [("ranks", of_ranks if n % 2 == 0 else partly) for n in range(RANKS)]
    folders = sorted({file.split("/")[1] for file in files if file.startswith("shaders/") and file.count("/") > 1})
    rooms = sorted({file.split("/")[1] for file in files if file.startswith("src/")} - {"parallel", "partition"})
    shuffled = random.Random(f"rooms of {seed}")
    for kind, top, names, count in (("kernel", "shaders", folders, KERNELS), ("room", "src", rooms, ROOMS)):
        order = []
        while len(order) < count:  # none twice before each was taken
            order += shuffled.sample(names, len(names))
        rows += [(kind, [file for file in files if file.startswith(f"{top}/{name}/")]) for name in order[:count]]
    return rows


def draw(tree, build, seed, numbers=(), taken=(), say=print):
    """The forty, or those of the numbers. A draw that does not compile, or whose file has a fault already, is passed over."""
    compiler, faults, files = Compiler(tree, build), [], {fault.file for fault in taken}
    for number, (kind, pool) in enumerate(pools(tree, seed), 1):
        if numbers and number not in numbers:
            continue
        fault = _draw_one(tree, compiler, random.Random(f"{seed} {number}"), number, kind, pool, files)
        say(f"{number} {kind} {fault.file}: {fault.operator}", flush=True)
        faults.append(fault)
        files.add(fault.file)
    return faults


def _draw_one(tree, compiler, drawn, number, kind, pool, files):
    for _ in range(1000):
        file = drawn.choice(pool)
        source = tree.source(file)
        by_operator = {}
        for change in changes(source):
            unit = source.slice(change.unit.first, change.unit.last)
            if kind != "ranks" or (WORDS_OF_EXCHANGE if file.startswith(OF_RANKS) else WORDS_OF_RANKS).search(unit):
                by_operator.setdefault(change.operator, []).append(change)
        if not by_operator or file in files:
            continue
        change = drawn.choice(by_operator[drawn.choice(sorted(by_operator))])
        count = change.last - change.first
        if file.endswith(".glsl"):
            compiles = compiler.accepts_kernel(file, mutated(source, change.first, count, change.text))
        else:
            text = rewritten(source, [(change.first, count, change.text, number)])
            compiles = text is not None and compiler.accepts(file, text)
        fault = as_fault(tree, number, kind, file, change) if compiles else None
        if fault:
            return fault
    raise Failed(f"no fault {number} of kind {kind} compiles: is {compiler.build} built?")
