"""Rules for users of onnxport:

    load("@onnxport//rules:defs.bzl", "onnx_exporter", "onnx_model")

`onnx_exporter` makes an exporter that knows operators of one's own, `onnx_model` exports a model while building.
docs/rules.md describes both. Everything else in this folder is private.
"""

load("//rules/private:exporter.bzl", _onnx_exporter = "onnx_exporter")
load("//rules/private:model.bzl", _onnx_model = "onnx_model")

onnx_exporter = _onnx_exporter
onnx_model = _onnx_model
