#!/usr/bin/env bash
# shellcheck disable=SC2016  # backquotes of Markdown
# Fails when a list of the operators that --keep takes lacks one. They are made by a pass (kOnRequest), or a spec asks
# `keeps("Operator")`.
set -euo pipefail
source tools/workspace.sh
enter_workspace

mapfile -t operators < <({
  sed -n '/^constexpr Pass kOnRequest/,/;$/p' runtime/model/passes/passes.cc | grep -o '{"[A-Za-z]*"'
  grep -rho 'keeps("[A-Za-z]*")' spec/aten spec/lib
} | grep -o '"[A-Za-z]*"' | tr -d '"' | sort -u)
((${#operators[@]} >= 6)) || { echo "only ${#operators[@]} operators: ${operators[*]}"; exit 1; }

# The text of FILE from BEGIN to the next END.
missing() {
  local text operator status=1
  text=$(sed -n "/$2/,/$3/p" "$1")
  for operator in "${operators[@]}"; do
    [[ $text == *"$operator"* ]] && continue
    echo "$1 does not name $operator among what --keep takes"
    status=0
  done
  return $status
}

failed=0
missing runtime/cli/command_line.cc '"--keep", options.keep' 'delimiter' && failed=1
missing onnxport/export.h 'Operators of ONNX that the model has where they say the same' 'keep = {}' && failed=1
missing README.md 'has them in the model where they say the same' 'fused.md' && failed=1
missing docs/fused.md '^| `--keep` | from opset' '^$' && failed=1

# The test itself sees that one is missing.
operators+=(NoSuchOperator)
missing docs/fused.md '^| `--keep` | from opset' '^$' >/dev/null || { echo "sees nothing"; exit 1; }
exit $failed
