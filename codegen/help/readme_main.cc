// spec/README.md with its tables made again: readme_main README.md > NEW.md
#include <exception>
#include <iostream>

#include "codegen/help/readme.h"
#include "codegen/source/files.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    std::cout << onnxport::codegen::WithTables(onnxport::codegen::ReadFile(argv[1]));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
