"""A case file with its --set overrides, as plain tables; solenoid itself has checked them."""
import pathlib
import tomllib


def _cut_key(text):
    """KEY=VALUE into the parts of KEY and VALUE; dots and = inside quotes belong to a name."""
    parts, part, quote = [], "", None
    for i, c in enumerate(text):
        if quote:
            if c == quote:
                quote = None
            else:
                part += c
        elif c in "\"'" and not part.strip():
            quote, part = c, ""
        elif c in ".=":
            parts.append(part.strip())
            part = ""
            if c == "=":
                return parts, text[i + 1:].strip()
        else:
            part += c
    raise ValueError(f"--set {text}: write KEY=VALUE")


def _value(text):
    try:
        table = tomllib.loads("value = " + text)
        if len(table) == 1:
            return table["value"]
    except tomllib.TOMLDecodeError:
        pass  # a bare word: a string
    return text


# Keys that exclude one another: one that is set replaces the others.
EXCLUSIVE = {"mesh": ("file", "box"), "output": ("interval", "every"), "time": ("courant", "tolerance", "step")}


def put(table, override):
    """Applies one KEY=VALUE."""
    parts, text = _cut_key(override)
    others = EXCLUSIVE.get(parts[0], ())
    if len(parts) > 1 and parts[1] in others:
        for other in set(others) - {parts[1]}:
            table.get(parts[0], {}).pop(other, None)
    for part in parts[:-1]:
        table = table[int(part)] if isinstance(table, list) else table.setdefault(part, {})
    last = parts[-1]
    table[int(last) if isinstance(table, list) else last] = _value(text)


def get(table, key):
    """The value of a dotted key, or None."""
    for part in key.split("."):
        if not isinstance(table, dict) or part not in table:
            return None
        table = table[part]
    return table


class Case:
    """`file` may be a case file, the folder of one, or the name of a folder in cases/."""

    def __init__(self, file, overrides, root):
        file = pathlib.Path(file)
        if not file.exists() and (root / "cases" / file).is_dir():
            file = root / "cases" / file
        if file.is_dir():
            file = file / "case.toml"
        if not file.is_file():
            raise ValueError(f"no case file {file}")
        self.file, self.folder, self.overrides = file, file.parent, list(overrides)
        try:
            self.table = tomllib.loads(file.read_text())
        except tomllib.TOMLDecodeError as error:
            raise ValueError(f"{file}: {error}") from None
        for override in overrides:
            put(self.table, override)
        self.name = self.table.get("name") or (
            file.resolve().parent.name if file.name == "case.toml" else file.stem)

    def get(self, key, default=None):
        value = get(self.table, key)
        return default if value is None else value

    @property
    def options(self):
        return [word for override in self.overrides for word in ("--set", override)]


def _text(value):
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list):
        return "[" + ", ".join(map(_text, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_text(one)}" for key, one in value.items()) + "}"
    return repr(value)


def toml(table, path=()):
    """A table and its tables, as the text of a case file; names are words."""
    tables = {key: value for key, value in table.items() if isinstance(value, dict)}
    plain = [f"{key} = {_text(value)}" for key, value in table.items() if key not in tables]
    heading = [f"[{'.'.join(path)}]"] if path and plain else []
    text = "\n".join([*heading, *plain, "", ""]) if plain else ""
    return text + "".join(toml(value, (*path, key)) for key, value in tables.items())
