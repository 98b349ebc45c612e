"""Operators and calls that are refused, and those in their place."""

import dataclasses

import torch
import torch.nn.functional as F
from advice import Case, script, trace
from torch import nn

X = torch.rand(3, 4)
WHOLE = "--input", "x=f32[3,4]"


def eigenvalues(x):
    return torch.linalg.eigvals(x.t() @ x).real


def eigenvalues_of_symmetric(x):
    return torch.linalg.eigvalsh(x.t() @ x)


def dropped(x):
    return F.dropout(x, 0.5, training=True)


def kept(x):
    return F.dropout(x, 0.5, training=False)


def to_sparse(x):
    return x.to_sparse().to_dense()


def hashed(x):
    return torch.hash_tensor(x, [0])


def lanczos(x):
    return F.interpolate(x[None, None], (5, 6), mode="lanczos", antialias=True)


def bicubic(x):
    return F.interpolate(x[None, None], (5, 6), mode="bicubic", antialias=True)


def matrix_exp_of_halves(x):
    return torch.matrix_exp(x.half()[:, :3]).float()


def matrix_exp_of_floats(x):
    return torch.matrix_exp(x[:, :3])


def causal(x):
    q = x[None, None]
    return F.scaled_dot_product_attention(q, q, q, is_causal=True, scale=-1.0)


def causal_of_scaled(x):
    q = x[None, None]
    return F.scaled_dot_product_attention(q * -1.0, q, q, is_causal=True, scale=1.0)


def einsum_of_bytes(x):
    i = x.to(torch.int32)
    return torch.einsum("ij->i", i[i[:, 0] >= 0])


def einsum_of_longs(x):
    i = x.to(torch.int64)
    return torch.einsum("ij->i", i[i[:, 0] >= 0])


def negative_power(x):
    return x.long().pow(-1)


def close_by_tolerance(x):
    tolerance = float(torch.max(x)) * 0.5
    return x * 2 if torch.allclose(x, x + 0.1, tolerance) else x


def close_by_comparison(x):
    tolerance = torch.max(x) * 0.5
    return x * 2 if bool(((x - (x + 0.1)).abs() <= tolerance).all()) else x


def asks_for_memory(x):
    y = x.t() if bool(x.sum() > 0) else x.t().contiguous()
    if y.is_contiguous():
        return y + 1
    return y


def asks_for_nothing(x):
    y = x.t() if bool(x.sum() > 0) else x.t().contiguous()
    return y.contiguous() + 1


def outside_axis(x):
    return x.sum(4)


def inside_axis(x):
    return x.sum(1)


class PackedLSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 6, proj_size=3)

    def forward(self, x, n):
        packed = nn.utils.rnn.pack_padded_sequence(x, n, enforce_sorted=False)
        return nn.utils.rnn.pad_packed_sequence(self.lstm(packed)[0])[0]


class PaddedLSTM(PackedLSTM):
    def forward(self, x, n):
        return self.lstm(x)[0]


def memory_of_unknown(x):
    y = x * 2
    z = y.t() if bool(x.sum() > 0) else y.t() + 1
    return z.as_strided((2, 2), (4, 1))


def sliced(x):
    y = x * 2
    z = y.t() if bool(x.sum() > 0) else y.t() + 1
    return z[:2, :2].t()


class Encoder(nn.Module):
    def __init__(self, **words):
        super().__init__()
        layer = nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, **words)
        self.eval()

    def forward(self, x):
        return self.encoder(x, src_key_padding_mask=x[:, :, 0] > 2)


def without_fastpath(archive):
    def save(path):
        torch.backends.mha.set_fastpath_enabled(False)
        archive.save(path)
        torch.backends.mha.set_fastpath_enabled(True)

    return dataclasses.replace(archive, save=save)


NESTED = Encoder()


SEQUENCES = torch.rand(3, 2, 4), torch.tensor([3, 2])
LENGTHS = "--input", "x=f32[3,2,4]", "--input", "n=i64[2]"

CASES = [
    Case("E0203", [script(eigenvalues, X), *WHOLE], "ONNX has no eigenvalues"),
    Case("E0201", [script(to_sparse, X), *WHOLE], "--map aten::to_sparse=DOMAIN.NODE makes it a node of yours",
         [script(to_sparse, X), *WHOLE, "--map", "aten::to_sparse=acme.A", "--map", "aten::to_dense=acme.B"],
         compare=False),
    Case("E0203", [script(dropped, X), *WHOLE], "export the model in eval mode (model.eval())",
         [script(kept, X), *WHOLE]),
    Case("E0203", [script(dropped, X), *WHOLE], "or with --training", [script(dropped, X), *WHOLE, "--training"],
         compare=False),
    Case("E0203", [script(hashed, X), *WHOLE], "reduces nothing by exclusive or"),
    Case("E0203", [trace(lanczos, X), *WHOLE], 'use mode="bicubic"', [trace(bicubic, X), *WHOLE]),
    Case("E0203", [script(matrix_exp_of_halves, X), *WHOLE], "take it of float32",
         [script(matrix_exp_of_floats, X), *WHOLE]),
    Case("E0203", [script(causal, X), *WHOLE], "scale the query instead", [script(causal_of_scaled, X), *WHOLE]),
    Case("E0203", [script(einsum_of_bytes, X), *WHOLE], "cast the operands", [script(einsum_of_longs, X), *WHOLE]),
    Case("E0203", [script(negative_power, X), *WHOLE], "which PyTorch refuses, too"),
    Case("E0200", [script(close_by_tolerance, X), *WHOLE], "write the comparison as `(a - b).abs() <= tolerance`",
         [script(close_by_comparison, X), *WHOLE]),
    Case("E0213", [script(asks_for_memory, X), *WHOLE], "leave the question out (`contiguous()` asks by itself)",
         [script(asks_for_nothing, X), *WHOLE]),
    Case("E0209", [script(outside_axis, X), *WHOLE], "axis 4 is outside", [script(inside_axis, X), *WHOLE]),
    Case("E0203", [script(PackedLSTM(), *SEQUENCES), *LENGTHS], "of a padded tensor it can be exported",
         [script(PaddedLSTM(), *SEQUENCES), *LENGTHS]),
    Case("E0109", [script(memory_of_unknown, X), *WHOLE], "use slice, select or unfold", [script(sliced, X), *WHOLE]),
    Case("E0203", [trace(NESTED, X[None])], "build the TransformerEncoder with enable_nested_tensor=False",
         [trace(Encoder(enable_nested_tensor=False), X[None])]),
    Case("E0203", [trace(NESTED, X[None])], "or call torch.backends.mha.set_fastpath_enabled(False) before tracing",
         [without_fastpath(trace(NESTED, X[None]))]),
    Case("E0203", [script(NESTED, X[None]), "--input", "x=f32[1,3,4]"], "enable_nested_tensor=False",
         [script(Encoder(enable_nested_tensor=False), X[None]), "--input", "x=f32[1,3,4]"]),
]
