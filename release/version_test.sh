#!/usr/bin/env bash
# version_test.sh HEADER VERSION: names of files (version.bzl) and the programs (version.h) say one version.
set -euo pipefail
grep -q "kVersion\[\] = \"$2\"" "$1" || { echo "FAILED: $1 and release/version.bzl ($2) differ" && exit 1; }
echo PASSED
