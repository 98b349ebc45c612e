#!/usr/bin/env bash
# direct_deps_test.sh DEPS ALLOWED: fails when a line of DEPS (one label each) does not match ALLOWED.
set -euo pipefail

[ -s "$1" ] || { echo "no dependencies in $1: the query is wrong"; exit 1; }
if grep -Ev "$2" "$1"; then
  echo "^ is no dependency that is allowed: only $2"
  exit 1
fi
