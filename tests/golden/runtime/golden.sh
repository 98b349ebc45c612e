#!/usr/bin/env bash
# golden.sh check|write EXPORTER GOLDEN ARCHIVE OPSET...
#
# The text of an archive as the exporter reads it, and of the model at each opset. `check` compares it with GOLDEN and
# exports twice, into two folders: the bytes must be the same. `write` replaces GOLDEN.
set -euo pipefail

mode=$1 exporter=$2 golden=$3 archive=$4
shift 4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/a" "$work/b"

text() {
  echo "== $(basename "$archive")"
  "$exporter" inspect "$archive"
  for opset; do
    echo
    echo "== opset $opset"
    "$exporter" export "$archive" -o "$work/a/model.onnx" --opset "$opset"
    "$exporter" export "$archive" -o "$work/b/model.onnx" --opset "$opset"
    cmp "$work/a/model.onnx" "$work/b/model.onnx"
    "$exporter" inspect "$work/a/model.onnx"
  done
}

text "$@" >"$work/actual"
if [ "$mode" = write ]; then
  cp "$work/actual" "$golden"
elif ! diff -u "$golden" "$work/actual"; then
  echo "To accept: ./bazelw run //tests/golden:update"
  exit 1
fi
