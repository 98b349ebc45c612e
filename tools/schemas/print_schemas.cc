// Prints the schemas of all operators that are registered in this program, one a line: sorted by base name, those of
// one in the order in which TorchScript tries them. Linked with a user's library it prints the schemas that this
//   library adds. print_schemas [--without FILE]... leaves out those in the files. A schema that the first file with
//   its name has in another form is an error.
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

#include "tools/schemas/registry.h"

namespace {

std::string NameOf(const std::string& schema) { return schema.substr(0, schema.find('(')); }

bool ReadKnown(const char* path, std::map<std::string, std::string>* known) {
  std::ifstream in(path);
  if (!in) return false;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && !line.starts_with('#')) known->emplace(NameOf(line), line);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  std::map<std::string, std::string> known;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--without") != 0 || ++i == argc) {
      std::cerr << "usage: print_schemas [--without FILE]...\n";
      return 2;
    }
    if (!ReadKnown(argv[i], &known)) {
      std::cerr << "cannot read " << argv[i] << "\n";
      return 3;
    }
  }
  bool ok = true;
  for (const std::string& schema : onnxport::schemas::RegisteredSchemas()) {
    const auto found = known.find(NameOf(schema));
    if (found == known.end()) {
      std::cout << schema << "\n";
    } else if (found->second != schema) {
      std::cerr << "registered in another form than onnxport knows:\n  " << schema << "\n  " << found->second << "\n";
      ok = false;
    }
  }
  return ok ? 0 : 1;
}
