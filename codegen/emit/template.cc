#include "codegen/emit/template.h"

#include <fmt/format.h>

#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

namespace onnxport::codegen {
namespace {

// "a\n\nb" with "  " -> "  a\n\n  b"
std::string Indented(std::string_view text, std::string_view indent) {
  std::string result;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) result += indent;
    result += text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    result += '\n';
  }
  return result;
}

class Filler {
 public:
  Filler(std::string_view name, const Holes& holes) : name_(name), holes_(holes) {}

  std::string Line(std::string_view line) {
    const size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const std::string_view content = line.substr(indent);
    // The first "}}" at the end of the line: of `{{a}} {{b}}` the first is before it.
    const bool alone = content.starts_with("{{") && content.find("}}") == content.size() - 2;
    if (alone) return Indented(Value(content.substr(2, content.size() - 4)), line.substr(0, indent));
    return Within(line) + "\n";
  }

  // A value that no hole takes is code that was generated and then lost.
  void CheckAllUsed() const {
    for (const auto& [hole, value] : holes_)
      if (!used_.contains(hole))
        throw std::runtime_error(fmt::format("template {} has no hole {{{{{}}}}}", name_, hole));
  }

 private:
  std::string Within(std::string_view line) {
    std::string result;
    for (size_t open = line.find("{{"); open != line.npos; open = line.find("{{")) {
      const size_t close = line.find("}}", open);
      if (close == line.npos) throw std::runtime_error(fmt::format("template {}: unclosed hole in `{}`", name_, line));
      result += line.substr(0, open);
      result += Value(line.substr(open + 2, close - open - 2));
      line.remove_prefix(close + 2);
    }
    return result + std::string(line);
  }

  const std::string& Value(std::string_view hole) {
    const auto found = holes_.find(hole);
    if (found == holes_.end())
      throw std::runtime_error(fmt::format("template {}: nothing fills {{{{{}}}}}", name_, hole));
    used_.insert(std::string(hole));
    return found->second;
  }

  std::string_view name_;
  const Holes& holes_;
  std::set<std::string, std::less<>> used_;
};

}  // namespace

std::string FillTemplate(std::string_view name, std::string_view text, const Holes& holes) {
  Filler filler(name, holes);
  std::string result;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    result += filler.Line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  filler.CheckAllUsed();
  return result;
}

std::string Templates::Fill(const std::string& name, const Holes& holes) {
  auto found = texts_.find(name);
  if (found == texts_.end()) {
    const std::string path = folder_ + "/" + name + ".tpl";
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf())) throw std::runtime_error("cannot read template " + path);
    found = texts_.emplace(name, text.str()).first;
  }
  return FillTemplate(name, found->second, holes);
}

}  // namespace onnxport::codegen
