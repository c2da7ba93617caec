"""tools/validate mutations: do the tests find seeded faults?"""
import difflib
import os
import pathlib
import re
import shutil
import subprocess

from mutation_list import FUNCTION, HEADER, LIST, Gone, Tree, draw, kernel_variant, mutated, read_list, rewritten, write_list
from mutation_runs import Runs, tests_of
from program import ROOT, Failed

NOT_COPIED = ("build", "build-*", "out", "out-*", ".git", ".cache", ".vtk*")  # of what is at the top
GENERATOR = "src/device/generator/kernel_generator.cpp"


def _numbers(options):
    return {int(word) for word in options.only.split(",") if word}


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


# ---- the copy with all faults


def _rewritten_files(tree, faults):
    """{file: text} of a tree in which SOLENOID_FAULT chooses. Places that are not there are told together."""
    by_file, texts, gone = {}, {"src/core/fault.hpp": HEADER}, []
    variants = []
    for fault in faults:
        try:
            file, first = tree.find(fault)
        except Gone as error:
            gone.append(str(error))
            continue
        count, text = fault.change()
        if file.endswith(".glsl"):
            stem = file.removesuffix(".glsl")
            texts[f"{stem}_fault{fault.number}.glsl"] = kernel_variant(mutated(tree.source(file), first, count, text), fault.number)
            variants.append((stem.rpartition("/")[2], fault.number))
        else:
            by_file.setdefault(file, []).append((first, count, text, fault.number))
    for file, places in by_file.items():
        texts[file] = rewritten(tree.source(file), places)
        if texts[file] is None:
            gone.append(f"fault {' or '.join(str(number) for *_, number in places)}: no statement of {file} holds it alone")
    if gone:
        raise Gone("\n".join(gone))
    texts[GENERATOR] = _generator((tree.root / GENERATOR).read_text(), variants)
    return texts


def _generator(text, variants):
    """The kernel generator that makes a kernel's info() choose between it and its variant: text, loops and PTX are all taken from that."""
    cases = "".join(f'    if (k.file == "{file}") return "    if ({FUNCTION}({number})) return " + k.name + "_fault{number}_info();\\n";\n'
                    for file, number in variants)
    changes = [("std::string info(const Kernel& k) {", f"std::string chosen(const Kernel& k) {{\n{cases}    return {{}};\n}}\n\n"
                                                       "std::string info(const Kernel& k) {"),
               ('"_info() {\\n    static constexpr', '"_info() {\\n" << chosen(k) << "    static constexpr'),
               ('#include \\"device/cpu/simd.hpp\\"\\n"', '#include \\"core/fault.hpp\\"\\n#include \\"device/cpu/simd.hpp\\"\\n"')]
    for old, new in changes:
        if text.count(old) != 1:
            raise Failed(f"{GENERATOR} does not say `{old}` once: tools/lib/mutations.py has to follow what it says now")
        text = text.replace(old, new)
    return text


def _apply(source, folder, faults):
    """A copy of the tree that holds all faults."""
    if folder.exists() and any(folder.iterdir()):
        raise Failed(f"{folder} is there already")
    texts, ignored = _rewritten_files(Tree(source), faults), shutil.ignore_patterns(*NOT_COPIED)
    shutil.copytree(source, folder, ignore=lambda of, names: ignored(of, names) if pathlib.Path(of) == source else (), symlinks=True, dirs_exist_ok=True)
    for file, text in texts.items():
        (folder / file).write_text(text)
    if (source / ".vtk").exists():
        (folder / ".vtk").symlink_to(source / ".vtk")
    print(f"{len(faults)} faults in {folder}: {folder}/tools/build builds it", flush=True)


def _check(source, faults):
    try:
        _rewritten_files(Tree(source), faults)
    except Gone as error:
        print(error)
        return 1
    print(f"{len(faults)} faults have their places")
    return 0


# ---- runs


def _run(options, source, faults, chosen):
    folder = (options.folder or ROOT / "out" / "mutations").resolve()
    jobs = options.jobs or len(os.sched_getaffinity(0))
    if not (folder / "src").is_dir():
        _apply(source, folder, faults)
    if not options.tests:
        subprocess.run([folder / "tools" / "build"], env={**os.environ, "JOBS": str(jobs)}, check=True)
    runs = Runs(folder, jobs)
    try:
        tests = [test for test in tests_of(folder) if re.search(options.tests, test.name)]
        return _table(folder, chosen, *_verdicts(runs, tests, chosen, options))
    finally:
        runs.close()


def _verdicts(runs, tests, chosen, options):
    """The verdict of each fault, and the tests that fail without any."""
    program = [test for test in tests if "program" in test.labels]
    by_fault = {fault.number: [[] if options.program_tests_only else [test for test in tests if test.room == fault.room], program] for fault in chosen}
    needed = list(dict.fromkeys(test for parts in by_fault.values() for part in parts for test in part))
    print(f"{len(needed)} tests without any fault", flush=True)
    seconds = runs.without_fault(needed)
    ordered = {number: [test for part in parts for test in sorted(part, key=lambda test: seconds.get(test.name, 0)) if test.name in seconds]
               for number, parts in by_fault.items()}
    print(f"{len(ordered)} faults, by {sum(map(len, ordered.values()))} tests at most", flush=True)
    return runs.with_faults(ordered, seconds), [test.name for test in needed if test.name not in seconds]


def _table(folder, chosen, verdicts, failing):
    rows = ["| fault | kind | place | change | found by | tests' seconds |", "|---|---|---|---|---|---|"]
    survived = 0
    for fault in chosen:
        queue = verdicts[fault.number]
        survived += queue.verdict == "survived"
        old, new = (re.sub(r"[|]", r"\\|", line) for line in fault.words())
        found = queue.verdict if queue.how != "timed out" else f"{queue.verdict} (timed out)"
        rows.append(f"| {fault.number} | {fault.kind}, {fault.room} | {fault.file} | {fault.operator}: `{old}` to `{new}` | {found} | {queue.seconds:.0f} |")
    rows += ["", f"{len(chosen) - survived} of {len(chosen)} found, {survived} survived."]
    rows += [f"Left out, since they fail without any fault: {', '.join(failing)}."] if failing else []
    text = "\n".join(rows) + "\n"
    (folder / "mutations" / "table.md").write_text(text)
    print(text)
    return 1 if survived else 0


def mutations(options):
    """1 where a fault has no place, or survives."""
    source = (options.source or ROOT).resolve()
    if options.draw:
        return _draw(options, source)
    _, faults = read_list()
    chosen = [fault for fault in faults if not options.only or fault.number in _numbers(options)]
    try:
        if options.list:
            _show(chosen)
        elif options.check:
            return _check(source, faults)
        elif options.apply:
            _apply(source, options.apply.resolve(), faults)
        else:
            return _run(options, source, faults, chosen)
    except Gone as error:
        raise Failed(str(error)) from error
    return 0
