"""Holds what host_values_main prints against Python: `host_values.py FILE`."""

import math
import sys

NAMES = {"inf": math.inf, "nan": math.nan}
REFUSED = "refused"


def refused_here(a: object, op: str, b: object) -> bool:
    """Results that Python computes and the language does not have: repeated and formatted texts, the order of lists."""
    if op in ("*", "%") and (isinstance(a, str) or isinstance(b, str)):
        return True
    return op in ("<", "<=", ">", ">=") and isinstance(a, list) and isinstance(b, list)


def is_large_power(a: object, op: str, b: object) -> bool:
    """Would keep Python busy; the result has more than 64 bits."""
    return op == "**" and isinstance(a, int) and isinstance(b, int) and abs(a) > 1 and b > 64


def python(text: str) -> object:
    """The value, or REFUSED: for exceptions, complex numbers and ints beyond 64 bits, too."""
    parts = text.split(") ", 1)[-1].split(" (", 1) if text.startswith("(") else None
    if parts:
        a, op, b = eval(text.split(") ", 1)[0] + ")", NAMES), parts[0], eval("(" + parts[1], NAMES)
        if refused_here(a, op, b) or is_large_power(a, op, b):
            return REFUSED
    try:
        value = eval(text, NAMES)
    except (ArithmeticError, TypeError, ValueError, MemoryError):
        return REFUSED
    fits = not isinstance(value, int) or -(2**63) <= value < 2**63
    return REFUSED if isinstance(value, complex) or not fits else value


def same(a: object, b: object) -> bool:
    """Returns whether two values are equal, with the same type and sign."""
    return type(a) is type(b) and (repr(a) == repr(b) or (isinstance(a, list) and a == b))


def may_be_a_mistake(text: str, value: object) -> bool:
    """Also what is computed, but never equal."""
    return value is REFUSED or (" == " in text and value is False) or (" != " in text and value is True)


def must_be_a_mistake(text: str, value: object) -> bool:
    """Returns whether the expression fails in every run. How long a list becomes is left to the run."""
    return value is REFUSED and not ("[" in text and " * " in text)


def main() -> None:
    wrong, lines = [], 0
    for line in open(sys.argv[1], encoding="utf-8"):
        lines += 1
        text, specialized, checked, computed = line.rstrip("\n").split("\t")
        expected = python(text)
        for who, value in [("generator", specialized), ("runtime", computed)]:
            if value != "-" and not same(REFUSED if value.startswith(REFUSED) else eval(value, NAMES), expected):
                wrong.append(f"{text}: the {who} computes {value}, Python {expected!r}")
        if checked == "mistake" and not may_be_a_mistake(text, expected):
            wrong.append(f"{text}: the checker calls it a mistake, Python computes {expected!r}")
        if checked == "fine" and must_be_a_mistake(text, expected):
            wrong.append(f"{text}: the checker finds nothing wrong, Python refuses it")
    print("\n".join(wrong))
    print(f"{lines} expressions, {len(wrong)} wrong")
    sys.exit(bool(wrong) or lines < 20_000)


main()
