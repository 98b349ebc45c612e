#!/usr/bin/env bash
# Fails when kept_operators.cc lacks an operator that --keep takes: one that a pass makes (When::kKept), or for which a
# spec asks `keeps("Operator")`. Help, `exporter ops --keep` and docs/fused.md follow that table (//tests/kept).
set -euo pipefail
source tools/workspace.sh
enter_workspace

mapfile -t operators < <({
  grep -o '{"[A-Za-z]*", When::kKept' runtime/model/passes/passes.cc
  grep -rho 'keeps("[A-Za-z]*")' spec/aten spec/lib
} | grep -o '"[A-Za-z]*"' | tr -d '"' | sort -u)
((${#operators[@]} >= 6)) || { echo "only ${#operators[@]} operators: ${operators[*]}"; exit 1; }

# Returns whether one of the operators has no row.
missing() {
  local operator status=1
  for operator in "$@"; do
    grep -q "^    {\"$operator\", " runtime/model/passes/kept_operators.cc && continue
    echo "kept_operators.cc has no row of $operator, which --keep takes"
    status=0
  done
  return $status
}

failed=0
missing "${operators[@]}" && failed=1
# The test itself sees that one is missing.
missing NoSuchOperator >/dev/null || { echo "sees nothing"; exit 1; }
exit $failed
