#!/usr/bin/env bash
# tools/env/apt_get against an apt-get that says what the real one says.
set -euo pipefail

apt_get=$PWD/tools/env/apt_get
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "FAILED: $*" && exit 1; }

# Fails as often as the file `failures` says, with the text of `message`; then writes its arguments to `done`.
cat >"$folder/apt-get" <<'FAKE'
#!/usr/bin/env bash
cd "$(dirname "$0")"
left=$(cat failures)
((left == 0)) && { echo "$@" >>done; exit 0; }
echo $((left - 1)) >failures
cat message >&2
exit 100
FAKE
printf '#!/bin/sh\nshift\nexec "$@"\n' >"$folder/sudo"
printf '#!/bin/sh\n' >"$folder/sleep"
chmod +x "$folder"/*
run() { PATH="$folder:$PATH" "$apt_get" "$@" 2>"$folder/err"; }
export ONNXPORT_APT_WAIT=60

# The lock is free after two tries: it waited, said so once, and ran.
for message in 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 1234 (apt-get)' \
  'E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?'; do
  echo 2 >"$folder/failures"
  echo "$message" >"$folder/message"
  rm -f "$folder/done"
  run update -q || fail "a lock that becomes free: exit status $?"
  [[ $(cat "$folder/done") == 'update -q' ]] || fail "apt-get ran with other arguments"
  [[ $(grep -c 'waiting for it, 60 seconds at most' "$folder/err") == 1 ]] || fail "it does not say once that it waits"
  grep -qF "$message" "$folder/err" || fail "it does not say what apt said"
done

# Never free: apt's own message and status after the time.
echo 1000 >"$folder/failures"
ONNXPORT_APT_WAIT=20 run update && fail "a lock that is never free: exit status 0"
grep -q 'dpkg frontend lock' "$folder/err" || fail "apt's message is lost"
(($(cat "$folder/failures") == 1000 - 5)) || fail "tried $((1000 - $(cat "$folder/failures"))) times in 20 seconds"

# Another failure is not waited for.
echo 1000 >"$folder/failures"
echo 'E: Unable to locate package mmdebstrap' >"$folder/message"
run install mmdebstrap && fail "a missing package: exit status 0"
(($(cat "$folder/failures") == 999)) || fail "a missing package was waited for"
echo PASSED
