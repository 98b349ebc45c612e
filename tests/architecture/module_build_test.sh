#!/usr/bin/env bash
# module_build_test.sh MNIST.pt2: the exporter, compiled as a module of a workspace that has nothing else, with modules from
# a registry of this machine alone; it exports a model.
set -euo pipefail
mnist=$(readlink -f "$1")
source tools/workspace.sh
enter_workspace
source tests/architecture/own_bazel.sh

mkdir "$TEST_TMPDIR/workspace"
cp .bazelversion "$TEST_TMPDIR/workspace"
cd "$TEST_TMPDIR/workspace"
cp "$mnist" mnist.pt2
cat >MODULE.bazel <<'END'
module(name = "a_user")

bazel_dep(name = "onnxport", version = "0.1.0")
END
cat >BUILD.bazel <<'END'
load("@onnxport//rules:defs.bzl", "onnx_model")

onnx_model(
    name = "mnist",
    model = "mnist.pt2",
)
END
# Those that docs/rules.md shows; ./bazelw's own, with the disk cache, come from outside.
cat >.bazelrc <<END
common --enable_bzlmod --noenable_workspace --lockfile_mode=off
build --cxxopt=-std=c++20 --host_cxxopt=-std=c++20
build --copt=-O1 --host_copt=-O1 --compilation_mode=fastbuild --host_compilation_mode=fastbuild
build --incompatible_strict_action_env --nosandbox_debug
END
run build //:mnist
[[ -s bazel-bin/mnist.onnx ]]
run shutdown
