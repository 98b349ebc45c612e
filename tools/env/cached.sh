# To be sourced: what is made once in the user's cache folder, KIND-KEY, and goes when nobody has used it.
# shellcheck shell=bash

base=${XDG_CACHE_HOME:-$HOME/.cache}/onnxport

say() { echo "onnxport: $*" >&2; }

# listed FILE...: the lines of package lists.
listed() { sed -e 's/[[:space:]]*#.*//' -e '/^[[:space:]]*$/d' "$@"; }

remove_tree() { chmod -R u+w "$1" 2>/dev/null || true; rm -rf --one-file-system "$1" 2>/dev/null || true; }

# remove_unused KIND NEW: those of a kind whose file `used` was not touched for two days, but for the one that was just made.
remove_unused() {
  local old
  for old in "$base/$1"-*; do
    [[ $old == "$2" || -n $(find "$old/used" -mtime -2 2>/dev/null) ]] || { say "removing $old" && remove_tree "$old"; }
  done
}
