#!/usr/bin/env bash
# Fails when a table, a reason, a document or a spec tells which input ends, hangs or misleads the memory of a program that
# is not ours. Calls that are not run have one outcome, "not run here"; documents and specs say what is supported.
set -euo pipefail
source tools/workspace.sh
enter_workspace

# In tables and their reasons, whoever it is about; elsewhere in a line that names somebody.
tables='\b((end|kill)(s|ed|ing)? (the |its |a |whole )+(process|program)|takes? too long|come to an end|crash(es|ed)?|segfaults?'
tables+='|aborts?|hangs?|SIG(SEGV|FPE|ABRT|BUS|KILL)|divides by 0|(was|stands|lies|leaves it) in memory|memory that is not|not its own'
tables+='|(reads|reading|writes) (memory|outside|behind|past|beyond))\b'
others='(ONNX( Runtime)?|ORT|PyTorch|LibTorch|OpenVINO|TensorRT|torchvision)\b'
found() {
  grep -nHiE "$tables" "$1" /dev/null || true
}
found_of_others() {
  grep -nHE "$others" "$1" /dev/null | grep -iE "$tables" || true
}

mapfile -t of_tables < <(list_sources | grep -E '^tests/.*/expected/.*\.txt$|^tests/[a-z_]+/(wrong|unchecked|open)\.txt$|^tests/known_wrong/')
mapfile -t texts < <(list_sources | grep -E '^(docs|findings|examples|bench)/.*\.(md|html)$|^[A-Z]+\.md$|^spec/.*\.(yaml|md)$|^findings/' |
  grep -Ev '^docs/(design\.md|operators\.)')  # what says why programs run apart, and what is made of the tables
((${#of_tables[@]} > 100 && ${#texts[@]} > 100)) || { echo "only ${#of_tables[@]} tables and ${#texts[@]} texts"; exit 1; }

lines=$(
  for file in "${of_tables[@]}"; do found "$file"; done
  for file in "${texts[@]}"; do found_of_others "$file"; done
)
[[ -z $lines ]] || { echo "$lines"; echo "Say what is supported, and \"not run here\" of what is not run."; exit 1; }

# The test itself sees what it should, and nothing else.
sample=$(mktemp)
trap 'rm -f "$sample"' EXIT
for line in 'ONNX Runtime: Foo of a bar ends the process' '(x) error f32@7: takes too long' 'PyTorch reads memory that is not its own'; do
  echo "$line" >"$sample"
  [[ -n $(found "$sample") ]] || { echo "not seen: $line"; exit 1; }
done
for line in 'ONNX Runtime refuses Foo' 'the exporter ends with status 1' 'refused: 1 // 0 divides by zero'; do
  echo "$line" >"$sample"
  [[ -z $(found_of_others "$sample") ]] || { echo "seen: $line"; exit 1; }
done
