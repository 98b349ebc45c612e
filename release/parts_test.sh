#!/usr/bin/env bash
# parts_test.sh LINKED SOURCE...: parts.bzl, which says the SOURCEs, names what is linked and nothing else.
set -euo pipefail
linked=$1
shift
[[ -s $linked ]] || { echo "FAILED: nothing is linked" && exit 1; }
diff "$linked" <(printf '%s\n' "$@" | sort) || { echo "FAILED: < is linked, > is in release/parts.bzl" && exit 1; }
echo PASSED
