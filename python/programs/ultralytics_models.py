"""The exports of ultralytics, on models with random weights."""

from __future__ import annotations

import functools
import sys

import compare
import torch
from ultralytics import YOLO


def export(name: str, **options: object) -> None:
    torch.manual_seed(0)
    made = YOLO(f"{name}.yaml")
    compare.settle(made.model, torch.rand(4, 3, 64, 64))
    for module in made.model.modules():  # scores that differ, and find something, for what selects by them
        if isinstance(module, torch.nn.Conv2d) and module.bias is not None and module.bias.min() < -4:
            torch.nn.init.normal_(module.bias)
            module.weight.data.mul_(0.02)
    made.export(format="onnx", imgsz=64, **options)


CASES: dict[str, dict[str, object]] = {
    "yolov8n": {},
    "yolov8n dynamic": {"dynamic": True},
    "yolov8n nms": {"nms": True},
    "yolov8n opset": {"opset": 13, "batch": 2, "half": False},
    "yolov8n-seg dynamic": {"dynamic": True},
    "yolov8n-pose": {},
    "yolov8n-obb": {},
    "yolov8n-cls dynamic": {"dynamic": True},
    "yolo11n": {},
    "yolo11n dynamic": {"dynamic": True},
    "yolo11n-seg": {},
    "yolo11n-seg nms": {"nms": True},
    "yolo11n-cls": {},
    "yolov10n": {},
    "yolo26n": {},
    "yolov5n": {},
    "yolov3-tiny": {},
}
programs = {
    f"ultralytics {name}": functools.partial(export, name.split()[0], **{"simplify": False} | options)
    for name, options in CASES.items()
}

if __name__ == "__main__":
    sys.exit(compare.main(programs, sys.argv[1:]))
