#!/usr/bin/env bash
# custom_op_test.sh EXPORTER CUSTOM_OP FOO.pt2 MODEL.onnx...: the models, and the one that CUSTOM_OP writes, have the node
# of our domain, and say which version of it they need. FOO.pt2 is what the last one was made of.
set -euo pipefail
exporter=$1
program=$2
archive=$3
shift 3

"$program" "$TEST_TMPDIR/program.onnx"
for model in "$TEST_TMPDIR/program.onnx" "$@"; do
  text=$("$exporter" inspect "$model")
  echo "$text"
  grep -q '"acme" : 2' <<<"$text"
  grep -qE 'acme\.Foo ?<groups: int = 2, scale: float = 0\.5>' <<<"$text"
  grep -qE 'float\[batch,6\]' <<<"$text"
  grep -q 'Sigmoid' <<<"$text"
done

# The build's model has the same bytes as one that is made by hand.
"$exporter" export "$archive" -o "$TEST_TMPDIR/again.onnx" --input 'x=f32[batch,4]'
cmp "$TEST_TMPDIR/again.onnx" "${!#}"

"$exporter" ops custom_ops::foo_forward | grep -q 'foo\.yaml'
