#!/usr/bin/env bash
# modules_test.sh NODE TEST: runs a test for Node.js.
set -euo pipefail
"$1" "$2"
