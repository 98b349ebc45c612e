#!/usr/bin/env bash
# custom_op_test.sh EXPORTER MODEL.onnx...: the models have the node of our domain, and say which version of it they need.
set -euo pipefail
exporter=$1
shift

for model in "$@"; do
  text=$("$exporter" inspect "$model")
  echo "$text"
  grep -q '"acme" : 2' <<<"$text"
  grep -qE 'acme\.Foo ?<groups: int = 2, scale: float = 0\.5>' <<<"$text"
  grep -qE 'float\[batch,6\]' <<<"$text"
  grep -q 'Sigmoid' <<<"$text"
done

"$exporter" ops custom_ops::foo_forward | grep -q 'foo\.yaml'
