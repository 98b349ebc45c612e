"""Programs of torch.export, and operators that take functions."""

import torch
import torch.nn.functional as F
from advice import Case, exported, trace

X = torch.rand(3, 4)


def decided(x):
    return x * 2 if x.shape[0] > 2 else x


def decided_by_cond(x):
    return torch.cond(x.shape[0] > 2, lambda y: y * 2, lambda y: y + 0, (x,))


@torch.library.custom_op("advice::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2


twice.register_fake(lambda x: torch.empty_like(x))


@torch.library.custom_op("advice::add_to", mutates_args=("x",))
def add_to(x: torch.Tensor) -> None:
    x.add_(1)


add_to.register_fake(lambda x: None)


@torch.library.custom_op("advice::scaled", mutates_args=())
def scaled(x: torch.Tensor, factor: float) -> torch.Tensor:
    return x * factor


scaled.register_fake(lambda x, factor: torch.empty_like(x))


def calls_twice(x):
    return twice(x) + 1


def calls_add_to(x):
    y = x * 2
    add_to(y)
    return y


def calls_add(x):
    y = x * 2
    y.add_(1)
    return y


def calls_scaled(x):
    return scaled(x, 3.0)


def out_dtype(x):
    i = x.to(torch.int8)
    return torch._higher_order_ops.out_dtype(torch.ops.aten.mm.default, torch.int32, i, i.t())


def converted(x):
    i = x.to(torch.int8)
    return torch.ops.aten.mm.default(i.to(torch.int32), i.t().to(torch.int32))


def random_in_vmap(x):
    return torch.vmap(lambda row: row + torch.rand(()), randomness="same")(x)


def one_random_each(x):
    return torch.vmap(lambda row: row + torch.rand(()), randomness="different")(x)


def write_in_vmap(x):
    s = torch.zeros(4)

    def add(row):
        s.add_(1)
        return row + s

    return torch.vmap(add)(x)


def no_write_in_vmap(x):
    s = torch.zeros(4)
    return torch.vmap(lambda row: row + (s + 1))(x)


@torch.library.custom_op("advice::ones", mutates_args=())
def ones(n: int) -> torch.Tensor:
    return torch.ones(n)


ones.register_fake(lambda n: torch.empty(n))


def sums_twice(x):
    return twice(x).sum(-1)


def calls_ones(x):
    return x + ones(4)


def loss_of_two_dtypes(x):
    return F.huber_loss(x, x.double())


def loss_of_one_dtype(x):
    return F.huber_loss(x, x.double().float())


def entropy_of_two_dtypes(x):
    return F.binary_cross_entropy(x, x.double())


def entropy_of_one_dtype(x):
    return F.binary_cross_entropy(x, x.double().float())


FREE = {"x": {0: torch.export.Dim.AUTO}}
DECIDED = exported(decided, X, dynamic_shapes=FREE)
TWICE = exported(calls_twice, X)
AS_TWICE = "--map", "advice::twice=acme.Twice"
AS_ONES = "--map", "advice::ones(n)=acme.Ones"

CASES = [
    Case("E0105", [DECIDED, "--input", "x=f32[n,4]"], "write 'n=3..' if that is the range",
         [DECIDED, "--input", "x=f32[n=3..,4]"]),
    Case("E0105", [DECIDED, "--input", "x=f32[n,4]"], "or write the branch with torch.cond",
         [exported(decided_by_cond, X, dynamic_shapes=FREE, runs=[[torch.rand(2, 4)]]), "--input", "x=f32[n,4]"]),
    Case("E0113", [exported(calls_add_to, X, change=lambda program: program.run_decompositions())],
         "write it with PyTorch's own operators", [exported(calls_add, X)]),
    Case("E0113", [exported(out_dtype, X)], "convert the arguments and call the operator", [exported(converted, X)]),
    Case("E0114", [exported(loss_of_two_dtypes, X)], "cast one of them", [exported(loss_of_one_dtype, X)]),
    Case("E0200", [exported(random_in_vmap, X)], 'randomness="different" is', [exported(one_random_each, X)],
         compare=False),
    Case("E0200", [exported(write_in_vmap, X)], "use the form without `_`", [exported(no_write_in_vmap, X)]),
    Case("E0201", [exported(calls_add_to, X)], "no spec says how to export it", [exported(calls_add, X)]),
    Case("E0201", [TWICE], "--map advice::twice=DOMAIN.NODE makes it a node of yours", [TWICE, *AS_TWICE],
         compare=False),
    Case("E0201", [TWICE], "--fallthrough all such operators nodes of their own names", [TWICE, "--fallthrough"],
         compare=False),
    Case("E0208", [trace(calls_scaled, X), "--map", "advice::scaled=acme.Scaled"],
         "state the names of all arguments: --map 'ns::op(x, factor)=acme.Scaled'",
         [trace(calls_scaled, X), "--map", "advice::scaled(x, factor)=acme.Scaled"], compare=False),
    Case("E0208", [trace(calls_ones, X), *AS_ONES], "export from a .pt2", [exported(calls_ones, X), *AS_ONES],
         compare=False),
    Case("E0210", [trace(sums_twice, X), *AS_TWICE], "is not known; the file of torch.export states it",
         [exported(sums_twice, X), *AS_TWICE], compare=False),
    Case("E0211", [exported(entropy_of_two_dtypes, X)], "needs inputs of one dtype",
         [exported(entropy_of_one_dtype, X)]),
]
