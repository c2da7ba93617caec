"""Formulas of case files (docs/case-file.md) as Python functions of (x, y, z, t)."""
import math
import re

NAMES = {
    "pi": math.pi, "e": math.e, "abs": abs, "sign": lambda a: (a > 0) - (a < 0), "sqrt": math.sqrt, "exp": math.exp,
    "log": math.log, "ln": math.log, "log2": math.log2, "log10": math.log10, "pow": math.pow, "sin": math.sin,
    "cos": math.cos, "tan": math.tan, "asin": math.asin, "acos": math.acos, "atan": math.atan, "atan2": math.atan2,
    "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh, "asinh": math.asinh, "acosh": math.acosh,
    "atanh": math.atanh, "erf": math.erf, "floor": math.floor, "ceil": math.ceil, "rint": round, "min": min, "max": max,
    "sum": lambda *a: sum(a), "avg": lambda *a: sum(a) / len(a),
}
TOKEN = re.compile(r"\s*(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|\w+|<=|>=|==|!=|&&|\|\||[-+*/^()<>?:,])")


class _Reader:
    """Recursive descent over muParser's grammar, to the text of a Python expression."""

    LEVELS = [{"||": " or "}, {"&&": " and "}, {o: o for o in ("<", "<=", ">", ">=", "==", "!=")}, {"+": "+", "-": "-"},
              {"*": "*", "/": "/"}]

    def __init__(self, text):
        self.text, self.tokens, at = text, [], 0
        while text[at:].strip():
            found = TOKEN.match(text, at)
            if not found:
                raise ValueError(f"cannot read the formula {text!r} at {text[at:]!r}")
            self.tokens.append(found.group(1))
            at = found.end()

    def take(self, *wanted):
        if self.tokens and (not wanted or self.tokens[0] in wanted):
            return self.tokens.pop(0)
        return None

    def need(self, token):
        if not self.take(token):
            raise ValueError(f"cannot read the formula {self.text!r}: no {token!r} where it should be")

    def choice(self):
        condition = self.binary(0)
        if not self.take("?"):
            return condition
        first = self.choice()
        self.need(":")
        return f"({first} if {condition} else {self.choice()})"

    def binary(self, level):
        if level == len(self.LEVELS):
            return self.signed()
        left = self.binary(level + 1)
        while operator := self.take(*self.LEVELS[level]):
            left = f"({left}{self.LEVELS[level][operator]}{self.binary(level + 1)})"
        return left

    def signed(self):
        if sign := self.take("-", "+"):
            return f"({sign}{self.signed()})"
        base = self.operand()
        return f"({base}**{self.signed()})" if self.take("^") else base

    def operand(self):
        if self.take("("):
            inner = self.choice()
            self.need(")")
            return inner
        token = self.take()
        if token is None or not re.match(r"[\w.]", token):
            raise ValueError(f"cannot read the formula {self.text!r} at {token!r}")
        if not self.take("("):
            return token if token[0].isalpha() or token[0] == "_" else f"float({token})"
        arguments = [self.choice()]
        while self.take(","):
            arguments.append(self.choice())
        self.need(")")
        return f"{token}({','.join(arguments)})"


class Formula:
    """A number, or text; `variables`: those of x, y, z and t that stand in it."""

    def __init__(self, text):
        self.text = str(text)
        reader = _Reader(self.text)
        expression = reader.choice()
        if reader.tokens:
            raise ValueError(f"cannot read the formula {self.text!r} at {reader.tokens[0]!r}")
        code = compile(expression, self.text, "eval")
        unknown = set(code.co_names) - set(NAMES) - {"x", "y", "z", "t", "float"}
        self.variables = set(code.co_names) & {"x", "y", "z", "t"}
        self.depends_on_time = "t" in self.variables
        if unknown:
            raise ValueError(f"the formula {self.text!r} has the unknown name {min(unknown)!r}")
        self.function = eval(f"lambda x, y, z, t: {expression}", dict(NAMES))  # noqa: S307 only names of the table

    def __call__(self, point, time=0.0):
        return float(self.function(point[0], point[1], point[2], time))


class VectorFormula:
    """Two or three formulas; a point gives three numbers."""

    def __init__(self, texts):
        self.parts = [Formula(text) for text in texts]
        self.depends_on_time = any(part.depends_on_time for part in self.parts)

    def __call__(self, point, time=0.0):
        values = [part(point, time) for part in self.parts]
        return tuple(values + [0.0] * (3 - len(values)))
