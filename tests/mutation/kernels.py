"""Reads Metal kernels as text: enough of their structure to plant something in them."""

import re
from dataclasses import dataclass

IDENTIFIER = r"[A-Za-z_]\w*"


def closing(text, start, opening="(", closing=")"):
    """The place of the bracket that closes the one at `start`."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == opening) - (text[at] == closing)
        if depth == 0:
            return at
    raise ValueError("a bracket is never closed")


@dataclass
class Parameter:
    text: str  # "device const float* x [[buffer(0)]]"
    type: str  # "device const float*"
    name: str
    attribute: str  # "buffer(0)"
    start: int  # in the source
    end: int

    @property
    def is_input(self):
        return self.type.startswith("device const") and "*" in self.type

    @property
    def is_output(self):
        return self.type.startswith("device ") and "const" not in self.type and "*" in self.type

    @property
    def is_number(self):
        return re.fullmatch(r"constant (uint|int|float)&", self.type) is not None

    @property
    def element(self):
        return re.sub(r"\b(device|constant|const)\b|[*&]", "", self.type).strip()


@dataclass
class Function:
    name: str
    is_kernel: bool
    start: int  # of the first word of its head
    open: int  # the bracket of its parameters
    close: int
    body: int  # behind the brace
    end: int  # its closing brace
    parameters: list

    def position(self, word, type="uint"):
        """The name of the parameter with that attribute and type, or None."""
        for each in self.parameters:
            if each.attribute == word and each.type == type:
                return each.name
        return None


def without_comments(text):
    """The same text with comments blanked out, so that places stay where they are."""
    return re.sub(r"//[^\n]*", lambda found: " " * len(found.group()), text)


def parameters_in(text, start, end):
    found, depth, at = [], 0, start
    for i in range(start, end + 1):
        if i == end or (text[i] == "," and depth == 0):
            if text[at:i].strip():
                found.append(parameter_at(text, at, i))
            at = i + 1
        else:
            depth += text[i] in "([<"
            depth -= text[i] in ")]>"
    return found


def parameter_at(text, start, end):
    while text[start].isspace():
        start += 1
    while text[end - 1].isspace():
        end -= 1
    whole = text[start:end]
    attribute = re.search(r"\[\[(.*)\]\]", whole)
    declared = (whole[: attribute.start()] if attribute else whole).strip()
    name = re.search(IDENTIFIER + r"$", declared)
    kind = declared[: name.start()].strip() if name else declared
    return Parameter(whole, re.sub(r"\s+", " ", kind), name.group() if name else "",
                     attribute.group(1) if attribute else "", start, end)


HEAD = re.compile(r"^(?:(kernel) void|static [\w<>]+) (" + IDENTIFIER + r")\(", re.M)


def functions_in(source):
    text = without_comments(source)
    for found in HEAD.finditer(text):
        opening = found.end() - 1
        close = closing(text, opening)
        if text[close + 1:].lstrip()[:1] != "{":
            continue
        brace = text.index("{", close)
        end = closing(text, brace, "{", "}")
        yield Function(found.group(2), found.group(1) is not None, found.start(), opening, close,
                       brace + 1, end, parameters_in(text, opening + 1, close))


def kernels_in(source):
    return [each for each in functions_in(source) if each.is_kernel]


def body_of(source, function):
    return source[function.body:function.end]


def replaced(source, start, end, new):
    return source[:start] + new + source[end:]


def with_body(source, function, body):
    return replaced(source, function.body, function.end, body)


def count_word(word, text):
    return len(re.findall(rf"\b{re.escape(word)}\b", without_comments(text)))


@dataclass
class Store:
    """`name[index] = value;` of an output, in the source."""

    start: int
    end: int  # behind the semicolon
    name: str
    index: str
    operator: str
    value: str


def stores_to(source, function, name):
    text = without_comments(source)
    found = []
    for match in re.finditer(rf"(?<![\w.]){re.escape(name)}\[", text[function.body:function.end]):
        start = function.body + match.start()
        bracket = closing(text, function.body + match.end() - 1, "[", "]")
        rest = re.match(r"\s*([-+*/|&^]?=)(?!=)\s*", text[bracket + 1:])
        if not rest:
            continue
        value = bracket + 1 + rest.end()
        end = text.index(";", value)
        index = text[function.body + match.end():bracket]
        found.append(Store(start, end + 1, name, index, rest.group(1), text[value:end]))
    return found
