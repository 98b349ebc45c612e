#!/usr/bin/env bash
# file_test.sh FILE MACHINE static|glibc: what is released is one file, for the machine, small, and knows nothing of where it
# was built. It is static, or a program for any glibc from 2.17 on that needs nothing besides.
set -euo pipefail
file=$1 machine=$2 kind=$3
readonly OLDEST_GLIBC=2.17
declare -A AT_MOST=([static]=$((12 * 1024 * 1024)) [glibc]=$((1024 * 1024)))
fail() { echo "FAILED: $file $*" && exit 1; }

header=$(LC_ALL=C readelf --file-header --wide "$file")
grep -q "Machine: *$machine\$" <<<"$header" || fail "is for another machine: $(grep Machine: <<<"$header")"
declare -A TYPE=([static]=EXEC [glibc]=DYN)
grep -q "Type: *${TYPE[$kind]}" <<<"$header" || fail "is no program: $(grep Type: <<<"$header")"

segments=$(LC_ALL=C readelf --program-headers --wide "$file")
if [[ $kind == static ]]; then
  ! grep -qE '^ *(INTERP|DYNAMIC) ' <<<"$segments" || fail "asks for a loader or libraries"
else
  grep -qE 'interpreter: /lib(64)?/ld-linux-[a-z0-9-]+\.so\.[12]\]' <<<"$segments" || fail "has another loader: $segments"
  dynamic=$(LC_ALL=C readelf --dynamic --wide "$file")
  ! grep -E 'RPATH|RUNPATH' <<<"$dynamic" || fail "names folders with libraries"
  others=$(sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' <<<"$dynamic" | grep -vE '^(lib(c|dl|m|pthread)|ld-linux-[a-z0-9-]+)\.so\.[0-9]$' || true)
  [[ -z $others ]] || fail "needs $others"
  newest=$(LC_ALL=C readelf --version-info --wide "$file" | grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -n 1)
  [[ $(printf '%s\n' "${newest#GLIBC_}" $OLDEST_GLIBC | sort -V | tail -n 1) == "$OLDEST_GLIBC" ]] || fail "needs $newest"
fi
grep -qE '^ *GNU_STACK .* RW +0' <<<"$segments" || fail "has a stack that can be executed"
! LC_ALL=C readelf --sections --wide "$file" | grep -F .symtab || fail "is not stripped"

size=$(stat -L -c %s "$file")
((size <= AT_MOST[$kind])) || fail "has $size bytes, ${AT_MOST[$kind]} are allowed"

# Texts of the machine that built it: Bazel's folders, homes, caches.
for text in /execroot/ /sandbox/ "${HOME:-/home/}/" .cache/ bazel-out/; do
  ! LC_ALL=C grep -qaF "$text" "$file" || fail "has $text in it"
done
echo "PASSED: $size bytes"
