"""Makes models for the sweep: `make_models.py FOLDER small COUNT` and `make_models.py FOLDER large`.

The small ones differ in structure and in weights: `FOLDER/small/mlp_0.pt2`, `conv_1.pt`, ... Number i is the same on each call,
so that a larger count only adds. The large ones are networks of torchvision and transformers with random weights, from 20 to
440 MB. A file that is there already is kept.
"""

import multiprocessing
import os
import random
import sys
import warnings

import torch
from torch import nn

warnings.filterwarnings("ignore")  # also of the processes that import this
ACTIVATIONS = [nn.ReLU, nn.GELU, nn.SiLU, nn.Hardswish, nn.ELU, nn.Tanh, nn.Softplus, nn.Mish, nn.Sigmoid, nn.Softsign]
LARGE = ["resnet18", "resnet50", "resnet101", "densenet121", "mobilenet_v3_large", "efficientnet_b0", "convnext_tiny", "swin_t",
         "regnet_y_3_2gf", "shufflenet_v2_x2_0", "vit_b_16", "bert_base"]


def mlp(rng):
    width = size = rng.choice([4, 8, 13, 32])
    layers = []
    for _ in range(rng.randint(1, 5)):
        after = rng.choice([8, 16, 24, 50, 64])
        layers += [nn.Linear(width, after, bias=rng.random() < 0.8), rng.choice(ACTIVATIONS)()]
        if rng.random() < 0.4:
            layers.append(nn.LayerNorm(after))
        width = after
    return nn.Sequential(*layers), torch.randn(3, size)


def conv(rng):
    channels = first = rng.choice([1, 3, 4])
    layers = []
    for _ in range(rng.randint(1, 4)):
        after = channels * rng.choice([1, 2, 4])
        groups = channels if rng.random() < 0.3 else 1
        kernel = rng.choice([1, 3, 5])
        layers.append(nn.Conv2d(channels, after, kernel, rng.choice([1, 2]), kernel // 2, groups=groups))
        if rng.random() < 0.6:
            layers.append(nn.BatchNorm2d(after))
        layers.append(rng.choice(ACTIVATIONS)())
        channels = after
    pools = [nn.AdaptiveAvgPool2d(1), nn.MaxPool2d(2), nn.AvgPool2d(2)]
    return nn.Sequential(*layers, rng.choice(pools), nn.Flatten()), torch.randn(2, first, 40, 40)


class Attention(nn.Module):
    def __init__(self, rng):
        super().__init__()
        self.heads, head = rng.choice([1, 2, 4]), rng.choice([4, 8])
        self.size = self.heads * head
        self.packed = nn.Linear(self.size, 3 * self.size)
        self.out = nn.Linear(self.size, self.size)
        self.norm = nn.LayerNorm(self.size)

    def forward(self, x):
        q, k, v = [part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in self.packed(self.norm(x)).chunk(3, -1)]
        return x + self.out(nn.functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))


def attention(rng):
    block = Attention(rng)
    net = nn.Sequential(block, nn.Linear(block.size, 5), rng.choice(ACTIVATIONS)())
    return net, torch.randn(2, rng.randint(3, 9), block.size)


class LastStep(nn.Module):
    def __init__(self, rng):
        super().__init__()
        kind, self.size = rng.choice([nn.LSTM, nn.GRU, nn.RNN]), rng.choice([3, 6])
        self.net = kind(self.size, rng.choice([5, 12]), rng.randint(1, 2), batch_first=True, bidirectional=rng.random() < 0.5)

    def forward(self, x):
        return self.net(x)[0][:, -1]


def rnn(rng):
    net = LastStep(rng)
    return net, torch.randn(2, rng.randint(2, 7), net.size)


FAMILIES = [mlp, conv, attention, rnn]


def save(net, example, path):
    net.eval()
    making = path + ".making"
    with torch.no_grad(), open(making, "wb") as out:
        if path.endswith(".pt"):
            torch.jit.save(torch.jit.trace(net, example, check_trace=False), out)
        else:
            torch.export.save(torch.export.export(net, example), out)
    os.rename(making, path)


def make_small(job):
    folder, number = job
    family = FAMILIES[number % len(FAMILIES)]
    path = os.path.join(folder, f"{family.__name__}_{number}.{'pt2' if number % 10 < 3 else 'pt'}")
    if not os.path.exists(path):
        torch.set_num_threads(1)
        torch.manual_seed(number)
        net, example = family(random.Random(number))
        save(net, (example,), path)


def make_large(job):
    folder, name = job
    path = os.path.join(folder, name + (".pt" if LARGE.index(name) % 2 else ".pt2"))
    if os.path.exists(path):
        return
    torch.manual_seed(0)
    if name == "bert_base":
        import transformers

        net = transformers.BertModel(transformers.BertConfig(return_dict=False))
        save(net, (torch.randint(30000, (1, 64)), torch.ones(1, 64, dtype=torch.int64)), path)
    else:
        import torchvision

        save(getattr(torchvision.models, name)(), (torch.randn(1, 3, 224, 224),), path)


def main(folder, kind, count="0"):
    folder = os.path.join(folder, kind)
    os.makedirs(folder, exist_ok=True)
    make, jobs = (make_small, range(int(count))) if kind == "small" else (make_large, LARGE)
    with multiprocessing.Pool(2) as pool:
        for _ in pool.imap_unordered(make, [(folder, job) for job in jobs], chunksize=1):
            pass


if __name__ == "__main__":
    main(*sys.argv[1:])
