#include "tests/language/random_entry.h"

#include <fmt/format.h>

#include <array>
#include <initializer_list>
#include <map>
#include <random>
#include <regex>
#include <utility>
#include <vector>

namespace onnxport::language {
namespace {

enum class Type { kInt, kBool, kFloat, kInts, kTensor, kTensors, kText };

struct Name {
  std::string name;
  Type type;
};

struct Schema {
  const char* op;
  std::vector<Name> arguments;
  const char* refinements = "";  // lines of `args`
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
  };
  return schemas;
}

// `{i}`, `{b}` ... stand for an expression of a type. Those that end in `?` are no conditionals and hold none.
const std::map<Type, std::vector<const char*>>& Forms() {
  using enum Type;
  static const std::map<Type, std::vector<const char*>> forms = {
      {kInt,
       {"{i} + {i}",
        "{i} - {i}",
        "{i} * {i}",
        "{i} // 2",
        "{i} % 3",
        "{i} // {i}",
        "-{a}",
        "rank({t})",
        "dim({t}, 0)",
        "dim({t}, -1)",
        "len({l})",
        "{A}[0]",
        "{A}[-1]",
        "min({i}, {i})",
        "max({i}, {i})",
        "abs({i})",
        "int({f})",
        "sum({l})",
        "product({l})",
        "opset",
        "max({l})",
        "len({ts})",
        "({i} if {b} else {i})",
        "(({i}) ** 2)",
        "({i} or 3)",
        "({i} and {i})",
        "numel({t})",
        "{i} % {i}",
        "-({b})",
        "-({b}) + {i}",
        "({b}) * {i}",
        "len({s})",
        "floor({f})",
        "({b} and {i})"}},
      {kBool,
       {"{i} == {i}",
        "{i} < {i}",
        "{i} >= {i}",
        "{i} != {i}",
        "{f} < {f}",
        "is_static({i})",
        "is_static({l})",
        "is_float({t})",
        "is_int({t})",
        "dtype({t}) == float32",
        "opset >= 11",
        "opset < 13",
        "opset == 18",
        "({b}) and ({b})",
        "({b}) or ({b})",
        "not ({b})",
        "{i} in {l}",
        "{i} not in {l}",
        "present({t})",
        "statically_true({i} == {i})",
        "all({l})",
        "any([{b}, {b}])",
        "len({l}) > 1",
        "{i} < {f}",
        "{f} <= {i}",
        "{f} == {i}",
        "{f} != {f}",
        "{f} >= {f}",
        "{s} == {s}",
        "{s} < {s}",
        "{s} >= {s}",
        "{s} in {s}",
        "{s} not in [\"a\", {s}]",
        "{f} in {l}",
        "{l} == {l}",
        "({b}) == ({b})",
        "({b}) < {i}",
        "not {i}",
        "not {s}",
        "{i} == None",
        "({b}) != {f}",
        "-({b}) and ({b})"}},
      {kFloat,
       {"0.5",
        "1e-3",
        "-2.0",
        "{f} + {f}",
        "{f} * {f}",
        "{i} / 2",
        "float({i})",
        "sqrt(abs({f}))",
        "{f} - {i}",
        "max({f}, 0.25)",
        "({f} if {b} else {f})",
        "pi",
        "{i} * 0.5",
        "exp({f})",
        "finfo_min(float32)",
        "{f} // {f}",
        "{f} % {f}",
        "{i} % {f}",
        "{i} // {f}",
        "{i} / {i}",
        "{f} / {f}",
        "-({f})",
        "({f}) ** 2",
        "({f} or 0.5)",
        "({f} and {f})",
        "9007199254740993 / {i}",
        "({b}) / 2"}},
      {kText, {"\"a\"", "\"tanh\"", "\"\"", "{s} + {s}", "({s} or {s})", "(\"a\" if {b} else {s})"}},
      {kInts,
       {"[{i}, {i}]",
        "[1, {i}]",
        "[*{l}, {i}]",
        "{A} + {A}",
        "dims({t})",
        "range(rank({t}))",
        "reversed({l})",
        "{A}[1:]",
        "{A}[:2]",
        "{A}[:-1]",
        "without({l}, {i})",
        "[x{n} + {i} for x{n} in {l}]",
        "[x{n} * y{n} for x{n}, y{n} in zip({l}, {l})]",
        "[i{n} + x{n} for i{n}, x{n} in enumerate({l})]",
        "[x{n} for x{n} in {l} if x{n} > {i}]",
        "{A} * 2",
        "sorted({l})",
        "repeat_to({i}, 2)",
        "move_last({l}, {i})",
        "[x{n} if {c} else 2 for x{n} in {l}]",
        "swap([1, {i}, 2], 0, -1)"}},
      {kTensor,
       {"Relu({t})",
        "Neg({t})",
        "({t} + {t})",
        "{a_t} * {f}",
        "{a_t} - {i}",
        "{a_t} / {f}",
        "cast({t}, float32)",
        "cast({t}, int64)",
        "const({f}, {t})",
        "Where(Greater({t}, {f}), {t}, {t})",
        "Clip({t}, min=-1.0, max={f})",
        "Concat({t}, {t}, axis=0)",
        "Concat(*{ts}, axis=0)",
        "Concat(*[{t}, {t}], axis=-1)",
        "Unsqueeze({t}, axes=[0])",
        "ReduceSum({t}, axes=[0], keepdims={i})",
        "ReduceMax({t}, axes={l})",
        "Transpose({t})",
        "({t} if {b} else {t})",
        "Expand({t}, {l})",
        "Reshape({t}, [-1])",
        "Reshape({t}, {l})",
        "Gather({t}, {i}, axis=0)",
        "Slice({t}, starts=[{i}], ends=[2], axes=[0])",
        "{ts_a}[0]",
        "Exp({t})",
        "Mul({t}, {i})",
        "Pow({t}, 2)",
        "-{a_t}",
        "abs({t})",
        "Pad({t}, pads={l})",
        "Tile({t}, {l})",
        "Softmax({t}, axis={i})",
        "Equal({t}, {i})",
        "shape_tensor({l})",
        "Identity({t})",
        "Dropout({t})",
        "LeakyRelu({t}, alpha={f})",
        "Squeeze(Unsqueeze({t}, axes=[0]), axes=[0])",
        "And({t}, Not({t}))"}},
      {kTensors,
       {"[{t}, {t}]", "[{t}]", "[Neg(t{n}) for t{n} in {ts}]", "{ts_a} + {ts_a}", "reversed({ts})", "[{t}, *{ts}]",
        "[t{n} for t{n} in {ts} if rank(t{n}) > 1]"}},
  };
  return forms;
}

const char* Plain(Type type) {
  using enum Type;
  switch (type) {
    case kInt:
      return "1";
    case kBool:
      return "opset >= 12";
    case kFloat:
      return "0.5";
    case kInts:
      return "[1, 2]";
    case kText:
      return "\"tan\"";
    default:
      return "";
  }
}

class Maker {
 public:
  explicit Maker(uint32_t seed) : random_(seed) {}

  std::string Spec() {
    const Schema& schema = Schemas()[Below(Schemas().size())];
    names_ = schema.arguments;
    AddLets();
    const bool folds = Below(4) == 0;
    const std::string fold = folds ? Fold() : "";
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

  std::string Result() {
    std::string value = Of(Type::kTensor, 4);
    if (!fold_.empty() && Below(2)) value = fmt::format("Expand({}, {})", NameOf(Type::kTensor), fold_);
    return value;
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
        text += fmt::format("      emit: '{}'\n", With(name, type));
      } else {
        text += fmt::format("      emit: '{}'\n", Result());
      }
      names_ = outer;
    }
    if (Below(4)) text += fmt::format("    - emit: '{}'\n", Result());
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
  std::vector<Name> names_;
  std::vector<std::pair<std::string, std::string>> lets_;
  std::string fold_;
  int count_ = 0;
  bool inside_ = false;  // a conditional
};

}  // namespace

std::string RandomSpec(uint32_t seed) { return Maker(seed).Spec(); }

}  // namespace onnxport::language
