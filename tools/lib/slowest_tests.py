"""tools/test --slowest [N]: the longest tests of the last run."""
import pathlib
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]


def seconds_of(folder):
    """[(seconds, name)] of the tests that ran in a build folder, from ctest's JUnit file; none without one."""
    file = folder / "tests.xml"
    if not file.exists():
        return []
    cases = xml.etree.ElementTree.parse(file).getroot().iter("testcase")
    return [(float(case.get("time")), case.get("name")) for case in cases if case.get("status") != "disabled"]


def main(words):
    if len(words) > 1 or not all(word.isdigit() and int(word) > 0 for word in words):
        print("test: --slowest takes one whole number: how many to list", file=sys.stderr)
        return 2
    count = int(words[0]) if words else 20
    runs = {folder: seconds_of(ROOT / folder) for folder in ("build", "build-sanitize")}
    if not any(runs.values()):
        print("test: no tests have run here: tools/test runs them", file=sys.stderr)
        return 1
    for folder, rows in runs.items():
        if not rows:
            continue
        print(f"{folder}: {len(rows)} tests, {sum(row[0] for row in rows):.0f} s one after the other")
        for seconds, name in sorted(rows, reverse=True)[:count]:
            print(f"{seconds:8.1f}  {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
