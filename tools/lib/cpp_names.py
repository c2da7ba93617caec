"""Names that a C++ text declares, told from its tokens alone: types, functions and variables, members of classes."""
import re

TYPE, LOWER = re.compile(r"[A-Z][A-Za-z0-9]*"), re.compile(r"[a-z][a-z0-9_]*")
MACRO = re.compile(r"[A-Z][A-Z0-9_]*")
TOKEN = re.compile(r"[A-Za-z_]\w*|::|->|\d[\w.']*|\S")
# Not types: what may stand before a name and its parenthesis.
KEYWORDS = set("return else new throw case co_return co_await co_yield delete goto typename using and or not do explicit operator sizeof "
               "if while for switch catch decltype alignof static_assert requires concept template public private protected".split())
OF_OTHERS = {"SetUp", "TearDown", "PrintTo", "__attribute__"}  # GoogleTest's, the compiler's
CLASSES = ("class", "struct", "union", "enum")


def blanked(text):
    """The text with comments, literals and preprocessor lines turned into blanks, line by line as before."""
    pattern = re.compile(r'R"(\w*)\((?:.|\n)*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*(?:.|\n)*?\*/|^[ \t]*#(?:\\\n|[^\n])*', re.M)
    return pattern.sub(lambda match: '""' + re.sub(r"[^\n]", " ", match.group())[2:] if match.group()[0] in 'R"' else re.sub(r"[^\n]", " ", match.group()), text)


def tokens(text):
    line = 1
    at = 0
    for match in TOKEN.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        yield match.group(), line


def is_word(token):
    return re.fullmatch(r"[A-Za-z_]\w*", token) is not None


def type_faults(stream):
    for k, (token, line) in enumerate(stream[:-2]):
        if token not in CLASSES or (k and stream[k - 1][0] in ("<", ",", "enum", "friend", "typename")):
            continue
        n = k + 1 + (stream[k + 1][0] in CLASSES)
        name, after = stream[n][0], stream[n + 1][0]
        if is_word(name) and after in ("{", ":", "final", ";", "<") and not TYPE.fullmatch(name):
            yield line, f"type {name} is not in CamelCase"


def function_faults(stream):
    """Whatever a type precedes and a parenthesis follows: functions, and variables that are constructed."""
    for k in range(1, len(stream) - 1):
        (before, _), (name, line), (after, _) = stream[k - 1], stream[k], stream[k + 1]
        if after != "(" or not is_word(name) or name in OF_OTHERS or before in KEYWORDS or name in KEYWORDS:
            continue
        if not (is_word(before) or before in (">", "&", "*")):
            continue
        if before in ("&", "*", ">") and not declares(stream, k - 2):
            continue
        if before == ">" and TYPE.fullmatch(name):
            continue  # a constructor that is a template
        if not LOWER.fullmatch(name) and not MACRO.fullmatch(name):
            yield line, f"{name} is not in lower_case"


def declares(stream, k):
    """Whether "& name(" begins a declaration: only what a type can be made of stands before it in its statement."""
    while k >= 0 and stream[k][0] not in (";", "{", "}", ":"):
        if not (is_word(stream[k][0]) or stream[k][0] in ("::", "<", ">", "&", "*", ",")) or stream[k][0] in KEYWORDS - {"typename", "template"}:
            return False
        k -= 1
    return True


def member_faults(stream):
    """Data members: private ones end with an underscore, public ones do not."""
    scopes, statement, parens = [], [], 0  # scopes: access of a class, or None
    for token, line in stream:
        is_class = bool(scopes) and scopes[-1] is not None
        if token in "()":
            parens += 1 if token == "(" else -1
        if token == "{" and not parens:
            words = [word for word, _ in statement]
            if is_class and not access_within(words) and "(" not in words and "operator" not in words:
                scopes.append(None)  # braces of an initial value: the statement goes on
                statement.append((token, line))
                continue
            scopes.append(access_within(words))
            statement = []
        elif token == "}" and not parens:
            kept = [word for word, _ in statement]
            if scopes:
                scopes.pop()
            if "{" not in kept:
                statement = []
        elif token == ":" and is_class and len(statement) == 1 and statement[0][0] in ("public", "private", "protected"):
            scopes[-1] = statement[0][0]
            statement = []
        elif token == ";" and not parens:
            if is_class:
                yield from member_name(statement, scopes[-1])
            statement = []
        else:
            statement.append((token, line))


def access_within(words):
    """The first access of the class that "words {" opens; None where it opens a function or an enumeration."""
    heads = [k for k, word in enumerate(words) if word in ("class", "struct") and (k == 0 or words[k - 1] not in ("<", ","))]
    if "enum" in words or not heads or "(" in words[heads[-1]:] or "=" in words[heads[-1]:]:
        return None
    return "private" if words[heads[-1]] == "class" else "public"


def member_name(statement, access):
    words = [word for word, _ in statement]
    if not words or words[0] in ("using", "friend", "static", "template", "enum", "class", "struct", "typedef", "static_assert", "constexpr", "inline"):
        return
    depth, head = 0, []
    for word in words:  # up to the initial value
        if word in ("=", "{", "["):
            break
        if word == "(":
            return  # a function
        head.append(word)
    names, depth = [], 0
    for k, word in enumerate(head):
        depth += (word == "<") - (word == ">")
        if depth == 0 and is_word(word) and (k + 1 == len(head) or head[k + 1] == ",") and k:
            names.append(word)
    for name in names:
        if access == "private" and not name.endswith("_"):
            yield statement[0][1], f"private member {name} without a trailing underscore"
        if access == "public" and name.endswith("_"):
            yield statement[0][1], f"public member {name} with a trailing underscore"


def faults(text):
    """(line, what), in order."""
    stream = list(tokens(blanked(text)))
    return sorted([*type_faults(stream), *function_faults(stream), *member_faults(stream)])
