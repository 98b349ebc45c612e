#include "runtime/functionalize/builder.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "runtime/aten/aten_schema.h"
#include "runtime/base/error.h"
#include "runtime/base/interruption.h"

namespace onnxport::functionalize {

using ir::Arg;
using ir::Instruction;
using ir::ValueId;

namespace {

constexpr size_t kMaxNodes = 2'000'000;

}  // namespace

void Builder::CountCall() {
  Interruption::Check();
  if (calls_ == kMaxNodes) {
    throw Error(ErrorKind::kCannotExport,
                "writes through views would need more than " + std::to_string(kMaxNodes) + " calls");
  }
  ++calls_;
}

ValueId Builder::Call(std::string_view op, std::vector<Positioned> args, ValueId model) {
  const ir::AtenSchema* schema = ir::FindAtenSchema(op);
  if (schema == nullptr) throw std::logic_error("no schema of " + std::string(op));
  ir::Node node;
  node.op = op;
  node.location = location_;
  for (const ir::AtenArgument& argument : schema->arguments) {
    node.inputs.push_back(argument.default_value.value_or(Arg()));
  }
  for (auto& [position, arg] : args) node.inputs[position] = std::move(arg);
  Append(&node);
  Refine(node.outputs[0], model);
  return node.outputs[0];
}

Arg Builder::Run(Instruction instruction, std::vector<Arg> args) {
  ir::Node node;
  node.op = instruction;
  node.location = location_;
  node.inputs = std::move(args);
  return Append(&node)[0];
}

ValueId Builder::Cast(ValueId tensor, ValueId model) {
  ir::Node node;
  node.op = Instruction::kCast;
  node.location = location_;
  node.inputs = {{tensor}, {graph_->value(model).dtype}};
  Append(&node);
  Refine(node.outputs[0], model);
  return node.outputs[0];
}

Arg Builder::Sizes(ValueId tensor, bool infer) {
  const ir::Dims dims = *graph_->value(tensor).dims;
  const auto open = std::count_if(dims.begin(), dims.end(), [](const ir::Dim& d) { return !d.is_number(); });
  const bool empty = std::any_of(dims.begin(), dims.end(), [](const ir::Dim& d) { return d == ir::Dim(0); });
  ir::ArgList sizes;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i].is_number()) {
      sizes.push_back({dims[i].number()});
    } else if (infer && open == 1 && !empty) {
      sizes.push_back({int64_t{-1}});
    } else {
      sizes.push_back(Run(Instruction::kSymSize, {{tensor}, {static_cast<int64_t>(i)}}));
    }
  }
  return {std::move(sizes)};
}

bool SameShape(const ir::Value& a, const ir::Value& b) { return a.dims && b.dims && *a.dims == *b.dims; }

}  // namespace onnxport::functionalize
