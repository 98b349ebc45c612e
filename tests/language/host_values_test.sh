#!/usr/bin/env bash
# host_values_test.sh PROGRAM SCRIPT: fails when generator, checker or runtime compute something else than Python.
set -euo pipefail
printed=$TEST_TMPDIR/printed
"$1" >"$printed"
check() { python3 -B -W ignore "$2" "$1"; }
check "$printed" "$2"

# The test itself sees one wrong value in each column.
for edit in 's/^(1) + (2)\t3\t/(1) + (2)\t4\t/' 's/^\((1) + (2)\t3\t\)fine/\1mistake/' \
  's/^\((1) + (2)\t3\tfine\t\)3/\13.0/'; do
  sed "$edit" "$printed" >"$printed.wrong"
  ! check "$printed.wrong" "$2" >/dev/null || { echo "not seen: $edit"; exit 1; }
done
