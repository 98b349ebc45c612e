"""A model of the tests, how to call it, and weights that hide no errors."""

import dataclasses
import math

import torch
from torch import nn

MODELS = {}


def model(build):
    MODELS[build.__name__] = build
    return build


def pt2_model(build):
    """One that is made to strain the .pt2 format; tests/script has such programs for TorchScript."""

    def without_torchscript():
        return dataclasses.replace(build(), no_traced=PT2_ONLY, no_scripted=PT2_ONLY)

    MODELS[build.__name__] = without_torchscript
    return build


@dataclasses.dataclass
class Case:
    """A model and how to call it. `dynamic_shapes` is torch.export's; `other` holds args at other sizes."""

    module: nn.Module
    args: tuple = ()
    kwargs: dict = dataclasses.field(default_factory=dict)
    dynamic_shapes: object = None
    other: tuple = ()
    other_kwargs: dict = dataclasses.field(default_factory=dict)
    no_exported: str = ""  # why there is no NAME.pt2
    no_decomposed: str = ""  # why there is no NAME.decomposed.pt2
    no_dynamic: str = ""  # why there is no NAME.dynamic.pt2
    no_dynamic_decomposed: str = ""  # why there is no NAME.dynamic.decomposed.pt2
    no_traced: str = ""  # why there is no NAME.torchscript.traced.pt
    no_scripted: str = ""  # why there is no NAME.torchscript.scripted.pt
    # The TorchScript archives, where they differ: another module, and more free axes with data to match.
    torchscript: object = None
    torchscript_shapes: object = None
    torchscript_other: tuple = ()


BIG = "weights are big and nothing new would be tested"
PT2_ONLY = "made for the .pt2 format"


def randomise(module):
    """A parameter that starts constant (ones, zeros, ConvNeXt's 1e-6, ViT's zero head) hides errors: fill it."""
    with torch.no_grad():
        for name, p in module.named_parameters():
            if p.numel() > 1 and p.min() == p.max():
                if p.dim() > 1 and p.shape[-1] > 1 and p.max() == 0:
                    p.normal_(0, 1 / math.sqrt(p.shape[-1]))
                elif name.endswith("bias") or p.max() == 0:
                    p.normal_(0, 0.1)
                else:
                    p.uniform_(0.5, 1.5)
    return module


def calibrate(module, *args):
    """Running statistics that are not 0 and 1 and keep activations in scale: one pass in train mode, then a jitter."""
    randomise(module)
    norms = [m for m in module.modules() if isinstance(m, nn.modules.batchnorm._BatchNorm)]
    momenta = [m.momentum for m in norms]
    for m in norms:
        m.momentum = 1.0
    module.train()
    with torch.no_grad():
        module(*args)
        for m, momentum in zip(norms, momenta):
            m.momentum = momentum
            m.running_mean += 0.1 * m.running_var.sqrt() * torch.randn_like(m.running_mean)
            m.running_var *= torch.empty_like(m.running_var).uniform_(0.8, 1.25)
    return module
