// Writes a source file that contains the schema dump: embed_schemas ORDER.txt SCHEMAS.txt... > table.cc
// It merges the SCHEMAS and leaves out comment lines, except for the origin in the first one. It fails if a file is not
// sorted, because lookups use binary search.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace {

std::string Escaped(const std::string& line) {
  std::string text;
  for (char c : line) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text;
}

// "# Operator schemas of LibTorch 2.14.1, namespaces ..." -> "LibTorch 2.14.1"
std::string Origin(const std::string& line) {
  const std::string start = "# Operator schemas of ";
  if (!line.starts_with(start)) return "";
  return line.substr(start.size(), line.find(',') - start.size());
}

// Writes all lines, merged, as one literal. Returns false if a file is not sorted or a line occurs twice.
bool EmbedLines(const std::vector<std::string>& paths, const char* name, std::string* origin) {
  std::vector<std::string> lines;
  for (const std::string& path : paths) {
    std::ifstream in(path);
    const size_t first = lines.size();
    for (std::string line; std::getline(in, line);) {
      if (origin->empty()) *origin = Origin(line);
      if (line.starts_with('#') || line.empty()) continue;
      if (lines.size() > first && line <= lines.back()) {
        std::cerr << "not sorted, or twice: " << line << "\n";
        return false;
      }
      lines.push_back(line);
    }
  }
  std::ranges::sort(lines);
  if (const auto twice = std::ranges::adjacent_find(lines); twice != lines.end()) {
    std::cerr << "twice: " << *twice << "\n";
    return false;
  }
  std::cout << "constexpr char " << name << "[] =\n";
  for (const std::string& line : lines) std::cout << "    \"" << Escaped(line) << "\\n\"\n";
  std::cout << "    \"\";\n\n";
  return !lines.empty();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: embed_schemas ORDER.txt SCHEMAS.txt... > TABLE.cc\n";
    return 2;
  }
  std::cout << "// Made from spec/*.txt; do not edit.\n"
               "#include \"runtime/aten/aten_schema_table.h\"\n\n"
               "namespace onnxport::ir {\nnamespace {\n\n";
  std::string origin;
  if (!EmbedLines({argv + 2, argv + argc}, "kText", &origin) || !EmbedLines({argv[1]}, "kOrder", &origin)) return 1;
  std::cout << "[[maybe_unused]] const bool kAdded = AtenSchemaTables::Add(\n"
               "    {kBuiltIn, {kText, sizeof(kText) - 1}, {kOrder, sizeof(kOrder) - 1}, \""
            << Escaped(origin) << "\"});\n\n}  // namespace\n\n}  // namespace onnxport::ir\n";
  return origin.empty() ? 1 : 0;
}
