#!/usr/bin/env bash
# browser_test.sh NODE TEST CHROMIUM_FILE... -- ARGUMENT...: runs the test, a module for Node.js. CHROMIUM has the
# program of a browser; FIREFOX (--test_env) is the address of one that runs already (web/browser/firefox).
set -euo pipefail
node=$PWD/$1 test=$2
shift 2
files=()
while [[ $1 != -- ]]; do
  files+=("$PWD/$1")
  shift
done
shift
[[ -n ${FIREFOX:-} ]] || CHROMIUM=$(web/browser/chromium.sh "$node" "${TEST_TMPDIR:?}/chromium" "${files[@]}")
export CHROMIUM HOME=$TEST_TMPDIR
"$node" "$test" "$@"
