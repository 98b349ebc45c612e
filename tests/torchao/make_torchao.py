"""Makes the fixtures of //tests/torchao: `make_torchao.py NAME OUTDIR [NAME OUTDIR ...]`. OUTDIR gets NAME.pt2 and NAME.data.

The models are quantized by torchao, which is taken from PYTHONPATH: its weights as subclasses of Tensor, or the program
of torch.export by its quantizer for X86 (PT2E).
"""

import os
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "models", "make"))

import torch
import torchvision
from torch import nn
from torchao import quantization as ao
from torchao.quantization.pt2e import quantize_pt2e
from torchao.quantization.pt2e.quantizer import x86_inductor_quantizer as x86
from torchao.utils import unwrap_tensor_subclass

import writing


def layers():
    return nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 8)).eval()


def with_config(config):
    module = layers()
    ao.quantize_(module, config)
    unwrap_tensor_subclass(module)  # a file holds subclasses of Tensor as pickles
    return module, (torch.randn(5, 64),)


def x86_quantized(module, *args, dynamic=False):
    """Calibrated by two batches; running statistics that training would have made."""
    with torch.no_grad():
        module.train()
        for _ in range(12):
            module(*args)
    module.eval()
    config = x86.get_default_x86_inductor_quantization_config(is_dynamic=dynamic)
    quantizer = x86.X86InductorQuantizer().set_global(config)
    observed = quantize_pt2e.prepare_pt2e(torch.export.export(module, args, strict=True).module(), quantizer)
    with torch.no_grad():
        observed(*args)
        observed(*args)
    return quantize_pt2e.convert_pt2e(observed), args


def transformer():
    layer = nn.TransformerEncoderLayer(32, 4, 64, dropout=0.0, batch_first=True, norm_first=True)
    return nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)


MODELS = {
    "dynamic_linear": lambda: x86_quantized(layers(), torch.randn(5, 64), dynamic=True),
    "float8_weights": lambda: with_config(ao.Float8WeightOnlyConfig()),
    "int4_weights": lambda: with_config(
        ao.IntxWeightOnlyConfig(weight_dtype=torch.int4, granularity=ao.PerGroup(32)),
    ),
    "int8_weights": lambda: with_config(ao.Int8WeightOnlyConfig()),
    "int8_weights_and_activations": lambda: with_config(ao.Int8DynamicActivationInt8WeightConfig()),
    "x86_mobilenet_v2": lambda: x86_quantized(torchvision.models.mobilenet_v2(), torch.randn(4, 3, 64, 64)),
    "x86_resnet18": lambda: x86_quantized(torchvision.models.resnet18(), torch.randn(4, 3, 64, 64)),
    "x86_transformer": lambda: x86_quantized(transformer(), torch.randn(2, 7, 32)),
}


def write(name, outdir):
    writing.keep_addresses_out()
    torch.manual_seed(zlib.crc32(name.encode()))
    module, args = MODELS[name]()
    os.makedirs(outdir, exist_ok=True)
    stem = os.path.join(outdir, name)
    program = torch.export.export(module, args)
    torch.export.save(program, stem + ".pt2")
    writing.write_program_data(stem + ".data", program, module, args, {})


def main(argv):
    writing.warm_up()
    for name, outdir in zip(argv[::2], argv[1::2]):
        writing.in_child(lambda: write(name, outdir))


if __name__ == "__main__":
    main(sys.argv[1:])
