#!/usr/bin/env bash
# ./bazelw run //tests/opinfo:explain -- OPERATOR [DTYPE [OPSET]]: prints the outcome of each sample of an operator.
# OPERATOR is written as in the table, or without its variant; DTYPE as there, or "" for all. With ONNXPORT_KEEP=FOLDER,
# the samples stay there.
set -euo pipefail

[ $# -ge 1 ] && [ $# -le 3 ] || { sed -n '2,4s/^# //p' "$0" && exit 2; }
work=${ONNXPORT_KEEP:-$(mktemp -d)}
[ -n "${ONNXPORT_KEEP:-}" ] || trap 'rm -rf "$work"' EXIT
OMP_NUM_THREADS=1 PYTHONHASHSEED=0 python3 -B "$SCRIPT" --op "$1" --dtype "${2:-}" "$work/samples"
"$OUTCOMES" "$work/samples" "$work/outcomes" ${3:+"$3"}
while IFS=$'\t' read -r op format dtype outcome number call detail; do
  echo "$op $format $dtype #$number $call"
  echo "    $outcome${detail:+: $detail}"
done < "$work/outcomes"
"$TABLE" summary "$work/outcomes"
