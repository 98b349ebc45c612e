#include "runtime/functionalize/functionalize.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "runtime/functionalize/builder.h"
#include "runtime/functionalize/functionalizer.h"
#include "runtime/ir/error.h"

namespace onnxport::functionalize {
namespace {

using ir::Arg;
using ir::ValueId;

class Pass {
 public:
  Pass(ir::Graph* graph, std::vector<std::string>* remarks)
      : graph_(graph),
        remarks_(remarks),
        builder_(graph),
        functionalizer_(&builder_, nullptr,
                        {.refuse = [this](const std::string& op, const std::string& reason) { Refuse(op, reason); },
                         .written = [this](ValueId base) { Remark(base); }}) {}

  void Run() {
    LinkSharedWeights();
    for (ir::Node& node : graph_->body.nodes) functionalizer_.Call(std::move(node));
    for (Arg& output : graph_->body.outputs) ReadOutput(&output);
    for (ir::Port& output : graph_->outputs) ReadOutput(&output.value);
    graph_->body.nodes = builder_.TakeNodes();
    if (!refusals_.empty()) Throw();
    for (ir::Value& value : graph_->values) value.strides.reset();
  }

 private:
  // Weights of one storage: a write to one would change the others.
  void LinkSharedWeights() {
    std::map<const void*, ValueId> first;
    for (const ir::Weight& weight : graph_->weights) {
      const auto [found, added] = first.emplace(weight.data->bytes->storage(), weight.value);
      if (!added) functionalizer_.aliases().AddMaybe(found->second, weight.value);
    }
  }

  void ReadOutput(Arg* output) {
    builder_.SetLocation(ir::LocationId::kNone);
    functionalizer_.Read(output, "the result");
  }

  void Refuse(const std::string& op, const std::string& reason) {
    const ir::Location& location = graph_->location(builder_.location());
    std::string text = location.file.empty() ? "" : location.file + ":" + std::to_string(location.line) + ": ";
    text += op + " " + reason;
    if (!location.code.empty()) text += "\n      " + location.code;
    if (std::find(refusals_.begin(), refusals_.end(), text) == refusals_.end()) refusals_.push_back(std::move(text));
  }

  void Remark(ValueId base) {
    if (remarks_ == nullptr || !remarked_.insert(base).second) return;
    for (const ir::Port& input : graph_->inputs) {
      if (*input.value.value() == base) {
        remarks_->push_back("input '" + input.name + "' is not written to: an ONNX model does not change its inputs");
      }
    }
    for (const ir::Weight& weight : graph_->weights) {
      if (weight.value == base) {
        remarks_->push_back("the new value of '" + weight.name + "' is not kept: an ONNX model has no state");
      }
    }
  }

  [[noreturn]] void Throw() const {
    std::string text = refusals_.size() == 1
                           ? "a write to a tensor cannot be followed:"
                           : std::to_string(refusals_.size()) + " writes to tensors cannot be followed:";
    for (const std::string& refusal : refusals_) text += "\n  " + refusal;
    throw Error(ErrorKind::kCannotExport, text);
  }

  ir::Graph* graph_;
  std::vector<std::string>* remarks_;
  Builder builder_;
  Functionalizer functionalizer_;
  std::vector<std::string> refusals_;
  std::set<ValueId> remarked_;
};

}  // namespace

void Functionalize(ir::Graph* graph, std::vector<std::string>* remarks) { Pass(graph, remarks).Run(); }

}  // namespace onnxport::functionalize
