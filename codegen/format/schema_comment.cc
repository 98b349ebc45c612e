#include "codegen/format/schema_comment.h"

#include <algorithm>
#include <utility>

#include "codegen/format/comments.h"
#include "codegen/format/layout.h"
#include "runtime/aten/aten_schema.h"

namespace onnxport::codegen {
namespace {

void AddWrapped(const std::string& text, std::vector<std::string>* lines) {
  std::string line(kSchemaComment.substr(0, kSchemaComment.size() - 1));
  for (size_t begin = 0, end = 0; begin < text.size(); begin = end) {
    // Up to the end of an argument, or of all of them.
    end = text.find(", ", begin);
    end = end == std::string::npos ? std::min(text.find("-> ", begin + 1), text.size()) : end + 2;
    std::string word = text.substr(begin, end - begin);
    word.erase(word.find_last_not_of(' ') + 1);
    if (line.size() + 1 + word.size() > kMaxColumns) {
      lines->push_back(std::move(line));
      line = std::string(kSchemaComment) + "   ";
    }
    line += " " + word;
  }
  lines->push_back(std::move(line));
}

}  // namespace

std::vector<std::string> SchemaComment(const std::vector<std::string>& operators) {
  std::vector<std::pair<std::string, std::string>> groups;  // signature, names
  for (const std::string& name : operators) {
    const ir::AtenSchema* schema = ir::FindAtenSchema(name);
    if (schema == nullptr) continue;
    // sin, cos and tan differ in their names only, and stand in one line.
    const std::string signature = schema->text.substr(schema->text.find('('));
    const auto group = std::ranges::find(groups, signature, [](const auto& g) { return g.first; });
    if (group == groups.end())
      groups.emplace_back(signature, name);
    else
      group->second += ", " + name;
  }
  std::vector<std::string> lines;
  for (const auto& [signature, names] : groups) AddWrapped(names + signature, &lines);
  return lines;
}

}  // namespace onnxport::codegen
