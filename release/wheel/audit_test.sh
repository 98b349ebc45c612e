#!/usr/bin/env bash
# audit_test.sh WHEEL FOLDER...: auditwheel, whose modules lie in the FOLDERs' places, finds nothing in the wheel that a
# system of its tags may lack.
set -euo pipefail
wheel=$1
shift
for file; do
  PYTHONPATH=${PYTHONPATH:+$PYTHONPATH:}$PWD/${file%/*}
done
export PYTHONPATH
said=$(python3 -B -m auditwheel show "$wheel") || { echo "FAILED: auditwheel fails: $said" && exit 1; }
said=$(tr -s ' \n' ' ' <<<"$said")
grep -qE 'is consistent with the following platform tag: "manylinux_2_(5|12|17)_' <<<"$said" || { echo "FAILED: $said" && exit 1; }
echo PASSED
