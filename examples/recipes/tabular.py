"""A net for rows of a table, with what prepares the rows in the model: missing values, scales, bins, categories."""

import onnxport
import torch
from recipe import check, path
from torch import nn

CATEGORIES = [1000, 300, 12]  # how many each column has
NUMBERS = 6


class Table(nn.Module):
    def __init__(self, numbers):
        super().__init__()
        known = numbers[~numbers.isnan().any(1)]
        self.register_buffer("median", known.median(0).values)
        self.register_buffer("mean", known.mean(0))
        self.register_buffer("deviation", known.std(0))
        self.register_buffer("ages", torch.tensor([18.0, 25, 35, 50, 65]))
        self.embeddings = nn.ModuleList(nn.Embedding(count + 1, 16) for count in CATEGORIES)
        self.bins = nn.Embedding(len(self.ages) + 1, 8)
        width = 16 * len(CATEGORIES) + 8 + 2 * NUMBERS
        self.layers = nn.Sequential(nn.Linear(width, 256), nn.ReLU(), nn.Linear(256, 128), nn.ReLU(), nn.Linear(128, 1))

    def forward(self, numbers, categories):
        """Probabilities [rows] of numbers [rows, 6], NaN where they are missing, and categories [rows, 3]."""
        missing = numbers.isnan()
        filled = torch.where(missing, self.median, numbers)
        age = self.bins(torch.bucketize(filled[:, 0].contiguous(), self.ages))
        parts = [(filled - self.mean) / self.deviation, missing.to(filled.dtype), age]
        for column, embedding in zip(categories.unbind(1), self.embeddings):
            last = embedding.num_embeddings - 1  # for categories that training did not see
            parts.append(embedding(torch.where((column >= 0) & (column < last), column, last)))
        return self.layers(torch.cat(parts, dim=1)).sigmoid()[:, 0]


def rows(count):
    numbers = torch.randn(count, NUMBERS) * 20 + 40
    numbers[torch.rand(count, NUMBERS) < 0.1] = torch.nan
    return numbers, torch.stack([torch.randint(-1, size + 2, (count,)) for size in CATEGORIES], dim=1)


torch.manual_seed(0)
table = Table(rows(1000)[0]).eval()
for name, options, tolerance in [
    ("tabular.onnx", {}, 1e-6),
    ("tabular.int8.onnx", {"weights_as": "int8", "target": "ort-cpu"}, 1e-2),
]:
    axes = {"numbers": {0: "rows"}, "categories": {0: "rows"}}
    model = onnxport.export(table, rows(8), path(name), dynamic_shapes=axes, output_names=["probability"], **options)
    print(model, *model.remarks, sep="\n")
    for count in (1, 8, 5000):
        some = rows(count)
        with torch.no_grad():
            expected = table(*some)
        check(path(name), expected, model(*some)[0], tolerance=tolerance)
