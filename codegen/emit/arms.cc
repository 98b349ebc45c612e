#include "codegen/emit/arms.h"

#include <fmt/format.h>

#include <utility>

#include "codegen/emit/cpp_printer.h"
#include "codegen/model/spec_text.h"

namespace onnxport::codegen {
namespace {

std::string PlaceOf(const Place& place) {
  return fmt::format("{}:{}:{}", place.file ? place.file->path : "", place.line, place.column);
}

}  // namespace

cpp::Expr Arms::Either(const Expr& conditional, cpp::Expr code) {
  const std::string place = PlaceOf(conditional.place);
  const std::string condition = SpecText(*conditional.operands[1]);
  texts_.try_emplace(place + " true", fmt::format("{}: `{}` is true", owner_, condition));
  texts_.try_emplace(place + " false", fmt::format("{}: `{}` is false", owner_, condition));
  return cpp::Call("Either", {cpp::Text(place), std::move(code)});
}

cpp::Statement Arms::Case(const Mapping& mapping, int number, const Expr* when) {
  std::string text = fmt::format("{}: case {}", owner_, number);
  if (when != nullptr) text += fmt::format(", `{}`", SpecText(*when));
  return Reached(fmt::format("{} case {}", PlaceOf(mapping.place), number), text);
}

cpp::Statement Arms::Definition(const Def& def) {
  return Reached(PlaceOf(def.place), fmt::format("definition `{}`", def.name));
}

cpp::Statement Arms::Reached(std::string place, const std::string& text) {
  cpp::Statement statement = cpp::Do(cpp::Call("Reached", {cpp::Text(place)}));
  texts_.try_emplace(std::move(place), text);
  return statement;
}

std::string ToText(const Arms& arms) {
  std::string text;
  for (const auto& [place, what] : arms.texts())
    text += cpp::ToText(cpp::Braces({cpp::Text(place), cpp::Text(what)}), 4, ",");
  return text;
}

}  // namespace onnxport::codegen
