#include "tests/opinfo/wrong_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "tests/known_wrong/known_wrong.h"

namespace onnxport::opinfo {

WrongCells ReadWrongCells(std::istream& in, int opset) {
  const std::string suffix = fmt::format("@{}", opset);
  WrongCells cells;
  for (const KnownWrong& known : ReadKnownWrong(in)) {
    if (known.words.size() < 3)
      throw std::runtime_error(fmt::format("not `OP FORMAT DTYPE`, below `{}`", known.reason));
    for (size_t i = 2; i < known.words.size(); ++i) {
      const std::string& word = known.words[i];
      const size_t at = std::min(word.find('@'), word.size());
      if (at < word.size() && !word.ends_with(suffix)) continue;
      const Cell cell = {known.words[0], known.words[1], word.substr(0, at)};
      if (!cells.emplace(cell, known.reason).second) {
        throw std::runtime_error(fmt::format("{} {} {} stands there twice", cell.op, cell.format, cell.dtype));
      }
    }
  }
  return cells;
}

std::vector<std::string> Unexplained(const WrongCells& wrong, const Table& actual, bool all) {
  std::vector<std::string> texts;
  const auto add = [&](const Cell& cell, std::string_view what) {
    texts.push_back(fmt::format("{} {} {}: {}", cell.op, cell.format, cell.dtype, what));
  };
  for (const auto& [cell, counts] : actual) {
    const bool is_wrong =
        std::ranges::any_of(counts, [](const auto& outcome) { return outcome.first.starts_with("wrong"); });
    if (is_wrong && !wrong.contains(cell)) add(cell, "is wrong, and wrong.txt does not say why");
    if (!is_wrong && wrong.contains(cell)) add(cell, "is not wrong, take it out of wrong.txt");
  }
  for (const auto& [cell, reason] : wrong) {
    if (all && !actual.contains(cell)) add(cell, "is in wrong.txt, but there is no such cell");
  }
  return texts;
}

}  // namespace onnxport::opinfo
