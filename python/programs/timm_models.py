"""timm's own export, on models with random weights."""

from __future__ import annotations

import functools
import sys

import compare
import timm
import torch
from timm.utils.onnx import onnx_export

MODELS = {
    "resnet18": 64,
    "mobilenetv3_small_050": 64,
    "efficientnet_b0": 64,
    "tf_efficientnetv2_b0": 64,  # pads as TensorFlow does, by sizes
    "vit_tiny_patch16_224": 224,
    "swin_tiny_patch4_window7_224": 224,
    "convnext_atto": 64,
    "maxvit_rmlp_pico_rw_256": 256,
    "levit_128s": 224,
    "mobilevit_xxs": 64,
    "regnetx_002": 64,
    "densenet121": 64,
    "eva02_tiny_patch14_224": 224,
}


def export(name: str, size: int, **options: object) -> None:
    torch.manual_seed(0)
    model = timm.create_model(name, num_classes=10, exportable=True)
    compare.settle(model, torch.randn(2, 3, size, size))
    onnx_export(model, f"{name}.onnx", opset=18, batch_size=2, input_size=(3, size, size), **options)


programs = {f"timm {name}": functools.partial(export, name, size) for name, size in MODELS.items()}
programs["timm resnet18, dynamic"] = functools.partial(export, "resnet18", 64, dynamic_size=True, check=True)
programs["timm resnet18, dynamo"] = functools.partial(export, "resnet18", 64, use_dynamo=True, check_forward=True)
programs["timm resnet18, training"] = functools.partial(export, "resnet18", 64, training=True)
programs["timm resnet18, weights as inputs"] = functools.partial(export, "resnet18", 64, keep_initializers=True)

if __name__ == "__main__":
    sys.exit(compare.main(programs, sys.argv[1:]))
