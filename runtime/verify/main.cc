// The program that `exporter verify` starts: LibTorch is linked here, ONNX Runtime loaded by a program of its own.
#include "runtime/verify/command.h"
#include "runtime/verify/program/libtorch_release.h"
#include "runtime/verify/program/torch_reference.h"

int main(int argc, char** argv) {
  namespace verify = onnxport::verify;
  return verify::RunCommand(
      argc, argv, {.check = verify::CheckLibTorch, .open_pt2 = verify::OpenPt2, .open_script = verify::OpenScript});
}
