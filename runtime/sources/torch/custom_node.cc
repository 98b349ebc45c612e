#include "runtime/sources/torch/custom_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "runtime/base/error.h"
#include "runtime/base/interruption.h"
#include "runtime/base/refusal.h"
#include "runtime/sources/torch/interceptor.h"
#include "runtime/sources/torch/recorder.h"
#include "runtime/sources/torch/tensor_memory.h"
#include "runtime/sources/torch/without_memory.h"

namespace onnxport::torch_export {
namespace {

using ir::Arg;
using ir::ArgList;

template <typename T>
ArgList ListOf(const std::vector<T>& items) {
  ArgList list;
  for (const T& item : items) list.emplace_back().v = item;
  return list;
}

// Attributes as the operator has them: each has its key, its kind, and its place in the list of its kind. {alpha: 0.5,
// axes: [1, 2]} is keys (alpha, axes), kinds (f, is), places (0 to 1, 0 to 2), floats (0.5), ints (1, 2).
// torch.onnx.ops.symbolic has this form, so that pt2 and this end in one reader (lowering/dsl/custom_node).
struct Attributes {
  ArgList keys, kinds, places, ints, floats, texts;

  void Add(const std::string& key, const CustomAttribute& value) {
    keys.push_back({key});
    std::visit([this](const auto& held) { Append(held); }, value);
  }

 private:
  void Append(int64_t value) { Append("i", &ints, {{value}}); }
  void Append(double value) { Append("f", &floats, {{value}}); }
  void Append(const std::string& value) { Append("s", &texts, {{value}}); }
  void Append(const std::vector<int64_t>& values) { Append("is", &ints, ListOf(values)); }
  void Append(const std::vector<double>& values) { Append("fs", &floats, ListOf(values)); }
  void Append(const std::vector<std::string>& values) { Append("ss", &texts, ListOf(values)); }
  void Append(const char* kind, ArgList* list, ArgList items) {
    const auto begin = static_cast<int64_t>(list->size());
    list->insert(list->end(), items.begin(), items.end());
    kinds.push_back({std::string(kind)});
    places.push_back({ArgList{{begin}, {static_cast<int64_t>(list->size())}}});
  }
};

}  // namespace

std::vector<Arg> CustomNodeArguments(const CustomNode& node, ArgList inputs, const std::vector<at::Tensor>& results) {
  Attributes attributes;
  for (const auto& [key, value] : node.attributes) attributes.Add(key, value);
  ArgList dtypes;
  ArgList shapes;
  for (const at::Tensor& result : results) {
    dtypes.push_back({static_cast<int64_t>(DTypeOf(result.scalar_type()).value())});
    shapes.push_back({ListOf(result.sizes().vec())});
  }
  return {{std::move(inputs)},
          {node.op},
          {std::move(dtypes)},
          {std::move(shapes)},
          {std::move(attributes.keys)},
          {std::move(attributes.kinds)},
          {std::move(attributes.places)},
          {std::move(attributes.ints)},
          {std::move(attributes.floats)},
          {std::move(attributes.texts)},
          {ArgList()},
          {ArgList()},
          {node.domain},
          {}};
}

std::vector<at::Tensor> RunRecorder::Custom(const CustomNode& custom, const std::vector<at::Tensor>& inputs,
                                            const CustomRun& run) {
  Interruption::Check();
  const NotIntercepted below;
  ir::ArgList args;
  std::vector<c10::IValue> given;
  for (const at::Tensor& input : inputs) {
    args.push_back(input.defined() ? ArgOf(input) : Arg{});
    given.emplace_back(input);
  }
  // The user's code may read its inputs by pointer: it runs with values or not at all.
  if (AnyWithoutMemory(given)) {
    recording_.needed_values = true;
    throw Refusal::NotDecided("onnxport::Custom computes with values");
  }
  const std::vector<at::Tensor> results = [&] {
    const OtherThreads::Unwatched computing(&threads_);
    return run(inputs);
  }();
  ir::Node node;
  node.op = kCustomNodeOperator;
  for (const at::Tensor& result : results) {
    const auto shares = [&](const at::Tensor& input) { return input.defined() && input.is_alias_of(result); };
    if (!result.defined() || memory_.IsMade(result) || std::ranges::any_of(inputs, shares)) {
      throw Error(Code::kCustomNodeDoesNotFit,
                  fmt::format("onnxport::Custom {}: a result is no new tensor; return clones", custom.op));
    }
    BindResult(result, VaryAny(given), custom.op, &node);
  }
  node.inputs = CustomNodeArguments(custom, std::move(args), results);
  AddNode(std::move(node), custom.op);
  return results;
}

}  // namespace onnxport::torch_export
