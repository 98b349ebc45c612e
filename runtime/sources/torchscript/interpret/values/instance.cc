#include "runtime/sources/torchscript/interpret/values/instance.h"

#include <algorithm>

#include "runtime/sources/torchscript/interpret/values/refusal.h"

namespace onnxport::torchscript {
namespace {

constexpr int kMaxInstanceDepth = 64;

// Where the answer is not known.
[[noreturn]] void Undecided(const Type& type) { throw Refusal::NotDecided("whether it is a " + ToString(type)); }

class Matcher {
 public:
  explicit Matcher(const trace::Tracer& tracer) : tracer_(tracer) {}

  bool Matches(const Value& value, const Type& type, int depth) const {
    if (depth > kMaxInstanceDepth) Undecided(type);
    if (type.Is("Any")) return true;
    if (type.Is("Optional")) return value.is_none() || Matches(value, type.args.at(0), depth + 1);
    if (type.Is("Union")) {
      return std::ranges::any_of(type.args, [&](const Type& option) { return Matches(value, option, depth + 1); });
    }
    if (type.Is("NoneType") || type.Is("None")) return value.is_none();
    if (type.Is("number")) return IsNumber(value, "int") || IsNumber(value, "float");
    if (type.Is("int") || type.Is("float") || type.Is("bool")) return IsNumber(value, type.name);
    if (type.Is("str")) return value.As<std::string>() != nullptr;
    if (type.Is("Tensor")) return value.As<Tensor>() != nullptr;
    if (type.Is("complex")) return value.As<Complex>() != nullptr;
    if (type.Is("Device")) return value.As<ir::Word>() != nullptr;
    const bool container = type.Is("List") || type.Is("list") || type.Is("Dict") || type.Is("dict") ||
                           type.Is("Tuple") || type.Is("tuple");
    // Classes have a dot in their names.
    if (!container && type.name.find('.') == std::string::npos) Undecided(type);
    if (const auto* cell = value.As<CellPtr>()) return MatchesCell(**cell, type, depth);
    if (const auto* tuple = value.As<TuplePtr>()) return MatchesTuple(**tuple, type, depth);
    if (const auto* member = value.As<EnumValue>()) return member->type->qualified_name == type.name;
    return false;
  }

 private:
  bool IsNumber(const Value& value, const std::string& name) const {
    if (value.As<bool>()) return name == "bool";
    if (value.As<int64_t>()) return name == "int";
    if (value.As<double>()) return name == "float";
    const auto* number = value.As<Number>();
    if (!number) return false;
    const ir::ValueKind kind = tracer_.TypeOf(number->id).kind;
    return (kind == ir::ValueKind::kInt && name == "int") || (kind == ir::ValueKind::kFloat && name == "float") ||
           (kind == ir::ValueKind::kBool && name == "bool");
  }

  bool MatchesCell(const Cell& cell, const Type& type, int depth) const {
    if (cell.kind == Cell::Kind::kObject) return cell.type_name == type.name;
    const bool is_list = cell.kind == Cell::Kind::kList;
    if (!type.Is(is_list ? "List" : "Dict") && !type.Is(is_list ? "list" : "dict")) return false;
    // `isinstance(x, list)` does not ask for an element type.
    if (type.args.empty()) return true;
    // A list's annotated type decides, even if it is empty. Otherwise its elements decide, and an empty list has none.
    if (is_list && !cell.element.name.empty()) return cell.element == type.args[0];
    if (cell.items.empty()) Undecided(type);
    const auto all = [&](const ValueList& items, const Type& of) {
      return std::ranges::all_of(items, [&](const Value& item) { return Matches(item, of, depth + 1); });
    };
    return (is_list || all(cell.keys, type.args.front())) && all(cell.items, type.args.back());
  }

  bool MatchesTuple(const TupleValue& tuple, const Type& type, int depth) const {
    if (tuple.type && tuple.type->qualified_name == type.name) return true;
    if (!type.Is("Tuple") && !type.Is("tuple")) return false;
    if (type.args.empty()) return true;
    if (type.args.size() != tuple.items.size()) return false;
    for (size_t i = 0; i < tuple.items.size(); ++i) {
      if (!Matches(tuple.items[i], type.args[i], depth + 1)) return false;
    }
    return true;
  }

  const trace::Tracer& tracer_;
};

}  // namespace

std::optional<bool> IsInstanceOf(const Value& value, const Type& type, const trace::Tracer& tracer) {
  try {
    return Matcher(tracer).Matches(value, type, 0);
  } catch (const Refusal&) {
    // Unknown is not false: a branch that depends on it must not be dropped.
    return std::nullopt;
  }
}

}  // namespace onnxport::torchscript
