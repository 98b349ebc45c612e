#include "codegen/help/place.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <stdexcept>

#include "codegen/help/readable.h"

namespace onnxport::codegen {
namespace {

int NumberOf(std::string_view text, const std::string& whole) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1)
    throw std::runtime_error("`" + whole + "` is no place: write FILE:LINE:COLUMN, both from 1");
  return number;
}

}  // namespace

Location ParseLocation(const std::string& text) {
  const size_t column = text.rfind(':');
  const size_t line = column == std::string::npos || column == 0 ? column : text.rfind(':', column - 1);
  if (line == std::string::npos || line == 0) NumberOf("", text);
  const std::string_view view(text);
  return {.path = text.substr(0, line),
          .line = NumberOf(view.substr(line + 1, column - line - 1), text),
          .column = NumberOf(view.substr(column + 1), text)};
}

bool PlaceInSpec::InExpression() const {
  if (!spot || AtKey()) return false;
  switch (spot->form) {
    case Form::kExpression:
    case Form::kResults:
    case Form::kNamed:
    case Form::kDefined:
    case Form::kValue:
    case Form::kRefinement:
      return true;
    default:
      return false;
  }
}

PlaceInSpec FindPlace(const SpecText& spec, const Libraries& libraries, int line, int column) {
  PlaceInSpec place;
  place.lines = LinesOf(spec.text);
  place.cursor = FindCursor(place.lines, line, column);
  const auto& item = place.cursor.item;
  place.spot = SpotOf(place.cursor, item ? OwnerOf(place.lines, *item) : KeyMap::kItem);
  if (item) {
    if (const auto node = ReadItem(spec.path, place.lines, *item, static_cast<size_t>(line) - 1)) {
      place.operators = OperatorsOf(*node);
      place.names = NamesOf(*node, line);
    }
  }
  // The names of the item first, then the file's, then those of all files: the nearer hides the farther.
  std::ranges::move(DefinitionsOf(spec.path, place.lines), std::back_inserter(place.names));
  for (const std::string& name : ImportsOf(place.lines))
    if (const SpecFile* library = libraries.Find(name))
      std::ranges::move(DefinitionsOf(*library), std::back_inserter(place.names));
  return place;
}

}  // namespace onnxport::codegen
