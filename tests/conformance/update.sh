#!/bin/sh
# Writes the tables in expected/ anew: ./bazelw run //tests/conformance:update [-- --gtest_filter='aten_softmax*']
# cells_test, which this is, writes instead of comparing when it is told the workspace. It still fails for cells that are wrong and do
# not stand in expected/wrong.txt.
set -eu
export ONNXPORT_UPDATE_EXPECTED="$BUILD_WORKSPACE_DIRECTORY"
exec tests/conformance/cells --gtest_brief=1 "$@"
