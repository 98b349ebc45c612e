#!/usr/bin/env bash
# lstm_dynamic_test.sh CONVERT DEPLOY
set -euo pipefail
folder=$TEST_TMPDIR/lstm

"$1" "$folder"
"$2" "$folder"
