#include "runtime/sources/torchscript/syntax/parser.h"

#include <set>
#include <utility>

#include "runtime/sources/torchscript/syntax/expressions.h"
#include "runtime/sources/torchscript/syntax/statements.h"
#include "runtime/sources/torchscript/syntax/tokens.h"

namespace onnxport::torchscript {
namespace {

class Parser {
 public:
  Parser(std::string_view text, const std::string& module, const SourceFile* file)
      : tokens_(text, module), prefix_(module.empty() ? "" : module + "."), file_(file) {}

  Definitions Run() {
    Definitions definitions;
    while (!tokens_.At(TokenKind::kEnd)) {
      const Offset offset = tokens_.current().offset;
      if (tokens_.At("class")) {
        definitions.classes.push_back(ParseClass());
        CheckNew(definitions.classes.back().qualified_name, offset);
      } else if (tokens_.At("def")) {
        definitions.functions.push_back(Method(prefix_));
        CheckNew(definitions.functions.back().qualified_name, offset);
      } else {
        Skip();
      }
    }
    return definitions;
  }

 private:
  // In Python the second definition would replace the first, and readers might disagree about which one runs.
  void CheckNew(const std::string& name, Offset offset) {
    if (!names_.insert(name).second) tokens_.Fail(offset, "`" + name + "` is defined twice");
  }

  // `import __torch__`, and `op_version_set = 1` of old files.
  void Skip() {
    // Imports are not needed: names are qualified, and all files of the archive are parsed.
    if (!tokens_.At("import") && !tokens_.At("op_version_set")) tokens_.FailExpected("`class` or `def`");
    while (!tokens_.At(TokenKind::kNewline) && !tokens_.At(TokenKind::kEnd)) tokens_.Take();
    tokens_.EndLine();
  }

  Function Method(const std::string& prefix) {
    Function function = ParseFunction(&tokens_);
    function.qualified_name = prefix + function.name;
    function.file = file_;
    return function;
  }

  // The printer writes no base for a plain class, and the kind stays kClass.
  ClassKind Base() {
    const Token base = tokens_.Take();
    static constexpr std::pair<std::string_view, ClassKind> kBases[] = {{"Module", ClassKind::kModule},
                                                                        {"NamedTuple", ClassKind::kNamedTuple},
                                                                        {"Enum", ClassKind::kEnum},
                                                                        {"Interface", ClassKind::kInterface},
                                                                        {"ModuleInterface", ClassKind::kInterface}};
    for (const auto& [name, kind] : kBases) {
      if (base.text == name) return kind;
    }
    tokens_.Fail(base.offset, "`" + std::string(base.text) + "` is no base class of serialized TorchScript");
  }

  Class ParseClass() {
    Class type;
    tokens_.Take();
    type.qualified_name = prefix_ + tokens_.ExpectName("the name of a class");
    if (tokens_.Accept("(")) {
      if (!tokens_.At(")")) type.kind = Base();
      tokens_.Expect(")");
    }
    tokens_.Expect(":");
    tokens_.EndLine();
    if (!tokens_.At(TokenKind::kIndent)) return type;  // the printer writes nothing for a class without members
    tokens_.Take();
    while (!tokens_.At(TokenKind::kDedent)) Member(&type);
    tokens_.Take();
    return type;
  }

  void Member(Class* type) {
    const Offset offset = tokens_.current().offset;
    if (tokens_.At("def")) {
      type->methods.push_back(Method(type->qualified_name + "."));
      CheckNew(type->methods.back().qualified_name, offset);
      return;
    }
    if (tokens_.At("__annotations__")) {
      AnnotatedMember(type);
    } else if (!tokens_.Accept("pass")) {
      NamedMember(type);
    }
    tokens_.EndLine();
  }

  // `__annotations__ = []`, `__annotations__["0"] = Tensor`
  void AnnotatedMember(Class* type) {
    tokens_.Take();
    Field field;
    // `__annotations__ = []` precedes them and adds nothing. The name of such a field is not an identifier.
    const bool is_element = tokens_.Accept("[");
    if (is_element) {
      field.name = Text(ParseExpr(&tokens_));
      tokens_.Expect("]");
    }
    tokens_.Expect("=");
    field.type = ParseExpr(&tokens_);
    if (is_element) type->fields.push_back(std::move(field));
  }

  // `__parameters__ = ["weight", ]`, `groups : Final[int] = 1`, `RED = 1`
  void NamedMember(Class* type) {
    Field field;
    field.name = tokens_.ExpectName("a member of the class");
    if (tokens_.Accept(":")) field.type = ParseExpr(&tokens_);
    if (tokens_.Accept("=")) field.value = ParseExpr(&tokens_);
    if (field.name == "__parameters__" || field.name == "__buffers__") {
      (field.name == "__buffers__" ? type->buffers : type->parameters) = Texts(field.value);
    } else if (!field.name.starts_with("__forward_") || field.type.kind != ExprKind::kNone) {
      type->fields.push_back(std::move(field));  // `__forward_hooks__ = [...]` is not needed
    }
  }

  std::string Text(const Expr& expr) const {
    if (expr.kind != ExprKind::kString) tokens_.Fail(expr.offset, "expected a string");
    return expr.text;
  }

  std::vector<std::string> Texts(const std::optional<Expr>& list) const {
    std::vector<std::string> texts;
    if (!list || list->kind != ExprKind::kList) tokens_.FailExpected("a list of names");
    for (const Expr& element : list->operands) texts.push_back(Text(element));
    return texts;
  }

  Tokens tokens_;
  std::string prefix_;
  const SourceFile* file_;
  std::set<std::string> names_;
};

}  // namespace

Definitions Parse(std::string_view text, const std::string& module, const SourceFile* file) {
  return Parser(text, module, file).Run();
}

}  // namespace onnxport::torchscript
