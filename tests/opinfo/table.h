// The table of expectations: how many samples of each operator variant, format and dtype have which outcome.
//
//   add pt2: f32 f64 i64 = ok; bf16 bool:2 = no kernel; bool:3 c64 = refused aten::add.Tensor
//
// A dtype stands for kSamples samples of it, `bool:3` for three.
#ifndef ONNXPORT_TESTS_OPINFO_TABLE_H_
#define ONNXPORT_TESTS_OPINFO_TABLE_H_

#include <istream>
#include <map>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

namespace onnxport::opinfo {

inline constexpr int kSamples = 5;  // SAMPLES of make_samples.py

struct Cell {
  std::string op;
  std::string format;  // "pt2", "decomposed.pt2" or "pt"
  std::string dtype;

  auto operator<=>(const Cell&) const = default;
};

// Where an outcome is `wrong`, and why: lines `  add pt f32 f64@25` below reasons (tests/known_wrong/known_wrong.h).
using WrongCells = std::map<Cell, std::string>;
// Of one opset: `f32` is of all, `f64@25` of that one. Throws std::exception on a line of another form, or a cell that
// stands there twice.
WrongCells ReadWrongCells(std::istream& in, int opset);

// Samples by outcome.
using Counts = std::map<std::string, int>;
using Table = std::map<Cell, Counts>;

// The text form, without its header. Throws std::exception on a line that it does not have.
Table ReadTable(std::istream& in);

// With a header that says what the file is and how often each kind of outcome occurs.
void WriteTable(const Table& table, std::ostream& out);

// Adds what the tool `outcomes` wrote.
void AddOutcomes(std::istream& in, Table* table);

// How many samples of each kind of outcome there are, by format: "pt2: 300 samples: 90.0 % ok ...".
void WriteSummary(const Table& table, std::ostream& out);

// One text for each cell of `actual` whose counts are not those of `expected`. `all`: a cell of `expected` that
// `actual` lacks is a difference as well.
std::vector<std::string> Differences(const Table& expected, const Table& actual, bool all);

// One text for each cell of `actual` that is wrong and not listed, or listed and not wrong. `all`: and for each that is
// listed and `actual` lacks.
std::vector<std::string> Unexplained(const WrongCells& wrong, const Table& actual, bool all);

}  // namespace onnxport::opinfo

#endif  // ONNXPORT_TESTS_OPINFO_TABLE_H_
