"""Packed sequences become the `sequence_lens` of ONNX's recurrent operators, at any length and batch."""

import torch
from torch import nn
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence

from program import ints, rand, script, trace

INPUTS = ["x=f32[time,batch,4]", "lengths=i64[batch]"]
BATCH_FIRST = ["x=f32[batch,time,4]", "lengths=i64[batch]"]
RUNS = [(rand(5, 3, 4), ints(5, 3, 1)), (rand(7, 2, 4), ints(7, 7)), (rand(6, 4, 4), ints(6, 4, 4, 2))]
BATCH_FIRST_RUNS = [(x.transpose(0, 1).contiguous(), lengths) for x, lengths in RUNS]


@trace(*INPUTS, runs=RUNS, has=["LSTM"])
class PackedLstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 5)

    def forward(self, x, lengths):
        y, (h, c) = self.lstm(pack_padded_sequence(x, lengths))
        y, lengths = pad_packed_sequence(y)
        return y, lengths, h, c


@script(*INPUTS, runs=RUNS, has=["LSTM"])
class PackedLstmScripted(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 5)

    def forward(self, x, lengths):
        y, (h, c) = self.lstm(pack_padded_sequence(x, lengths))
        y, lengths = pad_packed_sequence(y)
        return y, lengths, h, c


@trace(*INPUTS, runs=RUNS, has=["LSTM:2"])
class PackedLstmStackedBidirectional(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 5, 2, bidirectional=True)

    def forward(self, x, lengths):
        y, (h, c) = self.lstm(pack_padded_sequence(x, lengths))
        return pad_packed_sequence(y)[0], h, c


@trace(*BATCH_FIRST, runs=BATCH_FIRST_RUNS, has=["GRU"])
class PackedGruBatchFirst(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(4, 5, batch_first=True, bidirectional=True)

    def forward(self, x, lengths):
        y, h = self.gru(pack_padded_sequence(x, lengths, batch_first=True))
        y, lengths = pad_packed_sequence(y, batch_first=True)
        return y, lengths, h


@script(*BATCH_FIRST, runs=BATCH_FIRST_RUNS, has=["GRU:2"])
class PackedGruScripted(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(4, 5, 2, batch_first=True)

    def forward(self, x, lengths):
        y, h = self.gru(pack_padded_sequence(x, lengths, batch_first=True))
        return pad_packed_sequence(y, batch_first=True)[0], h


@trace(*INPUTS, runs=RUNS, has=["RNN"])
class PackedRnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.RNN(4, 5, 2, nonlinearity="relu")

    def forward(self, x, lengths):
        y, h = self.rnn(pack_padded_sequence(x, lengths))
        return pad_packed_sequence(y)[0], h


@script(
    *INPUTS,
    runs=[(rand(5, 3, 4), ints(1, 5, 3)), (rand(7, 2, 4), ints(2, 7)), (rand(6, 4, 4), ints(4, 6, 2, 4))],
    has=["LSTM"],
    since=11,  # TopK of integers
)
class PackedUnsorted(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 5)

    def forward(self, x, lengths):
        y, (h, _) = self.lstm(pack_padded_sequence(x, lengths, enforce_sorted=False))
        y, out_lengths = pad_packed_sequence(y)
        return y, h, out_lengths


@trace(*INPUTS, runs=RUNS)
class PackedPaddingValue(nn.Module):
    """The positions after a sequence's end have the value that was asked for."""

    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(4, 5)

    def forward(self, x, lengths):
        y, _ = self.gru(pack_padded_sequence(x, lengths))
        return pad_packed_sequence(y, padding_value=-1.0)[0]


@trace(*BATCH_FIRST, runs=BATCH_FIRST_RUNS)
class PackedTotalLength(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(4, 5, batch_first=True)

    def forward(self, x, lengths):
        y, _ = self.gru(pack_padded_sequence(x, lengths, batch_first=True))
        return pad_packed_sequence(y, batch_first=True, total_length=9)[0]


@script(*INPUTS, runs=RUNS)
class PackedLastState(nn.Module):
    """Only the last state is used; no padding back."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(4, 3)
        self.lstm = nn.LSTM(3, 5)

    def forward(self, x, lengths):
        _, (h, _) = self.lstm(pack_padded_sequence(self.embed(x).relu(), lengths))
        return h[-1]


@script(*INPUTS, "h=f32[1,batch,5]", runs=[(x, lengths, rand(1, x.size(1), 5)) for x, lengths in RUNS])
class PackedInitialState(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(4, 5)

    def forward(self, x, lengths, h):
        y, h = self.gru(pack_padded_sequence(x, lengths), h)
        return pad_packed_sequence(y)[0], h


@trace(
    *INPUTS,
    # A maximum below the padded length: the result is as long as the longest sequence.
    runs=[(rand(5, 3, 4), ints(5, 3, 1)), (rand(7, 2, 4), ints(4, 2)), (rand(6, 1, 4), ints(3))],
)
class PackedShorterThanPadded(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 5, bidirectional=True)

    def forward(self, x, lengths):
        y, _ = self.lstm(pack_padded_sequence(x, lengths))
        return pad_packed_sequence(y)


@script(*INPUTS, runs=RUNS)
class PackedTwoLayers(nn.Module):
    """A packed sequence goes from one recurrent layer to another."""

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 5)
        self.gru = nn.GRU(5, 3)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(x, lengths)
        y, _ = self.lstm(packed)
        z, h = self.gru(y)
        return pad_packed_sequence(z)[0], h


@script(*INPUTS, runs=RUNS)
class PackAndPad(nn.Module):
    """Nothing between: what lies behind the ends becomes zero."""

    def forward(self, x, lengths):
        packed: PackedSequence = pack_padded_sequence(x, lengths)
        return pad_packed_sequence(packed)
