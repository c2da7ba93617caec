"""The modules of src/ and what each, and its tests, may use: the tables of docs/architecture.md."""
import fnmatch
import functools
import pathlib
import re

RULES = "docs/architecture.md"


def table(page, section):
    """(name, words) of the indented lines "name: words" of a section."""
    found = re.search(rf"^## {re.escape(section)}$(.*?)(?=^## |\Z)", page, re.M | re.S)
    lines = re.findall(r"^    (.*)$", found.group(1), re.M) if found else []
    return [(line.partition(":")[0], line.partition(":")[2].split()) for line in lines]


class Rooms:
    """rooms: {module: its allowances}; an allowance may be a pattern, "solvers/*"."""

    def __init__(self, root):
        page = (pathlib.Path(root) / RULES).read_text()
        self.rooms = dict(table(page, "Who may include whom"))
        self.libraries = table(page, "Who may use which library")
        self.for_tests = table(page, "What tests may use")
        self.used = set()  # (place of the allowance, allowance)

    def room_of(self, path):
        """The module of a path under src/ or tests/, file or header; None where there is none."""
        parts = pathlib.PurePosixPath(path).parts[:-1]
        for length in range(len(parts), 0, -1):
            if "/".join(parts[:length]) in self.rooms:
                return "/".join(parts[:length])
        return None

    def room_of_library(self, name):
        """The module of solenoid_NAME, or of the folder that it stands for; None of other libraries."""
        words = name.removeprefix("solenoid_").split("_")
        for length in range(len(words), 0, -1):
            room = "/".join(words[:length])
            if room in self.rooms or any(other.startswith(room + "/") for other in self.rooms):
                return room
        return None

    def matching(self, pattern):
        return {room for room in self.rooms if fnmatch.fnmatchcase(room, pattern)}

    @functools.cache
    def below(self, room):
        """What a module includes, and these in turn."""
        found = set()
        for allowance in self.rooms[room]:
            for other in self.matching(allowance) - {room}:
                found |= {other} | self.below(other)
        return found

    @functools.cache
    def of_tests(self, room):
        """{what tests of a module may use beside it and what is below it: the line that says so}; libraries of tests, too."""
        found = {}
        for place, allowed in self.for_tests:
            if not any(room in self.matching(name) or self.below(room) & self.matching(name) for name in place.split()):
                continue
            for allowance in allowed:
                for other in self.matching(allowance) or {allowance}:
                    for each in {other} | (self.below(other) if other in self.rooms else set()):
                        found.setdefault(each, (place, allowance))
        return found

    def may_test(self, room, other):
        """Whether tests of a module may use another; notes the line that says so."""
        if other == room or other in self.below(room):
            return True
        if other in self.of_tests(room):
            self.used.add(self.of_tests(room)[other])
            return True
        return False
