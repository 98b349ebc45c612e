"""Models whose archives hold graphs within graphs, and calls that torch.export leaves for later."""

import dataclasses

import torch
from case import Case, pt2_model, randomise
from torch import nn
from torch.export import Dim


@pt2_model
def nested_cond():
    """torch.cond: nested, with captured tensors and sizes, several results, and a size known only at run time."""

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.up = nn.Linear(4, 4)

        def forward(self, x, y, z):
            n = x.shape[0]

            def yes(x, y):
                return torch.cond(y.sum() > 0, lambda x, y: (x + n, y * 2), lambda x, y: (x * 2, y - 1.0), (x, y))

            a, b = torch.cond(x.sum() > 0, yes, lambda x, y: (self.up(x), y.cos()), (x, y))
            long = torch.cond(n > 5, lambda x: x + 1, lambda x: x - 1, (x,))
            part = torch.cond(x.sum() > 0, lambda z: z[1:].clone(), lambda z: z[:2].sin(), (z,))
            return a, b, long, part

    def args(n, sign):
        return sign * (torch.rand(n, 4) + 0.1), torch.randn(n, 4), torch.randn(5, 2)

    batch = Dim("batch", min=4, max=64)
    return Case(Net(), args(4, 1), dynamic_shapes=({0: batch}, {0: batch}, None), other=args(6, -1))


@pt2_model
def loops():
    """while_loop, scan and map: bodies with captured weights, sizes and nested graphs."""
    from torch._higher_order_ops import map as map_rows
    from torch._higher_order_ops.scan import scan
    from torch._higher_order_ops.while_loop import while_loop

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.up = nn.Linear(4, 4)

        def forward(self, i, h, xs):
            def go_on(i, x):
                return i.sum() < x.shape[0]

            def step(i, x):
                x = torch.cond(x.sum() > 0, lambda x: self.up(x), lambda x: x.cos(), (x,))
                return i + 1, x.sin()

            def cell(h, x):
                hidden, total = h
                hidden = torch.tanh(self.up(hidden) + x)
                return (hidden, total + x.sum(-1)), (hidden * 2, hidden[:, 0].clone())

            count, last = while_loop(go_on, step, (i, h))
            carry, rows = scan(cell, (h, h[:, 0].clone()), xs, dim=1)
            back = scan(cell, (h, h[:, 1].clone()), xs, dim=1, reverse=True)[1][0]
            return count, last, *carry, *rows, back, map_rows(lambda x, w: self.up(x) + w, xs, h[0])

    def args(n, t, first):
        return torch.tensor(first), torch.randn(n, 4), torch.randn(n, t, 4)

    batch = Dim("batch", min=2, max=64)
    return Case(
        Net(),
        args(3, 5, 0),
        dynamic_shapes=(None, {0: batch}, {0: batch, 1: Dim("time", min=2, max=64)}),
        other=args(2, 7, 9),  # no iteration of while_loop
    )


@pt2_model
def associative_scan():
    """All pairs at once; of a size known only at run time, one after another."""
    from torch._higher_order_ops.associative_scan import associative_scan as scan

    class Net(nn.Module):
        def forward(self, a, b):
            def combine(first, second):
                return first[0] * second[0], second[0] * first[1] + second[1]

            states = scan(combine, (a, b), dim=1, combine_mode="pointwise")
            return *states, scan(lambda x, y: x + y, a, dim=0, reverse=True, combine_mode="pointwise")

    def args(n, t):
        return torch.rand(n, t, 4), torch.randn(n, t, 4)

    time = Dim("time", min=2, max=64)
    return Case(Net(), args(3, 11), dynamic_shapes=({1: time}, {1: time}), other=args(3, 7))


@pt2_model
def graphs_in_line():
    """Graphs that are only called, and what a model does not show: bodies of `with`, hints, checkpoints, prints."""
    from torch._higher_order_ops import print as print_in_graph
    from torch._higher_order_ops.hints_wrap import hints_wrapper
    from torch._higher_order_ops.strict_mode import strict_mode
    from torch.utils.checkpoint import checkpoint

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.randn(4, 4))

        def forward(self, x):
            with torch.no_grad():
                y = x + 1
                with torch.autocast("cpu", enabled=False):
                    z = y @ self.weight
            print_in_graph("z is {z}", z=z)
            hinted = hints_wrapper(lambda y: y.sin() * 2, (y,), {}, {"level": 3})
            (strict,) = strict_mode(lambda z: (z.cos(),), (z,))
            return z + y, hinted, strict, checkpoint(torch.tanh, z, use_reentrant=False)

    return Case(Net(), (torch.randn(3, 4),), dynamic_shapes=({0: Dim("batch")},), other=(torch.randn(5, 4),))


@pt2_model
def vmap():
    """Calls for one element of a batch: nested, with shared tensors, other axes, and as functorch unrolls a scan."""
    from torch._higher_order_ops.associative_scan import associative_scan as scan

    class Net(nn.Module):
        def forward(self, x, y):
            total = torch.vmap(lambda a: torch.dot(a, y[0] * 2))(x)
            rows = torch.vmap(lambda a: a.softmax(-1) + y[1, 0], in_dims=1)(x)
            table = torch.vmap(torch.vmap(lambda i, j: i.max() * j - y[0, 0], (None, 0)), (0, None))(x, y[0])

            def combine(first, second):
                return first[0] * second[0], second[0] * first[1] + second[1]

            return total, rows, table, *scan(combine, (y, y + 1), dim=1, combine_mode="generic")

    def args(n):
        return torch.randn(n, 4), torch.randn(2, 4)

    batch = Dim("batch", min=2, max=64)
    return Case(Net(), args(3), dynamic_shapes=({0: batch}, None), other=args(5))


@pt2_model
def guarded_sizes():
    """A size that is an expression of free ones, and that a guard of the file says is 4."""

    class Net(nn.Module):
        def forward(self, x):
            n = x.shape[1]
            rows = x.view(x.shape[0], n // (n // 4), n // 4)
            return rows + torch.arange(4.0)[:, None], rows.transpose(1, 2) * 2

    free = {0: Dim.AUTO, 1: Dim.AUTO}
    return Case(Net(), (torch.randn(3, 20),), dynamic_shapes=(free,), other=(torch.randn(2, 28),))


@pt2_model
def reshaped_in_place():
    """Calls that change the shape of the tensor itself, and asserts decided at run time."""

    class Net(nn.Module):
        def forward(self, x):
            torch._assert_async(torch._is_all_true(x > -1000))
            y = x.clone().unsqueeze_(0)
            y.transpose_(0, 1)
            y.squeeze_(1).t_()
            z = (x * 2).swapaxes_(0, 1)
            return y + 1, z.add_(1), torch._is_all_true(x > 0), torch._is_any_true(x > 0)

    return Case(Net(), (torch.randn(3, 2),), dynamic_shapes=({0: Dim("batch")},), other=(torch.randn(5, 2),))


@pt2_model
def resized_in_place():
    """resize_ to sizes that need no more memory; views of what the tensor was see writes to it."""

    class Net(nn.Module):
        def forward(self, x):
            y = x.clone()
            row = y[0]
            y.resize_(2, 3).mul_(2)
            rows = (x * 2).resize_(x.shape[0], 2)
            return y, row, rows.add_(1), (x + 1).resize_(5), (x + 2).resize_(())

    return Case(
        Net(),
        (torch.randn(3, 4),),
        dynamic_shapes=({0: Dim("batch", min=3)},),
        other=(torch.randn(5, 4),),
        no_dynamic_decomposed="PyTorch does not decompose resize_ to a free size",
    )


@pt2_model
def mamba():
    """All steps at once, by associative_scan."""
    return state_space(use_associative_scan=True)


@pt2_model
def mamba_steps():
    """One step after another. PyTorch exports associative_scan for the example's batch only."""
    return dataclasses.replace(
        state_space(use_associative_scan=False),
        dynamic_shapes=({0: Dim("batch", max=64)},),
        other=(torch.randint(0, 50, (3, 9)),),
    )


def state_space(**options):
    from transformers import MambaConfig, MambaForCausalLM

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            config = MambaConfig(vocab_size=50, hidden_size=16, state_size=4, num_hidden_layers=2, **options)
            self.language_model = randomise(MambaForCausalLM(config))

        def forward(self, tokens):
            return self.language_model(tokens, use_cache=False).logits

    return Case(Net(), (torch.randint(0, 50, (2, 9)),))


@pt2_model
def autocast():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(3, 4, 3)
            self.norm = nn.BatchNorm2d(4)
            self.linear = nn.Linear(6, 5)
            self.layer_norm = nn.LayerNorm(5)

        def forward(self, x):
            with torch.autocast("cpu", dtype=torch.float16):
                y = self.layer_norm(self.linear(self.norm(self.conv(x))).relu())
                product = torch.prod(y, -1)  # in float32
                weights = torch.softmax(y @ y.transpose(-1, -2), -1)
                both = torch.cat([weights, x[:, :, :6, :6].mean(1, keepdim=True).expand(-1, 4, -1, -1)], -1)
                with torch.autocast("cpu", enabled=False):
                    exact = x @ x
                attended = nn.functional.scaled_dot_product_attention(x, x, x)
            return y.float(), product, both, exact, attended.float()

    torch.manual_seed(1)
    shown = "its casts are calls, as in any other model"
    return Case(randomise(Net()), (torch.randn(2, 3, 8, 8),), no_decomposed=shown, no_dynamic_decomposed=shown)
