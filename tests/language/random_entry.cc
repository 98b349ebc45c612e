#include "tests/language/random_entry.h"

#include <fmt/format.h>

#include <array>
#include <initializer_list>
#include <map>
#include <random>
#include <regex>
#include <utility>
#include <vector>

#include "tests/language/random_forms.h"

namespace onnxport::language {
namespace {

struct Name {
  std::string name;
  Type type;
};

struct Schema {
  const char* op;
  std::vector<Name> arguments;
  const char* refinements = "";                     // lines of `args`
  std::vector<const char*> results = {"a result"};  // their names; of several
  bool list = false;                                // its result is a list of tensors
};

const std::vector<Schema>& Schemas() {
  using enum Type;
  static const std::vector<Schema> schemas = {
      {"aten::cumsum", {{"self", kTensor}, {"dim", kInt}}, "    dtype: ignore\n    dim: axis(self)\n"},
      {"aten::sum.dim_IntList", {{"self", kTensor}, {"dim", kInts}, {"keepdim", kBool}}, "    dtype: ignore\n"},
      {"aten::cat", {{"tensors", kTensors}, {"dim", kInt}}},
      {"aten::leaky_relu", {{"self", kTensor}, {"negative_slope", kFloat}}},
      {"aten::where.self", {{"condition", kTensor}, {"self", kTensor}, {"other", kTensor}}},
      {"aten::narrow", {{"self", kTensor}, {"dim", kInt}, {"start", kInt}, {"length", kInt}}},
      {"aten::expand", {{"self", kTensor}, {"size", kInts}, {"implicit", kBool}}},
      {"aten::constant_pad_nd", {{"self", kTensor}, {"pad", kInts}, {"value", kFloat}}},
      {"aten::stack", {{"tensors", kTensors}, {"dim", kInt}}},
      {"aten::nan_to_num", {{"self", kTensor}, {"nan", kFloat}, {"posinf", kFloat}, {"neginf", kFloat}}},
      {"aten::cummax", {{"self", kTensor}, {"dim", kInt}}, "", {"values", "indices"}},
      {"aten::unbind.int", {{"self", kTensor}, {"dim", kInt}}, "    dim: axis(self)\n", {"a result"}, true},
  };
  return schemas;
}

class Maker {
 public:
  explicit Maker(uint32_t seed) : random_(seed) {}

  std::string Spec() {
    const Schema& schema = Schemas()[Below(Schemas().size())];
    names_ = schema.arguments;
    schema_ = &schema;
    AddLets();
    const uint32_t repetition = Below(6);
    const std::string fold = repetition == 0 ? Fold() : repetition == 1 ? Loop() : "";
    const std::string cases = Cases();
    const std::string require = Below(5) == 0 ? fmt::format("  require: '{}'\n", Of(Type::kBool, 2)) : "";
    std::string text = require + fold + cases;
    const std::string local = LocalDefs(&text);
    text = UsedLets(text + local) + local + text;
    return fmt::format("spec: 1\nfamily: f\n\nops:\n{}- op: {}\n{}  since: {}\n{}", FileDefs(text), schema.op,
                       Arguments(schema, text), 7 + 2 * Below(4), text);
  }

 private:
  // As the standard's distributions differ between libraries.
  uint32_t Below(size_t count) { return static_cast<uint32_t>(random_() % count); }

  std::string NameOf(Type type) {
    std::vector<const Name*> fitting;
    for (const Name& name : names_)
      if (name.type == type) fitting.push_back(&name);
    if (!fitting.empty() && (Below(4) > 0 || *Plain(type) == 0)) return fitting[Below(fitting.size())]->name;
    if (type == Type::kTensors) return fmt::format("[{}]", NameOf(Type::kTensor));
    if (type == Type::kTensor && fitting.empty()) return NameOf(Type::kTensors) + "[0]";
    return Plain(type);
  }

  // Calls of the definitions, which take and give numbers or tensors.
  std::string Call(Type type, int depth) {
    const bool tensor = type == Type::kTensor;
    if (Below(4) == 0)
      return tensor ? fmt::format("twice({}, {}, {}).{}", Of(type, depth - 1), Of(Type::kInt, depth - 1),
                                  Below(2) ? "turned" : "moved", Below(2) ? "once" : "again")
                    : fmt::format("summed({}, {})", Of(type, depth - 1), Of(type, depth - 1));
    const char* name = tensor ? std::array{"turned", "moved", "dated"}[Below(3)] : Below(2) ? "chosen" : "near";
    return fmt::format("{}({}, {})", name, Of(type, depth - 1), Of(Type::kInt, depth - 1));
  }

  std::string Of(Type type, int depth) {
    if (depth <= 0 || Below(5) == 0) return NameOf(type);
    if ((type == Type::kInt || type == Type::kTensor) && Below(8) == 0) return Call(type, depth);
    const auto& forms = Forms().at(type);
    std::string form = forms[Below(forms.size())];
    if (form.find(" if ") != std::string::npos && form.find(" for ") == std::string::npos && inside_)
      return NameOf(type);
    const bool outer = std::exchange(inside_, inside_ || form.find(" if ") != std::string::npos);
    std::string text = Filled(form, depth);
    inside_ = outer;
    return text;
  }

  std::string Filled(const std::string& form, int depth) {
    static const std::map<std::string, Type> kTypes = {{"i", Type::kInt},  {"b", Type::kBool},   {"f", Type::kFloat},
                                                       {"l", Type::kInts}, {"t", Type::kTensor}, {"ts", Type::kTensors},
                                                       {"c", Type::kBool}, {"s", Type::kText}};
    const int number = ++count_;
    std::string text;
    for (size_t at = 0; at < form.size();) {
      if (form[at] != '{') {
        text += form[at++];
        continue;
      }
      const size_t end = form.find('}', at);
      const std::string word = form.substr(at + 1, end - at - 1);
      at = end + 1;
      if (word == "n")
        text += fmt::format("{}", number);
      else if (word == "a" || word == "A")
        text += word == "a" ? NameOf(Type::kInt) : NameOf(Type::kInts);
      else if (word == "a_t" || word == "ts_a")
        text += word == "a_t" ? NameOf(Type::kTensor) : NameOf(Type::kTensors);
      else
        text += Of(kTypes.at(word), depth - 1);
    }
    return text;
  }

  std::string Fresh() { return fmt::format("v{}", ++count_); }

  Type Any() { return static_cast<Type>(Below(7)); }

  void AddLets() {
    const uint32_t count = 1 + Below(5);
    for (uint32_t i = 0; i < count; ++i) {
      const Type type = Any();
      const std::string name = Fresh();
      lets_.emplace_back(name, fmt::format("    {}: '{}'\n", name, Of(type, 3)));
      names_.push_back({name, type});
    }
    if (Below(5) == 0) {
      const std::string values = Fresh(), places = Fresh();
      lets_.emplace_back(values + "|" + places, fmt::format("    '{}, {}': 'TopK({}, K=[1], axis=0, outputs=2)'\n",
                                                            values, places, Of(Type::kTensor, 2)));
      names_.push_back({values, Type::kTensor});
      names_.push_back({places, Type::kTensor});
    }
  }

  std::string Fold() {
    const Type type = Below(2) ? Type::kInt : Type::kTensor;
    const std::string carried = Fresh(), each = Fresh(), all = Fresh(), other = Fresh();
    std::string text = fmt::format("  fold:\n    each: {} in {}\n    init:\n      {}: '{}'\n      {}: '{}'\n", each,
                                   Below(2) ? "[1, 2, 3]" : "[opset, 2]", carried, Of(type, 2), other, Of(type, 1));
    std::vector<Name> outer = names_;
    names_.push_back({each, Type::kInt});
    names_.push_back({carried, type});
    names_.push_back({other, type});
    const char* const op = type == Type::kInt ? "+" : "-";
    text += fmt::format("    next:\n      {}: '{} {} {}'\n      {}: '{}'\n    collect:\n      {}: '{}'\n", carried,
                        carried, op, Of(type, 2), other, carried, all, Of(Type::kInt, 2));
    names_ = std::move(outer);
    names_.push_back({carried, type});
    names_.push_back({other, type});
    names_.push_back({all, Type::kInts});
    fold_ = all;
    return text;
  }

  // Each value of `next` has the dtype and the rank of the carried value, or the call is refused.
  std::string Loop() {
    const std::string each = Fresh(), carried = Fresh(), inner = Fresh(), all = Fresh();
    const std::vector<Name> outer = names_;
    const std::string count =
        std::array<std::string, 4>{"2", "12", Of(Type::kInt, 1), "dim(" + NameOf(Type::kTensor) + ", 0)"}[Below(4)];
    std::string text = fmt::format("  loop:\n    each: '{} in {}'\n", each, count);
    if (Below(2)) text += fmt::format("    while: 'Less(ReduceMax({}, keepdims=0), 9.0)'\n", carried);
    text += fmt::format("    carry:\n      {}: '{}'\n", carried, Of(Type::kTensor, 2));
    names_.push_back({carried, Type::kTensor});
    text += fmt::format("    let:\n      {}: '{}'\n", inner, Of(Type::kTensor, 2));
    text += fmt::format("    next:\n      {}: '{} - {}'\n", carried, carried, Below(2) ? "1.0" : inner);
    text += fmt::format("    scan:\n      {}: 'Gather({}, {}, axis=0)'\n", all, Below(2) ? inner : carried, each);
    names_ = outer;
    names_.push_back({carried, Type::kTensor});
    names_.push_back({all, Type::kTensor});
    return text;
  }

  std::string Result() {
    std::string value = Of(Type::kTensor, 4);
    if (!fold_.empty() && Below(2)) value = fmt::format("Expand({}, {})", NameOf(Type::kTensor), fold_);
    return value;
  }

  // `emit`, `list` or another body that gives `value`, a tensor.
  std::string Body(const std::string& value) {
    if (schema_->list) return ListBody(value);
    if (Below(5) > 0) return Results("emit", value);
    const char* const conditions[] = {"Less(ReduceMax({}, keepdims=0), 1.0)", "Equal(dim({}, 0), 2)"};
    return fmt::format("      if: '{}'\n", fmt::format(fmt::runtime(conditions[Below(2)]), NameOf(Type::kTensor))) +
           Results("then", value) + Results("else", Result(), /*all=*/true);
  }

  // One tensor for each result, or of several with names only some.
  std::string Results(const char* key, const std::string& value, bool all = false) {
    if (schema_->results.size() == 1) return fmt::format("      {}: '{}'\n", key, value);
    std::string text = fmt::format("      {}:\n", key);
    all |= std::string_view(key) == "then";
    const uint32_t how = all ? 1 : Below(3);  // all in order, all with names, one
    if (how == 0) return text + fmt::format("        - '{}'\n        - '{}'\n", value, Result());
    const uint32_t first = Below(2);
    text += fmt::format("        {}: '{}'\n", schema_->results[first], value);
    if (how == 1) text += fmt::format("        {}: '{}'\n", schema_->results[1 - first], Result());
    return text;
  }

  std::string ListBody(const std::string& value) {
    const std::string list = Of(Type::kTensors, 2);
    switch (Below(4)) {
      case 0:
        return fmt::format("      sequence: 'SplitToSequence({}, axis=0)'\n", value);
      case 1:
      case 2: {
        const std::string each = Fresh();
        const std::string in = Below(3) ? fmt::format("[{}, *{}]", value, NameOf(Type::kTensors))
                                        : fmt::format("SplitToSequence({}, axis=0)", value);
        names_.push_back({each, Type::kTensor});
        return fmt::format("      map: '{} in {}'\n      emit: '{}'\n", each, in, With(each, Type::kTensor));
      }
      default:
        return fmt::format("      list: '[{}, *{}]'\n", value, list);
    }
  }

  std::string Cases() {
    std::string text = "  cases:\n";
    const uint32_t count = 1 + Below(3);
    for (uint32_t i = 0; i < count; ++i) {
      const std::vector<Name> outer = names_;
      const bool dated = Below(3) == 0;
      text += dated ? fmt::format("    - since: {}\n      when: '{}'\n", 8 + Below(12), Of(Type::kBool, 2))
                    : fmt::format("    - when: '{}'\n", Of(Type::kBool, 3));
      if (Below(2)) {
        const Type type = Any();
        const std::string name = Fresh();
        text += fmt::format("      let:\n        {}: '{}'\n", name, Of(type, 3));
        names_.push_back({name, type});
        text += Body(With(name, type));
      } else {
        text += Body(Result());
      }
      names_ = outer;
    }
    if (Below(4)) text += "    - " + Body(Result()).substr(6);
    return text;
  }

  // A result that uses a name.
  std::string With(const std::string& name, Type type) {
    const std::string t = NameOf(Type::kTensor);
    switch (type) {
      case Type::kInt:
        return Below(2) ? fmt::format("{} * {}", t, name) : fmt::format("Unsqueeze({}, axes=[{}])", t, name);
      case Type::kBool:
        return fmt::format("{} if {} else Neg({})", t, name, t);
      case Type::kFloat:
        return fmt::format("LeakyRelu({}, alpha={})", t, name);
      case Type::kInts:
        return fmt::format("Expand({}, {})", t, name);
      case Type::kTensor:
        return fmt::format("{} + {}", Result(), name);
      case Type::kTensors:
        return fmt::format("Concat(*{}, axis=0)", name);
      case Type::kText:
        return fmt::format("{} if {} in \"tanh\" else Neg({})", t, name, t);
    }
    return t;
  }

  static bool Mentions(const std::string& text, const std::string& names) {
    return std::regex_search(text, std::regex("\\b(" + names + ")\\b"));
  }

  // Those of the entry, which see its names.
  std::string LocalDefs(const std::string* text) {
    const std::string all = *text + AllLets();
    std::string defs;
    if (Mentions(all, "turned")) defs += "    turned(p, q): 'Transpose(p) if q > 1 else Neg(p)'\n";
    if (Mentions(all, "near")) defs += "    near(n, m): 'n + m * 2 if n < m else m - 1'\n";
    return defs.empty() ? "" : "  def:\n" + defs;
  }

  std::string FileDefs(const std::string& text) {
    std::string defs;
    if (Mentions(text, "moved"))
      defs +=
          "- def: moved(x, k)\n  let:\n    y: Neg(x)\n    unneeded: x - k\n  emit: 'y + k if opset >= 10 or k == 1 "
          "else unneeded'\n\n";
    if (Mentions(text, "twice"))
      defs +=
          "- def: twice(x, k, f(a, b))\n  let:\n    one: f(x, k)\n  emit:\n    once: one\n    again: f(one, k + 1)\n\n";
    if (Mentions(text, "summed"))
      defs +=
          "- def: summed(a, b)\n  fold:\n    each: i in [1, 2]\n    init:\n      s: a\n    let:\n      more: b * i\n   "
          " "
          "next:\n      s: s + more\n  emit: s\n\n";
    if (Mentions(text, "dated")) defs += "- def: dated(x, k)\n  since: 11\n  what: dates\n  emit: Neg(x) - k\n\n";
    if (Mentions(text, "chosen"))
      defs +=
          "- def: chosen(a, b)\n  cases:\n    - when: a == b\n      value: '[a, 2][0]'\n    - when: opset < 13 and a > "
          "1\n      value: a // 2\n    - value: b\n\n";
    return defs;
  }

  std::string AllLets() const {
    std::string text;
    for (const auto& [name, let] : lets_) text += let;
    return text;
  }

  // Lets that nothing asks for are no specs.
  std::string UsedLets(const std::string& rest) {
    std::string used;
    for (size_t i = lets_.size(); i-- > 0;)
      if (Mentions(rest + used, lets_[i].first)) used = lets_[i].second + used;
    return used.empty() ? "" : "  let:\n" + used;
  }

  std::string Arguments(const Schema& schema, const std::string& text) {
    std::string args = schema.refinements;
    for (const Name& argument : schema.arguments)
      if (!Mentions(text, argument.name)) {
        const std::regex stated("    " + argument.name + ": [^\n]*\n");
        args = std::regex_replace(args, stated, "") + fmt::format("    {}: ignore\n", argument.name);
      }
    return args.empty() ? "" : "  args:\n" + args;
  }

  std::mt19937 random_;
  const Schema* schema_ = nullptr;
  std::vector<Name> names_;
  std::vector<std::pair<std::string, std::string>> lets_;
  std::string fold_;
  int count_ = 0;
  bool inside_ = false;  // a conditional
};

}  // namespace

std::string RandomSpec(uint32_t seed) { return Maker(seed).Spec(); }

}  // namespace onnxport::language
