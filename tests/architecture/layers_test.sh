#!/usr/bin/env bash
# layers_test.sh DEPS PATTERN...: fails when a line of DEPS (one label each) matches a PATTERN.
set -euo pipefail

deps=$1
shift
[ -s "$deps" ] || { echo "no dependencies in $deps: the query is wrong"; exit 1; }
status=0
for pattern in "$@"; do
  if sed 's/^@@/@/' "$deps" | grep -E "$pattern"; then
    echo "^ must not be there: $pattern"
    status=1
  fi
done
exit $status
