// Counts samples: how many of each operator variant, format and dtype have which outcome.
#ifndef ONNXPORT_TESTS_OPINFO_TABLE_H_
#define ONNXPORT_TESTS_OPINFO_TABLE_H_

#include <istream>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace onnxport::opinfo {

inline constexpr int kSamples = 5;                 // SAMPLES of make_samples.py
inline constexpr std::string_view kAgrees = "ok";  // the outcome that tables of expectations only count

struct Cell {
  std::string op;
  std::string format;  // "pt2", "decomposed.pt2" or "pt"
  std::string dtype;

  auto operator<=>(const Cell&) const = default;
};

// Samples by outcome.
using Counts = std::map<std::string, int>;
using Table = std::map<Cell, Counts>;

// The place of an outcome's kind in the order of tables. Throws std::exception for an outcome of no kind.
size_t KindOf(std::string_view outcome);

// "4 ok, 1 wrong values"; "nothing" without samples.
std::string ToText(const Counts& counts);

// Adds what the tool `outcomes` wrote. Throws std::exception on a line of another form.
void AddOutcomes(std::istream& in, Table* table);

// How many samples of each kind of outcome there are, by format: "pt2: 300 samples: ok 270 (90.0 %), ...".
void WriteSummary(const Table& table, std::ostream& out);

// A line for each cell with samples that agree: "add pt f32 5".
std::vector<std::string> ListAgreeing(const Table& table);

std::vector<std::string> Split(const std::string& text, const std::string& separator);
// The text before the separator, and behind it. Throws std::exception where there is none.
std::pair<std::string, std::string> SplitOnce(const std::string& text, const std::string& separator);

}  // namespace onnxport::opinfo

#endif  // ONNXPORT_TESTS_OPINFO_TABLE_H_
