#include "codegen/traits/call_resolver.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "codegen/traits/words.h"

namespace onnxport::codegen {
namespace {

using ir::AtenKind;
using op_traits::Operand;
using OperandKind = Operand::Kind;

bool IsInt(const ir::AtenType& type) { return type.kind == AtenKind::kInt || type.kind == AtenKind::kSymInt; }

bool IsNumber(const ir::AtenType& type) { return IsInt(type) || type.kind == AtenKind::kFloat; }

// "aten::" of the view, whose namespace the call shares where it names none.
std::string Qualified(const ir::AtenSchema& view, const std::string& name) {
  if (name.find("::") != std::string::npos) return name;
  const std::string& other = view.name.text();
  return other.substr(0, other.find("::") + 2) + name;
}

}  // namespace

bool CallResolver::Fail(const Place& place, std::string message) {
  diagnostics_->Error(place, std::move(message));
  return false;
}

std::optional<ResolvedCall> CallResolver::Resolve(const TraitTerm& expr) {
  // `write_back: part`: the base becomes the new value as it is, without a call.
  if (has_part_ && expr.kind == TraitTerm::Kind::kWord && expr.text == "part") return ResolvedCall{};
  if (expr.kind != TraitTerm::Kind::kCall) {
    Fail(expr.place, "a call of an operator is expected, as in `slice_scatter(base, part, dim, start, end)`");
    return std::nullopt;
  }
  const ir::AtenSchema* called = ir::FindAtenSchema(Qualified(view_, expr.text));
  if (called == nullptr || called->mutates()) {
    Fail(expr.place, fmt::format("PyTorch has no functional operator `{}`", Qualified(view_, expr.text)));
    return std::nullopt;
  }
  ResolvedCall call{called->name.text(), {}};
  // `good` last in each line: all arguments are looked at, so that one run reports all that is wrong.
  bool good = true;
  for (size_t i = 0; i < expr.operands.size(); ++i)
    good = Bind(expr.operands[i], *called, static_cast<int>(i), &call) && good;
  for (const auto& [name, value] : expr.named) {
    const int position = called->FindArgument(name);
    good = (position >= 0 ? Bind(value, *called, position, &call)
                          : Fail(value.place, fmt::format("{} has no argument `{}`", called->name, name))) &&
           good;
  }
  for (size_t i = 0; good && i < called->arguments.size(); ++i) {
    const bool given =
        std::ranges::any_of(call.operands, [&](const Operand& o) { return static_cast<size_t>(o.position) == i; });
    if (!given && !called->arguments[i].default_value)
      good = Fail(expr.place, fmt::format("{} needs its argument `{}`", called->name, called->arguments[i].name));
  }
  return good ? std::optional(std::move(call)) : std::nullopt;
}

bool CallResolver::Bind(const TraitTerm& value, const ir::AtenSchema& called, int position, ResolvedCall* call) {
  if (static_cast<size_t>(position) >= called.arguments.size())
    return Fail(value.place, fmt::format("{} takes {} arguments", called.name, called.arguments.size()));
  auto operand = OperandOf(value);
  if (!operand) return false;
  operand->position = static_cast<int8_t>(position);
  const ir::AtenArgument& argument = called.arguments[static_cast<size_t>(position)];
  const bool is_tensor = operand->kind == OperandKind::kBase || operand->kind == OperandKind::kPart;
  const bool is_argument = operand->kind == OperandKind::kArgument;
  const ir::AtenType* given = is_argument ? &view_.arguments[static_cast<size_t>(operand->a)].type : nullptr;
  // An argument of the view fits by kind, where int and SymInt are one and a Scalar takes any number. `base` and `part`
  // fit a tensor and nothing else does; numbers and functions such as sizes(base) fit all that is no tensor.
  const bool fits = given != nullptr ? given->kind == argument.type.kind || (IsInt(*given) && IsInt(argument.type)) ||
                                           (IsNumber(*given) && argument.type.kind == AtenKind::kScalar)
                                     : is_tensor == (argument.type.kind == AtenKind::kTensor);
  if (!fits)
    return Fail(value.place, fmt::format("`{}` of {} is a {}", argument.name, called.name, argument.type.text));
  call->operands.push_back(*operand);
  return true;
}

std::optional<Operand> CallResolver::OperandOf(const TraitTerm& value) {
  const auto made = [](OperandKind kind, int8_t a = -1) { return Operand{.position = -1, .kind = kind, .a = a}; };
  if (value.kind == TraitTerm::Kind::kCall) return Function(value);
  if (value.kind == TraitTerm::Kind::kInt)
    return Operand{.position = -1, .kind = OperandKind::kNumber, .number = value.int_value};
  if (value.kind != TraitTerm::Kind::kWord) {
    Fail(value.place, "an argument of the operator, `base`, `part`, `output`, a number or a function is expected");
    return std::nullopt;
  }
  // These words win over arguments of the same name.
  const auto* word = FindWord(kOperandWords, value.text);
  const bool is_here = word && word->most == 0 && (word->value != OperandKind::kPart || has_part_);
  if (is_here) return made(word->value);
  const int8_t position = ViewArgument(value);
  return position < 0 ? std::nullopt : std::optional(made(OperandKind::kArgument, position));
}

std::optional<Operand> CallResolver::Function(const TraitTerm& value) {
  const auto* function = FindWord(kOperandWords, value.text);
  if (!function || function->most == 0) {
    std::vector<std::string_view> words;
    for (const auto& row : kOperandWords)
      if (row.most > 0) words.push_back(row.word);
    Fail(value.place, fmt::format("`{}` is no function here; there are {}{}", value.text, fmt::join(words, ", "),
                                  DidYouMean(value.text, words)));
    return std::nullopt;
  }
  const OperandKind kind = function->value;
  const std::string wrong = WrongCount(*function, value.operands.size() + value.named.size());
  if (!wrong.empty() || !value.named.empty()) {
    Fail(value.place, wrong.empty() ? fmt::format("`{}` takes no `name=`", value.text) : wrong);
    return std::nullopt;
  }
  Operand operand{.position = -1, .kind = kind};
  if (kind == OperandKind::kSizes) {
    const bool of_base = value.operands[0].kind == TraitTerm::Kind::kWord && value.operands[0].text == "base";
    if (!of_base) Fail(value.place, "only the sizes of `base` are known");
    return of_base ? std::optional(operand) : std::nullopt;
  }
  operand.a = ViewArgument(value.operands[0]);
  if (value.operands.size() > 1) operand.b = ViewArgument(value.operands[1]);
  const bool found_all = operand.a >= 0 && (value.operands.size() < 2 || operand.b >= 0);
  return found_all ? std::optional(operand) : std::nullopt;
}

int8_t CallResolver::ViewArgument(const TraitTerm& name) {
  const int position = name.kind == TraitTerm::Kind::kWord ? view_.FindArgument(name.text) : -1;
  if (position < 0) Fail(name.place, fmt::format("{} has no argument `{}`", view_.name, name.text));
  return static_cast<int8_t>(position);
}

}  // namespace onnxport::codegen
