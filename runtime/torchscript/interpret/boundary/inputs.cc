#include "runtime/torchscript/interpret/boundary/inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/torchscript/interpret/boundary/input_forms.h"
#include "runtime/torchscript/syntax/type.h"

namespace onnxport::torchscript {
namespace {

using ir::ValueKind;

constexpr int kMaxInputDepth = 16;  // of containers in containers

class Binder {
 public:
  Binder(const Program& program, const std::vector<Input>& specs, bool may_be_unrolled, Heap* heap,
         trace::Tracer* tracer)
      : program_(program), specs_(specs), may_be_unrolled_(may_be_unrolled), heap_(heap), tracer_(tracer) {}

  ValueList Bind(const Function& method) {
    ValueList values;
    const auto traced = program_.traced_inputs.find(method.name);
    for (size_t i = 1; i < method.params.size(); ++i) {
      const Param& param = method.params[i];
      const bool has_example = traced != program_.traced_inputs.end() && i - 1 < traced->second.size();
      const Type type = param.type ? ToType(*param.type) : Type{"Tensor", {}};
      values.push_back(
          BindOne(type, param.name, has_example ? traced->second[i - 1] : nullptr, param.default_value, 0));
    }
    CheckSpecsUsed(method);
    if (!mistakes_.empty() || !missing_.empty()) Throw();
    return values;
  }

 private:
  Value BindOne(const Type& type, const std::string& name, const PickledPtr& example,
                const std::optional<Expr>& default_value, int depth) {
    if (depth > kMaxInputDepth) return Wrong(name, "containers nested too deep");
    if (const Input* spec = Find(name)) {
      if (example && may_be_unrolled_) NoteTracedSizes(*spec, *example);
      return FromSpec(*spec, type);
    }
    if (HasElements(name)) return Container(type, name, example, depth);
    if (example) return FromExample(type, name, *example, depth);
    if (default_value) {
      if (auto value = Literal(*default_value, heap_)) return std::move(*value);
    }
    if (IsContainer(type) && !type.Is("List") && !type.Is("Dict")) return Container(type, name, example, depth);
    missing_.push_back(fmt::format("`{}` ({}): {}", name, ToString(type), Example(name, type)));
    return Value{None{}};
  }

  // ---- specs ----

  void NoteTracedSizes(const Input& spec, const Pickled& example) {
    const auto* tensor = std::get_if<Pickled::Tensor>(&example.v);
    const std::optional<ir::Dims> dims = spec.list || !tensor ? std::nullopt : SpecDims(spec);
    if (!dims || dims->size() != tensor->data->shape.size()) return;
    for (size_t i = 0; i < dims->size(); ++i) {
      if (const auto symbol = (*dims)[i].symbol()) tracer_->NoteTracedSize(*symbol, tensor->data->shape[i]);
    }
  }

  const Input* Find(const std::string& name) {
    const Input* found = nullptr;
    for (const Input& spec : specs_) {
      if (spec.name != name) continue;
      if (found) mistakes_.push_back(fmt::format("input `{}` is given twice", name));
      found = &spec;
    }
    if (found) used_.insert(name);
    return found;
  }

  bool HasElements(const std::string& name) const {
    return std::ranges::any_of(specs_, [&](const Input& spec) { return spec.name.starts_with(name + "."); });
  }

  Value Wrong(const std::string& name, const std::string& what) {
    mistakes_.push_back(fmt::format("input `{}`: {}", name, what));
    return Value{None{}};
  }

  Value FromSpec(const Input& spec, const Type& type) {
    if (type.Is("Optional") || type.Is("Union")) {
      if (spec.fixed && std::holds_alternative<std::monostate>(*spec.fixed)) return Value{None{}};
      for (const Type& option : type.args) {
        if (!option.Is("NoneType") && Fits(spec, option)) return FromSpec(spec, option);
      }
      for (const Type& option : type.args) {
        if (!option.Is("NoneType")) return FromSpec(spec, option);
      }
    }
    if (spec.list) return FromListSpec(spec, type);
    if (spec.fixed) return FromFixed(spec, type);
    if (type.Is("Tensor") || type.Is("Any")) return AddTensor(spec.name, inputs::DTypeOf(spec), SpecDims(spec));
    struct Scalar {
      const char* type;
      ir::DType dtype;
      ValueKind kind;
    };
    static constexpr Scalar kScalars[] = {{"int", ir::DType::kInt64, ValueKind::kInt},
                                          {"float", ir::DType::kFloat64, ValueKind::kFloat},
                                          {"bool", ir::DType::kBool, ValueKind::kBool}};
    for (const Scalar& scalar : kScalars) {
      if (!type.Is(scalar.type)) continue;
      if (inputs::DTypeOf(spec) != scalar.dtype || !spec.dims || !spec.dims->empty()) {
        return Wrong(spec.name, fmt::format("a parameter of type {} is given by each run as {}[], here is {}{}",
                                            type.name, ir::ShortName(scalar.dtype), ir::ShortName(inputs::DTypeOf(spec)),
                                            spec.dims && spec.dims->empty() ? "[]" : ""));
      }
      return Value{Number{tracer_->AddInput(spec.name, Typed(scalar.kind, scalar.dtype, ir::Dims{}))}};
    }
    return Wrong(spec.name, fmt::format("the parameter is {}, here is a tensor; write {}", ToString(type),
                                        Example(spec.name, type)));
  }

  Value FromListSpec(const Input& spec, const Type& type) {
    if (!type.Is("List") || !type.args[0].Is("Tensor"))
      return Wrong(spec.name, fmt::format("the parameter is {}, here is a list of tensors", ToString(type)));
    // A name stands for any size here: each element may have its own.
    std::optional<ir::Dims> dims = SpecDims(spec);
    for (size_t i = 0; dims && i < dims->size(); ++i) {
      if (!(*dims)[i].is_number()) (*dims)[i] = ir::Dim();
    }
    const CellPtr list = heap_->NewList({}, type.args[0]);
    heap_->Edit(list).sequence = tracer_->AddInput(spec.name, Typed(ValueKind::kSequence, inputs::DTypeOf(spec), std::move(dims)));
    return Value{list};
  }

  Value FromFixed(const Input& spec, const Type& type) {
    const auto& fixed = *spec.fixed;
    if (const auto* number = std::get_if<int64_t>(&fixed)) {
      if (type.Is("int") || type.Is("number")) return Value{*number};
      if (type.Is("float")) return Value{static_cast<double>(*number)};
    }
    if (const auto* number = std::get_if<double>(&fixed); number && (type.Is("float") || type.Is("number")))
      return Value{*number};
    if (const auto* boolean = std::get_if<bool>(&fixed); boolean && type.Is("bool")) return Value{*boolean};
    if (const auto* text = std::get_if<std::string>(&fixed); text && type.Is("str")) return Value{*text};
    if (const auto* text = std::get_if<std::string>(&fixed); text && type.Is("Device")) return Value{ir::Word{*text}};
    return Wrong(spec.name, fmt::format("the parameter is {}; write {}", ToString(type), Example(spec.name, type)));
  }

  static ir::Value Typed(ValueKind kind, ir::DType dtype, std::optional<ir::Dims> dims) {
    ir::Value value;
    value.kind = kind;
    value.dtype = dtype;
    value.dims = std::move(dims);
    return value;
  }

  Value AddTensor(const std::string& name, ir::DType dtype, std::optional<ir::Dims> dims) {
    return Value{Tensor{tracer_->AddInput(name, Typed(ValueKind::kTensor, dtype, std::move(dims)))}};
  }

  // ---- containers ----

  const Class* ClassOf(const Type& type) const {
    const auto found = program_.classes.find(type.name);
    return found == program_.classes.end() ? nullptr : &found->second;
  }

  bool IsContainer(const Type& type) const {
    const Class* named = ClassOf(type);
    return type.Is("Tuple") || type.Is("List") || type.Is("Dict") || (named && named->kind == ClassKind::kNamedTuple);
  }

  // The names right below `name.`, in the order of the flags.
  std::vector<std::string> ElementsUnder(const std::string& name) const {
    std::vector<std::string> elements;
    for (const Input& spec : specs_) {
      if (!spec.name.starts_with(name + ".")) continue;
      const std::string rest = spec.name.substr(name.size() + 1);
      // A key may hold dots itself when it is the last part: dictionaries of tensors have such.
      std::string element = rest.substr(0, rest.find('.'));
      if (std::ranges::find(elements, element) == elements.end()) elements.push_back(std::move(element));
    }
    return elements;
  }

  // The example's element, if there is one.
  static PickledPtr ItemOf(const PickledPtr& example, size_t index) {
    if (!example) return nullptr;
    if (const auto* list = std::get_if<Pickled::List>(&example->v))
      return index < list->items.size() ? list->items[index] : nullptr;
    if (const auto* tuple = std::get_if<Pickled::Tuple>(&example->v))
      return index < tuple->items.size() ? tuple->items[index] : nullptr;
    return nullptr;
  }

  Value Container(const Type& type, const std::string& name, const PickledPtr& example, int depth) {
    if (type.Is("Optional")) return Container(type.args[0], name, example, depth);
    if (type.Is("Tuple")) {
      TupleValue tuple;
      for (size_t i = 0; i < type.args.size(); ++i)
        tuple.items.push_back(Element(type.args[i], name, fmt::format("{}", i), ItemOf(example, i), depth));
      return Value{MakeOwned<const TupleValue>(std::move(tuple))};
    }
    if (type.Is("List")) return ListOf(type, name, example, depth);
    if (type.Is("Dict")) return DictOf(type, name, depth);
    if (const Class* named = ClassOf(type); named && named->kind == ClassKind::kNamedTuple) {
      TupleValue tuple{.items = {}, .type = named};
      for (size_t i = 0; i < named->fields.size(); ++i)
        tuple.items.push_back(
            Element(ToType(named->fields[i].type), name, named->fields[i].name, ItemOf(example, i), depth));
      return Value{MakeOwned<const TupleValue>(std::move(tuple))};
    }
    return Wrong(name, fmt::format("the parameter is {}, which has no elements to describe", ToString(type)));
  }

  Value Element(const Type& type, const std::string& name, const std::string& element, const PickledPtr& example,
                int depth) {
    return BindOne(type, name + "." + element, example, std::nullopt, depth + 1);
  }

  Value ListOf(const Type& type, const std::string& name, const PickledPtr& example, int depth) {
    ValueList items;
    const size_t count = ElementsUnder(name).size();
    for (size_t i = 0; i < count; ++i)
      items.push_back(Element(type.args[0], name, fmt::format("{}", i), ItemOf(example, i), depth));
    return Value{heap_->NewList(std::move(items), type.args[0])};
  }

  Value DictOf(const Type& type, const std::string& name, int depth) {
    if (!type.args[0].Is("str"))
      return Wrong(name,
                   fmt::format("the parameter is {}; only dictionaries with str keys can be inputs", ToString(type)));
    ValueList keys;
    ValueList items;
    for (const std::string& key : ElementsUnder(name)) {
      keys.push_back(Value{key});
      items.push_back(Element(type.args[1], name, key, nullptr, depth));
    }
    return Value{heap_->NewDict(std::move(keys), std::move(items))};
  }

  // ---- examples that a trace stored ----

  Value FromExample(const Type& type, const std::string& name, const Pickled& example, int depth) {
    if (const auto* tensor = std::get_if<Pickled::Tensor>(&example.v)) {
      ir::Dims dims;
      for (const int64_t size : tensor->data->shape) dims.emplace_back(size);
      return AddTensor(name, tensor->data->dtype, std::move(dims));
    }
    if (std::holds_alternative<std::monostate>(example.v)) return Value{None{}};
    if (const auto* boolean = std::get_if<bool>(&example.v)) return Value{*boolean};
    if (const auto* number = std::get_if<int64_t>(&example.v)) return Value{*number};
    if (const auto* number = std::get_if<double>(&example.v)) return Value{*number};
    if (const auto* text = std::get_if<std::string>(&example.v)) return Value{*text};
    if (const auto* list = std::get_if<Pickled::List>(&example.v)) {
      ValueList items;
      for (size_t i = 0; i < list->items.size(); ++i)
        items.push_back(Element(ElementType(type, i), name, fmt::format("{}", i), list->items[i], depth));
      return Value{heap_->NewList(std::move(items), type.Is("List") ? type.args[0] : Type{})};
    }
    if (const auto* tuple = std::get_if<Pickled::Tuple>(&example.v)) {
      TupleValue value{.items = {}, .type = ClassOf(type)};
      for (size_t i = 0; i < tuple->items.size(); ++i)
        value.items.push_back(Element(ElementType(type, i), name, fmt::format("{}", i), tuple->items[i], depth));
      return Value{MakeOwned<const TupleValue>(std::move(value))};
    }
    if (const auto* dict = std::get_if<Pickled::Dict>(&example.v)) return DictExample(type, name, *dict, depth);
    return Wrong(name, fmt::format("the stored example of {} cannot be an input; write {}", ToString(type),
                                   Example(name, type)));
  }

  Value DictExample(const Type& type, const std::string& name, const Pickled::Dict& dict, int depth) {
    ValueList keys;
    ValueList items;
    for (const auto& [key, item] : dict.items) {
      const auto* text = std::get_if<std::string>(&key->v);
      if (!text) return Wrong(name, "only dictionaries with str keys can be inputs");
      keys.push_back(Value{*text});
      items.push_back(Element(type.Is("Dict") ? type.args[1] : Type{"Tensor", {}}, name, *text, item, depth));
    }
    return Value{heap_->NewDict(std::move(keys), std::move(items))};
  }

  static Type ElementType(const Type& type, size_t index) {
    if (type.Is("List") && !type.args.empty()) return type.args[0];
    if (type.Is("Tuple") && index < type.args.size()) return type.args[index];
    if (type.Is("Optional") && !type.args.empty()) return ElementType(type.args[0], index);
    return Type{"Tensor", {}};
  }

  // ---- errors ----

  void CheckSpecsUsed(const Function& method) {
    std::vector<std::string> params;
    for (size_t i = 1; i < method.params.size(); ++i) params.push_back(method.params[i].name);
    for (const Input& spec : specs_) {
      if (used_.contains(spec.name)) continue;
      mistakes_.push_back(fmt::format("no input `{}`; the parameters of {} are `{}`", spec.name, method.name,
                                      fmt::join(params, "`, `")));
    }
  }

  [[noreturn]] void Throw() const {
    std::string text = fmt::format("{}", fmt::join(mistakes_, "\n"));
    if (!missing_.empty()) {
      if (!text.empty()) text += '\n';
      text += fmt::format("nothing is known of {}; describe {}:\n  {}",
                          missing_.size() == 1 ? "a parameter" : "some parameters",
                          missing_.size() == 1 ? "it" : "them", fmt::join(missing_, "\n  "));
    }
    throw Error(ErrorKind::kUsage, text);
  }

  const Program& program_;
  const std::vector<Input>& specs_;
  const bool may_be_unrolled_;
  Heap* heap_;
  trace::Tracer* tracer_;
  std::set<std::string> used_;
  std::vector<std::string> mistakes_;
  std::vector<std::string> missing_;
};

}  // namespace

ValueList BindInputs(const Function& method, const Program& program, const std::vector<Input>& specs,
                     bool may_be_unrolled, Heap* heap, trace::Tracer* tracer) {
  return Binder(program, specs, may_be_unrolled, heap, tracer).Bind(method);
}

}  // namespace onnxport::torchscript
