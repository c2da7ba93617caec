"""Where a source can be mutated: its tokens, the statements and conditions of its functions, and the changes of each.

C++ and kernels' texts alike. A unit is what a rewritten source evaluates in one of two ways: a condition, the value of a declaration or
of a return, or a statement. Units with code of their own (lambdas) or with texts for users are left alone."""
import re

_TOKEN = re.compile(r"""
    (?P<blank>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:\\\n|[^\n])*)
  | (?P<text>R"(?P<mark>\w*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])')
  | (?P<number>(?:0[xX][0-9a-fA-F']+|(?:\d[\d']*\.?[\d']*|\.\d+)(?:[eE][+-]?\d+)?)[a-zA-Z]*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<sign><<=|>>=|<=>|\.\.\.|::|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)
""", re.X | re.S | re.M)
_OPENING, _CLOSING = "([{", ")]}"
_TYPE_WORDS = {"const", "constexpr", "static", "auto", "precise", "struct", "thread_local", "extern"}
_NO_UNIT = {"throw", "using", "typedef", "static_assert", "goto", "delete", "struct", "class", "enum", "template", "co_return"}
# Texts for users, checks, logs, times and hints of capacity: changes of them change no answer.
_ABOUT_WORDS = re.compile(r"\b(throw|fmt|format|log\w*|\w*assert\w*|reserve|shrink_to_fit|cerr|cout|warn\w*|message\w*|\w*[tT]imer\w*|seconds|"
                          r"SOLENOID_\w+|prefetch|new|free|glDelete\w+|what|words?|constexpr|sizeof|static_cast<void>|\w*_check\w*|check_\w*|\w*[cC]apacity\w*)\b")
_COMMUTES = {"min", "max", "dot", "hypot", "swap", "minmax", "product", "add", "two_sum", "two_product", "distance"}


class Token:
    """A word of a text, from character `start` to `end`."""

    def __init__(self, kind, text, start):
        self.kind, self.text, self.start, self.end = kind, text, start, start + len(text)


def tokens_of(text):
    """Without blanks, comments and lines for the preprocessor."""
    return [Token(found.lastgroup if found.lastgroup != "mark" else "text", found.group(), found.start())
            for found in _TOKEN.finditer(text) if not found["blank"]]


class Unit:
    """kind: condition, value, return, statement or jump. [first, last): its tokens; of a statement and a return the whole of it,
    with the semicolon."""

    def __init__(self, kind, first, last):
        self.kind, self.first, self.last = kind, first, last


class Source:
    """A text, its tokens, and the units of its functions."""

    def __init__(self, text):
        self.text, self.tokens, self.units = text, tokens_of(text), []
        self.is_kernel = re.search(r"^KERNEL\(", text, re.M) is not None
        self._match = self._matches()
        self._functions()

    def _matches(self):
        """{token: the one of its other bracket}"""
        match, open_ones = {}, []
        for i, token in enumerate(self.tokens):
            if token.kind == "sign" and token.text in _OPENING:
                open_ones.append(i)
            elif token.kind == "sign" and token.text in _CLOSING and open_ones:
                other = open_ones.pop()
                match[i], match[other] = other, i
        return match

    def _is(self, i, text):
        return 0 <= i < len(self.tokens) and self.tokens[i].text == text

    def _functions(self):
        """Parses the bodies of functions; all other braces belong to scopes, which are entered, or to values."""
        i, head = 0, 0
        while i < len(self.tokens):
            text = self.tokens[i].text
            if text in ";}":
                head = i + 1
            elif text in "([" and self.tokens[i].kind == "sign":
                i = self._match.get(i, i)
            elif text == "{":
                words = self._words(self._behind_template(head), i)
                before = self.tokens[i - 1].text if i else ""
                if not words or any(word in words for word in ("namespace", "class", "struct", "enum", "union", "extern")) and "(" not in words:
                    head = i + 1
                elif "(" in words and (before in (")", "const", "noexcept", "override", "final", "mutable", "}", "try") or "->" in words):
                    i = self._block(i) - 1
                    head = i + 1
                else:
                    i = self._match.get(i, i)
            i += 1

    def _behind_template(self, i):
        while self._is(i, "template") and self._is(i + 1, "<"):
            depth = 0
            for i in range(i + 1, len(self.tokens)):
                depth += {"<": 1, ">": -1, ">>": -2}.get(self.tokens[i].text, 0)
                if depth <= 0:
                    break
            i += 1
        return i

    def _words(self, first, last):
        """Those outside of brackets."""
        words, i = [], first
        while i < last:
            words.append(self.tokens[i].text)
            if self.tokens[i].text in _OPENING:
                i = self._match.get(i, i)
            i += 1
        return words

    def _block(self, i):
        """Parses from a brace on; the token behind the other one."""
        end = self._match.get(i, len(self.tokens) - 1)
        i += 1
        while i < end:
            i = max(self._statement(i, end), i + 1)
        return end + 1

    def _statement(self, i, end):
        word = self.tokens[i].text
        if word == "{":
            return self._block(i)
        if word in ("else", "do", "try", ";"):
            return i + 1
        if word in ("case", "default", "public", "private", "protected"):
            while i < end and not self._is(i, ":"):
                i += 1
            return i + 1
        if word in ("if", "while", "switch", "for", "catch"):
            return self._header(i, end)
        last = self._semicolon(i, end)
        if word in ("break", "continue") or word == "return" and last == i + 1:
            self._add("jump", i, last + 1)
        elif word == "return":
            self._add("return", i, last + 1)
        else:
            self._simple(i, last)
        self._lambdas(i, last)
        return last + 1

    def _semicolon(self, i, end):
        while i < end and not self._is(i, ";"):
            i = self._match[i] + 1 if self.tokens[i].text in _OPENING and self.tokens[i].kind == "sign" and i in self._match else i + 1
        return min(i, end)

    def _header(self, i, end):
        """Of if, for and the like; the statement within follows."""
        word = self.tokens[i].text
        is_constant = self._is(i + 1, "constexpr")
        opening = i + 2 if is_constant else i + 1
        if not self._is(opening, "("):
            return i + 1
        closing = self._match.get(opening, end)
        first = self._semicolon(opening + 1, closing)
        if word == "for":
            if first < closing:
                self._declaration(opening + 1, first)
                second = self._semicolon(first + 1, closing)
                self._add("condition", first + 1, second)
        elif word in ("if", "while") and not is_constant:
            begin = opening + 1
            if first < closing:
                self._declaration(begin, first)
                begin = first + 1
            if self._top(begin, closing, "=") is None:
                self._add("condition", begin, closing)
        self._lambdas(opening, closing)
        return closing + 1

    def _top(self, first, last, text):
        """The first token of that text outside of brackets."""
        i = first
        while i < last:
            if self._is(i, text):
                return i
            i = self._match[i] + 1 if self.tokens[i].text in _OPENING and i in self._match else i + 1
        return None

    def _declares(self, first, last):
        """Whether what stands left of `=` or of brackets names a type and a new variable."""
        left = self.tokens[first:last]
        return bool(left) and (left[0].text in _TYPE_WORDS or len(left) > 1 and left[-1].kind == "name" and (
            left[-2].kind == "name" or left[-2].text in (">", ">>", "&", "*", "&&")) and left[0].text != "*")

    def _declaration(self, first, last):
        equals = self._top(first, last, "=")
        if equals is not None and self._top(equals, last, ",") is None and not self._is(equals + 1, "{"):
            self._add("value", equals + 1, last)

    def _simple(self, first, last):
        if self.tokens[first].text in _NO_UNIT:
            return
        equals = self._top(first, last, "=")
        bracket = next((i for i in range(first, last) if self.tokens[i].text in ("(", "{")), last)
        if equals is not None and self._declares(first, equals):
            self._declaration(first, last)
        elif equals is not None or not self._declares(first, min(bracket, last)):
            self._add("statement", first, last + 1)

    def _lambdas(self, first, last):
        i = first
        while i < last:
            if self._is(i, "{") and self._is_lambda(i):
                i = self._block(i)
            else:
                i += 1

    def _is_lambda(self, i):
        i -= 1
        back = i
        while back > 0 and (self.tokens[back].kind == "name" or self.tokens[back].text in ("::", "<", ">", "*", "&")):
            back -= 1
        if self._is(back, "->") or self._is(i, "mutable"):
            i = back - 1 if self._is(back, "->") else i - 1
        if self._is(i, ")") and i in self._match:
            i = self._match[i] - 1
        return self._is(i, "]") and i in self._match and not (self.tokens[self._match[i] - 1].kind == "name" and
                                                              not self._is(self._match[i] - 1, "return"))

    def _add(self, kind, first, last):
        if first >= last:
            return
        unit = Unit(kind, first, last)
        inside = self.tokens[first:last]
        if any(token.kind == "text" for token in inside) or any(self._is(i, "{") and self._is_lambda(i) for i in range(first, last)):
            return
        if _ABOUT_WORDS.search(self.slice(first, last)):
            return
        self.units.append(unit)

    def slice(self, first, last):
        """The text of tokens [first, last)."""
        return self.text[self.tokens[first].start:self.tokens[last - 1].end] if first < last else ""


class Change:
    """Tokens [first, last) become `text`. operator: the kind of the change."""

    def __init__(self, operator, unit, first, last, text):
        self.operator, self.unit, self.first, self.last, self.text = operator, unit, first, last, text


_RELATIONS = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=", "!="), "!=": ("==", "==")}
_ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "/"}
_ASSIGNMENTS = {"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="}
_NAMES = {"min": "max", "max": "min", "true": "false", "false": "true", "begin": "end", "first": "last", "front": "back", "back": "front",
          "floor": "ceil", "ceil": "floor", "sin": "cos", "cos": "sin", "all_of": "any_of", "any_of": "all_of", "lower_bound": "upper_bound",
          "upper_bound": "lower_bound"}
_COUNTS = re.compile(r"\b(size|count|number|begin|end|first|last|rank|ranks|index|[ijkn])\b")
_ONE = re.compile(r"-?\s*1(\.0*)?[uf]?\b|real\(1\)")


def _other_number(text):
    """A literal, changed: an integer by one, another doubled; 0.0 becomes 1.0."""
    found = re.fullmatch(r"(0[xX].*)|([\d']+)([uUlLzZ]*)|([\d'.]+(?:[eE][+-]?\d+)?)([fF]?)", text)
    if not found or found[1]:
        return None
    if found[2]:
        return str(int(found[2].replace("'", "")) + 1) + found[3]
    value = float(found[4].replace("'", ""))
    return f"{2 * value if value else 1.0!r}{found[5]}"


def _is_spaced(source, i):
    """Whether it is an operator between two values: clang-format sets blanks on both sides."""
    token = source.tokens[i]
    return source.text[token.start - 1:token.start].isspace() and source.text[token.end:token.end + 1].isspace()


def _arguments(source, opening, closing):
    """[(first, last)] of the arguments between two parentheses."""
    rows, begin, i = [], opening + 1, opening + 1
    while i < closing:
        if source.tokens[i].text in _OPENING and i in source._match:
            i = source._match[i]
        elif source.tokens[i].text == ",":
            rows.append((begin, i))
            begin = i + 1
        i += 1
    return [*rows, (begin, closing)]


def _swaps(source, unit):
    for i in range(unit.first + 1, unit.last):
        if source.tokens[i].text != "(" or source.tokens[i - 1].kind != "name" or source.tokens[i - 1].text in _COMMUTES | {"if", "while"}:
            continue
        rows = _arguments(source, i, source._match.get(i, i + 1))
        for (a, b), (c, d) in zip(rows, rows[1:]):
            one, other = source.slice(a, b), source.slice(c, d)
            if one and other and one != other and all(re.fullmatch(r"[\w.>\[\]()-]+", word) and not re.fullmatch(r"[\d.u]+", word) for word in (one, other)):
                yield Change("arguments swapped", unit, a, d, f"{other}, {one}")


def changes(source):
    """All of a source."""
    for unit in source.units:
        text = source.slice(unit.first, unit.last)
        if unit.kind == "jump":
            yield Change("jump dropped", unit, unit.first, unit.last, ";")
            continue
        if unit.kind == "condition" and len(source.tokens) > unit.last and source.tokens[unit.last].text == ")":
            yield Change("condition negated", unit, unit.first, unit.last, f"!({text})")
        if unit.kind == "statement" and re.search(r"[(=]", text):
            yield Change("statement deleted", unit, unit.first, unit.last, ";")
        yield from _swaps(source, unit)
        for i in range(unit.first, unit.last):
            yield from _of_token(source, unit, i, text)


def _of_token(source, unit, i, text):
    token = source.tokens[i]
    if token.kind == "number":
        other = _other_number(token.text)
        if other:
            yield Change("constant changed", unit, i, i + 1, other)
    elif token.kind == "name" and token.text in _NAMES and source.tokens[i - 1].text != ".":
        yield Change("name replaced", unit, i, i + 1, _NAMES[token.text])
    elif token.text in ("!",) and source.tokens[i + 1].text != "=":
        yield Change("negation dropped", unit, i, i + 1, "")
    elif token.text in ("*", "/", "*=", "/=") and _ONE.match(source.text[token.end:].lstrip()):
        return  # by one, and in place of it by one
    elif token.text in _ASSIGNMENTS:
        yield Change("assignment replaced", unit, i, i + 1, _ASSIGNMENTS[token.text])
    elif token.text == "]" and i in source._match and source._match[i] > unit.first and source.tokens[source._match[i] - 1].kind == "name":
        yield Change("index shifted", unit, i, i, " + 1")
    elif not _is_spaced(source, i):
        return
    elif token.text in _RELATIONS:
        boundary, reverse = _RELATIONS[token.text]
        if unit.kind == "condition" and source.tokens[unit.last].text == ";":  # of a loop: the last turn is dropped
            if token.text == "<":
                yield Change("boundary off by one", unit, i, i, "+ 1u " if source.is_kernel else "+ 1 ")
        elif _COUNTS.search(text) and boundary != reverse:
            yield Change("boundary off by one", unit, i, i + 1, boundary)
        else:
            yield Change("relation replaced", unit, i, i + 1, reverse)
    elif token.text in _ARITHMETIC:
        yield Change("arithmetic replaced", unit, i, i + 1, _ARITHMETIC[token.text])
    elif token.text in ("&&", "||"):
        yield Change("logic replaced", unit, i, i + 1, {"&&": "||", "||": "&&"}[token.text])
