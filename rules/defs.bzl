"""Rules for users of onnxport:

    load("@onnxport//rules:defs.bzl", "onnx_exporter", "onnx_model", "onnx_models", "onnx_verify_test")

`onnx_model` exports a model while building, `onnx_models` many, with a table of their outcomes. `onnx_verify_test`
compares a model with the program it was made of. `onnx_exporter` makes an exporter that knows operators of one's own.
docs/rules.md describes them. repositories.bzl (WORKSPACE) and extensions.bzl (MODULE.bazel) bring a released exporter
into a workspace. Everything else in this folder is private.
"""

load("//rules/private:exporter.bzl", _onnx_exporter = "onnx_exporter")
load("//rules/private:model.bzl", _onnx_model = "onnx_model")
load("//rules/private:models.bzl", _onnx_models = "onnx_models")
load(
    "//rules/private:toolchain.bzl",
    _onnxport_toolchain = "onnxport_toolchain",
    _onnxport_verify_toolchain = "onnxport_verify_toolchain",
)
load("//rules/private:verify_test.bzl", _onnx_verify_test = "onnx_verify_test")

onnx_exporter = _onnx_exporter
onnx_model = _onnx_model
onnx_models = _onnx_models
onnx_verify_test = _onnx_verify_test
onnxport_toolchain = _onnxport_toolchain
onnxport_verify_toolchain = _onnxport_verify_toolchain
