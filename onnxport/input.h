// Describes a model's inputs.
//
// A `.pt2` describes its own inputs: here a name renames a free axis, and a number fixes it. A TorchScript file says
// little about its inputs. So more can be given for it: values that the model is specialized for, lists, and elements
// of containers.
#ifndef ONNXPORT_INPUT_H_
#define ONNXPORT_INPUT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "onnxport/diagnostic.h"
#include "onnxport/dim.h"
#include "onnxport/dtype.h"
#include "onnxport/expected.h"

namespace onnxport {

// None, a bool, an int, a float or a text, as Python means them.
using None = std::monostate;
using Value = std::variant<None, bool, int64_t, double, std::string>;

// A tensor, a list of tensors of any length, or a value that the exported model is specialized for. The functions below
// make one.
struct Input {
  std::string name;  // the parameter's; with dots for an element of a dict, tuple or list: "past.0.key"
  DType dtype = kUndefined;
  // Empty if only the type is given. An int, float or bool that may differ from run to run is a tensor without axes:
  // int64, float64, bool.
  std::optional<std::vector<Dim>> dims = {};
  bool list = false;  // a list of tensors of any length (an ONNX sequence): dtype and dims are an element's
  std::optional<Value> fixed = {};  // dtype and dims are ignored with it
};

// `x`, a tensor of that type and shape: TensorInput("x", kFloat32, {Sym("batch"), 3, 224, 224}). A named axis is a
// promise: it stays free, or the export fails and says what fixed it. Dim() is the same promise for an axis whose name
// does not matter: it keeps the file's name, or is named after its input ("x_axis0").
inline Input TensorInput(std::string name, DType dtype, std::vector<Dim> dims) {
  return {.name = std::move(name), .dtype = dtype, .dims = std::move(dims)};
}
// A tensor of that type with the shape that the file has.
inline Input TensorInput(std::string name, DType dtype) { return {.name = std::move(name), .dtype = dtype}; }

// For an export with examples (torch.h), which give the type.
inline Input TensorInput(std::string name, std::vector<Dim> dims) {
  return {.name = std::move(name), .dims = std::move(dims)};
}

// A list of such tensors, of any length. A name in `dims` stands for any size, which may differ between elements.
inline Input ListInput(std::string name, DType dtype, std::vector<Dim> dims) {
  return {.name = std::move(name), .dtype = dtype, .dims = std::move(dims), .list = true};
}

// A value that the exported model is specialized for: FixedInput("steps", 3), FixedInput("mask", None{}).
inline Input FixedInput(std::string name, Value value) { return {.name = std::move(name), .fixed = std::move(value)}; }

// Parses the text form, as the command's `--input` has it: `x=f32[batch,3,224,224]`, `x=f32[batch=1..64,?]`, `x=f32`,
// `n=i64[]`, `xs=list[f32[n,4]]`, `n=5`, `s=0.5`, `flag=true`, `opt=none`, `mode=sum`, `mode='f32'`. An error (kUsage)
// quotes the text and shows the form.
Result<Input> ParseInput(std::string_view text);

}  // namespace onnxport

#endif  // ONNXPORT_INPUT_H_
