#!/usr/bin/env bash
# recipe_test.sh RECIPE: the program ends well, and has written a smaller model beside the first one.
set -euo pipefail
export PYTHONPATH=$PWD/python OMP_NUM_THREADS=1
python3 -B "examples/recipes/$1.py" "$TEST_TMPDIR/models"
cd "$TEST_TMPDIR/models"
for small in *.int8.onnx *.int4.onnx *.float16.onnx; do
  [[ -e $small ]] || continue
  large=${small%.*.onnx}.onnx
  # At least a quarter smaller.
  (($(stat -c %s "$small") * 4 < $(stat -c %s "$large") * 3)) || {
    echo "$small is hardly smaller than $large"
    exit 1
  }
  smaller=yes
done
[[ ${smaller:-} == yes ]] || { echo "no smaller model in $(ls)" && exit 1; }
