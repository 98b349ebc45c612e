"""PyTorch's higher-order operators, and what they mean in plain Python, which the judge runs without a compiler."""

import torch


def cond(predicate, then, orelse, operands=()):
    return then(*operands) if bool(predicate) else orelse(*operands)


def while_loop(condition, body, carried):
    while bool(condition(*carried)):
        carried = tuple(body(*carried))
    return tuple(carried)


def scan(combine, carry, xs, dim=0, reverse=False):
    rows = list(xs.unbind(dim))
    made = []
    for row in reversed(rows) if reverse else rows:
        carry, y = combine(carry, row)
        made.append(y)
    return carry, torch.stack(made[::-1] if reverse else made)


def mapped(function, xs, *args):
    return torch.stack([function(row, *args) for row in xs.unbind(0)])


def associative_scan(combine, xs, dim):
    rows = list(xs.unbind(dim))
    for i in range(1, len(rows)):
        rows[i] = combine(rows[i - 1], rows[i])
    return torch.stack(rows, dim)


PLAIN = {"cond": cond, "while_loop": while_loop, "scan": scan, "mapped": mapped, "associative_scan": associative_scan}


def real():
    from torch._higher_order_ops import associative_scan, scan, while_loop
    from torch._higher_order_ops.map import map as mapped

    def generic(combine, xs, dim):
        return associative_scan(combine, xs, dim, combine_mode="generic")

    return {"cond": torch.cond, "while_loop": while_loop, "scan": scan, "mapped": mapped, "associative_scan": generic}
