"""Free axes, and sizes that only the run knows."""

import torch
import torch.nn.functional as F
from advice import Case, exported, script, trace

X = torch.rand(3, 4)
ROWS = "--input", "x=f32[n,4]"
WHOLE = "--input", "x=f32[3,4]"
OTHER = [torch.rand(5, 4)],


def view_of_numbers(x):
    return x.view(int(x.shape[0]), 2, 2) + 1


def view_of_sizes(x):
    return x.view(x.shape[0], 2, 2) + 1


def meets_a_number(x, y):
    return x + y


def unrolled(x):
    y = torch.zeros_like(x[:, 0])
    for i in range(x.shape[1]):
        y = y * 0.5 + x[:, i]
    return y


def unrolled_slices(x):
    return torch.cat([x[:, i : i + 2].sum(1, keepdim=True) for i in range(0, x.shape[1], 2)], 1)


def second_column(x):
    return x[:, 1] * 2


def unpacked(x):
    return torch.stack([row.sum() * (i + 1) for i, row in enumerate(x)])


def loop_over_rows(x):
    out = []
    for i in range(x.shape[0]):
        out.append(x[i].sum() * (i + 1))
    return torch.stack(out)


def squeezed_count(x):
    return x[x[:, 0] > 2].squeeze(0)


def selected_count(x):
    return x[x[:, 0] > -1].select(0, 0)


def squeezed_counts(x):
    return x[x[:, 0] > -1].unsqueeze(0).squeeze()


def squeezed_axis(x):
    return x[x[:, 0] > -1].unsqueeze(0).squeeze(0)


def covariance_of_some(x):
    return torch.cov(x[x[:, 0] > -1])


def covariance_of_all(x):
    return torch.cov(x)


def windows_of_nothing(x):
    return x.unfold(0, 0, 1)


def circular(x):
    return F.pad(x[None], (2, x.shape[0]), mode="circular")


def circular_of_known(x):
    return F.pad(x[None], (2, 3), mode="circular")


def circular_too_much(x):
    return F.pad(x[None], (5, 0), mode="circular")


def circular_twice(x):
    return F.pad(F.pad(x[None], (4, 0), mode="circular"), (1, 0), mode="circular")


def range_by_step(x):
    return torch.range(0, x.shape[0], 0.5)


def arange_by_step(x):
    return torch.arange(0, x.shape[0] + 0.5, 0.5)


def fixed_by_expand(x, y):
    return x.sum(1).view(3, 1).expand(3, 4) * y


def sizes_that_differ(x, y):
    return x + y


def times_rows(x):
    return x * x.shape[0]


def halves_of_rows(x):
    return x.view(x.shape[0] * 2, 2)


def doubled(x):
    return x * 2


LONG = torch.rand(37, 4)
FREE = {"x": {0: torch.export.Dim.DYNAMIC}}
IN_DYNAMIC_SHAPES = "name the axis in dynamic_shapes of torch.export.export"

CASES = [
    Case("E0200", [exported(times_rows, LONG), *ROWS], IN_DYNAMIC_SHAPES,
         [exported(times_rows, LONG, dynamic_shapes=FREE, runs=OTHER), *ROWS]),
    Case("E0200", [exported(halves_of_rows, LONG), *ROWS], IN_DYNAMIC_SHAPES,
         [exported(halves_of_rows, LONG, dynamic_shapes=FREE, runs=OTHER), *ROWS]),
    Case("E0200", [exported(doubled, X), *ROWS], "may come from the 3 of axis 0 of input 'x'",
         [exported(doubled, X), *WHOLE]),
    Case("E0200", [exported(doubled, X), *ROWS], IN_DYNAMIC_SHAPES,
         [exported(doubled, X, dynamic_shapes=FREE, runs=OTHER), *ROWS]),

    Case("E0104", [trace(view_of_numbers, X), *ROWS], "give the size itself instead of a name if that is meant",
         [trace(view_of_numbers, X), *WHOLE]),
    Case("E0104", [trace(view_of_numbers, X), *ROWS], "give the size itself instead of a name if that is meant",
         [trace(view_of_sizes, X, runs=OTHER), *ROWS]),
    Case("E0104", [script(meets_a_number, X, X), *ROWS, "--input", "y=f32[3,4]"],
         "give the size itself instead of a name if that is meant",
         [script(meets_a_number, X, X), *WHOLE, "--input", "y=f32[3,4]"]),
    Case("E0200", [trace(unrolled, X), "--input", "x=f32[3,n]"], "give the size itself instead of a name",
         [trace(unrolled, X), *WHOLE]),
    Case("E0200", [trace(unrolled, X), "--input", "x=f32[3,n]"], "script the loop",
         [script(unrolled, X, runs=[[torch.rand(3, 6)]]), "--input", "x=f32[3,n]"]),
    Case("E0200", [trace(unrolled, X, _store_inputs=False), "--input", "x=f32[3,n]"],
         "give the size instead of a name", [trace(unrolled, X, _store_inputs=False), *WHOLE]),
    Case("E0200", [trace(second_column, X, _store_inputs=False), "--input", "x=f32[3,n]"],
         "say which size it was traced with (--sizes): n=8",
         [trace(second_column, X, _store_inputs=False, runs=[[torch.rand(3, 6)]]), "--input", "x=f32[3,n]",
          "--sizes", "n=4"]),
    Case("E0200", [trace(second_column, torch.rand(3, 2)), "--input", "x=f32[3,n]"],
         "or trace with another size if there is no loop",
         [trace(second_column, X, runs=[[torch.rand(3, 6)]]), "--input", "x=f32[3,n]"]),
    Case("E0200", [trace(unrolled_slices, X), "--input", "x=f32[3,n]"], "script the loop",
         [script(unrolled_slices, X, runs=[[torch.rand(3, 6)]]), "--input", "x=f32[3,n]"]),
    Case("E0100", [trace(unpacked, X), *ROWS], "script the loop", [script(loop_over_rows, X, runs=OTHER), *ROWS]),
    Case("E0100", [trace(unpacked, X), *ROWS], "script the loop", [script(unpacked, X, runs=OTHER), *ROWS]),
    Case("E0100", [trace(unpacked, X), *ROWS], "or give sizes instead of names", [trace(unpacked, X), *WHOLE]),
    Case("E0203", [script(squeezed_count, X), *ROWS], "select(dim, 0) takes it out of an axis of size 1",
         [script(selected_count, X), *ROWS]),
    Case("E0203", [script(squeezed_counts, X), *ROWS], "squeeze(dim) of the axes that are meant leaves the others",
         [script(squeezed_axis, X), *ROWS]),
    Case("E0102", [script(covariance_of_some, X), *ROWS], "not known before the model runs",
         [script(covariance_of_all, X), *ROWS]),
    Case("E0203", [script(windows_of_nothing, X), *ROWS], "along an axis whose size is known only at run time",
         [script(windows_of_nothing, X), *WHOLE]),
    Case("E0203", [script(circular, X), *ROWS], "circular padding of a size known only at run time",
         [script(circular_of_known, X), *ROWS]),
    Case("E0203", [script(circular_too_much, X), *ROWS], "circular padding by more than an axis has",
         [script(circular_twice, X), *ROWS], compare=False),
    Case("E0203", [script(range_by_step, X), *ROWS], "torch.arange can do it", [script(arange_by_step, X), *ROWS]),
    Case("E0106", [script(sizes_that_differ, X, X), *WHOLE, "--input", "y=f32[2,4]"], "the sizes 3 and 2 do not fit",
         [script(sizes_that_differ, X, X), *WHOLE, "--input", "y=f32[3,4]"]),
]
