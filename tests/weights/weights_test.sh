#!/usr/bin/env bash
# weights_test.sh EXPORTER FOLDER: weights that come from a file, and weights that are inputs.
set -euo pipefail
exporter=$1
folder=$2
out=$TEST_TMPDIR

fail() {
  printf '%s\n' "$@"
  exit 1
}

# exported NAME MODEL [OPTION...]: writes NAME.onnx; what is said is in $said.
exported() {
  local name=$1 model=$2
  shift 2
  said=$("$exporter" export "$folder/$model" -o "$out/$name.onnx" --input 'x=f32[batch,4]' --no-metadata "$@" 2>&1) ||
    fail "$said" "$model is not exported with $*"
}

# refused STATUS PATTERN MODEL [OPTION...]
refused() {
  local status=$1 pattern=$2 model=$3 seen=0
  shift 3
  rm -f "$out/refused.onnx"
  said=$("$exporter" export "$folder/$model" -o "$out/refused.onnx" --input 'x=f32[batch,4]' "$@" 2>&1) || seen=$?
  [[ $seen == "$status" ]] || fail "$said" "$model $* ends with $seen, not $status"
  [[ ! -e $out/refused.onnx ]] || fail "$model $* is refused, and written"
  grep -qE -- "$pattern" <<<"$said" || fail "$said" "$model $* is not refused with: $pattern"
}

same() { cmp -s "$out/$1.onnx" "$out/$2.onnx" || fail "$1 and $2 are not the same model"; }
says() { grep -qE -- "$1" <<<"$said" || fail "$said" "it does not say: $1"; }

# ---- from a file: the model is the one that has these weights itself
for kind in pt2 pt; do
  exported second "second.$kind"
  for file in second_state.pt second.safetensors once.safetensors second.pt; do
    exported replaced "first.$kind" --weights "$folder/$file"
    same replaced second
    if [[ $file == once.safetensors ]]; then says "has no use for more|norm\.num_batches_tracked and"; fi
  done
  exported first "first.$kind"
  if cmp -s "$out/first.onnx" "$out/second.onnx"; then fail "the weights make no difference"; fi
done
exported fake fake.pt2 --weights "$folder/second.safetensors"

refused 1 'there is no shift in it' first.pt2 --weights "$folder/wrong.safetensors"
says "'fc.weight' is float16\[4, 4\] in the file, and float32\[4, 4\] in the model"
refused 3 'no_weights.txt' first.pt2 --weights "$folder/no_weights.txt"
refused 3 'nowhere' first.pt2 --weights "$folder/nowhere"
refused 2 'either inputs' first.pt2 --weights "$folder/second.safetensors" --no-weights
cp "$folder/second.safetensors" "$out/mine"
said=$("$exporter" export "$folder/first.pt2" -o "$out/mine" --weights "$out/mine" 2>&1) && fail "the weights are overwritten"
says 'mine is read for this model; name another output'

# ---- as inputs: no elements are looked for, no pass works on them
for model in first.pt2 first.pt fake.pt2; do
  exported bare "$model" --no-weights
  says '[0-9] weights are inputs of the model'
  text=$("$exporter" inspect "$out/bare.onnx")
  for name in fc.bias norm.weight norm.running_var shift; do
    grep -qE "float\[[0-9,]+\] \"?$name\"?[,) ]" <<<"${text%%\{*}" || fail "$text" "$name is no input of $model"
  done
  # The file of fake tensors does not say which are tied.
  if [[ $model != fake.pt2 ]]; then
    [[ $(grep -oE '"?(tied|fc)\.weight"?[,) ]' <<<"${text%%\{*}" | wc -l) == 1 ]] || fail "$text" "a weight is there twice"
  fi
  grep -q 'num_batches_tracked' <<<"$text" && fail "$text" "a weight that nothing uses is an input"
done
refused 1 'weights have no elements .*--weights.*--no-weights' fake.pt2
