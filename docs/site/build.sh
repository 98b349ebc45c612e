#!/usr/bin/env bash
# build.sh OUT CONFIG WHEELS ASSET... -- PAGE...: makes the site of the repository's files in the folder OUT. WHEELS are the
# folders of the generator's modules, with colons between them.
set -euo pipefail
out=$1
config=$2
wheels=$3
shift 3

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/pages"
cp "$config" "$work/zensical.toml"
while [[ $1 != -- ]]; do
  cp "$1" "$work/pages"
  shift
done
shift
python3 -B -m docs.site.stage "$work/pages" "$@"

path=
IFS=: read -ra folders <<<"$wheels"
for folder in "${folders[@]}"; do
  path+=${path:+:}$PWD/$folder
done
# With --strict a link that leads nowhere is an error.
if ! said=$(cd "$work" && NO_COLOR=1 PYTHONPATH=$path python3 -B -m zensical build --strict -f zensical.toml 2>&1); then
  echo "$said" >&2
  exit 1
fi
cp -r "$work/site/." "$out"
