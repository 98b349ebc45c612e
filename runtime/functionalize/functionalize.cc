#include "runtime/functionalize/functionalize.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "runtime/functionalize/aliases.h"
#include "runtime/functionalize/builder.h"
#include "runtime/functionalize/result_dtype.h"
#include "runtime/functionalize/strides.h"
#include "runtime/functionalize/twins.h"
#include "runtime/functionalize/views.h"
#include "runtime/ir/aten_schema.h"
#include "runtime/ir/error.h"

namespace onnxport::functionalize {
namespace {

using ir::Arg;
using ir::ValueId;

// They change what a tensor object is, not what it holds.
constexpr std::string_view kReshapers[] = {
    "aten::as_strided_", "aten::resize_",    "aten::resize_as_", "aten::resize_as_sparse_",
    "aten::set_",        "aten::squeeze_",   "aten::swapaxes_",  "aten::swapdims_",
    "aten::t_",          "aten::transpose_", "aten::unsqueeze_",
};
// Marked as writing, but they leave the contents alone.
constexpr std::string_view kHarmless[] = {"aten::detach_", "aten::requires_grad_", "aten::retain_grad"};

template <size_t N>
bool Contains(const std::string_view (&list)[N], std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

class Pass {
 public:
  Pass(ir::Graph* graph, std::vector<std::string>* remarks)
      : graph_(graph), remarks_(remarks), builder_(graph), aliases_(&builder_) {}

  void Run() {
    LinkSharedWeights();
    for (ir::Node& node : graph_->body.nodes) {
      builder_.SetLocation(node.location);
      Step(std::move(node));
    }
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
      if (!added) aliases_.AddMaybe(found->second, weight.value);
    }
  }

  void Step(ir::Node node) {
    const ir::AtenSchema* schema = ir::FindAtenSchema(node.op);
    if (schema == nullptr) {
      ReadInputs(&node);
      builder_.Append(std::move(node));
    } else if (schema->mutates()) {
      Write(node, *schema);
    } else {
      Call(std::move(node), *schema);
    }
  }

  // ---- reads ----

  void Read(Arg* arg) {
    if (const ValueId* id = arg->value(); id != nullptr && graph_->value(*id).kind == ir::ValueKind::kTensor) {
      std::string why_not;
      const auto value = aliases_.Read(*id, &why_not);
      if (value) {
        arg->v = *value;
      } else {
        Refuse(reading_, "reads a tensor that may share memory with the one written by " + why_not +
                             "; clone it before the write");
      }
    }
    if (ir::ArgList* list = std::get_if<ir::ArgList>(&arg->v)) {
      for (Arg& element : *list) Read(&element);
    }
  }

  void ReadInputs(ir::Node* node) {
    reading_ = node->op;
    for (Arg& input : node->inputs) Read(&input);
  }

  void ReadOutput(Arg* output) {
    reading_ = "the result";
    builder_.SetLocation(ir::LocationId::kNone);
    Read(output);
  }

  void Call(ir::Node node, const ir::AtenSchema& schema) {
    const AliasOf alias = FindAlias(*graph_, node, schema);
    if (alias.aliasing == Aliasing::kNone) {
      ReadInputs(&node);
      return builder_.Append(std::move(node));
    }
    const ValueId base = *node.inputs[alias.argument].value();
    if (schema.base_name() == "aten::as_strided") CheckAsStrided(node, base);
    ReadInputs(&node);
    if (alias.aliasing == Aliasing::kView) {
      aliases_.AddViews(node, alias.argument, base);
    } else {
      for (const ValueId output : node.outputs) {
        if (output != ValueId::kNone) aliases_.AddMaybe(output, base);
      }
    }
    builder_.Append(std::move(node));
  }

  // as_strided counts in the memory, which only a row-major tensor that owns all of it shows.
  void CheckAsStrided(const ir::Node& node, ValueId base) {
    const auto row_major = [&](ValueId id) { return RowMajor(*graph_, graph_->value(id)).value_or(false); };
    if (!row_major(base) || !row_major(aliases_.BaseOf(base)) || !aliases_.IsWhole(base)) {
      Refuse(node.op,
             "reads the memory of a tensor whose layout an ONNX model does not have; use slice, select or unfold");
    }
  }

  // ---- writes ----

  void Write(const ir::Node& node, const ir::AtenSchema& schema) {
    const std::string base_name = schema.base_name();
    if (Contains(kHarmless, base_name)) return Rename(node, {0});
    if (Contains(kReshapers, base_name)) {
      Refuse(node.op, "changes the shape of a tensor in place; assign the result of the form without `_` instead");
      return Rename(node, {0});
    }
    if (base_name == "aten::copy_" || base_name == "aten::fill_" || base_name == "aten::zero_")
      return Fill(node, base_name);
    const Twin twin = FindTwin(schema);
    if (twin.schema == nullptr) {
      Refuse(node.op, "writes to an argument and has no form that does not");
      return;
    }
    CallTwin(node, schema, twin);
  }

  // copy_, fill_, zero_: the old contents do not matter.
  void Fill(const ir::Node& node, const std::string& base_name) {
    const Arg target = node.inputs[0];
    if (target.value() == nullptr) return Refuse(node.op, "writes to what is no tensor");
    ir::Node reads = node;
    ReadInputs(&reads);
    const ValueId self = *target.value();
    const Arg source = base_name == "aten::zero_" ? Arg{int64_t{0}} : reads.inputs[1];
    ValueId value;
    if (source.value() == nullptr || graph_->value(*source.value()).kind != ir::ValueKind::kTensor) {
      value = builder_.Call("aten::full_like", {{"self", reads.inputs[0]}, {"fill_value", source}}, self);
    } else if (const ir::Value& from = graph_->value(*source.value());
               from.dtype == graph_->value(self).dtype && SameShape(from, graph_->value(self))) {
      value = *source.value();
    } else {
      value = builder_.Call("aten::copy", {{"self", reads.inputs[0]}, {"src", source}}, self);
    }
    Assign(node, self, value);
    Rename(node, {0});
  }

  void CallTwin(const ir::Node& node, const ir::AtenSchema& schema, const Twin& twin) {
    ir::Node reads = node;
    ReadInputs(&reads);
    ir::Node call;
    call.op = twin.schema->name;
    call.location = node.location;
    for (const size_t position : twin.passed) call.inputs.push_back(std::move(reads.inputs[position]));
    std::vector<ValueId> targets;
    for (size_t i = 0; i < twin.written.size(); ++i) {
      const ValueId* target = node.inputs[twin.written[i]].value();
      if (target == nullptr) return Refuse(node.op, "writes to what is no tensor");
      const ValueId result = i < node.outputs.size() ? node.outputs[i] : ValueId::kNone;
      if (result != ValueId::kNone && !SameShape(graph_->value(result), graph_->value(*target)) &&
          graph_->value(result).dims && graph_->value(*target).dims) {
        return Refuse(node.op, "gives a tensor another shape by writing to it");
      }
      // The result's name goes to the new value.
      call.outputs.push_back(result != ValueId::kNone ? result : builder_.Like(*target));
      targets.push_back(*target);
    }
    const ResultDType dtype = TwinDType(*graph_, node, schema, graph_->value(targets[0]).dtype);
    EmitTwin(node, std::move(call), targets, dtype);
    Rename(node, twin.written);
  }

  void EmitTwin(const ir::Node& node, ir::Node call, const std::vector<ValueId>& targets, const ResultDType& dtype) {
    if (dtype.cast) {
      for (ValueId& output : call.outputs) {
        output = builder_.Like(output);
        builder_.SetDType(output, dtype.dtype);
      }
    }
    const std::vector<ValueId> outputs = call.outputs;
    builder_.Append(std::move(call));
    for (size_t i = 0; i < targets.size(); ++i) {
      ValueId value = outputs[i];
      const ValueId target = targets[i];
      if (dtype.cast) {
        value = builder_.Call("aten::to.dtype", {{"self", {value}}, {"dtype", {graph_->value(target).dtype}}}, target);
      }
      Assign(node, target, value);
    }
  }

  void Assign(const ir::Node& node, ValueId target, ValueId value) {
    std::string why_not;
    Remark(aliases_.BaseOf(target));
    if (!aliases_.Write(target, value, Describe(node), &why_not)) Refuse(node.op, why_not);
  }

  // Results are other names of the arguments they were written to.
  void Rename(const ir::Node& node, const std::vector<size_t>& written) {
    for (size_t i = 0; i < written.size() && i < node.outputs.size(); ++i) {
      const ValueId* target = node.inputs[written[i]].value();
      if (target != nullptr && node.outputs[i] != ValueId::kNone) aliases_.AddName(node.outputs[i], *target);
    }
  }

  // ---- messages ----

  std::string Describe(const ir::Node& node) const {
    const ir::Location& location = graph_->location(node.location);
    return location.file.empty() ? node.op : node.op + " (" + location.file + ":" + std::to_string(location.line) + ")";
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
  Aliases aliases_;
  std::string reading_;  // what reads now, for messages
  std::vector<std::string> refusals_;
  std::set<ValueId> remarked_;
};

}  // namespace

void Functionalize(ir::Graph* graph, std::vector<std::string>* remarks) { Pass(graph, remarks).Run(); }

}  // namespace onnxport::functionalize
