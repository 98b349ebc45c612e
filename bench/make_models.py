"""Makes the full-size models of the benchmarks, with random weights: `make_models.py FOLDER [NAME...]`.

resnet50 and vit_b_16 take a 224x224 picture, bert_base takes 128 tokens. The names with `_dynamic` have a free batch,
and bert_base also a free sequence. NAME.pt2 comes from torch.export, NAME.pt from torch.jit.trace. For models.py there
are more networks of torchvision, for one picture, the decoders of nets.py and the networks of more_nets.py. For
scaling.py there are loop_N.pt, a scripted loop of N iterations, and graph_N.pt and graph_N.pt2 of N calls. An existing
file is kept.
"""

import functools
import io
import json
import os
import re
import sys
import zipfile

import more_nets
import nets
import torch
from torch.export import Dim


def picture(name, count=2):
    import torchvision

    net = getattr(torchvision.models, name)()
    return net, (torch.randn(count, 3, 224, 224),), {}, ({0: Dim("batch")},)


def trained(build):
    """Sets the statistics of batch norms as training does: with those of a new network each norm is the identity."""
    net, *rest = build()
    for module in net.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            torch.nn.init.normal_(module.running_mean, std=0.1)
            torch.nn.init.uniform_(module.running_var, 0.5, 1.5)
            torch.nn.init.normal_(module.bias, std=0.1)
    return net, *rest


def decoder(block, cached):
    net, args = nets.decoder(block, cached)
    return net, args, {}, None


def resnet50():
    return picture("resnet50")


def vit_b_16():
    net, *rest = picture("vit_b_16")
    torch.nn.init.normal_(net.heads.head.weight, std=0.02)  # a new one has only zeros, and so has its output
    return net, *rest


def bert_base():
    import transformers

    tokens = {"input_ids": torch.randint(30000, (2, 128)), "attention_mask": torch.ones(2, 128, dtype=torch.int64)}
    dims = {0: Dim("batch"), 1: Dim("sequence", max=512)}
    # Plain tuples: to load a ModelOutput, the peer would have to import transformers.
    net = transformers.BertModel(transformers.BertConfig(return_dict=False))
    return net, (), tokens, {name: dims for name in tokens}


class Loop(torch.nn.Module):
    """A known number of iterations with small calls."""

    def __init__(self, count):
        super().__init__()
        self.count = count
        self.linear = torch.nn.Linear(16, 16)

    def forward(self, x):
        for k in range(self.count):
            x = torch.tanh(self.linear(x)) * 0.5 + k
        return x


class Graph(torch.nn.Module):
    """Many small calls; each uses the result of an earlier one."""

    def __init__(self, count):
        super().__init__()
        self.count = count

    def forward(self, x):
        y = x
        for _ in range(self.count // 4):
            y = torch.relu(x) + y
            x = torch.tanh(y) * x
        return x, y


def save_loop(count, path):
    torch.jit.save(torch.jit.script(Loop(count).eval()), path)


def save_graph(count, path):
    torch.jit.save(torch.jit.trace(Graph(count), torch.ones(2, 16), check_trace=False), path)


def save_program_graph(count, path):
    """Returns the archive that torch.export would write for Graph(count). torch.export takes minutes for 10,000 calls.
    So it writes two rounds of four calls, and the second round is repeated in the file with other names."""
    written = io.BytesIO()
    program = torch.export.export(Graph(8).eval(), (torch.ones(2, 16),), dynamic_shapes=({0: Dim("batch")},))
    torch.export.save(program, written)
    with zipfile.ZipFile(written) as archive:
        records = {info.filename: archive.read(info) for info in archive.infolist()}
    name = next(name for name in records if name.endswith("/models/model.json"))
    program = json.loads(records[name])
    graph = program["graph_module"]["graph"]
    calls = json.dumps(graph["nodes"][-4:])
    types = json.dumps({result: graph["tensor_values"][result] for result in ("relu_1", "add_1", "tanh_1", "mul_1")})

    def as_round(number, text):
        """Returns the second round (relu_1 of relu ...) with other names."""
        names = {f"{call}{old}": f"{call}_{number + new}"
                 for call in ("relu", "add", "tanh", "mul") for old, new in (("", -1), ("_1", 0))}
        return json.loads(re.sub(r'"(\w+)"', lambda match: f'"{names.get(match[1], match[1])}"', text))

    for number in range(2, count // 4):
        graph["nodes"] += as_round(number, calls)
        graph["tensor_values"] |= as_round(number, types)
    ends = json.dumps([graph["outputs"], program["graph_module"]["signature"]])
    graph["outputs"], program["graph_module"]["signature"] = as_round(count // 4 - 1, ends)
    records[name] = json.dumps(program)
    with zipfile.ZipFile(path, "w") as archive:
        for record, contents in records.items():
            archive.writestr(record, contents)


def save_trace(build, path):
    net, args, kwargs, _ = build()
    with torch.no_grad():
        torch.jit.save(torch.jit.trace(net.eval(), args + tuple(kwargs.values()), check_trace=False), path)


def save_program(build, dynamic, path):
    net, args, kwargs, shapes = build()
    program = torch.export.export(net.eval(), args, kwargs, dynamic_shapes=shapes if dynamic else None)
    torch.export.save(program, path)


NETWORKS = {model.__name__: model for model in (resnet50, vit_b_16, bert_base)}
MODELS = {}  # of compare.py
for name, model in NETWORKS.items():
    for suffix in ("", "_dynamic"):
        MODELS[name + suffix + ".pt2"] = functools.partial(save_program, model, bool(suffix))
for model in (resnet50, bert_base):
    MODELS[model.__name__ + ".pt"] = functools.partial(save_trace, model)

for name in ("mobilenet_v2", "mobilenet_v3_large", "efficientnet_b0", "densenet121", "convnext_tiny"):
    NETWORKS[name] = functools.partial(trained, functools.partial(picture, name, 1))
for design, block in (("gpt", nets.GptBlock), ("llama", nets.LlamaBlock)):
    for cached in (False, True):
        NETWORKS[design + "_cached" * cached] = functools.partial(decoder, block, cached)
for network in more_nets.NETWORKS:
    NETWORKS[network.__name__] = functools.partial(trained, network)
# Programs of models.py, in addition to some of MODELS.
MORE = {name + ".pt2": functools.partial(save_program, network, False)
        for name, network in NETWORKS.items() if name + ".pt2" not in MODELS}

SCALING = {f"loop_{count}.pt": functools.partial(save_loop, count) for count in (10, 100, 1000)}
for calls in (1000, 10000, 100000):
    SCALING[f"graph_{calls}.pt"] = functools.partial(save_graph, calls)
for calls in (1000, 10000, 100000, 1000000):
    SCALING[f"graph_{calls}.pt2"] = functools.partial(save_program_graph, calls)


def main(folder, *names):
    os.makedirs(folder, exist_ok=True)
    for name in names or MODELS:
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            torch.manual_seed(0)
            root, suffix = os.path.splitext(path)
            {**MODELS, **MORE, **SCALING}[name](root + ".part" + suffix)
            os.replace(root + ".part" + suffix, path)


if __name__ == "__main__":
    if len(sys.argv) < 2 or not set(sys.argv[2:]) <= {*MODELS, *MORE, *SCALING}:
        sys.exit(f"{__doc__}\nnames: {' '.join([*MODELS, *MORE, *SCALING])}")
    main(*sys.argv[1:])
