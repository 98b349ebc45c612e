#!/usr/bin/env bash
# blocks_test.sh PACKAGE NODE TEST EXPORTER FOLDER PAGE...: unpacks the npm package and runs the test with it.
set -euo pipefail
tar -xzf "$1" -C "${TEST_TMPDIR:?}"
node=$2 test=$3
shift 3
"$node" "$test" "$TEST_TMPDIR/package" "$@"
