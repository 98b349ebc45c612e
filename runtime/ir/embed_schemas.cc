// Turns the schema dump into a source file that holds it: embed_schemas spec/aten_schemas.txt > table.cc
// Comment lines are left out, but for the origin in the first. Fails when the schemas are not sorted, because lookups
// search by halving.
#include <fstream>
#include <iostream>
#include <string>

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

int Embed(std::istream& in, std::ostream& out) {
  out << "// Made from spec/aten_schemas.txt; do not edit.\n"
         "#include \"runtime/ir/aten_schema_table.h\"\n\n"
         "namespace onnxport::ir {\nnamespace {\n\nconstexpr char kText[] =\n";
  std::string line, previous, origin;
  while (std::getline(in, line)) {
    if (origin.empty()) origin = Origin(line);
    if (line.starts_with('#') || line.empty()) continue;
    if (line <= previous) {
      std::cerr << "not sorted, or twice: " << line << "\n";
      return 1;
    }
    out << "    \"" << Escaped(line) << "\\n\"\n";
    previous = line;
  }
  out << "    \"\";\n\n}  // namespace\n\n"
         "std::string_view AtenSchemaText() { return {kText, sizeof(kText) - 1}; }\n"
         "std::string_view AtenSchemaOrigin() { return \""
      << Escaped(origin) << "\"; }\n\n}  // namespace onnxport::ir\n";
  return previous.empty() || origin.empty() ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: embed_schemas SCHEMAS.txt > TABLE.cc\n";
    return 2;
  }
  std::ifstream in(argv[1]);
  return Embed(in, std::cout);
}
