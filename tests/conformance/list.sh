#!/bin/sh
# Prints the cells that agree with PyTorch, which the tables in expected/ only count:
# ./bazelw run //tests/conformance:list [-- --gtest_filter='aten_softmax*']. Compare with what another commit prints.
set -eu
export ONNXPORT_LIST_AGREEING=1
tests/conformance/cells --gtest_brief=1 "$@" | grep ' agrees$'
