#include "runtime/cli/verify_options.h"

namespace onnxport::cli {

void AddVerifyOptions(CLI::App* command, VerifyArguments* arguments) {
  command->footer(
      "Examples:\n"
      "  exporter verify model.onnx --against model.pt2\n"
      "  exporter verify model.onnx --against model.pt2 --sizes batch=1,7,33\n"
      "  exporter verify model.onnx --against model.pt2 --range ids=0,30521\n"
      "  exporter verify scripted.onnx --against scripted.pt --input steps=3\n\n"
      "The model runs in ONNX Runtime, and the program in LibTorch: a .pt2 call by\n"
      "call, a .pt as LibTorch loads it, which runs code from the file. A model with\n"
      "state (--state-as-io) runs three times, each time from the state of the run\n"
      "before.\n\n"
      "Tolerances, relative and absolute: float64 1e-6 1e-8, float32 1e-3 1e-5, float16\n"
      "1e-2 1e-3, bfloat16 5e-2 1e-2. The absolute ones grow with the largest value of\n"
      "an output above 1. Other dtypes must be equal; NaN equals NaN.\n\n"
      "Exit status: 0 they agree, 1 they differ, 2 usage, 3 damaged input, 4 cannot\n"
      "write, 5 one of them does not run.");
  command->add_option("MODEL", arguments->model, "The ONNX file")->required();
  command->add_option("--against", arguments->against, "The `.pt2` or TorchScript archive that it was made from")
      ->required();
  auto* inputs = command->add_option("--inputs", arguments->inputs,
                                     "A NumPy .npz file with an array for each input. Default: random values");
  command
      ->add_option(
          "--sizes", arguments->sizes,
          "The sizes of a free axis, one run for each: NAME=SIZE,SIZE,... Repeat for each axis. Default: two runs "
          "with small sizes")
      ->allow_extra_args(false)
      ->excludes(inputs);
  command
      ->add_option(
          "--range", arguments->ranges,
          "The range of random values, both ends included: NAME=LOW,HIGH. Default: floats from -1 to 1, integers 0 "
          "or 1")
      ->allow_extra_args(false)
      ->excludes(inputs);
  command->add_option("--seed", arguments->seed, "The seed of the random values")->capture_default_str();
  command
      ->add_option("--input", arguments->fixed,
                   "The value of a parameter of a .pt that is no input of the model: n=5, flag=true, opt=none")
      ->allow_extra_args(false);
  command->add_flag(
      "--bisect", arguments->bisect,
      "Find the first call that makes an output wrong (.pt2 only). Works best with a model that was exported "
      "with --no-fold");
  command->add_option("--atol", arguments->atol, "The absolute tolerance, for every output");
  command->add_option("--rtol", arguments->rtol, "The relative tolerance");
  command
      ->add_option("--save-tests", arguments->tests,
                   "Write the inputs and PyTorch's outputs to this folder, in the form of ONNX's tests: "
                   "test_data_set_0/input_0.pb ...")
      ->type_name("DIR");
  command->add_option("--load", arguments->libraries, "A shared library that registers operators with PyTorch")
      ->allow_extra_args(false)
      ->type_name("FILE");
  command
      ->add_option("--onnxruntime", arguments->onnxruntime,
                   "The ONNX Runtime library. Default: the one that ONNXPORT_ONNXRUNTIME_LIBRARY names, or that of the "
                   "active Python environment, of the system, or of `python3`")
      ->type_name("FILE");
  command
      ->add_option(
          "--verifier", arguments->program,
          "The program exporter-verify, which contains LibTorch. Default: the one that ONNXPORT_VERIFY names, or "
          "the one beside `exporter`, or on PATH")
      ->type_name("FILE");
}

}  // namespace onnxport::cli
