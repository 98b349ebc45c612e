#!/usr/bin/env bash
# version_test.sh HEADER MODULE VERSION: names of files (version.bzl), the programs (version.h) and the module (MODULE.bazel)
# say one version.
set -euo pipefail
grep -q "kVersion\[\] = \"$3\"" "$1" || { echo "FAILED: $1 and release/version.bzl ($3) differ" && exit 1; }
grep -qx "    version = \"$3\"," "$2" || { echo "FAILED: $2 and release/version.bzl ($3) differ" && exit 1; }
echo PASSED
