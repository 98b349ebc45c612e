#!/usr/bin/env bash
# embed_test.sh EMBED MODEL
set -euo pipefail
embed=$1
model=$2
out=$TEST_TMPDIR/model.onnx

said=$("$embed" "$model" "$out")
echo "$said"
size=$(stat -c %s "$out")
grep -q '^input x: float32\[s77, 1, 28, 28\]$' <<<"$said"
grep -q '^output ' <<<"$said"
grep -q "^$size bytes saved, $size streamed\$" <<<"$said"

echo "no model" >"$TEST_TMPDIR/text.pt2"
status=0
"$embed" "$TEST_TMPDIR/text.pt2" "$out" 2>"$TEST_TMPDIR/err" || status=$?
[[ $status == 3 ]]
grep -q '"kind":"bad_input"' "$TEST_TMPDIR/err"
