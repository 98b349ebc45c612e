#!/usr/bin/env bash
# torch_test.sh PACKAGE CMAKE PROJECT TEST FOO.pt2 MODEL.onnx: compiles the programs of a CMake project that link
# onnxport::torch, from the package and with the LibTorch of this machine. They must pass the TEST of those that Bazel
# builds.
#
# --test_env=TORCH_PREFIX=FOLDER names another LibTorch: what `torch.utils.cmake_prefix_path` of the Python package says.
set -euo pipefail
PATH=/usr/bin:$PATH  # CMake looks beside these folders, and beside `/bin` Debian's LibTorch takes `/` for where it is
package=$PWD/$1 cmake=$PWD/$2 project=$(dirname "$PWD/$3") test=$PWD/$4 foo=$PWD/$5 model=$PWD/$6
fail() { echo "FAILED: $*" && exit 1; }

work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/torch.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/package"
tar -xzf "$package" -C "$work/package" --strip-components=1

"$cmake" -S "$project" -B "$work/build" "-DCMAKE_PREFIX_PATH=$work/package${TORCH_PREFIX:+;$TORCH_PREFIX}" -DWITH_TORCH=ON \
  -DCMAKE_BUILD_TYPE=Release >"$work/log" 2>&1 || fail "configuring: $(cat "$work/log")"
"$cmake" --build "$work/build" --parallel 2 --target custom_op exporter_of_registered >"$work/log" 2>&1 ||
  fail "building: $(cat "$work/log")"
"$test" "$work/build/exporter_of_registered" "$work/build/custom_op" "$foo" "$model"
echo PASSED
