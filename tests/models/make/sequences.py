"""RNNs and a transformer over words, from pytorch/examples, and a perceptron from the documentation of torch.onnx."""

import math
from typing import Tuple

import torch
from case import Case, model, randomise
from torch import nn
from torch.export import Dim
from torch.nn import functional as F


class WordLanguageModel(nn.Module):
    """pytorch/examples/word_language_model, RNNModel."""

    def __init__(self, kind, tokens=100, width=32, layers=2):
        super().__init__()
        self.tokens = tokens
        self.drop = nn.Dropout(0.2)
        self.encoder = nn.Embedding(tokens, width)
        if kind in ("LSTM", "GRU"):
            self.rnn = getattr(nn, kind)(width, width, layers, dropout=0.2)
        else:
            self.rnn = nn.RNN(width, width, layers, nonlinearity=kind[4:].lower(), dropout=0.2)
        self.decoder = nn.Linear(width, tokens)

    def forward(self, input, hidden):
        emb = self.drop(self.encoder(input))
        output, hidden = self.rnn(emb, hidden)
        output = self.drop(output)
        decoded = self.decoder(output)
        decoded = decoded.view(-1, self.tokens)
        return F.log_softmax(decoded, dim=1), hidden


class WordLanguageModelLstm(WordLanguageModel):
    """The same with the annotation that scripting needs."""

    def forward(self, input, hidden: Tuple[torch.Tensor, torch.Tensor]):
        emb = self.drop(self.encoder(input))
        output, hidden = self.rnn(emb, hidden)
        decoded = self.decoder(self.drop(output)).view(-1, self.tokens)
        return F.log_softmax(decoded, dim=1), hidden


# torch.export fixes the length of a sequence that goes through an RNN: its shape function walks the steps in Python.
# So only the batch is free here.


def word_language_model(kind):
    def args(length, batch):
        state = torch.randn(2, batch, 32)
        return (torch.randint(100, (length, batch)), (state, torch.randn(2, batch, 32)) if kind == "LSTM" else state)

    batch, state = Dim("batch"), {1: Dim("batch")}
    states = (state, state) if kind == "LSTM" else state
    return Case(
        (WordLanguageModelLstm if kind == "LSTM" else WordLanguageModel)(kind),
        args(7, 3),
        dynamic_shapes=({1: batch}, states),
        other=args(7, 5),
        torchscript_shapes=({0: Dim("length"), 1: batch}, states),
        torchscript_other=args(4, 2),
    )


@model
def word_language_model_lstm():
    return word_language_model("LSTM")


@model
def word_language_model_gru():
    return word_language_model("GRU")


@model
def word_language_model_rnn_tanh():
    return word_language_model("RNN_TANH")


@model
def word_language_model_rnn_relu():
    return word_language_model("RNN_RELU")


class Positions(nn.Module):
    """Sines and cosines, added to the embedding."""

    def __init__(self, width, longest=64):
        super().__init__()
        table = torch.zeros(longest, width)
        position = torch.arange(longest, dtype=torch.float).unsqueeze(1)
        step = torch.exp(torch.arange(0, width, 2).float() * (-math.log(10000.0) / width))
        table[:, 0::2] = torch.sin(position * step)
        table[:, 1::2] = torch.cos(position * step)
        self.register_buffer("pe", table.unsqueeze(1))
        self.dropout = nn.Dropout(0.2)

    def forward(self, x):
        return self.dropout(x + self.pe[: x.size(0), :])


class WordTransformer(nn.Module):
    """pytorch/examples/word_language_model, TransformerModel: causal, the mask made anew for each length."""

    def __init__(self, tokens=100, width=32, heads=4, hidden=48, layers=2):
        super().__init__()
        self.width = width
        self.input_emb = nn.Embedding(tokens, width)
        self.pos_encoder = Positions(width)
        layer = nn.TransformerEncoderLayer(width, heads, hidden, dropout=0.2)
        self.encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.decoder = nn.Linear(width, tokens)

    def forward(self, src):
        mask = torch.log(torch.tril(torch.ones(src.size(0), src.size(0))))
        src = self.pos_encoder(self.input_emb(src) * math.sqrt(self.width))
        return F.log_softmax(self.decoder(self.encoder(src, mask=mask)), dim=-1)


CAUSAL = "torch.export refuses it: TransformerEncoder compares the mask with a causal one, which depends on data"


@model
def word_language_model_transformer():
    return Case(
        randomise(WordTransformer()),
        (torch.randint(100, (7, 3)),),
        dynamic_shapes=({0: Dim("length"), 1: Dim("batch")},),
        other=(torch.randint(100, (4, 2)),),
        no_exported=CAUSAL,
        no_decomposed=CAUSAL,
        no_dynamic=CAUSAL,
        no_dynamic_decomposed=CAUSAL,
    )


@model
def rnn_zoo():
    """Bidirectional, batch first, no initial state, no bias, relu: one call each."""

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm = nn.LSTM(6, 8, 2, batch_first=True, bidirectional=True)
            self.gru = nn.GRU(16, 4, 1, batch_first=True, bidirectional=True, bias=False)
            self.tanh = nn.RNN(8, 6, 1, batch_first=True)
            self.relu = nn.RNN(6, 3, 2, batch_first=True, nonlinearity="relu")

        def forward(self, x):
            x, (h, c) = self.lstm(x)
            x, g = self.gru(x)
            x, _ = self.tanh(x)
            x, r = self.relu(x)
            return x, h, c, g, r

    return Case(
        Net(),
        (torch.randn(3, 5, 6),),
        dynamic_shapes=({0: Dim("batch")},),
        other=(torch.randn(2, 5, 6),),
        torchscript_shapes=({0: Dim("batch"), 1: Dim("time")},),
        torchscript_other=(torch.randn(2, 8, 6),),
    )


@model
def mlp():
    class MLPModel(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc0 = nn.Linear(8, 8, bias=True)
            self.fc1 = nn.Linear(8, 4, bias=True)
            self.fc2 = nn.Linear(4, 2, bias=True)
            self.fc3 = nn.Linear(2, 2, bias=True)
            self.fc_combined = nn.Linear(8 + 8 + 8, 8, bias=True)

        def forward(self, tensor_x: torch.Tensor, input_dict: dict, input_list: list):
            dict_tensor = input_dict["tensor_x"]
            list_tensor = input_list[0]
            combined_tensor = torch.cat([tensor_x, dict_tensor, list_tensor], dim=1)
            combined_tensor = self.fc_combined(combined_tensor)
            combined_tensor = torch.sigmoid(combined_tensor)
            combined_tensor = self.fc0(combined_tensor)
            combined_tensor = torch.sigmoid(combined_tensor)
            combined_tensor = self.fc1(combined_tensor)
            combined_tensor = torch.sigmoid(combined_tensor)
            combined_tensor = self.fc2(combined_tensor)
            combined_tensor = torch.sigmoid(combined_tensor)
            return self.fc3(combined_tensor)

    def args(batch):
        return (torch.rand(batch, 8), {"tensor_x": torch.rand(batch, 8)}, [torch.rand(batch, 8)])

    batch = Dim("batch_size")
    shapes = ({0: batch}, {"tensor_x": {0: batch}}, [{0: batch}])
    untyped = "a bare `dict` and `list` are no types of TorchScript"
    return Case(MLPModel(), args(97), dynamic_shapes=shapes, other=args(5), no_scripted=untyped)
