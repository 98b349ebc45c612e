"""Writes in place."""

from typing import List

import torch
from advice import Case, script, trace

X = torch.rand(3, 4)
ROWS = "--input", "x=f32[n,4]"
WHOLE = "--input", "x=f32[3,4]"
COUNTED = *WHOLE, "--input", "n=i64[]"


def write_to_overlap(x):
    y = x * 2
    y.as_strided((3, 3), (1, 1)).add_(1.0)
    return y


def write_to_clone_of_overlap(x):
    y = x * 2
    return y.as_strided((3, 3), (1, 1)).clone().add_(1.0)


def write_to_expanded(x):
    y = (x[0] * 2).expand(3, 4)
    y[:, 1:].add_(1.0)
    return y


def write_to_clone_of_expanded(x):
    y = (x[0] * 2).expand(3, 4).clone()
    y[:, 1:].add_(1.0)
    return y


def squeezed_in_place(x):
    y = x.unsqueeze(0)
    if bool(x.sum() > 0):
        y.squeeze_(0)
    return y.sum()


def squeezed_by_assignment(x):
    y = x.unsqueeze(0)
    s = y.sum()
    if bool(x.sum() > 0):
        s = y.squeeze(0).sum()
    return s


def view_that_does_not_fit(x):
    return x.t().view(-1)


def reshape_that_does(x):
    return x.t().reshape(-1)


def contiguous_view(x):
    return x.t().contiguous().view(-1)


def reshape_may_share(x):
    y = x.clone()
    y.t().reshape(-1).add_(1.0)
    return y


def reshape_of_clone(x):
    y = x.clone()
    z = y.t().reshape(-1).clone().add_(1.0)
    return y, z


def loop_writes_to_older(x):
    a = x * 2
    b = x[0] + 1
    while bool(b.sum() < 20):
        b.add_(1.0)
        b = a[0] if bool(x.sum() < 0) else b
    return torch.relu(a)


def loop_writes_to_clone_of_older(x):
    a = x * 2
    b = x[0] + 1
    while bool(b.sum() < 20):
        b = b.clone()
        b.add_(1.0)
        b = a[0] if bool(x.sum() < 0) else b
    return torch.relu(a)


def appended_and_written(x):
    outs: List[torch.Tensor] = []
    total = torch.zeros(4) + x.sum()
    for k in range(x.size(0)):
        outs.append(total)
        total.add_(x[k])
    return torch.stack(outs)


def appended_clones(x):
    outs: List[torch.Tensor] = []
    total = torch.zeros(4) + x.sum()
    for k in range(x.size(0)):
        outs.append(total.clone())
        total.add_(x[k])
    return torch.stack(outs)


def element_written(x):
    outs: List[torch.Tensor] = []
    for k in range(x.size(0)):
        row = x[k] * 2
        outs.append(row)
        if k > 0:
            outs[k - 1].add_(row)
    return torch.stack(outs)


def clone_of_element_written(x):
    outs: List[torch.Tensor] = []
    for k in range(x.size(0)):
        row = x[k] * 2
        outs.append(row)
        if k > 0:
            last = outs[k - 1].clone()
            last.add_(row)
            outs[k - 1] = last
    return torch.stack(outs)


def lists_of_two_names(x):
    a = [4, 3, 1]
    b = a
    for j in range(x.size(0)):
        a.append(5)
        a = a[:3]
    return len(a), len(b)


def lists_made_new(x):
    a = [4, 3, 1]
    b = a
    for j in range(x.size(0)):
        a = a + [5]
        a = a[:3]
    return len(a), len(b)


def one_of_two_lists(x):
    a = [1, 2]
    b = a
    if bool(x.sum() > 0):
        b = [3, 4]
    b.append(5)
    return len(a), len(b)


def one_of_two_lists_made_new(x):
    a = [1, 2]
    b = a
    if bool(x.sum() > 0):
        b = [3, 4]
    b = b + [5]
    return len(a), len(b)


def one_of_two_dicts(x):
    a = {"p": 1, "q": 2}
    b = a
    if bool(x.sum() > 0):
        b = {"p": 3, "q": 4}
    b["p"] = 5
    return a["p"], b["p"]


def one_of_two_dicts_made_new(x):
    a = {"p": 1, "q": 2}
    b = a
    if bool(x.sum() > 0):
        b = {"p": 3, "q": 4}
    b = {"p": 5, "q": b["q"]}
    return a["p"], b["p"]


def beside(x):
    y = x[0] + 1
    z = y.unsqueeze(0)
    if bool(x.sum() > 0):
        x = x + 1
    else:
        z[1, 2] += 1.0
    return x + y


def inside(x):
    y = x[0] + 1
    z = y.unsqueeze(0)
    if bool(x.sum() > 0):
        x = x + 1
    else:
        z[0, 2] += 1.0
    return x + y


def set_to(x):
    y = torch.zeros(3, 4)
    y.set_(x)
    return y + 1


def resized(x):
    y = x[:, :2]
    y.resize_(2, 4)
    return y


CASES = [
    Case("E0109", [script(write_to_overlap, X), *WHOLE], "clone it before the write",
         [script(write_to_clone_of_overlap, X), *WHOLE]),
    Case("E0109", [trace(write_to_overlap, X), *WHOLE], "clone it before the write",
         [trace(write_to_clone_of_overlap, X), *WHOLE]),
    Case("E0109", [script(write_to_expanded, X), *WHOLE], "clone it before the write",
         [script(write_to_clone_of_expanded, X), *ROWS]),
    Case("E0200", [script(squeezed_in_place, X), *WHOLE], "assign the result of the form without `_` instead",
         [script(squeezed_by_assignment, X), *WHOLE]),
    Case("E0109", [script(view_that_does_not_fit, X), *WHOLE], "call reshape", [script(reshape_that_does, X), *WHOLE]),
    Case("E0109", [script(view_that_does_not_fit, X), *WHOLE], "or contiguous first",
         [script(contiguous_view, X), *WHOLE]),
    Case("E0109", [script(reshape_may_share, X), *ROWS], "clone it before the write",
         [script(reshape_of_clone, X), *ROWS]),
    Case("E0109", [script(loop_writes_to_older, X), *ROWS], "clone it before the write",
         [script(loop_writes_to_clone_of_older, X), *ROWS]),
    Case("E0109", [script(appended_and_written, X), *ROWS], "append a clone of it",
         [script(appended_clones, X), *ROWS]),
    Case("E0109", [script(element_written, X), *ROWS], "clone it before the write",
         [script(clone_of_element_written, X), *ROWS]),
    Case("E0108", [script(lists_of_two_names, X), *ROWS],
         "make a new one instead of the change in place, as `a0 = a0 + [item]`", [script(lists_made_new, X), *ROWS]),
    Case("E0100", [script(one_of_two_lists, X), *ROWS], "make a new one instead, as `a = a + [item]`",
         [script(one_of_two_lists_made_new, X), *ROWS]),
    Case("E0100", [script(one_of_two_dicts, X), *ROWS], "make a new one instead",
         [script(one_of_two_dicts_made_new, X), *ROWS]),
    Case("E0203", [script(beside, X), *WHOLE], "the index is beside the axis", [script(inside, X), *WHOLE]),
    Case("E0201", [script(set_to, X), *WHOLE], "--map aten::set.source_Tensor=DOMAIN.NODE makes it a node of yours",
         [script(set_to, X), *WHOLE, "--map", "aten::set.source_Tensor=acme.Set"], compare=False),
    Case("E0201", [script(set_to, X), *WHOLE], "--fallthrough all such operators nodes of their own names",
         [script(set_to, X), *WHOLE, "--fallthrough"], compare=False),
    Case("E0203", [script(resized, X), *WHOLE], "what the others are is not defined"),
]
