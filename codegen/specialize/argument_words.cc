#include "codegen/specialize/argument_words.h"

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "codegen/model/rewrite.h"
#include "codegen/model/walk.h"
#include "runtime/aten/aten_schema.h"

namespace onnxport::codegen {
namespace {

using Names = std::set<std::string, std::less<>>;

// aten::nan_to_num has arguments `nan` and `posinf`; in its entry `nan` is the argument and not the number.
Names ArgumentsOf(const OpEntry& entry) {
  Names names;
  for (const std::string& name : entry.names)
    if (const ir::AtenSchema* schema = ir::FindAtenSchema(name))
      for (const ir::AtenArgument& argument : schema->arguments) names.insert(argument.name);
  return names;
}

// `text` is only set where the parser has read a word: of `nan` it is "nan", of `1.5` it is empty.
bool IsWord(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kFloat:
    case ExprKind::kInt:
    case ExprKind::kDType:
    case ExprKind::kOpset:
      return !expr.text.empty();
    default:
      return false;
  }
}

ExprPtr Argument(const Expr& word, std::string_view name) {
  auto argument = std::make_shared<Expr>();
  argument->kind = ExprKind::kName;
  argument->place = word.place;
  argument->text = name;
  return argument;
}

ExprPtr ArgumentFor(const Expr& word, const Names& arguments) {
  if (!IsWord(word)) return nullptr;
  const bool negative = word.text[0] == '-';
  const std::string_view name = std::string_view(word.text).substr(negative ? 1 : 0);
  if (!arguments.contains(name)) return nullptr;
  if (!negative) return Argument(word, name);
  auto minus = std::make_shared<Expr>();
  minus->kind = ExprKind::kUnary;
  minus->place = word.place;
  minus->op = Operator::kNegate;
  minus->operands = {Argument(word, name)};
  return minus;
}

}  // namespace

void TakeArgumentWords(OpEntry* entry) {
  const Names arguments = ArgumentsOf(*entry);
  ForEachWhole(*entry,
               [&](ExprPtr& expr) { Rewrite(expr, [&](const Expr& term) { return ArgumentFor(term, arguments); }); });
}

}  // namespace onnxport::codegen
