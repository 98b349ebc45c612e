"""Programs that must be refused, and the text of the report: the operator or construct, the line, and a way out."""

from typing import Dict, List

import torch
from torch import nn
from torch.nn import functional as F

from program import rand, script, trace

X = "x=f32[n,4]"
ANY = [(rand(3, 4),)]


@trace(X, runs=ANY, refused=["[E0104] aten::view", "axis", "`n`", "refused.py"])
class FixedBatch(nn.Module):
    """The trace has the batch as a number: `int` made it one."""

    def forward(self, x):
        return x.view(int(x.shape[0]), 2, 2) + 1


@trace("x=f32[n,4]", "y=f32[3,4]", runs=[(rand(3, 4), rand(3, 4))], refused=["axis", "`n`", "refused.py"])
class FixedBatchByExpand(nn.Module):
    def forward(self, x, y):
        return x.sum(1).view(3, 1).expand(3, 4) * y


class WeightOfEachElement(nn.Module):
    def forward(self, x, w):
        b, c, n = x.shape
        return F.conv1d(x.reshape(1, b * c, n), w.reshape(b * 2, c, 3), groups=b).reshape(b, 2, n - 2)


EACH = ("x=f32[batch,4,8]", "w=f32[batch,2,4,3]")
EACH_RUNS = [(rand(3, 4, 8), rand(3, 2, 4, 3))]


@trace(*EACH, runs=EACH_RUNS, refused=["_convolution", "`batch` of `x`", "at 3", "in 3 groups", "torch.bmm", "refused.py"])
class GroupsOfATrace(WeightOfEachElement):
    pass


@script(*EACH, runs=EACH_RUNS, refused=["conv1d", "group of ONNX Conv", "axis `batch` of `x`", "give the size", "refused.py"])
class GroupsOfAScript(WeightOfEachElement):
    pass


class TransposedOfEachElement(nn.Module):
    def forward(self, x, w):
        b, c, n = x.shape
        return F.conv_transpose1d(x.reshape(1, b * c, n), w.reshape(b * c, 2, 3), groups=b).reshape(b, 2, n + 2)


TRANSPOSED = ("x=f32[batch,4,8]", "w=f32[batch,4,2,3]")
TRANSPOSED_RUNS = [(rand(3, 4, 8), rand(3, 4, 2, 3))]


@trace(*TRANSPOSED, runs=TRANSPOSED_RUNS, refused=["_convolution", "`batch` of `x`", "in 3 groups", "F.fold"])
class TransposedGroupsOfATrace(TransposedOfEachElement):
    pass


@script(*TRANSPOSED, runs=TRANSPOSED_RUNS, refused=["conv_transpose1d", "group of ONNX ConvTranspose", "`batch` of `x`"])
class TransposedGroupsOfAScript(TransposedOfEachElement):
    pass


@trace("x=f32[3,n]", runs=ANY, refused=["element 3 of axis 1", "`n`", "aten::select.int", "refused.py"])
class UnrolledByNumber(nn.Module):
    """A loop over a named axis: the trace has one read for each element it had."""

    def forward(self, x):
        y = torch.zeros_like(x[:, 0])
        for i in range(x.shape[1]):
            y = y * 0.5 + x[:, i]
        return y


@trace("x=f32[3,n]", runs=ANY, refused=["element 3 of axis 1", "`n`", "aten::slice.Tensor", "refused.py"])
class UnrolledBySlices(nn.Module):
    def forward(self, x):
        return torch.cat([x[:, i : i + 2].sum(1, keepdim=True) for i in range(0, x.shape[1], 2)], 1)


@trace(
    "x=f32[4,4]",
    runs=[(torch.eye(4),)],
    opsets=[10],
    refused=["[E0202] aten::linalg_cholesky", "opset 11 can express it", "aten::fft_rfft", "opset 17 can express it"],
)
class BehindAnOlderOpset(nn.Module):
    """The opset that an operator itself needs is named, even if its operand comes from a call that cannot be made."""

    def forward(self, x):
        return torch.view_as_real(torch.fft.rfft(torch.linalg.cholesky(x)))


@script(X, runs=ANY, refused=["squeeze of a size known only at run time", "aten::squeeze.dim", "refused.py"])
class SqueezedCount(nn.Module):
    """The axis may be 1 in a run: the result's rank would differ."""

    def forward(self, x):
        return x.nonzero().squeeze(0)


@script(X, runs=ANY, refused=["squeeze of sizes known only at run time", "aten::squeeze", "refused.py"])
class SqueezedCounts(nn.Module):
    def forward(self, x):
        return x.nonzero().squeeze()


@trace(X, runs=ANY, refused=["a list whose length is decided at run time is unpacked into 3", "unbind"])
class UnrolledByIteration(nn.Module):
    def forward(self, x):
        return torch.stack([row.sum() * (i + 1) for i, row in enumerate(x)])


@trace("x=f32[3,n]", runs=ANY, refused=["a list whose length is decided at run time is unpacked into 2", "split"])
class UnrolledBySplit(nn.Module):
    def forward(self, x):
        return torch.cat([part * (i + 1) for i, part in enumerate(x.split(2, 1))], 1)


@trace("x=f32[3,3]", runs=[(rand(3, 3),)], refused=["output", "result 1 of aten::_linalg_det is not exported"])
class ResultThatIsLeftOut(nn.Module):
    """Not to be mistaken for None, which is no output."""

    def forward(self, x):
        d, lu, _ = torch._linalg_det(x)
        return d, lu


@script(X, runs=ANY, refused=["[E0111] output", "is a text (\"done\")"])
class StringOutput(nn.Module):
    def forward(self, x):
        return x + 1, "done"


@script(X, runs=ANY, refused=["aten::linalg_eigvals", "refused.py", "linalg.eigvals(x.t() @ x)"])
class UnknownOperator(nn.Module):
    def forward(self, x):
        return torch.linalg.eigvals(x.t() @ x)


@script(X, runs=ANY, refused=["[E0203] aten::linalg_eigvals", "[E0203] aten::hash_tensor", "refused.py"])
class TwoUnknownOperators(nn.Module):
    """Both are in one report, the one inside a branch as well."""

    def forward(self, x):
        y = torch.linalg.eigvals(x.t() @ x)
        if x.sum() > 0:
            y = torch.hash_tensor(x, [0])
        return y


@script(X, runs=ANY, refused=["expand", "refused.py"])
class WriteToExpanded(nn.Module):
    """PyTorch refuses it too, when it runs."""

    def forward(self, x):
        y = x[:1].expand(5, 4)
        y.add_(1)
        return y


class Restored(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = rand(4)
        self.training = False

    @torch.jit.export
    def __getstate__(self):
        return self.weight, self.training

    @torch.jit.export
    def __setstate__(self, state):
        # type: (Tuple[Tensor, bool]) -> None
        self.weight = torch.from_file("/etc/hostname", False, 4) * state[0]
        self.training = state[1]


@script(X, runs=ANY, kind="bad_input", refused=["[E0308] ", "__setstate__", "ExportOptions::trust_source"])
class HostileSetState(Restored):
    """Code that runs when the archive is loaded."""

    def forward(self, x):
        return x + self.weight


@script(X, runs=ANY, kind="bad_input", refused=["torch.from_file", "refused.py"])
class ReadsFile(nn.Module):
    def forward(self, x):
        return x + torch.from_file("/etc/hostname", False, 4)


@script(X, runs=ANY, kind="bad_input", refused=["torch.save", "refused.py"])
class WritesFile(nn.Module):
    def forward(self, x):
        torch.save(x, "out.pt")
        return x + 1


@script(runs=ANY, kind="usage", refused=["[E0008] ", "ExportOptions::inputs", "`x`", "`k`", "Tensor", "int"])
class MissingInputs(nn.Module):
    """Nothing is known of the parameters: each is asked for by its name."""

    def forward(self, x, k: int):
        return x * k


@script(X, "y=f32[4]", runs=ANY, kind="usage", refused=["error[E0007]: ", "`y`", "`x`"])
class NoSuchInput(nn.Module):
    def forward(self, x):
        return x + 1


@script(X, runs=ANY, refused=["refused.py", "needs more memory"], kind="memory_budget")
class EndlessLoop(nn.Module):
    def forward(self, x):
        while True:
            x = x + 1
        return x


@script(X, runs=ANY, refused=["rank", "refused.py"])
class RankFromData(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            y = x.unsqueeze(0)
        else:
            y = x
        return y * 2


@script(X, runs=ANY, refused=["a int64 tensor", "a float32 tensor", "refused.py"])
class DtypeFromData(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            y = x.long()
        else:
            y = x
        return y.sum()


@script(X, runs=ANY, refused=["None", "refused.py"])
class OutputInSomeRuns(nn.Module):
    def forward(self, x):
        y: Optional[torch.Tensor] = None
        if x.sum() > 0:
            y = x + 1
        return y


def training(module):
    return torch.jit.script(module.train())


@script(X, runs=ANY, build=training, refused=["dropout", "train", "eval()"])
class TrainingDropout(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(x)


@script(X, runs=ANY, build=training, refused=["[E0203] ", "batch_norm", "train", "eval()"])
class TrainingBatchNorm(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x):
        return self.norm(x)


@script(X, "k=i64[]", runs=ANY, refused=["key", "refused.py"])
class DictKeyFromRun(nn.Module):
    def forward(self, x, k: int):
        d: Dict[int, torch.Tensor] = {1: x, 2: x + 1}
        return d[k]


@script(X, runs=ANY, refused=["aten::to_sparse", "refused.py"])
class SparseTensor(nn.Module):
    def forward(self, x):
        return x.to_sparse().to_dense()


@script(X, runs=ANY, opsets=(9,), refused=["opset 11", "refused.py"])
class OpsetTooLow(nn.Module):
    """Sequences came with opset 11."""

    def forward(self, x):
        out: List[torch.Tensor] = []
        for k in range(x.size(0)):
            out.append(x[k] + 1)
        return out


@script(X, runs=ANY, refused=["three axes expected, not 2", "refused.py"])
class AssertFails(nn.Module):
    def forward(self, x):
        assert x.dim() == 3, f"three axes expected, not {x.dim()}"
        return x + 1


@script(X, "mode=median", runs=ANY, refused=["[E0101] ", "unknown mode median", "refused.py"])
class Raises(nn.Module):
    def forward(self, x, mode: str):
        if mode == "sum":
            return x.sum()
        raise ValueError("unknown mode " + mode)


@script(X, runs=ANY, refused=["index", "range", "refused.py"])
class ListIndexOutOfRange(nn.Module):
    def forward(self, x):
        parts = [x, x + 1]
        return parts[x.dim() + 1]


@script(X, runs=ANY, refused=["`c`", "key", "refused.py"])
class NoSuchKey(nn.Module):
    def forward(self, x):
        d = {"a": x, "b": x + 1}
        return d["c"]


@script(X, runs=ANY, refused=["complex"])
class ComplexOutput(nn.Module):
    def forward(self, x):
        return torch.complex(x, x)


@script("x=f32[4]", runs=ANY, refused=["refused.py"])
class ShapeMismatch(nn.Module):
    """PyTorch would refuse this as well, and that is known before it runs."""

    def forward(self, x):
        return torch.zeros(3) + x


@script(
    "images=list[f32[3,h,w]]",
    runs=[([rand(3, 4, 4)],)],
    refused=["holds list of 2", "if `images` has a length that is known", 'ExportOptions::inputs: "images.0=', "refused.py"],
)
class ListOfUnknownLength(nn.Module):
    """The report has the loop and a way out, not what goes wrong after it."""

    def forward(self, images: List[torch.Tensor]):
        sizes: List[List[int]] = []
        for image in images:
            sizes.append([image.size(1), image.size(2)])
        return torch.zeros(sizes[0])


@script(X, runs=ANY, refused=["aten::is_contiguous", "how the tensor lies in memory", "refused.py"])
class ContiguousForOneRow(nn.Module):
    """A transpose with a free axis: contiguous when that is 1."""

    def forward(self, x):
        y = x.t()
        return y + 1 if y.is_contiguous() else y


@script(X, "i=i64[]", "j=i64[]", runs=[(rand(3, 4), 1, 2)], refused=["which key it is is known only at run time", "refused.py"])
class DictLiteralOfKeysOfARun(nn.Module):
    """It has one element where they are equal."""

    def forward(self, x, i: int, j: int):
        d = {i: x, j: x + 1}
        return x * len(d)


@script(X, runs=ANY, refused=["error[E0103]: ", "loops unroll to more than 200000 iterations"])
class NeverEnds(nn.Module):
    def forward(self, x):
        i = 1
        while i > 0:
            i = i + 1
        return x + i
