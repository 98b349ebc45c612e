// The cells that are known to be wrong (wrong.txt).
#ifndef ONNXPORT_TESTS_OPINFO_WRONG_CELLS_H_
#define ONNXPORT_TESTS_OPINFO_WRONG_CELLS_H_

#include <istream>
#include <map>
#include <string>
#include <vector>

#include "tests/opinfo/table.h"

namespace onnxport::opinfo {

// Where an outcome is `wrong`, and why: lines `  add pt f32 f64@25` below reasons (tests/known_wrong/known_wrong.h).
using WrongCells = std::map<Cell, std::string>;
// Reads the cells of one opset: `f32` holds at all, `f64@25` at that one. Throws std::exception on a line of another
// form, or a cell that stands there twice.
WrongCells ReadWrongCells(std::istream& in, int opset);

// One text for each cell of `actual` that is wrong and not listed, or listed and not wrong. `all`: and for each that is
// listed and `actual` lacks.
std::vector<std::string> Unexplained(const WrongCells& wrong, const Table& actual, bool all);

}  // namespace onnxport::opinfo

#endif  // ONNXPORT_TESTS_OPINFO_WRONG_CELLS_H_
