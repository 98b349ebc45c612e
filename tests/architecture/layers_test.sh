#!/usr/bin/env bash
# layers_test.sh DEPS PATTERN...: fails when a line of DEPS (one label each) matches a PATTERN. Patterns name repositories
# as BUILD files do: `@libonnx//`. Bazel lists them as `@@_main~libraries~libonnx//`, or `@@libonnx//` with a WORKSPACE.
set -euo pipefail

deps=$1
shift
[ -s "$deps" ] || { echo "no dependencies in $deps: the query is wrong"; exit 1; }
labels=$TEST_TMPDIR/labels
sed -E 's|^@+([^/]*[~+])?|@|; s|^@//|//|' "$deps" >"$labels"
status=0
for pattern in "$@"; do
  if grep -E "$pattern" "$labels"; then
    echo "^ must not be there: $pattern"
    status=1
  fi
done
exit $status
