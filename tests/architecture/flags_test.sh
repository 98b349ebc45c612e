#!/usr/bin/env bash
# Messages of the library name what a program writes, ExportOptions::inputs or ParseInput("n=5"), and never a flag of the
# command, which says its own flags in their place (runtime/cli/flags.h). Programs read flags of their own.
set -euo pipefail
source tools/workspace.sh
enter_workspace

# A flag in a text of C++, or anywhere in a spec but its comments.
flags() { grep -nE '^[^/]*"([^"]*[^-[:alnum:]"])?--[a-z]' "$@"; }
[[ $(echo '  Usage("--input is wrong");' | flags) && $(echo '"write (--input)"' | flags) ]] || exit 1
[[ -z $(echo '  --depth; // "--input"' | flags) ]] || exit 1

mapfile -t sources < <(find runtime onnxport -name '*.cc' -o -name '*.h' |
  grep -vE '^runtime/(cli/|verify/([^/]*|ort/runner\.cc)$)|_test\.cc$')
((${#sources[@]} > 300)) || { echo "only ${#sources[@]} files"; exit 1; }
found=$(flags "${sources[@]}" || true; grep -rnE '^[^#]*[^-[:alnum:]]--[a-z]' spec --include='*.yaml' || true)
[[ -z $found ]] || { echo "$found"; exit 1; }
