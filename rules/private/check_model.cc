// Holds a model against ONNX's own rules: structure, schemas, inferred types. Operators of other domains are not looked
// at.
//   check_model MODEL.onnx OUT
// An OUT is written when all is well: a build action needs something to make.
#include <onnx/checker.h>

#include <exception>
#include <fstream>
#include <iostream>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: check_model MODEL.onnx OUT\n";
    return 2;
  }
  try {
    onnx::checker::check_model(argv[1], /*full_check=*/true);
  } catch (const std::exception& error) {
    std::cerr << argv[1] << " breaks a rule of ONNX: " << error.what() << "\n";
    return 1;
  }
  std::ofstream out(argv[2]);
  out << "keeps the rules of ONNX\n";
  out.close();
  return out ? 0 : 4;
}
