#!/usr/bin/env bash
# parts_test.sh TABLE ONNX LINKED SOURCE...: parts.bzl, which says the SOURCEs, names what is linked and nothing else.
set -euo pipefail
table=$1 onnx=$2 linked=$3
shift 3
[[ -s $linked ]] || { echo "FAILED: nothing is linked" && exit 1; }
diff "$linked" <(printf '%s\n' "$@" | sort) || { echo "FAILED: < is linked, > is in release/parts.bzl" && exit 1; }

# ./bazelw gives the same ONNX to releases and other builds, as its file ONNX says. The TABLE has to be right about it.
sum=$(sed -n 's/^onnx==.*sha256:\([0-9a-f]*\)$/\1/p' "$onnx")
grep -q "^libonnx .* ${sum:?}\$" "$table" || { echo "FAILED: $onnx pins another ONNX than $table" && exit 1; }
echo PASSED
