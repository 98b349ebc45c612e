#!/usr/bin/env bash
# Messages of the library mark options (runtime/base/option_names.h) and never name a flag: the command shows its own
# flags in their place. onnxport/options.h is the table of them, and onnxport/codes.cc explains messages of the command.
# Programs read flags of their own.
set -euo pipefail
source tools/workspace.sh
enter_workspace

# A flag in a text of C++, or anywhere in a spec but its comments.
flags() { grep -nE '^[^/]*"([^"]*[^-[:alnum:]"])?--[a-z]' "$@"; }
[[ $(echo '  Usage("--input is wrong");' | flags) && $(echo '"write (--input)"' | flags) ]] || exit 1
[[ -z $(echo '  --depth; // "--input"' | flags) ]] || exit 1

mapfile -t sources < <(find runtime onnxport -name '*.cc' -o -name '*.h' |
  grep -vE '^onnxport/(options\.h|codes\.cc)$|^runtime/(cli/|verify/([^/]*|(bisect|inputs|program|report)/[^/]*|ort/runner\.cc)$)|_test\.cc$')
((${#sources[@]} > 300)) || { echo "only ${#sources[@]} files"; exit 1; }
found=$(flags "${sources[@]}" || true; grep -rnE '^[^#]*[^-[:alnum:]]--[a-z]' spec --include='*.yaml' || true)
[[ -z $found ]] || { echo "$found"; exit 1; }
