#!/usr/bin/env bash
# file_test.sh FILE MACHINE: what is released is one static file, for the machine, small, and knows nothing of where it was
# built.
set -euo pipefail
file=$1 machine=$2
readonly AT_MOST=$((12 * 1024 * 1024))
fail() { echo "FAILED: $file $*" && exit 1; }

header=$(LC_ALL=C readelf --file-header --wide "$file")
grep -q "Machine: *$machine\$" <<<"$header" || fail "is for another machine: $(grep Machine: <<<"$header")"
grep -q 'Type: *EXEC' <<<"$header" || fail "is no program: $(grep Type: <<<"$header")"

segments=$(LC_ALL=C readelf --program-headers --wide "$file")
! grep -qE '^ *(INTERP|DYNAMIC) ' <<<"$segments" || fail "asks for a loader or libraries"
grep -qE '^ *GNU_STACK .* RW +0' <<<"$segments" || fail "has a stack that can be executed"
[[ -z $(LC_ALL=C readelf --symbols --wide "$file" | grep -m1 FUNC || true) ]] || fail "is not stripped"

size=$(stat -L -c %s "$file")
((size <= AT_MOST)) || fail "has $size bytes, $AT_MOST are allowed"

# Of the machine that built it: Bazel's folders, homes, caches.
for text in /execroot/ /sandbox/ "${HOME:-/home/}/" .cache/ bazel-out/; do
  ! LC_ALL=C grep -qaF "$text" "$file" || fail "has $text in it"
done
echo "PASSED: $size bytes"
