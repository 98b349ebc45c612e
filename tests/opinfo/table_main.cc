// Holds outcomes against the table of expectations, or writes it.
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/opinfo/expectations.h"
#include "tests/opinfo/table.h"
#include "tests/opinfo/wrong_cells.h"

namespace onnxport::opinfo {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUsage =
    "usage: table check TABLE OPSET WRONG SHARD=OUTCOMES...      these shards must be as in TABLE, what is wrong in "
    "WRONG\n"
    "       table check_all TABLE OPSET WRONG SHARD=OUTCOMES...  and neither has others\n"
    "       table update TABLE OPSET SHARD=OUTCOMES...           writes these shards into TABLE, below the workspace\n"
    "       table update_all TABLE OPSET SHARD=OUTCOMES...       and removes all others of the opset\n"
    "       table list OUTCOMES...                               the cells with samples that are ok, and how many\n"
    "       table summary OUTCOMES...                            counts them\n";

using Args = std::vector<std::string>;

std::ifstream Open(const fs::path& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return in;
}

void Add(const std::string& path, Table* table) {
  std::ifstream in = Open(path);
  AddOutcomes(in, table);
}

Table ReadOutcomes(const Args& paths) {
  Table table;
  for (const std::string& path : paths) Add(path, &table);
  return table;
}

Shards ReadShards(const Args& args) {
  Shards shards;
  for (const std::string& arg : args) {
    const auto [shard, path] = SplitOnce(arg, "=");
    Add(path, &shards[std::stoi(shard)]);
  }
  return shards;
}

int Check(const Args& files, const Shards& actual, bool all) {
  std::ifstream in = Open(files[0]);
  const int opset = std::stoi(files[1]);
  std::ifstream wrong = Open(files[2]);
  Table cells;
  for (const auto& [shard, table] : actual) cells.insert(table.begin(), table.end());
  const auto differences = Differences(ReadExpectations(in), actual, opset, all);
  const auto unexplained = Unexplained(ReadWrongCells(wrong, opset), cells, all);
  WriteSummary(cells, std::cout);
  for (const auto* texts : {&differences, &unexplained}) {
    for (const std::string& text : *texts) std::cout << text << "\n";
  }
  if (differences.empty()) return unexplained.empty() ? 0 : 1;
  const std::string suffix = (all ? "_" : "_sample_") + std::to_string(opset);
  std::cout
      << differences.size() << " differences. What an operator does in full: ./bazelw run "
      << "//tests/opinfo:explain -- OPERATOR '' " << opset << "\n"
      << "A sample that is not ok any more, or is now, has a line of its own above. Where there is none, the samples "
         "themselves are others: compare the output of `./bazelw run //tests/opinfo:list"
      << suffix << "` with that of the commit before\n"
      << "If this is right: ./bazelw run //tests/opinfo:update" << suffix << "\n";
  return 1;
}

void Update(const Args& files, const Shards& actual, bool all) {
  const char* workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  const fs::path path = workspace == nullptr ? fs::path(files[0]) : workspace / fs::path(files[0]);
  std::ifstream in = Open(path);
  Expectations expectations = ReadExpectations(in);
  Update(actual, std::stoi(files[1]), all, &expectations);
  std::ofstream out(path);
  WriteExpectations(expectations, out);
  if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

int Run(const Args& args) {
  const std::string command = args.empty() ? "" : args[0];
  const bool all = command.ends_with("_all");
  const std::ptrdiff_t files = command.starts_with("check") ? 3 : command.starts_with("update") ? 2 : 0;
  if (std::ssize(args) < files + 2) {
    std::cerr << kUsage;
    return 2;
  }
  const auto outcomes = args.begin() + 1 + files;
  const Args named(args.begin() + 1, outcomes);
  const Args rest(outcomes, args.end());
  if (files == 3) return Check(named, ReadShards(rest), all);
  if (files == 2) {
    Update(named, ReadShards(rest), all);
  } else if (command == "summary") {
    WriteSummary(ReadOutcomes(rest), std::cout);
  } else if (command == "list") {
    for (const std::string& line : ListAgreeing(ReadOutcomes(rest))) std::cout << line << "\n";
  } else {
    std::cerr << kUsage;
    return 2;
  }
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
