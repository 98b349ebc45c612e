"""Branches, loops, containers, outputs and what else TorchScript has."""

import enum
import math
from typing import Dict, List, Optional, Tuple

import torch
from advice import Case, script
from torch import nn

X = torch.rand(3, 4)
ROWS = "--input", "x=f32[n,4]"
WHOLE = "--input", "x=f32[3,4]"
FLAG = *ROWS, "--input", "flag=bool[]"
KEY = *WHOLE, "--input", "k=i64[]"


def rank_from_data(x):
    if bool(x.sum() > 0):
        y = x.unsqueeze(0)
    else:
        y = x
    return y * 2


def one_rank(x):
    if bool(x.sum() > 0):
        y = x.unsqueeze(0)
    else:
        y = x[None]
    return y * 2


def dtype_from_data(x):
    if bool(x.sum() > 0):
        y = x.long()
    else:
        y = x
    return y.sum()


def one_dtype(x):
    if bool(x.sum() > 0):
        y = x.long().float()
    else:
        y = x
    return y.sum()


def none_in_some_runs(x):
    y: Optional[torch.Tensor] = None
    if bool(x.sum() > 0):
        y = x + 1
    return y


def loop_changes_dtype(x):
    while bool(x.sum() < 1):
        x = x.int()
    return x


def loop_keeps_dtype(x):
    while bool(x.sum() < 1):
        x = x.int().float() + 1
    return x


def loop_changes_rank(x):
    for i in range(x.size(0)):
        x = x.unsqueeze(0)
    return x


def list_of_texts_grows(x):
    names: List[str] = []
    for i in range(x.size(0)):
        names.append("a")
    return x + len(names)


def key_from_run(x, k: int):
    d: Dict[int, torch.Tensor] = {1: x, 2: x + 1}
    return d[k]


def text_output(x):
    return x + 1, "done"


def no_text_output(x):
    return x + 1


class Colour(enum.Enum):
    RED = 1


def enum_output(x):
    return x, Colour.RED


def number_output(x):
    return x, Colour.RED.value


def raises(x):
    if x.shape[0] == 3:
        raise ValueError("only other inputs")
    return x


def endless(x):
    i = 1
    while i > 0:
        i = i + 1
    return x + i


def ended(x):
    i = 1
    while i > 0 and i < 5:
        i = i + 1
    return x + i


def tensor_in_all_runs(x):
    y = x
    if bool(x.sum() > 0):
        y = x + 1
    return y


def list_of_tensors_grows(x):
    names: List[torch.Tensor] = []
    for i in range(x.size(0)):
        names.append(x)
    return x + len(names)


class Restored(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.rand(4)
        self.training = False

    @torch.jit.export
    def __getstate__(self):
        return self.weight, self.training

    @torch.jit.export
    def __setstate__(self, state: Tuple[torch.Tensor, bool]):
        i = 0
        while i < 3:
            i += 1
        self.weight = state[0]
        self.training = state[1]

    def forward(self, x):
        return x + self.weight


RESTORED = Restored()


def unpacked_list(x):
    out = [x]
    if bool(x.sum() > 0):
        out.append(x)
    a, b = out
    return a + b


def elements_by_place(x):
    out = [x]
    if bool(x.sum() > 0):
        out.append(x)
    return out[0] + out[1]


def lists_in_list(x):
    out: List[List[torch.Tensor]] = []
    for i in range(x.size(0)):
        out.append([x[i]])
    return out[0][0]


def tensors_in_list(x):
    out: List[torch.Tensor] = []
    for i in range(x.size(0)):
        out.append(x[i])
    return out[0]


def keeps_dim(x, flag: bool):
    return x.sum(1, keepdim=flag)


def position_of_number(x, k: int):
    lengths = [1, 1, 1]
    return x + lengths[k]


def sorted_tensor(x):
    return torch.stack([x.sum(), x.mean()]).sort()[0][0]


def unpacked_by_run(x):
    a, b, c = x.unbind(0)
    return a * b * c


def writes_file(x):
    torch.save(x, "out.pt")
    return x + 1


def only_computes(x):
    return x + 1


def position_known_in_run(x, k: int):
    names = ["a", "b", "c"]
    return x + len(names[k])


def int_of_text(x):
    return x + int("a")


def nothing(x):
    pass


def sorted_list(x):
    a = [x.sum(), x.mean()]
    a.sort()
    return a[0]


def factorial_of_run(x, k: int):
    return x + math.factorial(k)


def counts(x, n: int):
    i = 0
    while i < n:
        i += 1
    return x + i


COUNTS = script(counts, X, 3)

CASES = [
    Case("E0107", [script(rank_from_data, X), *ROWS], "a tensor of rank 3 on one side and of rank 2 on the other",
         [script(one_rank, X), *ROWS]),
    Case("E0107", [script(dtype_from_data, X), *ROWS], "a int64 tensor on one side and a float32 tensor on the other",
         [script(one_dtype, X), *ROWS]),
    Case("E0111", [script(none_in_some_runs, X), *ROWS], "None on the other", [script(tensor_in_all_runs, X), *ROWS]),
    Case("E0108", [script(loop_changes_dtype, X), *ROWS], "`x0` changes its type in the loop",
         [script(loop_keeps_dtype, X), *ROWS]),
    Case("E0108", [script(loop_changes_rank, X), *ROWS], "a tensor of rank 2 on one side and of rank 3 on the other",
         [script(loop_changes_rank, X), *WHOLE]),
    Case("E0108", [script(list_of_texts_grows, X), *ROWS], "ONNX has sequences of tensors",
         [script(list_of_tensors_grows, X), *ROWS]),
    Case("E0102", [script(key_from_run, X, 1), *KEY], "--input n=5",
         [script(key_from_run, X, 1), *WHOLE, "--input", "k=1"], compare=False),
    Case("E0111", [script(text_output, X), *ROWS], "leave it out of what the model returns",
         [script(no_text_output, X), *ROWS]),
    Case("E0111", [script(enum_output, X), *ROWS], "return a number", [script(number_output, X), *ROWS]),
    Case("E0111", [script(nothing, X), *ROWS], "return at least one tensor", [script(only_computes, X), *ROWS]),
    Case("E0101", [script(raises, X), *WHOLE], "only other inputs",
         [script(raises, torch.rand(2, 4)), "--input", "x=f32[2,4]"]),
    Case("E0103", [script(endless, X), *WHOLE], "known and still true", [script(ended, X), *WHOLE]),
    Case("E0103", [COUNTS, *WHOLE, "--input", "n=1000000"], "a count that each run gives (--input 'n=i64[]')",
         [COUNTS, *WHOLE, "--input", "n=i64[]"]),
    Case("E0100", [script(unpacked_by_run, X), *ROWS], "give sizes instead of names",
         [script(unpacked_by_run, X), *WHOLE]),
    Case("E0308", [script(writes_file, X), *WHOLE],
         "torch.save reads or writes a file, which no model does: leave it out", [script(only_computes, X), *WHOLE]),
    Case("E0100", [script(unpacked_list, X), *ROWS], "read the elements by their places (`a = xs[0]`)",
         [script(elements_by_place, X), *ROWS]),
    Case("E0108", [script(lists_in_list, X), *ROWS], "ONNX has sequences of tensors",
         [script(tensors_in_list, X), *ROWS]),
    Case("E0204", [script(keeps_dim, X, True), *FLAG], "is an attribute at opset 18",
         [script(keeps_dim, X, True), *ROWS, "--input", "flag=true"], compare=False),
    Case("E0308", [script(RESTORED, X), *WHOLE], "--trust-source takes it",
         [script(RESTORED, X), *WHOLE, "--trust-source"]),
    Case("E0200", [script(position_known_in_run, X, 1), *KEY], "must be a tensor or a number",
         [script(position_of_number, X, 1), *KEY]),
    Case("E0101", [script(int_of_text, X), *ROWS], "invalid literal for int()"),
    Case("E0200", [script(sorted_list, X), *ROWS], "the order of the elements is not known at export",
         [script(sorted_tensor, X), *ROWS]),
    Case("E0204", [script(factorial_of_run, X, 2), *KEY], "--input n=5",
         [script(factorial_of_run, X, 2), *WHOLE, "--input", "k=2"], compare=False),
]
