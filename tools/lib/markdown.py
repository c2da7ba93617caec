"""Layout of the pages that tools write: lines of at most 100 columns but for tables, code and headings."""
import re
import textwrap

COLUMNS = 100
VERBATIM = re.compile(r"\||#|<!--|    ")
ITEM = re.compile(r"(- |\d+\. )")
PICTURE = re.compile(r"!\[(.*)\]\((\S+)\)$")


def picture(text, path):
    """A picture's lines; the path, which cannot be broken, has one of its own where both are too long for one."""
    line = f"![{text}]({path})"
    return line if len(line) <= COLUMNS else f"{textwrap.fill(f'![{text}](', COLUMNS, break_on_hyphens=False)}\n{path})"


def filled(lines):
    """A paragraph, or an item of a list."""
    text = " ".join(line.strip() for line in lines)
    item = ITEM.match(text)
    # No line may begin with what Markdown would take for an item's mark: a sign stays with the word before it.
    text = re.sub(r" (?=(?:[-+*=|]|\d+[.)]) )", "\0", text[len(item[0]):] if item else text)
    first = item[0] if item else ""
    done = textwrap.fill(text, COLUMNS, initial_indent=first, subsequent_indent=" " * len(first), break_on_hyphens=False, break_long_words=False)
    return done.replace("\0", " ")


def laid_out(text):
    """Markdown with its paragraphs and lists filled; idempotent."""
    out, paragraph = [], []

    def flush():
        if paragraph:
            joined = " ".join(line.strip() for line in paragraph)
            found = PICTURE.match(joined.replace("]( ", "]("))
            out.append(picture(found[1], found[2]) if found else filled(paragraph))
            paragraph.clear()

    for line in text.split("\n"):
        if not line.strip() or VERBATIM.match(line) and not paragraph:
            flush()
            out.append(line.rstrip())
        elif VERBATIM.match(line) and not line.startswith("    "):
            flush()
            out.append(line)
        else:
            if ITEM.match(line):
                flush()
            paragraph.append(line)
    flush()
    return "\n".join(out)
