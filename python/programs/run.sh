#!/usr/bin/env bash
# Programs of others with onnxport in the place of torch.onnx.export, each export beside theirs (docs/python.md).
#
#   ./bazelw run //python:programs                     # all
#   ./bazelw run //python:programs -- timm optimum     # these
#   ./bazelw run //python:programs -- timm --ours 'timm resnet18'    # these of its models, without torch.onnx
#
# Pinned versions are installed below the user's cache (8 GB); PYTHON is the Python to take, WHEEL a wheel to try
# instead of the sources.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
places=${XDG_CACHE_HOME:-$HOME/.cache}/onnxport-programs
python=${PYTHON:-python3}

# venv NAME: an environment with what NAME.txt lists; prints its Python.
venv() {
  local folder=$places/$1
  [[ -e $folder/bin/python ]] || "$python" -m venv --without-pip "$folder" >&2
  "$python" -m pip --python "$folder/bin/python" install --quiet -r "$here/$1.txt" ${WHEEL:+"$WHEEL"} >&2
  echo "$folder/bin/python"
}

programs=()
while [[ $# -gt 0 && $1 != --ours && $1 != *' '* ]]; do
  programs+=("$1")
  shift
done
[[ ${#programs[@]} -gt 0 ]] || programs=(timm ultralytics transformers diffusers optimum)
[[ -n ${WHEEL:-} ]] || export PYTHONPATH=${here%/programs}
# Nothing may be downloaded: all weights are random.
export HF_HUB_OFFLINE=1 YOLO_OFFLINE=1 YOLO_AUTOINSTALL=false

failed=0
for program in "${programs[@]}"; do
  [[ -e $here/${program}_models.py ]] || { echo "no program $program: see $here/*_models.py" >&2 && exit 2; }
  list=requirements
  [[ $program != optimum ]] || list=optimum
  interpreter=$(venv "$list")
  "$interpreter" -B -W ignore "$here/${program}_models.py" "$@" || failed=1
done
exit "$failed"
