"""Parameters of scripts, as the message says that they are described."""

from typing import Dict, List, Optional, Tuple

import torch
from advice import Case, script

X = torch.rand(3, 4)
WHOLE = "--input", "x=f32[3,4]"


def described(program, example, says, *words, code="E0008", wrong=(), compare=True):
    """A parameter `p` of which nothing is known, or `wrong` is said, and the description that the message shows."""
    archive = script(program, X, example)
    given = [part for word in words for part in ("--input", word)]
    return Case(code, [archive, *WHOLE, *wrong], says, [archive, *WHOLE, *given], compare)


def takes_int(x, p: int):
    return x + p


def takes_float(x, p: float):
    return x + p


def takes_bool(x, p: bool):
    return x + 1 if p else x


def takes_text(x, p: str):
    return x + len(p)


def takes_pair(x, p: Tuple[torch.Tensor, torch.Tensor]):
    return x + p[0] + p[1]


def takes_list(x, p: List[torch.Tensor]):
    return x + p[0] + p[1]


def takes_dict(x, p: Dict[str, torch.Tensor]):
    return x + p["a"]


def takes_numbered(x, p: Dict[int, torch.Tensor]):
    return x + p[0] + p[1]


def takes_fractions(x, p: Dict[float, torch.Tensor]):
    return x + p[0.0] + p[1.0]


def takes_optional(x, p: Optional[torch.Tensor]):
    return x if p is None else x + p


FRACTIONS = script(takes_fractions, X, {0.0: X, 1.0: X})
LIST = script(takes_list, X, [X, X])

CASES = [
    described(takes_int, 5, "--input p=5,", "p=5", compare=False),
    described(takes_int, 5, "or --input 'p=i64[]'", "p=i64[]"),
    described(takes_float, 0.5, "--input p=0.5,", "p=0.5", compare=False),
    described(takes_float, 0.5, "or --input 'p=f64[]'", "p=f64[]"),
    described(takes_bool, True, "--input p=true,", "p=true", compare=False),
    described(takes_bool, True, "or --input 'p=bool[]'", "p=bool[]"),
    described(takes_text, "text", "--input p=text", "p=text", compare=False),
    described(takes_pair, (X, X), "--input 'p.0=f32[batch,", "p.0=f32[3,4]", "p.1=f32[3,4]"),
    described(takes_list, [X, X], "--input 'p=list[f32[n,4]]'", "p=list[f32[n,4]]", compare=False),
    described(takes_list, [X, X], "or --input 'p.0=f32[4]', --input p.1=...", "p.0=f32[3,4]", "p.1=f32[3,4]"),
    described(takes_dict, {"a": X}, "--input 'p.KEY=f32[batch,4]' for each key", "p.a=f32[3,4]"),
    described(takes_optional, X, "--input p=none", "p=none", compare=False),
    described(takes_optional, X, "or --input 'p=f32[batch,", "p=f32[3,4]"),
    described(takes_int, 5, "is given by each run as i64[]", "p=i64[]", code="E0007", wrong=("--input", "p=f32[2]")),
    described(takes_int, 5, "write --input p=5", "p=5", code="E0007", wrong=("--input", "p=2.5"), compare=False),
    described(takes_list, [X, X], "write --input 'p=list[f32[n,4]]'", "p=list[f32[n,4]]", code="E0007",
              wrong=("--input", "p=f32[3,4]"), compare=False),
    described(takes_pair, (X, X), "write --input p.0=..., --input p.1=...", "p.0=f32[3,4]", "p.1=f32[3,4]",
              code="E0007", wrong=("--input", "p=list[f32[3,4]]")),
    described(takes_numbered, {0: X, 1: X}, "--input 'p.KEY=f32[batch,4]' for each key", "p.0=f32[3,4]",
              "p.1=f32[3,4]"),
    Case("E0007", [FRACTIONS, *WHOLE], "only dictionaries with str or int keys can be inputs, and lists",
         [LIST, *WHOLE, "--input", "p.0=f32[3,4]", "--input", "p.1=f32[3,4]"]),
]
