#!/usr/bin/env bash
# page_test.sh PAGE NODE PAGE_TEST EXPORTER MNIST: the page in a browser. CHROMIUM (--test_env) names the program, of Chromium or
# Chrome; without one the test says so and ends.
set -euo pipefail
page=$1 node=$2 test=$3
shift 3
chromium=${CHROMIUM:-$(command -v chromium chromium-browser google-chrome | head -n 1 || true)}
[[ -n $chromium ]] || { echo "SKIPPED: no Chromium on PATH" && exit 0; }

folder=${TEST_TMPDIR:?}/unpacked
mkdir "$folder"
tar -xzf "$page" -C "$folder"
HOME=$TEST_TMPDIR "$node" "$test" "$folder/onnxport-page" "$@" "$chromium"
