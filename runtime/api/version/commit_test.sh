#!/usr/bin/env bash
# commit_test.sh STATUS HEADER: what the script STATUS says of a repository is what the script HEADER writes for C++.
set -euo pipefail
status=$PWD/$1 header=$PWD/$2
fail() { echo "FAILED: $*" && exit 1; }

cd "$(mktemp -d "${TEST_TMPDIR:-/tmp}/commit.XXXXXX")"
export HOME=$PWD GIT_CEILING_DIRECTORIES=$PWD/.. GIT_{AUTHOR,COMMITTER}_{NAME,EMAIL}=somebody
# written COMMIT WHAT: the header has this commit.
written() {
  "$status" >status.txt
  "$header" commit.h status.txt
  grep -qxF "inline constexpr std::string_view kCommit = \"$1\";" commit.h || fail "$2: $(cat status.txt commit.h)"
}

written "" "a folder without git"
git init -q .
written "" "a repository without a commit"
echo one >file
git add file
git commit -qm one
commit=$(git rev-parse HEAD)
written "${commit:0:12}" "a commit"
echo two >file
written "${commit:0:12} with changes" "a changed file"

"$header" commit.h
grep -q 'kCommit = "";' commit.h || fail "no status"
echo PASSED
