#!/usr/bin/env bash
# tidy_one.sh REPORT SETTINGS SOURCE FLAGS...: what clang-tidy says of one source; an empty report is good.
# An action of tools/tidy.bzl.
set -euo pipefail
report=$1
settings=$2
source=$3
shift 3

# Findings come on stdout; stderr has counts, or why there was no check.
if findings=$(clang-tidy --quiet --config-file="$settings" "$source" -- "$@" 2>"$report.log"); then
  : > "$report"
else
  { echo "clang-tidy: $source" && echo "$findings" && cat "$report.log"; } | sed "s|$PWD/||g; s|^\./||" > "$report"
fi
rm "$report.log"
