#!/usr/bin/env bash
# package_test.sh PACKAGE NODE WEB_TEST BROWSER_TEST EXPORTER MNIST FOLDER...: the npm package is small, has what it names; and its tests in Node.js.
set -euo pipefail
package=$PWD/$1 node=$2 web_test=$3 browser_test=$4
shift 4
fail() { echo "FAILED: $*" && exit 1; }

size=$(stat -Lc %s "$package")
echo "$size bytes"
((size < 5000000)) || fail "the package has $size bytes: more than a page should load"

folder=${TEST_TMPDIR:?}/unpacked
mkdir "$folder"
tar -xzf "$package" -C "$folder"
folder=$folder/package
"$node" -e 'for (const [, at] of Object.entries(JSON.parse(require("fs").readFileSync(process.argv[1])).exports).flatMap(
  ([, at]) => typeof at === "string" ? [[0, at]] : Object.entries(at))) console.log(at)' "$folder/package.json" |
  while read -r file; do [[ -s $folder/$file ]] || fail "package.json names $file, which is not there"; done
[[ -s $folder/licences/protobuf ]] || fail "no licences"
for file in "$folder"/licences/*; do
  grep -q "\"name\":\"${file##*/}\"" "$folder/sbom.spdx.json" || fail "the bill lacks ${file##*/}"
done

"$node" "$browser_test" "$folder" "$1" "$2"
"$node" "$web_test" "$folder" "$@"
