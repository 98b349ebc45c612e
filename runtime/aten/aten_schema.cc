#include "runtime/aten/aten_schema.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "runtime/aten/schema_default.h"
#include "runtime/aten/schema_text.h"

namespace onnxport::ir {
namespace {

constexpr int kMaxDepth = 20;  // most brackets within brackets in a type or a default

struct KindName {
  std::string_view name;
  AtenKind kind;
};
constexpr KindName kKinds[] = {{"Tensor", AtenKind::kTensor},
                               {"int", AtenKind::kInt},
                               {"SymInt", AtenKind::kSymInt},
                               {"float", AtenKind::kFloat},
                               {"bool", AtenKind::kBool},
                               {"str", AtenKind::kString},
                               {"Scalar", AtenKind::kScalar},
                               {"ScalarType", AtenKind::kScalarType},
                               {"Device", AtenKind::kDevice},
                               {"Layout", AtenKind::kLayout},
                               {"MemoryFormat", AtenKind::kMemoryFormat},
                               {"Generator", AtenKind::kGenerator}};

class SchemaParser : private SchemaText {
 public:
  using SchemaText::SchemaText;

  AtenSchema Run() {
    AtenSchema schema;
    schema.text = rest();
    schema.name = Name();
    Expect("(");
    schema.arguments = Arguments();
    Expect(" -> ");
    schema.results = Results();
    if (!done()) Fail("the end");
    return schema;
  }

 private:
  // `aten::add.Tensor`
  std::string Name() {
    const std::string_view name = Identifier(":.");
    const size_t colons = name.find("::");
    if (colons == 0 || colons == std::string_view::npos || colons + 2 == name.size()) Fail("`namespace::name`");
    return std::string(name);
  }

  std::vector<AtenArgument> Arguments() {
    std::vector<AtenArgument> arguments;
    bool keyword_only = false;
    while (!Accept(")")) {
      // A comma also follows the `*`, which is no argument itself but begins those that are given by name only.
      if (!arguments.empty() || keyword_only) Expect(", ");
      if (Accept("...")) {  // more arguments of any kind; no model that we read calls such an operator
        Expect(")");
        break;
      }
      if (!keyword_only && Accept("*")) {
        keyword_only = true;
        continue;
      }
      arguments.push_back(Argument());
      arguments.back().keyword_only = keyword_only;
    }
    return arguments;
  }

  AtenArgument Argument() {
    AtenArgument argument;
    argument.type = Type();
    Expect(" ");
    argument.name = Identifier();
    if (argument.name.empty()) Fail("a name");
    if (Accept("=")) argument.default_value = ParseDefault(argument.type, this);
    return argument;
  }

  std::vector<AtenArgument> Results() {
    // `...` are results of any kind, `()` are none. Both have no types.
    if (Accept("...") || Accept("()")) return {};
    std::vector<AtenArgument> results;
    const bool several = Accept("(");
    do {
      AtenArgument result;
      result.type = Type();
      if (Accept(" ")) result.name = Identifier();
      results.push_back(std::move(result));
    } while (several && Accept(", "));
    if (several) Expect(")");
    return results;
  }

  AtenType Type() {
    AtenType type;
    const size_t begin = position();
    const std::string_view base = Identifier(".");
    if (base.empty() && current() != '(') Fail("a type");
    const auto* row =
        std::find_if(std::begin(kKinds), std::end(kKinds), [&](const KindName& k) { return k.name == base; });
    if (row != std::end(kKinds)) type.kind = row->kind;
    const bool is_generic = base.empty() || base == "Dict" || base == "Future" || base == "Await" || base == "RRef" ||
                            base == "Union" || base == "Optional" || base == "Tuple" || base == "NamedTuple";
    // `Dict(str, Tensor)` or `(int, int)`: such a type stays kOther, with its text. The brackets of `Tensor(a!)` are an
    // alias mark, which Suffix reads.
    if (is_generic && current() == '(') SkipBrackets(0);
    while (Suffix(&type)) {
    }
    type.text = Since(begin);
    return type;
  }

  // Reads suffixes from left to right; each applies to the text before it. `Tensor(a!)?[]` is a list of optional
  // tensors that are written to, and `Tensor[]?` is an optional list.
  bool Suffix(AtenType* type) {
    if (current() == '(') {
      Alias(type);
    } else if (Accept("?")) {
      type->optional = true;
    } else if (Accept("[")) {
      ListOf(type);
    } else {
      return false;
    }
    return true;
  }

  void Alias(AtenType* type) {
    Expect("(");
    // `a`, `a -> *`, `a|b` stay as written, but without the `!`. functionalize/views.cc finds the argument of a view by
    // it.
    type->alias = rest().substr(0, rest().find(')'));
    static constexpr std::string_view kMark = "abcdefghijklmnopqrstuvwxyz*|!-> 0123456789";
    if (type->alias.empty() || type->alias.find_first_not_of(kMark) != std::string::npos) Fail("an alias mark");
    Skip(type->alias.size());
    Expect(")");
    type->written = type->alias.find('!') != std::string::npos;
    std::erase(type->alias, '!');
  }

  void ListOf(AtenType* type) {
    if (type->list) type->kind = AtenKind::kOther;  // a list of lists
    type->list = true;
    type->optional_elements = std::exchange(type->optional, false);
    if (current() != ']')
      type->list_size = static_cast<int>(std::min<int64_t>(Integer(), std::numeric_limits<int>::max()));
    Expect("]");
  }

  void SkipBrackets(int depth) {
    if (depth > kMaxDepth) Fail("fewer brackets");
    Expect("(");
    while (current() != ')') {
      if (current() == '\0') Fail("`)`");
      if (current() == '(') {
        SkipBrackets(depth + 1);
      } else {
        Skip(1);
      }
    }
    Expect(")");
  }
};

}  // namespace

// The dot of the overload comes after the colons: a namespace may have dots, too.
std::string AtenSchema::base_name() const {
  const std::string& text = name.text();
  return text.substr(0, text.find('.', text.find("::")));
}

std::string AtenSchema::overload() const {
  const std::string& text = name.text();
  const size_t dot = text.find('.', text.find("::"));
  return dot == std::string::npos ? "" : text.substr(dot + 1);
}

int AtenSchema::FindArgument(std::string_view argument) const {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].name == argument) return static_cast<int>(i);
  }
  return -1;
}

bool AtenSchema::mutates() const {
  return std::any_of(arguments.begin(), arguments.end(), [](const AtenArgument& a) { return a.type.written; });
}

bool AtenSchema::returns_alias() const {
  return std::any_of(results.begin(), results.end(), [](const AtenArgument& r) { return !r.type.alias.empty(); });
}

std::optional<AtenSchema> ParseAtenSchema(std::string_view text, std::string* error) {
  try {
    return SchemaParser(text).Run();
  } catch (const BadSchema& bad) {
    *error = bad.message;
    return std::nullopt;
  }
}

}  // namespace onnxport::ir
