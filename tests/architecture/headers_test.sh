#!/usr/bin/env bash
# headers_test.sh FILE...: every FILE compiles alone, where there are only these files and the standard library, as C++20
# and as C++23.
set -euo pipefail

(($# > 0)) || { echo "no files"; exit 1; }
compiler=${CXX:-c++}
status=0
for standard in c++20 c++23; do
  "$compiler" -std=$standard -fsyntax-only -x c++ /dev/null || { echo "$compiler has no $standard"; continue; }
  for file; do
    echo "#include \"$file\"" >"$TEST_TMPDIR/includes.cc"
    [[ $file == *.h ]] || cp "$file" "$TEST_TMPDIR/includes.cc"
    "$compiler" -std=$standard -Wall -Wextra -Werror -fsyntax-only -I . "$TEST_TMPDIR/includes.cc" || status=1
  done
done
exit $status
