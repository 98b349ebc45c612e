#!/usr/bin/env bash
# chromium.sh NODE FOLDER FILE...: unpacks the pinned Chromium into the folder, and prints the program to start. CHROMIUM
# (--test_env) names another one, of Chromium or Chrome.
set -euo pipefail
node=$1 folder=$2
shift 2

[[ -z ${CHROMIUM:-} ]] || { echo "$CHROMIUM" && exit; }
mkdir -p "$folder/cache"
for file in "$@"; do
  name=$(basename "$file" .br)
  "$node" -e 'const {createReadStream, createWriteStream} = require("fs");
    createReadStream(process.argv[1]).pipe(require("zlib").createBrotliDecompress()).pipe(createWriteStream(process.argv[2]))' \
    "$file" "$folder/$name"
  [[ $name != *.tar ]] || tar -xf "$folder/$name" -C "$folder"
done
chmod +x "$folder/chromium"
cat >"$folder/fonts.conf" <<END
<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>$folder/fonts</dir><cachedir>$folder/cache</cachedir></fontconfig>
END
cat >"$folder/start" <<END
#!/bin/sh
HOME='$folder' FONTCONFIG_FILE='$folder/fonts.conf' LD_LIBRARY_PATH='$folder/lib' exec '$folder/chromium' "\$@"
END
chmod +x "$folder/start"
echo "$folder/start"
