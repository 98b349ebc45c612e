#!/usr/bin/env bash
# What small archives become, as text: the graph or the TorchScript code as it is read, the calls that it consists of, and
# the model at some opsets. Each is exported twice, into two folders, and the bytes must be the same. With
# ONNXPORT_UPDATE_GOLDENS, the workspace, the expected files are written instead: ./bazelw run //tests/golden:update
set -Eeuo pipefail
unset BUILD_WORKING_DIRECTORY  # of `bazel run`: paths are those of this folder

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'tail -n 3 "$work/actual" "$work/notes" >&2' ERR
mkdir "$work/a" "$work/b"

exporting=()  # options of the export only

# text ARCHIVE OPSET... [-- OPTION...]
text() {
  local archive=$1 opsets=()
  shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do opsets+=("$1") && shift; done
  ./exporter inspect "$archive" "${@:2}" 2>&1
  for opset in "${opsets[@]}"; do
    echo
    echo "== opset $opset"
    for folder in a b; do
      ./exporter export "$archive" -o "$work/$folder/model.onnx" --opset "$opset" "${exporting[@]}" "${@:2}" 2>"$work/notes"
    done
    cat "$work/notes"
    cmp "$work/a/model.onnx" "$work/b/model.onnx"
    ./exporter inspect "$work/a/model.onnx" | sed "s/xxh3:[0-9a-f]*/xxh3:HASH/"  # archives are made while building
  done
}

status=0
# golden NAME ARCHIVE OPSET... [-- OPTION...]
golden() {
  local expected=tests/golden/runtime/$1.expected.txt
  text "${@:2}" >"$work/actual"
  if [ -n "${ONNXPORT_UPDATE_GOLDENS:-}" ]; then
    cp "$work/actual" "$ONNXPORT_UPDATE_GOLDENS/$expected"
  elif ! diff -u "$expected" "$work/actual"; then
    echo "$1 differs; to accept: ./bazelw run //tests/golden:update"
    status=1
  fi
}

golden mnist examples/mnist/mnist.pt2 7 13 18
golden features runtime/sources/pt2/testdata/features.pt2 13 18 25

exporting=(--functions)
golden Functions tests/functions/models/nested.pt2 21
exporting=()

# script NAME THEME OPSET... [-- OPTION...]: one of the small programs of tests/script.
script() {
  golden "$1" "tests/script/$2_programs/$1.pt" "${@:3}"
}

script DocumentationLoop loops 11 18 -- --input 'x=i64[2,3]' --input 'y=i64[]'
script LoopWithIf loops 13 -- --input 'x=f32[n,4]'
script ScanStack loops 17 -- --input 'x=f32[n,4]'
script SequenceCat lists 13 -- --input 'xs=list[f32[m,4]]'
script ViewThenMaskedFill inplace 9 18 -- --input 'x=f32[n,2,3]' --input 'm=bool[n,6]'
script PackedLstmScripted packed 17 -- --input 'x=f32[time,batch,4]' --input 'lengths=i64[batch]'
script QuantizedLinear quantized 13 -- --input 'x=f32[n,4]'
script FrozenNet frozen 18 -- --input 'x=f32[n,3,8,8]'
exit $status
