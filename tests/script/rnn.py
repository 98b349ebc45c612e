"""Recurrent layers at lengths and batches other than the traced ones."""

from typing import List, Optional, Tuple

import torch
from torch import nn

from program import rand, script, trace

LAYERS = 4


def lstm_runs(*sizes):
    return [(rand(t, b, 10), (rand(2 * LAYERS, b, 20), rand(2 * LAYERS, b, 20))) for t, b in sizes]


def documentation_lstm():
    return nn.LSTM(10, 20, num_layers=LAYERS, bidirectional=True)


LSTM_INPUTS = ["input=f32[sequence,3,10]", "hx.0=f32[8,3,20]", "hx.1=f32[8,3,20]"]


class DocumentationLstm(nn.Module):
    """The LSTM of the documentation's questions, whose length is free."""

    def __init__(self):
        super().__init__()
        self.lstm = documentation_lstm()

    def forward(self, input, hx: Tuple[torch.Tensor, torch.Tensor]):
        return self.lstm(input, hx)


DocumentationLstm = script(*LSTM_INPUTS, runs=lstm_runs((5, 3), (9, 3), (1, 3)), has=["LSTM:4"])(DocumentationLstm)


@trace(*LSTM_INPUTS, runs=lstm_runs((5, 3), (9, 3), (1, 3)), has=["LSTM:4"])
class DocumentationLstmTraced(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = documentation_lstm()

    def forward(self, input, hx: Tuple[torch.Tensor, torch.Tensor]):
        return self.lstm(input, hx)


SEQUENCE = "x=f32[batch,time,6]"
SEQUENCES = [(rand(3, 5, 6),), (rand(1, 8, 6),), (rand(4, 1, 6),)]


@script(SEQUENCE, runs=SEQUENCES, has=["LSTM:2"])
class LstmNoState(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(6, 5, 2, batch_first=True, dropout=0.3)

    def forward(self, x):
        y, (h, c) = self.lstm(x)
        return y, h, c


@script(SEQUENCE, runs=SEQUENCES, has=["GRU:2"])
class GruBidirectional(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(6, 5, 2, batch_first=True, bidirectional=True)

    def forward(self, x):
        return self.gru(x)


@script(SEQUENCE, runs=SEQUENCES, has=["RNN"])
class RnnKinds(nn.Module):
    def __init__(self):
        super().__init__()
        self.tanh = nn.RNN(6, 5, batch_first=True, bias=False)
        self.relu = nn.RNN(5, 4, 2, nonlinearity="relu", batch_first=True)

    def forward(self, x):
        x, h = self.tanh(x)
        x, g = self.relu(x)
        return x, h, g


@script("x=f32[time,6]", runs=[(rand(5, 6),), (rand(2, 6),)], has=["LSTM"])
class LstmUnbatched(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(6, 5)

    def forward(self, x):
        y, (h, c) = self.lstm(x)
        return y, h, c


@script("x=f32[time,batch,6]", runs=[(rand(5, 2, 6),), (rand(3, 4, 6),)], has=["Loop"])
class LstmCellLoop(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(6, 5)

    def forward(self, x):
        h = torch.zeros(x.size(1), 5)
        c = torch.zeros(x.size(1), 5)
        outs: List[torch.Tensor] = []
        for t in range(x.size(0)):
            h, c = self.cell(x[t], (h, c))
            outs.append(h)
        return torch.stack(outs), c


@script("x=f32[time,batch,6]", runs=[(rand(5, 2, 6),), (rand(3, 4, 6),)], has=["Loop"])
class RnnCellsReversed(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRUCell(6, 5)
        self.rnn = nn.RNNCell(5, 4, nonlinearity="relu")

    def forward(self, x):
        h = torch.zeros(x.size(1), 5)
        g = torch.zeros(x.size(1), 4)
        for t in range(x.size(0) - 1, -1, -1):
            h = self.gru(x[t], h)
            g = self.rnn(h, g)
        return h, g


@trace(SEQUENCE, runs=SEQUENCES, has=["LSTM", "GRU", "RNN"])
class AllTraced(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(6, 5, batch_first=True, bidirectional=True)
        self.gru = nn.GRU(10, 5, 2, batch_first=True)
        self.rnn = nn.RNN(5, 3, batch_first=True)

    def forward(self, x):
        x, (h, c) = self.lstm(x)
        x, g = self.gru(x)
        x, r = self.rnn(x)
        return x, h, c, g, r


@script(SEQUENCE, runs=SEQUENCES)
class OptionalState(nn.Module):
    """State that is None on the first call, as language models have it."""

    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(6, 5, batch_first=True)

    def forward(self, x, h: Optional[torch.Tensor] = None):
        if h is None:
            h = torch.zeros(1, x.size(0), 5)
        y, h = self.gru(x, h)
        return y[:, -1], h


@script("x=f32[n,4]", runs=[(rand(3, 4),), (rand(5, 4),), (rand(1, 4),)], has=["Loop:1"], since=13)
class ScanOfState(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(4, 4)

    def forward(self, x):
        h, c = torch.zeros(1, 4), torch.zeros(1, 4)
        hs: List[torch.Tensor] = []
        for row in x.split(1):
            h, c = self.cell(row, (h, c))
            hs.append(h)
        return torch.cat(hs), c


@script("x=f32[b,t,4]", runs=[(rand(2, 5, 4),), (rand(3, 2, 4),)], has=["Loop:1"], since=11)
class BatchFirstGru(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(4, 6)

    def forward(self, x):
        h = torch.zeros(x.size(0), 6, device=x.device, dtype=x.dtype)
        hs = torch.jit.annotate(List[torch.Tensor], [])
        for t in range(x.size(1)):
            h = self.cell(x[:, t], h)
            hs.append(h)
        return torch.stack(hs, dim=1), h


State = Tuple[torch.Tensor, torch.Tensor]


class LayerNormCell(torch.jit.ScriptModule):
    def __init__(self, inputs, hidden):
        super().__init__()
        self.wi = nn.Parameter(rand(4 * hidden, inputs))
        self.wh = nn.Parameter(rand(4 * hidden, hidden))
        self.ln = nn.LayerNorm(4 * hidden)

    @torch.jit.script_method
    def forward(self, x: torch.Tensor, state: State) -> Tuple[torch.Tensor, State]:
        hx, cx = state
        gates = self.ln(torch.mm(x, self.wi.t()) + torch.mm(hx, self.wh.t()))
        i, f, c, o = gates.chunk(4, 1)
        cy = torch.sigmoid(f) * cx + torch.sigmoid(i) * torch.tanh(c)
        hy = torch.sigmoid(o) * torch.tanh(cy)
        return hy, (hy, cy)


class Layer(torch.jit.ScriptModule):
    def __init__(self):
        super().__init__()
        self.cell = LayerNormCell(4, 4)

    @torch.jit.script_method
    def forward(self, x: torch.Tensor, state: State) -> Tuple[torch.Tensor, State]:
        inputs = x.unbind(0)
        outputs = torch.jit.annotate(List[torch.Tensor], [])
        for i in range(len(inputs)):
            out, state = self.cell(inputs[i], state)
            outputs += [out]
        return torch.stack(outputs), state


@script(
    "x=f32[t,b,4]",
    "h=f32[b,4]",
    "c=f32[b,4]",
    runs=[(rand(5, 2, 4), rand(2, 4), rand(2, 4)), (rand(3, 3, 4), rand(3, 4), rand(3, 4))],
    has=["Loop:1"],
    since=11,
)
class CustomLstm(nn.Module):
    """The cell, layer and list of outputs of PyTorch's own scripted LSTMs."""

    def __init__(self):
        super().__init__()
        self.layer = Layer()

    def forward(self, x, h, c):
        return self.layer(x, (h, c))
