#include "runtime/sources/torchscript/interpret/boundary/outputs.h"

#include <fmt/format.h>

#include <string>
#include <variant>

#include "runtime/base/error.h"

namespace onnxport::torchscript {
namespace {

constexpr int kMaxOutputDepth = 64;  // nesting of containers; it stops at an object that contains itself
constexpr int kMost = 100'000;       // elements

class Flattener {
 public:
  explicit Flattener(trace::Tracer* tracer) : tracer_(tracer) {}

  // `name`: empty for the result itself.
  void Add(const Value& value, const std::string& name, int depth) {
    if (depth > kMaxOutputDepth) return Refuse(name, "is a container that holds itself");
    if (++count_ > kMost) throw Error(Code::kBadOutput, fmt::format("the program returns more than {} values", kMost));
    std::visit([&](const auto& held) { AddHeld(held, name, depth); }, value.v);
  }

 private:
  static std::string Named(const std::string& name) { return name.empty() ? "output" : name; }
  // Element `index` of an unnamed container.
  static std::string Below(const std::string& name, size_t index) {
    return name.empty() ? fmt::format("output_{}", index) : fmt::format("{}.{}", name, index);
  }
  static std::string Below(const std::string& name, const std::string& key) {
    return name.empty() ? key : name + "." + key;
  }

  void Refuse(const std::string& name, const std::string& what) {
    tracer_->Fail("", {Code::kBadOutput, fmt::format("output `{}` {}", Named(name), what)});
  }

  void AddHeld(const None&, const std::string& name, int) { tracer_->AddOutput(Named(name), {ir::None{}}); }
  void AddHeld(bool value, const std::string& name, int) { tracer_->AddOutput(Named(name), {value}); }
  void AddHeld(int64_t value, const std::string& name, int) { tracer_->AddOutput(Named(name), {value}); }
  void AddHeld(double value, const std::string& name, int) { tracer_->AddOutput(Named(name), {value}); }
  void AddHeld(const Tensor& value, const std::string& name, int) { tracer_->AddOutput(Named(name), {value.id}); }
  void AddHeld(const Number& value, const std::string& name, int) { tracer_->AddOutput(Named(name), {value.id}); }
  void AddHeld(const TuplePtr& value, const std::string& name, int depth) {
    for (size_t i = 0; i < value->items.size(); ++i) {
      const bool has_field = value->type && i < value->type->fields.size();
      Add(value->items[i], has_field ? Below(name, value->type->fields[i].name) : Below(name, i), depth + 1);
    }
  }
  void AddHeld(const CellPtr& value, const std::string& name, int depth) {
    if (value->is_dynamic()) return AddDynamic(*value, name);
    if (value->kind == Cell::Kind::kObject)
      return Refuse(name, fmt::format("is an object ({}): return its tensors", value->type_name));
    if (!value->present.empty()) return Refuse(name, "is a dictionary whose keys are known only at run time");
    for (size_t i = 0; i < value->items.size(); ++i) {
      if (value->kind == Cell::Kind::kList) {
        Add(value->items[i], Below(name, i), depth + 1);
      } else if (const auto* key = value->keys[i].As<std::string>()) {
        Add(value->items[i], Below(name, *key), depth + 1);
      } else if (const auto* number = value->keys[i].As<int64_t>()) {
        Add(value->items[i], Below(name, fmt::format("{}", *number)), depth + 1);
      } else {
        Refuse(name, "is a dictionary with keys that are neither texts nor numbers");
      }
    }
  }
  // A list of tensors is a sequence. A list of numbers is a tensor with an element for each.
  void AddDynamic(const Cell& list, const std::string& name) {
    if (list.sequence != ir::ValueId::kNone) return tracer_->AddOutput(Named(name), {list.sequence});
    if (!list.element.Is("Tensor")) return tracer_->AddOutput(Named(name), {list.stacked});
    tracer_->AddOutput(Named(name), tracer_->Call(ir::Instruction::kSequenceSplit, {{list.stacked}})[0]);
  }
  void AddHeld(const Missing& value, const std::string& name, int) {
    const bool said = value.reported && !tracer_->findings().failures().empty();
    if (!said) Refuse(name, value.reason.text.empty() ? "could not be computed" : value.reason.text);
  }
  void AddHeld(const Text& value, const std::string& name, int) {
    Refuse(name, fmt::format("is a text (\"{}\"): ONNX models return tensors; leave it out of what the model returns",
                             value.get().substr(0, 40)));
  }
  void AddHeld(const EnumValue& value, const std::string& name, int) {
    Refuse(name, fmt::format("is the enum value {}: return a number", value.name));
  }
  void AddHeld(const ir::DType&, const std::string& name, int) { Refuse(name, "is a dtype"); }
  void AddHeld(const ir::Word&, const std::string& name, int) { Refuse(name, "is a device or a layout"); }
  void AddHeld(const Complex&, const std::string& name, int) { Refuse(name, "is a complex number"); }
  void AddHeld(const FunctionValue&, const std::string& name, int) { Refuse(name, "is a function"); }

  trace::Tracer* tracer_;
  int count_ = 0;
};

}  // namespace

void AddOutputs(const Value& result, trace::Tracer* tracer) { Flattener(tracer).Add(result, "", 0); }

}  // namespace onnxport::torchscript
