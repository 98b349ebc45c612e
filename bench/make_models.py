"""Makes the full-size models of the benchmarks, with random weights: `make_models.py FOLDER [NAME...]`.

resnet50 and vit_b_16 take a 224x224 picture, bert_base takes 128 tokens. The names with `_dynamic` leave the batch
free, and the sequence of bert_base. A file that exists already is kept.
"""

import os
import sys

import torch
from torch.export import Dim


def picture(name):
    import torchvision

    net = getattr(torchvision.models, name)()
    return net, (torch.randn(2, 3, 224, 224),), {}, ({0: Dim("batch")},)


def resnet50():
    return picture("resnet50")


def vit_b_16():
    return picture("vit_b_16")


def bert_base():
    import transformers

    tokens = {"input_ids": torch.randint(30000, (2, 128)), "attention_mask": torch.ones(2, 128, dtype=torch.int64)}
    dims = {0: Dim("batch"), 1: Dim("sequence", max=512)}
    # Plain tuples: a ModelOutput in the archive would make the peer import transformers to load it.
    net = transformers.BertModel(transformers.BertConfig(return_dict=False))
    return net, (), tokens, {name: dims for name in tokens}


MODELS = {
    build.__name__ + suffix: (build, suffix) for build in (resnet50, vit_b_16, bert_base) for suffix in ("", "_dynamic")
}


def make(name, path):
    torch.manual_seed(0)
    build, dynamic = MODELS[name]
    net, args, kwargs, shapes = build()
    program = torch.export.export(net.eval(), args, kwargs, dynamic_shapes=shapes if dynamic else None)
    torch.export.save(program, path + ".part.pt2")
    os.replace(path + ".part.pt2", path)


def main(folder, *names):
    os.makedirs(folder, exist_ok=True)
    for name in names or MODELS:
        path = os.path.join(folder, name + ".pt2")
        if not os.path.exists(path):
            make(name, path)


if __name__ == "__main__":
    if len(sys.argv) < 2 or not set(sys.argv[2:]) <= set(MODELS):
        sys.exit(f"{__doc__}\nnames: {' '.join(MODELS)}")
    main(*sys.argv[1:])
