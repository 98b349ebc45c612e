// operators_page OUT PAGE ROWS... TABLES...: writes the page of operators from the rows of families (*.rows.json) and
// the tables of the conformance tests (*.txt).
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "codegen/emit/rows.h"
#include "docs/page/measured.h"
#include "docs/page/page.h"

namespace onnxport::page {
namespace {

std::string ReadFile(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw std::runtime_error("cannot read " + path);
  return text.str();
}

void Write(const std::string& out, const std::string& page, const std::vector<std::string>& sources) {
  std::vector<codegen::RowsFile> rows;
  std::map<std::string, Measured> measured;
  for (const std::string& source : sources) {
    if (source.ends_with(".json")) {
      rows.push_back(codegen::ReadRows(ReadFile(source)));
    } else {
      std::istringstream table(ReadFile(source));
      measured.merge(ReadMeasured(table));
    }
  }
  std::ofstream file(out);
  file << Fill(ReadFile(page), Data(rows, measured));
  if (!file.flush()) throw std::runtime_error("cannot write " + out);
}

}  // namespace
}  // namespace onnxport::page

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "usage: operators_page OUT PAGE SOURCES...\n";
    return 2;
  }
  try {
    onnxport::page::Write(argv[1], argv[2], {argv + 3, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "operators_page: " << error.what() << "\n";
    return 1;
  }
}
