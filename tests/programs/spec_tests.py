"""The calls that the `tests:` lines of spec/aten state, as Python text with places for tensors."""

import dataclasses
import functools
import math
import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent / "spec" / "aten"
DTYPES = {"f32": "float32", "f64": "float64", "i64": "int64", "i32": "int32", "i16": "int16", "i8": "int8",
          "u8": "uint8", "bool": "bool"}  # fmt: skip
TENSOR = re.compile(
    r"\b(f32|f64|i64|i32|i16|i8|u8|bool)\[([\d,]*)\]"
    r"(?: in (-?[\d.e+-]+?)\.\.(-?[\d.]+))?(?: of (\[[^\]]*\]))?(?: from (-?[\d.]+) to (-?[\d.]+))?"
)
OTHER_TENSOR = re.compile(r"\b(f16|bf16|f8\w*|c64|c128|u16|u32|u64|i4|u4)\[")
NOT_UNIQUE = ("refuses=", "compare=", "holds=", "domain=", "keep=", "training=")
# Their results are random, whatever lay in memory, or unique up to a sign; or they take arguments that PyTorch does not
# check: sorted ones, sizes of a packed batch.
OPEN_NAMES = re.compile(
    r"empty|rand|dropout|bernoulli|multinomial|normal$|poisson|uniform|exponential|cauchy|geometric|resize|fused|quant"
    r"|svd|eig|cholesky|searchsorted|bucketize|\.data$"
)


@dataclasses.dataclass
class Tensor:
    dtype: str
    shape: tuple
    low: float = None
    high: float = None
    contents: str = None


@dataclasses.dataclass
class Line:
    """names: operators it is a test of; text: "({0}, {1}, alpha=2)"; tensors: of the places."""

    names: list
    text: str
    tensors: list


def number(text):
    return float(text.rstrip(".")) if text else None


def evenly(first, last, count):
    return [first + (last - first) * i / max(count - 1, 1) for i in range(count)]


def parsed(line, ops):
    name, paren, rest = line.partition("(")
    if " with" in rest and any(word in rest for word in NOT_UNIQUE) or OTHER_TENSOR.search(rest):
        return None
    rest = rest.split(" with ")[0].rstrip()
    tensors = []

    def place(match):
        dtype, sizes, low, high, contents, first, last = match.groups()
        shape = tuple(int(size) for size in sizes.split(",") if size)
        if first:
            contents = str(evenly(number(first), number(last), math.prod(shape)))
        tensors.append(Tensor(DTYPES[dtype], shape, number(low), number(high), contents))
        return f"{{{len(tensors) - 1}}}"

    text = paren + TENSOR.sub(place, rest.replace("{", "").replace("}", ""))
    text = re.sub(r"(?<![\w.\"'])(float\d+|int\d+|uint8|bool)\b(?!\[)", r"torch.\1", text)
    text = re.sub(r"(?<![\w.\"'])(inf|nan)\b", r"float('\1')", text)
    names = ops if name == "each" else [op for op in ops if op == name or op.split(".")[0] == name]
    names = [op for op in names or [name] if not OPEN_NAMES.search(op)]
    return Line(names, text, tensors) if names and " from " not in text and " of " not in text else None


@functools.cache
def lines():
    """All of them, in the order of the files."""
    found = []
    for path in sorted(FOLDER.rglob("*.yaml")):
        ops, testing, text = [], False, ""
        for row in [*path.read_text(encoding="utf-8").splitlines(), "- op: end"]:
            if match := re.match(r"- op: \[?(.*?)\]?$", row):
                ops = [op for op in match.group(1).rstrip(",").split(", ") if op.startswith("aten::")]
                ops, testing = [op.removeprefix("aten::") for op in ops], False
            elif row == "  tests:":
                testing = True
            elif row.startswith("#") or not row.startswith("    "):
                testing = False
            if text and not (testing and row.startswith("      ")):
                line = parsed(text, ops_of_text) if ops_of_text else None
                found += [line] if line else []
                text = ""
            if testing and row.startswith("    - "):
                text, ops_of_text = row[6:], ops
            elif text:
                text += " " + row.strip()
    return found
