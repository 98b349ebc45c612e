#!/usr/bin/env bash
# wheel_test.sh WHEEL EXPORTER MODEL: the wheel works for python3, and makes the model of the ordinary build.
set -euo pipefail
wheel=$1 exporter=$2 model=$3
fail() { echo "FAILED: $*" && exit 1; }

made=$(release/wheel/try_wheel "$wheel" python3 "$model") || fail "what a user does"
"$exporter" export "$model" -o "$TEST_TMPDIR/expected.onnx" >/dev/null
cmp "$made" "$TEST_TMPDIR/expected.onnx" || fail "another model than that of the ordinary build"
rm "$made"
size=$(stat -L -c %s "$wheel")
((size < 12 * 1024 * 1024)) || fail "$size bytes"
echo PASSED
