#!/usr/bin/env bash
# movable_test.sh PROGRAM: it runs where the private environment (tools/env/make) is not: it names no path of one, neither as
# its interpreter nor as a place of libraries. Programs that the machine's own compiler links never do.
set -euo pipefail

program=$1
"$program" --version >/dev/null || { echo "FAILED: $program does not run" && exit 1; }
if named=$(grep -aoE '[[:print:]]*/env-[0-9a-f]{12}/[[:print:]]*' "$program"); then
  echo "FAILED: $program names the build environment:"
  sort -u <<<"$named" | head
  exit 1
fi
echo PASSED
