#!/usr/bin/env bash
# custom_nodes_test.sh EXPORTER FOLDER: what calls become that the user, or the program itself, makes nodes.
set -euo pipefail
exporter=$1
folder=$2
out=$TEST_TMPDIR/out.onnx

fail() {
  printf '%s\n' "$@"
  exit 1
}

# exported FILE [OPTION...] -- PATTERN...: each pattern is somewhere in the remarks or in the model's text; !PATTERN is
# nowhere.
exported() {
  local file=$1 options=() said pattern
  shift
  while [[ $1 != -- ]]; do
    options+=("$1")
    shift
  done
  shift
  said=$("$exporter" export "$folder/$file" -o "$out" --input 'x=f32[batch,4]' "${options[@]}" 2>&1) ||
    fail "$said" "$file is not exported with ${options[*]}"
  said+=$'\n'$("$exporter" inspect "$out")
  for pattern in "$@"; do
    if [[ $pattern == !* ]]; then
      ! grep -qE -- "${pattern#!}" <<<"$said" || fail "$said" "$file ${options[*]} has: ${pattern#!}"
    else
      grep -qE -- "$pattern" <<<"$said" || fail "$said" "$file ${options[*]} has not: $pattern"
    fi
  done
}

# refused STATUS FILE [OPTION...] -- PATTERN...
refused() {
  local status=$1 file=$2 options=() said pattern seen=0
  shift 2
  while [[ $1 != -- ]]; do
    options+=("$1")
    shift
  done
  shift
  rm -f "$out"
  said=$("$exporter" export "$folder/$file" -o "$out" --input 'x=f32[batch,4]' "${options[@]}" 2>&1) || seen=$?
  [[ $seen == "$status" ]] || fail "$said" "$file ${options[*]} ends with $seen, not $status"
  [[ ! -e $out ]] || fail "$file ${options[*]} is refused, and written"
  for pattern in "$@"; do
    grep -qE -- "$pattern" <<<"$said" || fail "$said" "$file ${options[*]} is not refused with: $pattern"
  done
}

# ---- an operator that nobody maps
for file in Relu.pt Relu.pt2; do
  refused 1 "$file" -- 'my_ops::relu'
  exported "$file" --fallthrough -- \
    'note: my_ops::relu is exported as the node relu of domain my_ops, which the runtime must have' \
    '"my_ops" : 1' '= my_ops\.relu \("?/?Sub' 'float\[batch,4\] output|float\[.*\] output'
  exported "$file" --map my_ops::relu=com.example.Relu6 --domain com.example=4 -- \
    '= com\.example\.Relu6 \(' '"com\.example" : 4' '!my_ops\.'
  # One of ONNX's own is checked as one, and has its types.
  exported "$file" --map my_ops::relu=Relu -- '= Relu \(' '!which the runtime must have' 'float\[batch,4\] output'
  refused 1 "$file" --map my_ops::relu=Rleu -- 'no operator Rleu'
  refused 1 "$file" --map my_ops::relu=MatMul -- 'MatMul'
done
exported Relu.pt --fallthrough -- 'what it gives is taken to be float32, as its first tensor is'
exported Relu.pt2 --fallthrough -- '!taken to be' 'float\[batch,4\] output'

# ---- arguments that are no tensors
exported Scale.pt2 --fallthrough -- \
  'my_ops\.scale ?<axes: ints = \[0, 1\], dtype: int = 10, exact: int = 1, factor: float = 2.5, mode: string = "fast">'
refused 1 Scale.pt --fallthrough -- 'argument 1 is called is not known' "--map 'ns::op\(x, factor\)=my_ops.scale'"
exported Scale.pt --map 'my_ops::scale(x, factor, axes, mode, exact, dtype)=a.b.Scale' -- \
  'a\.b\.Scale ?<axes: ints = \[0, 1\], dtype: int = 5, exact: int = 1, factor: float = 2.5, mode: string = "fast">'

# ---- several results, lists of tensors, None
exported Halves.pt2 --fallthrough -- 'float\[batch,2\] .*, int64\[batch,2\] .*= my_ops\.halves|= my_ops\.halves \(x\)'
exported Sum.pt2 --fallthrough -- '= my_ops\.sum \(x, "?/?Add'
exported Sum.pt --fallthrough -- '= my_ops\.sum \(x, "?/?Add'
exported Pick.pt2 --fallthrough -- '= my_ops\.pick ?<size: int = 3> ?\(x\)'
# shellcheck disable=SC2016  # the error's own quotes
refused 1 PickSize.pt2 --fallthrough -- '`size` is .*, which an attribute of the node my_ops.pick cannot hold'

# ---- what no node can be
refused 1 Bump.pt --fallthrough -- 'by its name it writes to its arguments'
refused 1 Count.pt2 --fallthrough -- 'it gives a number; a node of ONNX gives tensors'

# ---- operators of PyTorch: one without a spec, one with
refused 1 Lanczos.pt2 -- 'aten::_upsample_lanczos2d_aa'
exported Lanczos.pt2 --fallthrough -- '= aten\._upsample_lanczos2d_aa ?<align_corners: int = 0, output_size: ints = \[3, 3\]>'
for file in Gelu.pt Gelu.pt2; do
  exported "$file" --fallthrough -- '!aten\.' '!note: aten::gelu is exported as'
  exported "$file" --map aten::gelu=com.example.Gelu -- '= com\.example\.Gelu ?<approximate: string = "tanh">'
  refused 1 "$file" --map aten::gelu=com.microsoft.Gelu -- 'approximate'
done

# ---- what is said wrong
exported Relu.pt2 --map my_ops::relu=Relu --map my_ops::rleu=Relu -- 'the model has no call of my_ops::rleu'
refused 2 Relu.pt2 --map my_ops::relu -- 'NAMESPACE::OPERATOR=DOMAIN.NODE'
refused 2 Relu.pt2 --map 'my_ops::relu(x=Relu' -- 'NAMESPACE::OPERATOR=DOMAIN.NODE'
refused 2 Relu.pt2 --map my_ops::relu=Relu --map my_ops::relu=a.B -- 'mapped to Relu and to a.B'
refused 2 Relu.pt2 --domain com.example -- 'com.example=1'
refused 2 Relu.pt2 --domain com.example=0 -- 'DOMAIN=VERSION'

# ---- torch.onnx.ops: the program says which node it means
exported Symbolic.pt2 -- '"com\.example" : 3' 'float\[batch,7\] output' \
  '= Cast <to: int = 1> \("/Mix_output_0"\)' \
  'com\.example\.Mix ?<alpha: float = 0.5, axes: ints = \[1, 2\], exact: int = 1, mode: string = "fast", names: strings = \["a", "b"\]> \(x, "", "/Add_output_0"\)'
exported SymbolicPair.pt2 -- '"com\.example" : 1' 'com\.example\.Pair \(x\)' 'float\[5\] ' 'int64\[2,3\] '
exported SymbolicOwn.pt2 -- '= LeakyRelu ?<alpha: float = 0.25> ?\(x\)' 'float\[batch,4\] output'
refused 1 SymbolicOwn.pt2 --opset 13 -- 'LeakyRelu of opset 16, which is another operator at opset 13; export to 16'
refused 1 SymbolicLie.pt2 -- 'result 0 of ONNX LeakyRelu is float32, where the program says int64'
exported Rotary.pt2 --opset 23 -- '= RotaryEmbedding'
refused 1 Rotary.pt2 -- 'onnx::RotaryEmbedding.opset23' '23'
