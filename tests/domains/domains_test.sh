#!/usr/bin/env bash
# domains_test.sh EXPORTER FOLDER: what models with operators of one's own become, from .pt and from .pt2.
set -euo pipefail
exporter=$1
folder=$2
out=$TEST_TMPDIR/out.onnx

# exported MODEL PATTERN...: each pattern is somewhere in the model's text; !PATTERN is nowhere.
exported() {
  local name=$1 file text pattern
  shift
  for file in "$folder/$name.pt" "$folder/$name.pt2"; do
    "$exporter" export "$file" -o "$out" --input 'x=f32[batch,4]'
    text=$("$exporter" inspect "$out")
    for pattern in "$@"; do
      if [[ $pattern == !* ]]; then
        ! grep -qE -- "${pattern#!}" <<<"$text" || { echo "$text"; echo "$file has: ${pattern#!}"; exit 1; }
      else
        grep -qE -- "$pattern" <<<"$text" || { echo "$text"; echo "$file has not: $pattern"; exit 1; }
      fi
    done
  done
}

# refused FILE INPUT PATTERN
refused() {
  local said
  ! said=$("$exporter" export "$folder/$1" -o "$out" --input "$2" 2>&1) || { echo "$1 was exported"; exit 1; }
  grep -qE -- "$3" <<<"$said" || { echo "$said"; echo "$1 is not refused with: $3"; exit 1; }
}

exported TopPairs 'opset_import: \["" : 18, "acme" : 2\]' 'acme\.TopPairs ?<k: int = 2> \(x\)' 'float\[batch,4\] output'
exported Mix '"acme\.text" : 1\]' 'acme\.text\.Mix \(x, "/Add_output_0", "/Mul_output_0"\)' 'float\[batch,4\] output'
# Two nodes that draw stay two; two that compute the same become one.
exported Draw '"/Draw_1"' '!"/Norm_1"' '"/Norm"'
# The form that writes is the one that does not, and a write.
exported Scale '= Mul ' 'float\[batch,4\] output' '!acme'
exported Pick '= Gather ' 'float\[4\] output'
exported Gelu 'acme\.Gelu \(x\)' '"acme" : 3\]' '!Erf'

# The weight has three rows for the four of x, the entry here does not take tanh, a free axis meets a number.
rows='.n. of acme[.]TopPairs'
refused Weighted.pt 'x=f32[batch,3]' "$rows is 3, but 4 in .weight."
refused Weighted.pt 'x=f32[batch,n]' "axis .n. of .x. would be fixed at 4: $rows is n, but 4 in .weight."
exported Weighted 'acme\.TopPairs ?(<k: int = 1> )?\(x, weight\)' 'float\[batch,2\]'
refused GeluTanh.pt2 'x=f32[batch,4]' 'approximate'

"$exporter" ops gelu | grep -q 'tests/domains/acme\.yaml'
"$exporter" ops acme_ops::mix | grep -q 'tests/domains/acme\.yaml'
