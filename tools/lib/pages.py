"""Faults of Markdown pages: prose beyond 100 columns, links and quoted chapters that lead nowhere."""
import re

COLUMNS = 100
FENCE = re.compile(r"^```.*?^```$", re.S | re.M)
LINK = re.compile(r"\]\(\s*([^)\s]+)\s*\)")
QUOTED = re.compile(r"docs/([a-z-]+\.md),\s[\"*]([^\"*]+)[\"*]")


def slug(heading):
    """A heading's anchor, as GitHub makes it."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"[`*]", "", heading.strip()))
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def _blank(text, pattern):
    """The text with what matches left empty, on as many lines."""
    return re.sub(pattern, lambda found: "\n" * found.group().count("\n"), text)


def page_faults(path, text, pages):
    """(line, what). path: a pathlib.Path of the page; pages: {resolved path: text} of all pages."""
    prose = _blank(text, FENCE)
    for number, line in enumerate(prose.split("\n"), 1):
        if len(line) > COLUMNS and not line.startswith(("|", "    ", "#")):
            yield number, f"{len(line)} columns of prose, {COLUMNS} at most"
    without_code = _blank(_blank(prose, re.compile(r"^    .*$", re.M)), re.compile(r"`[^`\n]*`"))
    for found in LINK.finditer(without_code):
        number = without_code.count("\n", 0, found.start()) + 1
        name, _, anchor = found[1].partition("#")
        if "://" in name:
            continue
        target = (path.parent / name).resolve() if name else path.resolve()
        if not target.exists():
            yield number, f"a link to {name}, which is not there"
        elif anchor and target in pages and anchor not in {slug(h) for h in re.findall(r"^#+ (.*)$", _blank(pages[target], FENCE), re.M)}:
            yield number, f"a link to the chapter #{anchor}, which {target.name} has not"


def quote_faults(text, docs):
    """(line, what) of chapters that a comment quotes, docs/PAGE.md, "CHAPTER". docs: {PAGE.md: text}."""
    joined = re.sub(r"\n\s*(?://|#)? ?", lambda found: " " * len(found.group()), text)  # comments go on behind // or #
    for found in QUOTED.finditer(joined):
        page, chapter = docs.get(found[1], ""), re.escape(re.sub(r"\s+", " ", found[2]))
        paragraphs = re.sub(r"(?<!\n)\n(?!\n|#)", " ", page)
        if not re.search(rf"^#+ {chapter}$|\*{chapter}\b", paragraphs, re.M):
            yield text.count("\n", 0, found.start()) + 1, f"docs/{found[1]} has no chapter {re.sub(r'[ ]+', ' ', found[2])!r}"
