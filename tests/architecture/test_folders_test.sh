#!/usr/bin/env bash
# Fails when a folder of tests/ has no line in the table of all folders in tests/README.md, or a line has no folder.
# shellcheck disable=SC2016  # backquotes of Markdown, not of the shell
set -euo pipefail
source tools/workspace.sh
enter_workspace

mapfile -t folders < <(list_sources | grep -o '^tests/[^/]*/' | cut -d/ -f2 | sort -u)
((${#folders[@]} > 25)) || { echo "only ${#folders[@]} folders: ${folders[*]}"; exit 1; }

# The folders that the table of the page on stdin names, each as often as it does.
named() { sed -n '/^## All folders/,$p' | sed -n 's/^| `\([^`]*\)` | .*/\1/p' | sort; }
# Prints how the folders differ from those of the page on stdin.
wrong() { diff <(printf '%s\n' "${folders[@]}") <(named); }

wrong <tests/README.md || { echo "tests/README.md: < has no line, > has no folder, or a second line"; exit 1; }
# The test itself sees a missing line, one too many, and one that stands twice.
! sed '/^| `hostile` /d' tests/README.md | wrong >/dev/null || { echo "a missing line is not seen"; exit 1; }
! sed 's/^| `hostile` /| `gone` | x |\n&/' tests/README.md | wrong >/dev/null || { echo "an old line is not seen"; exit 1; }
! sed 's/^| `hostile` .*/&\n&/' tests/README.md | wrong >/dev/null || { echo "a second line is not seen"; exit 1; }
