// Sets the parameters of the exported method. The user's values come first, then the example in the trace, then the
// default. If a parameter has none of these, the error describes it. All mistakes are collected, so that the user of a
// model with ten parameters sees them all at once.
#include "runtime/sources/torchscript/interpret/boundary/inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/sources/torchscript/interpret/boundary/input_forms.h"
#include "runtime/sources/torchscript/interpret/boundary/spec_reader.h"
#include "runtime/sources/torchscript/interpret/boundary/traced_sizes.h"
#include "runtime/sources/torchscript/syntax/type.h"

namespace onnxport::torchscript {
namespace {

constexpr const char* kKeys = "only dictionaries with str or int keys can be inputs, and lists";

constexpr int kMaxInputDepth = 16;  // of containers in containers

class Binder {
 public:
  Binder(const Program& program, const std::vector<Input>& specs, const AxisSizes* traced_sizes, Heap* heap,
         trace::Tracer* tracer)
      : program_(program), specs_(specs), heap_(heap), reader_(heap, tracer, &mistakes_) {
    if (traced_sizes != nullptr) traced_sizes_.emplace(traced_sizes, &tracer->unrolled());
    for (const Input& spec : specs_) names_.push_back(spec.name);
  }

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
    if (traced_sizes_) traced_sizes_->CheckStated();
    return values;
  }

 private:
  Value BindOne(const Type& type, const std::string& name, const PickledPtr& example,
                const std::optional<Expr>& default_value, int depth) {
    if (depth > kMaxInputDepth) return reader_.Wrong(name, "containers nested too deep");
    // The best source comes first. Elements of a container are described one by one (`x.0`, `x.key`). If one of them is
    // described, the container is.
    if (const Input* spec = Find(name)) {
      if (traced_sizes_) traced_sizes_->Note(*spec, example);
      return reader_.Read(*spec, type);
    }
    if (inputs::HasElements(name, names_)) return Container(type, name, example, depth);
    if (example) return FromExample(type, name, *example, depth);
    if (default_value) {
      if (auto value = Literal(*default_value, heap_)) return std::move(*value);
    }
    // The type of a tuple says how many elements it has, so each is looked up by name. That of a list or dict does not.
    // No option describes a dict with other keys than texts and ints.
    const bool is_asked_for = type.Is("List") || (type.Is("Dict") && HasNames(type.args[0]));
    if (IsContainer(type) && !is_asked_for) return Container(type, name, example, depth);
    missing_.push_back(fmt::format("`{}` ({}): {}", name, ToString(type), Example(name, type)));
    return Value{None{}};
  }

  // ---- specs ----

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

  // ---- containers ----

  const Class* ClassOf(const Type& type) const {
    const auto found = program_.classes.find(type.name);
    return found == program_.classes.end() ? nullptr : &found->second;
  }

  bool IsContainer(const Type& type) const {
    const Class* named = ClassOf(type);
    return type.Is("Tuple") || type.Is("List") || type.Is("Dict") || (named && named->kind == ClassKind::kNamedTuple);
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

  static PickledPtr ItemOf(const PickledPtr& example, const std::string& key) {
    const auto* dict = example ? std::get_if<Pickled::Dict>(&example->v) : nullptr;
    if (dict == nullptr) return nullptr;
    for (const auto& [known, item] : dict->items) {
      if (KeyText(*known) == key) return item;
    }
    return nullptr;
  }

  // Those that the example's dict has; none where it is no dict.
  static std::vector<std::string> KeysOf(const PickledPtr& example) {
    std::vector<std::string> keys;
    const auto* dict = example ? std::get_if<Pickled::Dict>(&example->v) : nullptr;
    if (dict == nullptr) return keys;
    for (const auto& [key, item] : dict->items) {
      if (auto text = KeyText(*key)) keys.push_back(*std::move(text));
    }
    return keys;
  }

  // A key as it stands in a name: "0" of a Dict[int, Tensor]. Nothing where no name can have it.
  static std::optional<std::string> KeyText(const Pickled& key) {
    if (const auto* number = std::get_if<int64_t>(&key.v)) return fmt::format("{}", *number);
    const auto* text = std::get_if<std::string>(&key.v);
    return text ? std::optional(*text) : std::nullopt;
  }

  static bool HasNames(const Type& key) { return key.Is("str") || key.Is("int"); }

  Value Container(const Type& type, const std::string& name, const PickledPtr& example, int depth) {
    if (type.Is("Optional")) return Container(type.args[0], name, example, depth);
    if (type.Is("Tuple")) {
      TupleValue tuple;
      for (size_t i = 0; i < type.args.size(); ++i)
        tuple.items.push_back(Element(type.args[i], name, fmt::format("{}", i), ItemOf(example, i), depth));
      return Value{MakeOwned<const TupleValue>(std::move(tuple))};
    }
    if (type.Is("List")) return ListOf(type, name, example, depth);
    if (type.Is("Dict")) return DictOf(type, name, example, depth);
    if (const Class* named = ClassOf(type); named && named->kind == ClassKind::kNamedTuple) {
      TupleValue tuple{.items = {}, .type = named};
      for (size_t i = 0; i < named->fields.size(); ++i)
        tuple.items.push_back(
            Element(ToType(named->fields[i].type), name, named->fields[i].name, ItemOf(example, i), depth));
      return Value{MakeOwned<const TupleValue>(std::move(tuple))};
    }
    return reader_.Wrong(name, fmt::format("the parameter is {}, which has no elements to describe", ToString(type)));
  }

  Value Element(const Type& type, const std::string& name, const std::string& element, const PickledPtr& example,
                int depth) {
    return BindOne(type, name + "." + element, example, std::nullopt, depth + 1);
  }

  Value ListOf(const Type& type, const std::string& name, const PickledPtr& example, int depth) {
    ValueList items;
    const size_t count = inputs::ElementsUnder(name, FormOf(type, program_), names_).size();
    for (size_t i = 0; i < count; ++i)
      items.push_back(Element(type.args[0], name, fmt::format("{}", i), ItemOf(example, i), depth));
    return Value{heap_->NewList(std::move(items), type.args[0])};
  }

  Value DictOf(const Type& type, const std::string& name, const PickledPtr& example, int depth) {
    if (!HasNames(type.args[0]))
      return reader_.Wrong(name, fmt::format("the parameter is {}; {}", ToString(type), kKeys));
    ValueList keys;
    ValueList items;
    for (const std::string& key : inputs::ElementsUnder(name, FormOf(type, program_), names_, KeysOf(example))) {
      const auto number = type.args[0].Is("int") ? inputs::IntKey(key) : std::nullopt;
      if (type.args[0].Is("int") && !number)
        return reader_.Wrong(name + "." + key, fmt::format("the parameter is {}: a key is an int", ToString(type)));
      keys.push_back(number ? Value{*number} : Value{key});
      items.push_back(Element(type.args[1], name, key, ItemOf(example, key), depth));
    }
    return Value{heap_->NewDict(std::move(keys), std::move(items))};
  }

  // ---- examples that a trace stored ----

  Value FromExample(const Type& type, const std::string& name, const Pickled& example, int depth) {
    if (const auto* tensor = std::get_if<Pickled::Tensor>(&example.v)) {
      ir::Dims dims;
      for (const int64_t size : tensor->data->shape) dims.emplace_back(size);
      return reader_.AddTensor(name, tensor->data->dtype, std::move(dims));
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
    return reader_.Wrong(name, fmt::format("the stored example of {} cannot be an input; write {}", ToString(type),
                                           Example(name, type)));
  }

  Value DictExample(const Type& type, const std::string& name, const Pickled::Dict& dict, int depth) {
    ValueList keys;
    ValueList items;
    for (const auto& [key, item] : dict.items) {
      const auto text = KeyText(*key);
      if (!text) return reader_.Wrong(name, kKeys);
      const auto* number = std::get_if<int64_t>(&key->v);
      keys.push_back(number ? Value{*number} : Value{*text});
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
    std::vector<Diagnostic> found;
    const auto add = [&found](Code code, const std::vector<std::string>& reasons) {
      for (const std::string& reason : reasons) found.push_back({.code = code, .reason = reason});
    };
    add(Code::kInputDoesNotFit, mistakes_);
    if (!found.empty() || missing_.empty()) {
      for (const std::string& one : missing_)
        add(Code::kInputsAreNeeded, {"nothing is known of a parameter; describe it: " + one});
      throw Error(Report(ErrorKind::kUsage, std::move(found)));
    }
    add(Code::kInputsAreNeeded, missing_);
    throw Error(Report(ErrorKind::kUsage, std::move(found),
                       missing_.size() == 1 ? "nothing is known of a parameter; describe it"
                                            : "nothing is known of some parameters; describe them"));
  }

  const Program& program_;
  const std::vector<Input>& specs_;
  std::vector<std::string> names_;  // of specs_
  Heap* heap_;
  std::optional<TracedSizes> traced_sizes_;
  std::set<std::string> used_;
  std::vector<std::string> mistakes_;
  SpecReader reader_;
  std::vector<std::string> missing_;
};

}  // namespace

ValueList BindInputs(const Function& method, const Program& program, const std::vector<Input>& specs,
                     const AxisSizes* traced_sizes, Heap* heap, trace::Tracer* tracer) {
  return Binder(program, specs, traced_sizes, heap, tracer).Bind(method);
}

}  // namespace onnxport::torchscript
