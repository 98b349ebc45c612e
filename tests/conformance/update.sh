#!/bin/sh
# Writes the tables in expected/ anew: ./bazelw run //tests/conformance:update [-- --gtest_filter='aten_softmax*'] This
# is cells_test, which writes instead of comparing when it gets the workspace. It still fails for wrong cells that are
# not in expected/wrong.txt.
set -eu
export ONNXPORT_UPDATE_EXPECTED="$BUILD_WORKSPACE_DIRECTORY"
exec tests/conformance/cells --gtest_brief=1 "$@"
