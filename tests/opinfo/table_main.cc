// Holds outcomes against the table of expectations, or writes it.
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/opinfo/table.h"

namespace onnxport::opinfo {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUsage =
    "usage: table check TABLE OPSET WRONG OUTCOMES...      the cells of OUTCOMES must be as in TABLE, the wrong ones "
    "in "
    "WRONG\n"
    "       table check_all TABLE OPSET WRONG OUTCOMES...  and neither has others\n"
    "       table update TABLE OUTCOMES...                 writes the cells of OUTCOMES into TABLE, below the "
    "workspace\n"
    "       table update_all TABLE OUTCOMES...             and removes all others\n"
    "       table summary OUTCOMES...                      counts them\n";

std::ifstream Open(const fs::path& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return in;
}

Table ReadOutcomes(const std::vector<std::string>& paths) {
  Table table;
  for (const std::string& path : paths) {
    std::ifstream in = Open(path);
    AddOutcomes(in, &table);
  }
  return table;
}

int Check(const fs::path& path, const std::string& opset, const fs::path& wrong_path, const Table& actual, bool all) {
  std::ifstream in = Open(path);
  std::ifstream wrong = Open(wrong_path);
  const auto differences = Differences(ReadTable(in), actual, all);
  const auto unexplained = Unexplained(ReadWrongCells(wrong, std::stoi(opset)), actual, all);
  WriteSummary(actual, std::cout);
  for (const auto* texts : {&differences, &unexplained}) {
    for (const std::string& text : *texts) std::cout << text << "\n";
  }
  if (differences.empty()) return unexplained.empty() ? 0 : 1;
  std::cout << differences.size() << " cells differ. What an operator does in full: ./bazelw run "
            << "//tests/opinfo:explain -- OPERATOR\nIf this is right: ./bazelw run //tests/opinfo:"
            << (all ? "update_" : "update_sample_") << opset << "\n";
  return 1;
}

void Update(const fs::path& relative, const Table& actual, bool all) {
  const char* workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  const fs::path path = workspace == nullptr ? relative : workspace / relative;
  Table table;
  if (!all) {
    std::ifstream in = Open(path);
    table = ReadTable(in);
  }
  for (const auto& [cell, counts] : actual) table[cell] = counts;
  std::ofstream out(path);
  WriteTable(table, out);
  if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

int Run(const std::vector<std::string>& args) {
  const std::string command = args.empty() ? "" : args[0];
  const bool all = command.ends_with("_all");
  if (command == "summary") {
    WriteSummary(ReadOutcomes({args.begin() + 1, args.end()}), std::cout);
    return 0;
  }
  const bool check = command.starts_with("check");
  const std::ptrdiff_t files = check ? 3 : 1;
  if (std::ssize(args) < files + 2) {
    std::cerr << kUsage;
    return 2;
  }
  const Table actual = ReadOutcomes({args.begin() + 1 + files, args.end()});
  if (check) return Check(args[1], args[2], args[3], actual, all);
  Update(args[1], actual, all);
  return 0;
}

}  // namespace
}  // namespace onnxport::opinfo

int main(int argc, char** argv) {
  try {
    return onnxport::opinfo::Run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "table: " << error.what() << "\n";
    return 1;
  }
}
