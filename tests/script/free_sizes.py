"""Operators whose form depends on a size, where only a run knows it: right at size 1, too, or refused."""

import torch
from torch import nn

from program import rand, script


def ones(*shape):
    return torch.ones(shape, dtype=torch.int32)


@script("x=f32[n,3]", runs=[(rand(4, 3),), (rand(1, 3),)])
class SumToSize(nn.Module):
    """The size decides whether the axis already has one element."""

    def forward(self, x):
        return x.sum_to_size([1, 3]), x.sum_to_size([3])


@script("k=i32[n,3]", runs=[(ones(4, 3),), (ones(2, 3),)])
class SumToSizeOfIntegers(nn.Module):
    """A sum is one of int64, what needs none stays as it is: exported for other sizes than 1, which is said."""

    def forward(self, k):
        return k.sum_to_size([1, 3]), k.sum_to_size([3])


@script("x=f32[n,m]", "y=f32[n]", runs=[(rand(1, 1), rand(1)), (rand(1, 2), rand(1)), (rand(3, 4), rand(3))], since=11)
class BroadcastToWhatMayBeEmpty(nn.Module):
    """A diagonal has no more elements than the matrix rows, and may have none where there is one row."""

    def forward(self, x, y):
        d = x.diagonal(1)
        z = y + d
        z[::3] = d[::3]
        return z


@script("x=f32[n,5]", runs=[(rand(3, 5),), (rand(6, 5),)], since=12)
class Covariances(nn.Module):
    """For one row PyTorch gives no matrix. The export is for other sizes, and says so."""

    def forward(self, x):
        return torch.cov(x), torch.corrcoef(x)


@script("x=f32[n,5]", refused=["[E0102] ", "not known before the model runs"], runs=[(rand(3, 5),)])
class CovariancesOfSomeRows(nn.Module):
    """... and refused where nothing is known of the size."""

    def forward(self, x):
        return torch.cov(x[x[:, 0] > 0])


@script("x=f32[n,1]", "k=i32[n,1]", runs=[(rand(2, 1), ones(2, 1)), (rand(1, 1), ones(1, 1))], since=9)
class ExpandToNothing(nn.Module):
    """ONNX Runtime removes an Expand that makes no axis longer, also where it leaves nothing."""

    def forward(self, x, k):
        nothing = torch.zeros([0], dtype=torch.int32)
        return torch.relu(x).expand([-1, 0]).exp(), torch.gcd(k, nothing), torch.abs(k).expand([-1, 0]) + 1
