"""Makes features.pt2: much of the file format in few bytes. Run in this folder with PyTorch 2.14."""

import torch
from torch.export import Dim, export, save


class Features(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Embedding(4, 3)
        self.head = torch.nn.Linear(3, 4, bias=False)
        self.head.weight = self.embed.weight  # tied
        base = torch.arange(12, dtype=torch.float32)
        self.register_buffer("turned", base.view(4, 3).t())  # strided
        self.register_buffer("steps", torch.zeros((), dtype=torch.int64))
        self.register_buffer("brain", torch.ones(3, dtype=torch.bfloat16), persistent=False)
        self.plain = torch.tensor([1.0, 2.0, 3.0])

    def forward(self, tokens, past, *, named, scale=2.0):
        self.steps.add_(1)
        x = self.embed(tokens) + self.brain.float()
        x[:, 0] = past[0] * scale
        y = self.head(x).reshape(-1, 2)
        rows = torch.zeros(2 * tokens.size(0) + 1, 3) + self.plain
        rows.narrow(0, 0, 1).add_(named["z"]["w"])
        with torch.no_grad():
            shift = past[1].sum()
        return {"y": y, "all": [rows, None, 7, named["a"], y], "turned": self.turned + self.steps, "shift": shift}


def main():
    torch.manual_seed(0)
    # Lines of the source are written into the archive: without the folder it lay in.
    Features.forward.__code__ = Features.forward.__code__.replace(co_filename="make_features.py")
    batch = Dim("batch", min=2, max=50)
    args = (torch.zeros(2, 4, dtype=torch.int64), (torch.ones(2, 3), torch.ones(5)))
    kwargs = {"named": {"z": {"w": torch.ones(3)}, "a": torch.ones(1, dtype=torch.bool)}, "scale": 2.0}
    shapes = {
        "tokens": {0: batch},
        "past": ({0: batch}, None),
        "named": {"z": {"w": None}, "a": None},
        "scale": None,
    }
    save(export(Features().eval(), args, kwargs, dynamic_shapes=shapes), "features.pt2")


if __name__ == "__main__":
    main()
