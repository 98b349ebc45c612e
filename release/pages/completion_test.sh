#!/usr/bin/env bash
# completion_test.sh SHARE: bash completes commands, options and files with the file in the folder SHARE.
set -euo pipefail
share=$1
fail() { echo "FAILED: $*" && exit 1; }

# shellcheck source=/dev/null
source "$share/bash-completion/completions/exporter"
# completed WORD...: what bash offers for the last word.
completed() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
  _exporter
  echo "${COMPREPLY[*]}"
}

[[ $(completed exporter ex) == "export explain" ]] || fail "a command: $(completed exporter ex)"
[[ $(completed exporter export --ops) == --opset ]] || fail "an option: $(completed exporter export --ops)"
[[ $(completed exporter ops --check) == "" ]] || fail "an option of another command"
cd "$(mktemp -d)"
touch model.pt2
[[ $(completed exporter export mod) == model.pt2 ]] || fail "a file: $(completed exporter export mod)"

# The others are at least what their shells can read, where there is one.
cd - >/dev/null
! command -v zsh >/dev/null || zsh -n "$share/zsh/site-functions/_exporter" || fail "zsh cannot read its file"
! command -v fish >/dev/null || fish -n "$share/fish/vendor_completions.d/exporter.fish" || fail "fish cannot read its file"
if command -v groff >/dev/null; then
  warnings=$(groff -man -Tascii -ww -z "$share/man/man1/exporter.1" 2>&1)
  [[ -z $warnings ]] || fail "groff: $warnings"
fi
echo PASSED
