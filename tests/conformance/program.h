// Turns a Case of the specs into a program of one ATen call.
#ifndef ONNXPORT_TESTS_CONFORMANCE_PROGRAM_H_
#define ONNXPORT_TESTS_CONFORMANCE_PROGRAM_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "runtime/aten/aten_schema.h"
#include "runtime/ir/graph.h"
#include "runtime/lowering/options.h"
#include "runtime/verify/ort/protocol.h"
#include "tests/conformance/case.h"
#include "tests/conformance/variation.h"

namespace onnxport::conformance {

// Float tensors of `qdq::` calls are multiples of this: they lie on the grids that eager_quantized.cc quantizes to.
inline constexpr double kGridStep = 1.0 / 16;

// A complex tensor as the model has it: float[..., 2], real and imaginary parts. Any other is itself.
ort::Tensor PartsOf(const ort::Tensor& tensor);

// A call: one Arg per schema argument, defaults filled in; a ValueId N stands for tensors[N].
struct Call {
  const ir::AtenSchema* schema = nullptr;
  std::vector<ir::Arg> args;
  std::vector<ort::Tensor> tensors;  // named in0, in1 ...; contents from a fixed seed
  size_t run_ints = 0;               // the last so many of them are no tensors but ints known only at run time
};

// Throws std::runtime_error when the case does not fit the schema.
Call MakeCall(const Case& test, const Variation& variation = {});

// The caller's choices, as the test states them.
lowering::Options OptionsOf(const Case& test);

// The arguments that are ints or lists with ints, by their position in the schema.
std::vector<size_t> IntArguments(const Call& call);

// The ints of those arguments become ints known only at run time: as of `.item()`, or of an int that a script takes.
Call WithRunInts(Call call, const std::vector<size_t>& arguments);

// A size that a source file does not state.
inline constexpr int64_t kAnySize = -1;

// A result, as a source file would state it. A list has its elements. A tensor without dtype is any tensor.
struct StatedResult {
  bool is_list = false;
  bool is_none = false;
  std::vector<ort::Tensor> tensors;
};

enum class Sizes { kKnown, kUnknown, kEvenUnknown, kOddUnknown, kSequences };

// The graph a `.pt2` with only this call would give. With kUnknown every dimension of the inputs but 1 is a symbol of
// its own, and results state only their dtype and rank. The graph does not say which sizes the call needs to be equal.
// kEvenUnknown, kOddUnknown: the same for every second dimension; the others are known.
// kSequences: as kUnknown, and lists of tensors are ONNX sequences.
// `results`: PyTorch's results; empty: the graph states nothing about them and has no outputs.
ir::Graph MakeGraph(const Call& call, const std::vector<StatedResult>& results, Sizes sizes);

}  // namespace onnxport::conformance

#endif  // ONNXPORT_TESTS_CONFORMANCE_PROGRAM_H_
