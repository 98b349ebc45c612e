#!/usr/bin/env bash
# What small archives become, as text: the graph as the importer reads it, and the model at some opsets. Each is exported
# twice, into two folders, and the bytes must be the same. With ONNXPORT_UPDATE_GOLDENS, the workspace, the expected
# files are written instead: ./bazelw run //tests/golden:update
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/a" "$work/b"

# text ARCHIVE OPSET...
text() {
  ./exporter inspect "$1" 2>&1
  for opset in "${@:2}"; do
    echo
    echo "== opset $opset"
    for folder in a b; do ./exporter export "$1" -o "$work/$folder/model.onnx" --opset "$opset" 2>"$work/notes"; done
    cat "$work/notes"
    cmp "$work/a/model.onnx" "$work/b/model.onnx"
    ./exporter inspect "$work/a/model.onnx"
  done
}

status=0
# golden NAME ARCHIVE OPSET...
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
golden features runtime/importer/testdata/features.pt2 13 18 25
exit $status
