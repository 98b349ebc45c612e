// Calls that take graphs, as PyTorch runs them.
#include <ATen/autocast_mode.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/stack.h>

#include <string_view>
#include <utility>

#include "runtime/base/refusal.h"
#include "runtime/sources/pt2/replay/operands.h"
#include "runtime/verify/program/machine.h"
#include "runtime/verify/program/torch_values.h"

namespace onnxport::verify {
namespace {

using c10::IValue;
using Values = std::vector<IValue>;

Values Concat(Values values, const Values& more) {
  values.insert(values.end(), more.begin(), more.end());
  return values;
}

bool IsTrue(const IValue& value) { return value.isTensor() ? value.toTensor().item().toBool() : value.toBool(); }

Values ElementsAt(const Values& stacks, int64_t index) {
  Values elements;
  for (const IValue& stack : stacks) elements.emplace_back(stack.toTensor().select(0, index));
  return elements;
}

int64_t Iterations(const Values& stacks) {
  if (stacks.empty()) throw Refusal("a loop over no tensor");
  return stacks[0].toTensor().size(0);
}

// rows[i][j] is result j of iteration i.
Values Stacked(const std::vector<Values>& rows) {
  if (rows.empty()) throw Refusal("a loop without an iteration");
  Values stacked;
  for (size_t j = 0; j < rows[0].size(); ++j) {
    std::vector<at::Tensor> column;
    for (const Values& row : rows) column.push_back(row.at(j).toTensor());
    stacked.emplace_back(at::stack(column));
  }
  return stacked;
}

// While torch.autocast is on, the dispatcher casts what operators take.
class Autocast {
 public:
  Autocast(bool enabled, at::ScalarType dtype)
      : enabled_(at::autocast::is_autocast_enabled(at::kCPU)), dtype_(at::autocast::get_autocast_dtype(at::kCPU)) {
    Set(enabled, dtype);
  }
  Autocast(const Autocast&) = delete;
  ~Autocast() { Set(enabled_, dtype_); }

 private:
  static void Set(bool enabled, at::ScalarType dtype) {
    at::autocast::set_autocast_enabled(at::kCPU, enabled);
    at::autocast::set_autocast_dtype(at::kCPU, dtype);
  }
  bool enabled_;
  at::ScalarType dtype_;
};

}  // namespace

// The counterpart of the exporter is pt2/replay/higher_order.cc, which writes Ifs and Loops of them. Here they are run
// as PyTorch says they mean, in a loop of C++.
Values Machine::CallHigherOrder(const ir::Node& call) {
  struct Form {
    std::string_view op;
    size_t graphs;
    size_t lists;  // of operands
    Values (Machine::*run)(const ir::Node& call);
  };
  // A row: while_loop takes two graphs (condition, body) and two lists (carried values, captured ones).
  static constexpr Form kForms[] = {
      {"higher_order::cond", 2, 1, &Machine::Cond},
      {"higher_order::map_impl", 1, 2, &Machine::Map},
      {"higher_order::scan", 1, 3, &Machine::Scan},
      {"higher_order::while_loop", 2, 2, &Machine::WhileLoop},
  };
  const std::vector<ir::Arg> operands = pt2::OperandsOf(call);
  for (const Form& form : kForms) {
    if (form.op != call.op) continue;
    if (call.blocks.size() != form.graphs || operands.size() != form.lists) {
      throw Refusal("other arguments than those known here");
    }
    return (this->*form.run)(call);
  }
  if (call.blocks.empty()) return Values(call.outputs.size());  // a print
  // Nearly all operators with one graph only call it.
  if (call.blocks.size() != 1 || call.op == "higher_order::associative_scan") {
    throw Refusal("this operator with graphs is not run here");
  }
  return Body(call);
}

Values Machine::Body(const ir::Node& call) {
  const Values inputs = MakeAll(pt2::FirstOf(pt2::OperandsOf(call), call.blocks[0].inputs.size()));
  if (call.op != "higher_order::wrap_with_autocast") return RunBlock(call.blocks[0], inputs);
  // (device, dtype, enabled, cache, graph, operands)
  const auto* dtype = std::get_if<ir::DType>(&call.inputs.at(1).v);
  const auto* enabled = std::get_if<bool>(&call.inputs.at(2).v);
  if (enabled == nullptr) throw Refusal("other arguments than those known here");
  const Autocast autocast(*enabled, dtype ? ScalarTypeOf(*dtype) : at::autocast::get_autocast_dtype(at::kCPU));
  return RunBlock(call.blocks[0], inputs);
}

Values Machine::Cond(const ir::Node& call) {
  const Values operands = MakeAll(*pt2::OperandsOf(call)[0].list());
  return RunBlock(call.blocks[IsTrue(Make(call.inputs[0])) ? 0 : 1], operands);
}

Values Machine::WhileLoop(const ir::Node& call) {
  const std::vector<ir::Arg> lists = pt2::OperandsOf(call);
  const Values captured = MakeAll(*lists[1].list());
  Values carried = MakeAll(*lists[0].list());
  while (IsTrue(RunBlock(call.blocks[0], Concat(carried, captured)).at(0))) {
    carried = RunBlock(call.blocks[1], Concat(carried, captured));
  }
  return carried;
}

Values Machine::Scan(const ir::Node& call) {
  const std::vector<ir::Arg> lists = pt2::OperandsOf(call);
  const Values stacks = MakeAll(*lists[1].list());
  const Values captured = MakeAll(*lists[2].list());
  Values carried = MakeAll(*lists[0].list());
  std::vector<Values> rows;
  for (int64_t i = 0; i < Iterations(stacks); ++i) {
    Values results = RunBlock(call.blocks[0], Concat(Concat(carried, ElementsAt(stacks, i)), captured));
    // The body of scan returns first the new carried values, as many as there were, then a row for each stacked result.
    const auto rest = results.begin() + static_cast<std::ptrdiff_t>(carried.size());
    rows.emplace_back(rest, results.end());
    carried.assign(results.begin(), rest);
  }
  return Concat(carried, Stacked(rows));
}

Values Machine::Map(const ir::Node& call) {
  const std::vector<ir::Arg> lists = pt2::OperandsOf(call);
  const Values stacks = MakeAll(*lists[0].list());
  const Values captured = MakeAll(*lists[1].list());
  std::vector<Values> rows;
  for (int64_t i = 0; i < Iterations(stacks); ++i) {
    rows.push_back(RunBlock(call.blocks[0], Concat(ElementsAt(stacks, i), captured)));
  }
  return Stacked(rows);
}

}  // namespace onnxport::verify
