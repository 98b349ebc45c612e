#!/usr/bin/env bash
# llm_step_test.sh CONVERT DEPLOY
set -euo pipefail
folder=$TEST_TMPDIR/llm

"$1" "$folder"
"$2" "$folder"
