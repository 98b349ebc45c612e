#!/usr/bin/env python3
"""Writes models with and without the elements of their weights, and files of weights: make.py _ FOLDER."""

import json
import pathlib
import struct
import sys

import numpy as np
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

DTYPES = {torch.float32: "F32", torch.float16: "F16", torch.int64: "I64"}


class Net(torch.nn.Module):
    """A transposed weight, a buffer, a constant, a number of a buffer, and two weights that are one."""

    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 4)
        self.norm = torch.nn.BatchNorm1d(4)
        self.tied = torch.nn.Linear(4, 4, bias=False)
        self.tied.weight = self.fc.weight
        self.register_buffer("shift", torch.tensor([1.0, 2.0, 3.0, 4.0]))

    def forward(self, x):
        y = self.norm(self.fc(x)) + self.shift
        return self.tied(y) * torch.tensor([1.0, -1.0, 2.0, 0.5])


class Folded(torch.nn.Module):
    """A batch norm that becomes part of the layer before it."""

    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 4)
        self.norm = torch.nn.BatchNorm1d(4)

    def forward(self, x):
        return self.norm(self.fc(x))


class Joined(torch.nn.Module):
    """Six weights that become one."""

    def __init__(self):
        super().__init__()
        self.parts = torch.nn.ParameterList(torch.full((4,), float(i)) for i in range(6))
        self.shift = torch.nn.Parameter(torch.ones(24))

    def forward(self, x):
        return x.repeat(1, 6) * torch.cat(list(self.parts)) + self.shift


class Number(torch.nn.Module):
    """A buffer that is read as a number."""

    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.tensor(2.5))
        self.register_buffer("shift", torch.ones(4))

    def forward(self, x):
        return x * float(self.scale) + self.shift


def net(seed):
    torch.manual_seed(seed)
    module = Net().eval()
    with torch.no_grad():
        module.norm.running_mean.normal_()
        module.norm.running_var.uniform_(0.5, 2.0)
        module.shift.normal_()
    return module


def write_safetensors(tensors, path):
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, tensor in tensors.items():
        raw = tensor.contiguous().numpy().tobytes()
        place = [len(data), len(data) + len(raw)]
        header[name] = {"dtype": DTYPES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": place}
        data += raw
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def main():
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    args = (torch.randn(3, 4),)
    batch = {"x": {0: torch.export.Dim("batch")}}
    for name, module in [("first", net(1)), ("second", net(2))]:
        torch.export.save(torch.export.export(module, args, dynamic_shapes=batch), folder / f"{name}.pt2")
        torch.jit.save(torch.jit.script(module), folder / f"{name}.pt")
    with FakeTensorMode():
        fake = Net().eval()
        program = torch.export.export(fake, (torch.randn(3, 4),), dynamic_shapes=batch)
    torch.export.save(program, folder / "fake.pt2")

    x = torch.randn(5, 4)
    run = {"x": x, "first": net(1)(x), "second": net(2)(x)}
    np.savez(folder / "run.npz", **{name: value.detach().numpy() for name, value in run.items()})

    state = net(2).state_dict()
    order = [name for name, _ in net(1).named_parameters(remove_duplicate=False)]
    order += [name for name, _ in net(1).named_buffers()]
    (folder / "order.txt").write_text("\n".join(order))
    np.savez(folder / "second_state.npz", **{name: value.numpy() for name, value in state.items()})
    torch.save(state, folder / "second_state.pt")
    write_safetensors(state, folder / "second.safetensors")
    # Tied weights once, as safetensors files have them; and one thing that the model has no use for.
    once = {name: tensor for name, tensor in state.items() if name != "tied.weight"}
    write_safetensors(once | {"more": torch.zeros(1)}, folder / "once.safetensors")
    wrong = dict(once)
    del wrong["shift"]
    wrong["fc.weight"] = wrong["fc.weight"].half()
    write_safetensors(wrong, folder / "wrong.safetensors")
    folded = Folded().eval()
    torch.export.save(torch.export.export(folded, args, dynamic_shapes=batch), folder / "folded.pt2")
    write_safetensors(folded.state_dict(), folder / "folded.safetensors")
    write_safetensors({"more": torch.zeros(1)}, folder / "other.safetensors")
    joined = Joined().eval()
    torch.export.save(torch.export.export(joined, args, dynamic_shapes=batch), folder / "joined.pt2")
    state = joined.state_dict()
    write_safetensors({name: state[name] for name in ("shift", "parts.5")}, folder / "last_part.safetensors")
    write_safetensors({"shift": state["shift"]}, folder / "shift.safetensors")
    number = torch.jit.script(Number())
    torch.jit.save(number, folder / "number.pt")
    state = {name: value.clone() for name, value in number.state_dict().items()}
    write_safetensors(state, folder / "number.safetensors")
    del state["scale"]
    write_safetensors(state, folder / "number_rest.safetensors")
    (folder / "no_weights.txt").write_text("these are no weights")


if __name__ == "__main__":
    main()
