#!/usr/bin/env bash
# Fails when docs/troubleshooting.md quotes a message that the sources do not have any more: it is searched by its words.
set -euo pipefail
source tools/workspace.sh
enter_workspace

page=docs/troubleshooting.md
mapfile -t sources < <(list_sources | grep -E '^(runtime|onnxport)/.*\.(cc|h)$|^spec/.*\.yaml$|^tools/env/|^bazelw$' |
  grep -Ev '_test\.(cc|sh)$|/testdata/')
((${#sources[@]} > 300)) || { echo "only ${#sources[@]} sources"; exit 1; }
check() { python3 -B tests/architecture/error_texts.py "$1" "${sources[@]}"; }
check $page || { echo "$page quotes what is not printed"; exit 1; }

# The test itself sees another word, in a heading and in a line.
changed=$(mktemp)
trap 'rm -f "$changed"' EXIT
for edit in 's/has code that would/has code which would/' 's/this is not a regular file/this is no regular file/'; do
  sed "$edit" $page >"$changed"
  ! check "$changed" >/dev/null || { echo "not seen: $edit"; exit 1; }
done
