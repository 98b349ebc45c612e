"""Quantised archives: QuantizeLinear and DequantizeLinear around float operators, with the archive's own scales."""

import copy

import torch
from torch import nn
from torch.ao import quantization as tq
from torch.ao.nn.quantized import FloatFunctional

from program import rand, script, trace

QDQ = ["QuantizeLinear", "DequantizeLinear"]
PICTURES = [(rand(2, 3, 8, 8),), (rand(1, 3, 8, 8),), (rand(4, 3, 8, 8) * 3,)]
X = "x=f32[n,4]"
SIZES = [(rand(3, 4),), (rand(5, 4) * 2,)]

# The kernels that compute the expected values; the archives say nothing of them.
torch.backends.quantized.engine = "qnnpack"


def prepare(module, args, fuse=(), qconfig=None):
    """Post-training quantisation: observers see random data, then the modules are exchanged."""
    module = copy.deepcopy(module).eval()
    if fuse:
        module = tq.fuse_modules(module, [list(names) for names in fuse])
    module.qconfig = qconfig or tq.get_default_qconfig("fbgemm")
    prepared = tq.prepare(module)
    for _ in range(3):
        prepared(*[torch.randn_like(a) for a in args])
    return tq.convert(prepared)


PER_TENSOR = tq.QConfig(
    activation=tq.MinMaxObserver.with_args(dtype=torch.quint8),
    weight=tq.MinMaxObserver.with_args(dtype=torch.qint8, qscheme=torch.per_tensor_symmetric),
)


def scripted(args, **options):
    return lambda module: torch.jit.script(prepare(module, args, **options))


def traced(**options):
    return lambda module, args: torch.jit.trace(prepare(module, args, **options), args, check_trace=False)


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.quant = tq.QuantStub()
        self.conv = nn.Conv2d(3, 4, 3, stride=2, padding=1)
        self.norm = nn.BatchNorm2d(4)
        self.relu = nn.ReLU()
        self.depthwise = nn.Conv2d(4, 4, 3, padding=1, groups=4, bias=False)
        self.head = nn.Linear(4, 5)
        self.dequant = tq.DeQuantStub()

    def forward(self, x):
        x = self.quant(x)
        x = self.depthwise(self.relu(self.norm(self.conv(x))))
        x = nn.functional.adaptive_avg_pool2d(x, 1).flatten(1)
        return self.dequant(self.head(x))


FUSE = [("conv", "norm", "relu")]


@script(
    "x=f32[n,3,8,8]",
    build=scripted(PICTURES[0], fuse=FUSE),
    runs=PICTURES,
    since=13,
    has=[*QDQ, "Conv:2"],
    tolerance=0.02,
)
class QuantizedPerChannel(ConvNet):
    pass


@trace("x=f32[n,3,8,8]", build=traced(fuse=FUSE), runs=PICTURES, since=13, has=[*QDQ, "Conv:2"], tolerance=0.02)
class QuantizedPerChannelTraced(ConvNet):
    pass


@script(
    "x=f32[n,3,8,8]",
    build=scripted(PICTURES[0], fuse=FUSE, qconfig=PER_TENSOR),
    runs=PICTURES,
    since=10,
    has=[*QDQ, "Conv:2"],
    tolerance=0.02,
)
class QuantizedPerTensor(ConvNet):
    pass


@script(X, build=scripted((rand(4, 4),)), runs=SIZES, since=13, has=[*QDQ], tolerance=0.05)
class QuantizedLinear(nn.Module):
    def __init__(self):
        super().__init__()
        self.quant = tq.QuantStub()
        self.linear = nn.Linear(4, 3)
        self.dequant = tq.DeQuantStub()

    def forward(self, x):
        return self.dequant(self.linear(self.quant(x)))


@script(
    X,
    build=scripted((rand(4, 4),), fuse=[("linear", "relu")], qconfig=PER_TENSOR),
    runs=SIZES,
    since=10,
    has=[*QDQ],
    tolerance=0.05,
)
class QuantizedLinearRelu(nn.Module):
    def __init__(self):
        super().__init__()
        self.quant = tq.QuantStub()
        self.linear = nn.Linear(4, 3)
        self.relu = nn.ReLU()
        self.dequant = tq.DeQuantStub()

    def forward(self, x):
        return self.dequant(self.relu(self.linear(self.quant(x))))


@script(X, build=scripted((rand(4, 4),)), runs=SIZES, since=10, has=[*QDQ, "Add", "Concat"], tolerance=0.06)
class QuantizedAddCat(nn.Module):
    def __init__(self):
        super().__init__()
        self.quant = tq.QuantStub()
        self.add = FloatFunctional()
        self.add_relu = FloatFunctional()
        self.mul = FloatFunctional()
        self.cat = FloatFunctional()
        self.dequant = tq.DeQuantStub()

    def forward(self, x):
        x = self.quant(x)
        y = self.add.add(x, x)
        z = self.add_relu.add_relu(x, y)
        w = self.mul.mul(y, z)
        return self.dequant(self.cat.cat([y, z, w], 1)), self.dequant(z)


@script(X, runs=SIZES, since=10, has=QDQ)
class QuantizeDequantize(nn.Module):
    """The values and the rounding of the operators themselves, saturation as well."""

    def forward(self, x):
        q = torch.quantize_per_tensor(x * 3, 0.05, 10, torch.quint8)
        s = torch.quantize_per_tensor(x, 0.02, -3, torch.qint8)
        return q.dequantize(), s.dequantize(), q.int_repr(), s.int_repr(), q.q_scale(), q.q_zero_point()


def two_grids(x):
    q = torch.quantize_per_tensor(x * 3, 0.05, 10, torch.quint8)
    return q, torch.quantize_per_tensor(x, 0.02, -3, torch.qint8)


@script(X, runs=SIZES, since=10, has=QDQ)
class ListsOfQuantized(nn.Module):
    """An operation on a list does not affect its elements: each keeps its scale."""

    def forward(self, x):
        q, s = two_grids(x)
        first = [q, s, q][:2]
        both = first + [s]
        return first[0].int_repr(), first[1].int_repr(), first[1].q_scale(), both[2].int_repr(), len(both)


@script(X, runs=SIZES, since=10, has=QDQ)
class DataOfQuantized(nn.Module):
    def forward(self, x):
        q, s = two_grids(x)
        return q.data.int_repr(), s.data.q_scale(), s.cpu().int_repr()


@script(X, runs=SIZES, since=10)
class KindOfQuantized(nn.Module):
    """Asks about the integers, not about the float tensor that stands for them."""

    def forward(self, x):
        q, s = two_grids(x)
        y = x * q.element_size()
        if q.is_floating_point() or not s.is_quantized:
            y = y + 1
        return y


@script(X, refused=["[E0207] aten::abs", "is not supported on quantized tensors; dequantize before it"], runs=SIZES)
class AbsoluteOfQuantized(nn.Module):
    """Uses functions for which TorchScript has an operator of its own, too."""

    def forward(self, x):
        return two_grids(x)[0].abs().dequantize()


@script(X, refused=["holds quantized tensors; dequantize them before"], runs=SIZES)
class QuantizedInSequence(nn.Module):
    """An element of an ONNX sequence would have lost its scale."""

    def forward(self, x):
        q, s = two_grids(x)
        parts = [q, s]
        if x.sum() > 0:
            parts.append(q)
        return parts[1].mean()


@script(X, refused=["holds quantized tensors; dequantize them before"], runs=SIZES)
class QuantizedAtUnknownPosition(nn.Module):
    def forward(self, x):
        q, s = two_grids(x)
        return [q, s][int((x.sum() > 0).item())].mean()


@script(X, refused=["holds quantized tensors; dequantize them before"], runs=SIZES)
class QuantizedOfEachIteration(nn.Module):
    def forward(self, x):
        parts = []
        for i in range(x.size(0)):
            parts.append(torch.quantize_per_tensor(x[i], 0.05, 10, torch.quint8))
        return parts[0].mean()


@script(X, runs=SIZES, since=13, has=QDQ)
class QuantizePerChannel(nn.Module):
    def forward(self, x):
        scales = torch.tensor([0.1, 0.02, 0.05, 0.4])
        zeros = torch.tensor([0, 5, -7, 100])
        return torch.quantize_per_channel(x, scales, zeros, 1, torch.qint8).dequantize()


@script(
    "x=f32[n,3,8,8]", build=scripted(PICTURES[0], qconfig=PER_TENSOR), runs=PICTURES, since=10, has=QDQ, tolerance=0.06
)
class QuantizedShapes(nn.Module):
    """Operators that keep scale and zero point."""

    def __init__(self):
        super().__init__()
        self.quant = tq.QuantStub()
        self.relu = nn.ReLU()
        self.pool = nn.MaxPool2d(2)
        self.dequant = tq.DeQuantStub()

    def forward(self, x):
        q = self.pool(self.relu(self.quant(x)))
        q = q.permute(0, 2, 3, 1).reshape(x.size(0), -1, 3)[:, 1:]
        return self.dequant(q), self.dequant(q.mean(1)), self.dequant(q.transpose(1, 2).contiguous())


def dynamic(module):
    return torch.jit.script(tq.quantize_dynamic(module, {nn.Linear}, dtype=torch.qint8))


@script(X, build=dynamic, runs=SIZES, since=13, has=["Round"], tolerance=0.06)
class QuantizedDynamicLinear(nn.Module):
    """Weights are quantised in the archive, activations when it runs."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 2))

    def forward(self, x):
        return self.body(x)


@script(X, runs=SIZES, since=10, has=QDQ)
class FakeQuantize(nn.Module):
    """Quantization-aware training leaves this operator in a model."""

    def forward(self, x):
        return torch.fake_quantize_per_tensor_affine(x, 0.1, 3, 0, 255)


def recurrent(module):
    return torch.jit.script(
        tq.quantize_dynamic(module, {nn.LSTM, nn.GRU, nn.LSTMCell, nn.GRUCell, nn.RNNCell}, dtype=torch.qint8)
    )


STEPS = [(rand(5, 2, 4),), (rand(3, 1, 4) * 2,)]


@script("x=f32[t,b,4]", build=recurrent, runs=STEPS, since=11, has=["Loop:5"], tolerance=0.05)
class QuantizedDynamicRecurrent(nn.Module):
    """Each layer and direction is a loop."""

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 3, 2, bidirectional=True)
        self.gru = nn.GRU(6, 5, batch_first=True)

    def forward(self, x):
        y, (h, c) = self.lstm(x)
        z, g = self.gru(y.transpose(0, 1))
        return y, h, c, z, g


@script(X, build=recurrent, runs=SIZES, since=11, tolerance=0.05)
class QuantizedDynamicCells(nn.Module):
    """One step each, with two packed weights."""

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTMCell(4, 6)
        self.gru = nn.GRUCell(6, 5)
        self.tanh = nn.RNNCell(5, 4)
        self.relu = nn.RNNCell(4, 3, nonlinearity="relu")

    def forward(self, x):
        h, c = self.lstm(x)
        g = self.gru(h)
        return h, c, g, self.relu(self.tanh(g))


def tables(module, qconfig=tq.float_qparams_weight_only_qconfig):
    module = copy.deepcopy(module).eval()
    for table in module.children():
        table.qconfig = qconfig
    return torch.jit.script(tq.convert(tq.prepare(module)))


@script(
    "i=i64[n]",
    "o=i64[m]",
    build=tables,
    runs=[
        (torch.tensor([1, 2, 3, 4, 9]), torch.tensor([0, 2, 5])),
        (torch.tensor([0, 7]), torch.tensor([0, 1, 1, 2])),
    ],
    since=11,
    tolerance=1e-5,
)
class QuantizedEmbeddings(nn.Module):
    """Zero points that are no integers."""

    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(10, 12)
        self.bags = nn.EmbeddingBag(10, 12, mode="sum", include_last_offset=True)

    def forward(self, i, o):
        return self.table(i), self.bags(i, o)


@script(
    "i=i64[n]",
    "o=i64[m]",
    build=lambda module: tables(module, tq.float_qparams_weight_only_qconfig_4bit),
    runs=[
        (torch.tensor([1, 2, 3, 4, 9]), torch.tensor([0, 2, 5])),
        (torch.tensor([0, 7]), torch.tensor([0, 1, 1, 2])),
    ],
    since=11,
    tolerance=1e-6,
    loads=False,  # it takes two elements in a byte for two bytes
)
class SmallTable(nn.Module):
    """Two elements in a byte."""

    def __init__(self):
        super().__init__()
        self.bags = nn.EmbeddingBag(10, 12, mode="sum", include_last_offset=True)

    def forward(self, i, o):
        return self.bags(i, o), torch.ops.quantized.embedding_4bit(self.bags._packed_params._packed_weight, i)


@script("i=i64[n]", "o=i64[m]", runs=[(torch.tensor([1, 2, 0, 4]), torch.tensor([0, 1]))], since=11, tolerance=1e-5)
class PackedTable(nn.Module):
    """Scale and smallest value of a row stand in its bytes."""

    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.ops.quantized.embedding_bag_byte_prepack(rand(5, 6)))
        self.register_buffer("small", torch.ops.quantized.embedding_bag_4bit_prepack(rand(5, 6)))

    def forward(self, i, o):
        return (
            torch.ops.quantized.embedding_bag_byte_rowwise_offsets(self.table, i, o),
            torch.ops.quantized.embedding_bag_4bit_unpack(self.small),
        )
