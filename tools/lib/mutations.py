"""tools/validate mutations: do the tests find seeded faults?"""
import difflib
import subprocess

from mutation_list import LIST, Gone, Tree, draw, read_list, rewritten, write_list
from program import ROOT


def _numbers(options):
    return {int(word) for word in options.only.split(",") if word}


def _chosen(options):
    table, faults = read_list()
    return table, [fault for fault in faults if not options.only or fault.number in _numbers(options)]


def _show(faults):
    for fault in faults:
        print(f"{fault.number} {fault.kind} {fault.file}: {fault.operator}")
        for line in difflib.ndiff(fault.before.split("\n"), fault.after.split("\n")):
            if not line.startswith("?"):
                print("    " + line)


def _commit(source):
    said = subprocess.run(["git", "-C", source, "rev-parse", "--short=8", "HEAD"], capture_output=True, text=True, check=False)
    return said.stdout.strip() or "unknown"


def _draw(options, source):
    """All, or those of --only in place of what the list has."""
    kept = [fault for fault in read_list()[1] if fault.number not in _numbers(options)] if options.only else []
    drawn = draw(Tree(source), options.build or ROOT / "build", options.seed, _numbers(options), kept)
    commit = read_list()[0]["commit"] if options.only else _commit(source)
    write_list(sorted([*kept, *drawn], key=lambda fault: fault.number), options.seed, commit)
    print(f"{len(drawn)} drawn: {LIST.relative_to(ROOT)}")
    return 0


def _check(tree, faults):
    """Whether every place is there and can be rewritten."""
    missing = 0
    for fault in faults:
        try:
            file, first = tree.find(fault)
            count, text = fault.change()
            if not file.endswith(".glsl") and rewritten(tree.source(file), [(first, count, text, fault.number)]) is None:
                raise Gone(f"fault {fault.number}: no statement of {file} holds it alone")
        except Gone as error:
            print(error)
            missing += 1
    print(f"{len(faults) - missing} of {len(faults)} faults have their place")
    return 1 if missing else 0


def mutations(options):
    """1 where a fault has no place, or survives."""
    source = (options.source or ROOT).resolve()
    if options.draw:
        return _draw(options, source)
    _, faults = _chosen(options)
    if options.list:
        _show(faults)
        return 0
    return _check(Tree(source), faults)
