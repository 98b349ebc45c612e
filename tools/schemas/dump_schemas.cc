// Writes the operator schemas of the linked LibTorch, one a line, sorted, and beside them overload_order.txt:
//   ./bazelw run //tools/schemas:dump -- spec/aten_schemas.txt
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>

#include "tools/schemas/registry.h"

namespace {

// Bases whose overloads are not tried in sorted order.
bool WriteOrder(const std::filesystem::path& path) {
  std::ofstream out(path, std::ios::trunc);
  out << "# Overloads of LibTorch " << onnxport::schemas::LinkedVersion()
      << " in the order in which TorchScript tries them, where that is not the sorted one. Refresh: as "
         "aten_schemas.txt.\n";
  for (const auto& [base, overloads] : onnxport::schemas::LinkedOverloads()) {
    auto names = overloads;
    for (std::string& name : names) name = name == "default" ? "" : name;
    if (std::is_sorted(names.begin(), names.end())) continue;
    out << base;
    for (const std::string& name : overloads) out << " " << name;
    out << "\n";
  }
  out.close();
  return static_cast<bool>(out);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: dump FILE, usually spec/aten_schemas.txt\n";
    return 2;
  }
  const char* workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");  // where `bazel run` was called
  const std::filesystem::path path = std::filesystem::path(workspace ? workspace : "") / argv[1];
  std::set<std::string> lines;
  for (const auto& [name, schema] : onnxport::schemas::LinkedSchemas()) lines.insert(schema);
  std::ofstream out(path, std::ios::trunc);
  out << "# Operator schemas of LibTorch " << onnxport::schemas::LinkedVersion()
      << ", namespaces aten and quantized, sorted. Refresh: ./bazelw run //tools/schemas:dump -- "
         "spec/aten_schemas.txt\n";
  for (const std::string& line : lines) out << line << "\n";
  out.close();
  if (!out || !WriteOrder(path.parent_path() / "overload_order.txt")) {
    std::cerr << "cannot write " << path << "\n";
    return 4;
  }
  std::cout << lines.size() << " schemas written to " << path << "\n";
  return 0;
}
