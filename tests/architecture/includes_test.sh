#!/usr/bin/env bash
# includes_test.sh ALLOWED FILE...: fails when a FILE includes what does not match ALLOWED, a regular expression over
# `<vector>` or `"folder/name.h"`.
set -euo pipefail

allowed=$1
shift
(($# > 0)) || { echo "no files"; exit 1; }
includes=$(grep -HE '^ *# *include' "$@")
if grep -Ev ": *# *include +($allowed)( *//.*)?\$" <<<"$includes"; then
  echo "^ must not be included: only $allowed"
  exit 1
fi
