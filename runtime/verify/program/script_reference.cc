#include <ATen/core/Tensor.h>
#include <ATen/ops/view_as_complex.h>
#include <c10/core/InferenceMode.h>
#include <fmt/format.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "runtime/base/error.h"
#include "runtime/inputs/element_names.h"
#include "runtime/verify/program/results.h"
#include "runtime/verify/program/script_state.h"
#include "runtime/verify/program/torch_reference.h"
#include "runtime/verify/program/torch_values.h"
#include "runtime/verify/report/cannot_compare.h"

namespace onnxport::verify {
namespace {

using c10::IValue;
using c10::TypeKind;

// "0", "1", or the names of a NamedTuple.
std::vector<std::string> FieldsOf(const c10::TupleType& type) {
  std::vector<std::string> fields;
  for (size_t i = 0; i < type.elements().size(); ++i) {
    fields.push_back(type.schema() ? type.schema()->arguments()[i].name() : std::to_string(i));
  }
  return fields;
}

// The elements that an argument of this type has.
inputs::Form FormOf(const c10::Type& type) {
  using inputs::Form;
  if (const auto* optional = type.castRaw<c10::OptionalType>()) return FormOf(*optional->getElementType());
  const auto form = [](Form::Kind kind, std::vector<std::string> fields, std::vector<c10::TypePtr> elements) {
    const auto element = [elements = std::move(elements)](size_t i) { return FormOf(*elements[i]); };
    return Form{.kind = kind, .fields = std::move(fields), .element = element};
  };
  if (const auto* list = type.castRaw<c10::ListType>()) return form(Form::Kind::kList, {}, {list->getElementType()});
  if (const auto* dict = type.castRaw<c10::DictType>()) return form(Form::Kind::kDict, {}, {dict->getValueType()});
  const auto* tuple = type.castRaw<c10::TupleType>();
  return tuple == nullptr ? Form() : form(Form::Kind::kTuple, FieldsOf(*tuple), tuple->elements().vec());
}

// The arguments of a method, from the model's inputs: elements of containers have dotted names.
class Arguments {
 public:
  // Arguments made of inputs are kept in `made`, by their names: a program may write to them.
  Arguments(const std::vector<ort::Tensor>& inputs, const std::vector<Input>& fixed,
            std::map<std::string, at::Tensor>* made)
      : inputs_(inputs), fixed_(fixed), made_(*made) {}

  // Nothing where neither an input nor a value has that name, or begins with it. An input `d.key` of the model is the
  // element "key" of the argument `d`; `t.0` the first of the tuple or list `t`.
  std::optional<IValue> Make(const std::string& name, const c10::TypePtr& type) const {
    if (const auto value = FixedValue(name, type)) return value;
    switch (type->kind()) {
      case TypeKind::OptionalType:
        return Make(name, type->castRaw<c10::OptionalType>()->getElementType());
      case TypeKind::TupleType:
        return MakeTuple(name, type->cast<c10::TupleType>());
      case TypeKind::ListType:
        return MakeList(name, type->castRaw<c10::ListType>()->getElementType());
      case TypeKind::DictType:
        return MakeDict(name, *type->castRaw<c10::DictType>());
      default:
        return MakeOne(name, type->kind());
    }
  }

 private:
  const ort::Tensor* Find(const std::string& name) const {
    const auto found = std::ranges::find(inputs_, name, &ort::Tensor::name);
    return found == inputs_.end() ? nullptr : &*found;
  }

  std::optional<IValue> FixedValue(const std::string& name, const c10::TypePtr& type) const {
    const auto found = std::ranges::find(fixed_, name, &Input::name);
    if (found == fixed_.end() || !found->fixed) return std::nullopt;
    const Value& value = *found->fixed;
    if (std::holds_alternative<None>(value)) return IValue();
    if (const bool* flag = std::get_if<bool>(&value)) return IValue(*flag);
    if (const double* number = std::get_if<double>(&value)) return IValue(*number);
    if (const std::string* text = std::get_if<std::string>(&value)) return IValue(*text);
    const int64_t number = std::get<int64_t>(value);
    return type->kind() == TypeKind::FloatType ? IValue(static_cast<double>(number)) : IValue(number);
  }

  std::optional<IValue> MakeOne(const std::string& name, TypeKind kind) const {
    const ort::Tensor* input = Find(name);
    if (input == nullptr) return std::nullopt;
    const at::Tensor tensor = made_.emplace(name, ToTorch(*input)).first->second;
    if (kind == TypeKind::IntType) return tensor.item().toLong();
    if (kind == TypeKind::FloatType) return tensor.item().toDouble();
    if (kind == TypeKind::BoolType) return tensor.item().toBool();
    return tensor;
  }

  std::optional<IValue> MakeTuple(const std::string& name, const c10::TupleTypePtr& type) const {
    std::vector<IValue> elements;
    const std::vector<std::string> fields = FieldsOf(*type);
    for (size_t i = 0; i < fields.size(); ++i) {
      auto value = Make(name + "." + fields[i], type->elements()[i]);
      if (!value) return std::nullopt;
      elements.push_back(*std::move(value));
    }
    if (!type->schema()) return c10::ivalue::Tuple::create(std::move(elements));
    return c10::ivalue::Tuple::createNamed(std::move(elements), type);
  }

  std::optional<IValue> MakeList(const std::string& name, const c10::TypePtr& type) const {
    c10::impl::GenericList list(type);
    if (const ort::Tensor* input = Find(name); input != nullptr && input->is_sequence) {
      for (const ort::Tensor& element : input->elements) list.push_back(ToTorch(element));
      return list;
    }
    // xs.0, xs.1, ... until there is none. Ends, as the inputs do.
    while (auto value = Make(name + "." + std::to_string(list.size()), type)) list.push_back(*std::move(value));
    return list.empty() ? std::nullopt : std::optional<IValue>(list);
  }

  std::optional<IValue> MakeDict(const std::string& name, const c10::DictType& type) const {
    // Keys stand only in the names of inputs: "d.left.0" and "d.left.1" are one key, "left".
    std::vector<std::string> names;
    for (const ort::Tensor& input : inputs_) names.push_back(input.name);
    for (const Input& value : fixed_) names.push_back(value.name);
    const std::vector<std::string> keys = inputs::ElementsUnder(name, FormOf(type), names);
    const TypeKind kind = type.getKeyType()->kind();
    if (keys.empty() || (kind != TypeKind::StringType && kind != TypeKind::IntType)) return std::nullopt;
    c10::impl::GenericDict dict(type.getKeyType(), type.getValueType());
    for (const std::string& key : keys) {
      auto value = Make(fmt::format("{}.{}", name, key), type.getValueType());
      const auto number = kind == TypeKind::IntType ? inputs::IntKey(key) : std::nullopt;
      if (!value || (kind == TypeKind::IntType && !number)) return std::nullopt;
      dict.insert(number ? IValue(*number) : IValue(key), *std::move(value));
    }
    return dict;
  }

  const std::vector<ort::Tensor>& inputs_;
  const std::vector<Input>& fixed_;
  std::map<std::string, at::Tensor>& made_;
};

// Containers lie flat, but for a list where the model has a sequence.
void AddOutputs(const IValue& value, const std::vector<Port>& wanted, std::vector<ort::Tensor>* outputs) {
  const auto add_all = [&](const auto& elements) {
    for (const IValue& element : elements) AddOutputs(element, wanted, outputs);
  };
  if (value.isTuple()) return add_all(value.toTupleRef().elements());
  if (value.isGenericDict()) {
    for (const auto& entry : value.toGenericDict()) AddOutputs(entry.value(), wanted, outputs);
    return;
  }
  if (value.isList()) {
    // The next output to be made says which of the two it is: a list of known length became several outputs, one of any
    // length a sequence.
    if (outputs->size() >= wanted.size() || !wanted[outputs->size()].sequence) return add_all(value.toListRef());
    ort::Tensor sequence{.name = {}, .dtype = {}, .shape = {}, .bytes = {}, .is_sequence = true};
    for (const IValue& element : value.toListRef()) {
      if (auto tensor = AsOutput(element)) sequence.elements.push_back(*std::move(tensor));
    }
    outputs->push_back(std::move(sequence));
    return;
  }
  if (auto tensor = AsOutput(value)) outputs->push_back(*std::move(tensor));
}

class ScriptReference : public Reference {
 public:
  ScriptReference(const std::string& path, const Ports& model, const std::vector<Input>& fixed)
      : path_(path), model_(model), fixed_(fixed) {
    Load();
  }

  ir::Ranges RangesOf(const std::vector<Port>& /*inputs*/) const override { return {}; }

  std::vector<ort::Tensor> FirstState() const override {
    std::vector<ort::Tensor> first;
    for (const State& state : model_.state) {
      if (const auto tensor = FindState(module_, state.input)) AddNamed(state.input, *tensor, &first);
    }
    return first;
  }

  std::vector<ort::Tensor> Run(const std::vector<ort::Tensor>& inputs) override {
    try {
      if (ran_) Load();  // what the last run wrote to is as the file has it
      ran_ = true;
      const at::InferenceMode guard;
      std::map<std::string, at::Tensor> made;
      std::vector<ort::Tensor> outputs;
      AddOutputs(module_.forward(ArgumentsFrom(SetState(inputs), &made)), model_.outputs, &outputs);
      AddNext(made, &outputs);
      return outputs;
    } catch (const c10::Error& error) {
      throw CannotCompare(std::string("PyTorch: ") + error.what_without_backtrace());
    } catch (const Error&) {
      throw;
    } catch (const std::exception& error) {
      throw CannotCompare(std::string("PyTorch: ") + error.what());
    }
  }

 private:
  void Load() {
    try {
      module_ = torch::jit::load(path_, at::Device(at::kCPU));
    } catch (const c10::Error& error) {
      throw Error(ErrorKind::kBadInput, path_ + ": " + error.what_without_backtrace());
    }
  }

  static void AddNamed(const std::string& name, const at::Tensor& tensor, std::vector<ort::Tensor>* tensors) {
    tensors->push_back(*AsOutput(tensor));
    tensors->back().name = name;
  }

  // Writes into the existing tensor, as others may share its memory. The rest are the program's own inputs.
  std::vector<ort::Tensor> SetState(std::vector<ort::Tensor> inputs) const {
    for (const State& state : model_.state) {
      const auto tensor = FindState(module_, state.input);
      const auto given = std::ranges::find(inputs, state.input, &ort::Tensor::name);
      if (!tensor || given == inputs.end()) continue;
      const at::Tensor value = ToTorch(*given);
      at::Tensor(*tensor).copy_(tensor->is_complex() && !value.is_complex() ? at::view_as_complex(value) : value);
      inputs.erase(given);
    }
    return inputs;
  }

  // An attribute may have been set to another tensor; an input has been written to.
  void AddNext(const std::map<std::string, at::Tensor>& made, std::vector<ort::Tensor>* outputs) const {
    for (const State& state : model_.state) {
      const auto input = made.find(state.input);
      const auto next = input == made.end() ? FindState(module_, state.input) : std::optional(input->second);
      if (next) AddNamed(state.output, *next, outputs);
    }
  }

  std::vector<IValue> ArgumentsFrom(const std::vector<ort::Tensor>& given,
                                    std::map<std::string, at::Tensor>* made) const {
    const auto& parameters = module_.get_method("forward").function().getSchema().arguments();
    std::vector<ort::Tensor> inputs = given;
    Rename(parameters, &inputs);
    const Arguments arguments(inputs, fixed_, made);
    std::vector<IValue> values;
    for (size_t i = 1; i < parameters.size(); ++i) {  // the first is the module
      auto value = arguments.Make(parameters[i].name(), parameters[i].type());
      // As Python would: what is given, else the default, else None where that is allowed.
      if (!value && parameters[i].default_value()) value = parameters[i].default_value();
      if (!value && parameters[i].type()->kind() == TypeKind::OptionalType) value = IValue();
      if (!value) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("no input of the model is `{}` of the program ({}); say it with "
                                "--input '{}=VALUE'",
                                parameters[i].name(), parameters[i].type()->annotation_str(), parameters[i].name()));
      }
      values.push_back(*std::move(value));
    }
    return values;
  }

  // Where the model has other names, and the method takes as many tensors, their order tells.
  static void Rename(const std::vector<c10::Argument>& parameters, std::vector<ort::Tensor>* inputs) {
    const auto is_tensor = [](const c10::Argument& argument) {
      return argument.type()->kind() == TypeKind::TensorType;
    };
    const auto named = [&](const ort::Tensor& input) {
      return std::ranges::any_of(parameters, [&](const auto& argument) {
        return input.name == argument.name() || input.name.starts_with(argument.name() + ".");
      });
    };
    if (std::ranges::all_of(*inputs, named) || parameters.size() != inputs->size() + 1) return;
    if (!std::all_of(parameters.begin() + 1, parameters.end(), is_tensor)) return;
    for (size_t i = 0; i < inputs->size(); ++i) (*inputs)[i].name = parameters[i + 1].name();
  }

  std::string path_;
  const Ports& model_;
  const std::vector<Input>& fixed_;
  torch::jit::Module module_;
  bool ran_ = false;
};

}  // namespace

std::unique_ptr<Reference> OpenScript(const std::string& path, const Ports& model, const std::vector<Input>& fixed) {
  return std::make_unique<ScriptReference>(path, model, fixed);
}

}  // namespace onnxport::verify
