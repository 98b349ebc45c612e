// The tests that spec files state, as data: what the generator writes and the conformance tests run.
//
// Every `tests:` line becomes one Case for each overload that it fits. Constant-initialised, no allocation.
#ifndef ONNXPORT_TESTS_CONFORMANCE_CASE_H_
#define ONNXPORT_TESTS_CONFORMANCE_CASE_H_

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "runtime/ir/dtype.h"

namespace onnxport::conformance {

using ir::DType;

// One argument's value.
struct Value {
  enum Kind : uint8_t { kNone, kBool, kInt, kFloat, kText, kDType, kTensor, kList };
  Kind kind = kNone;
  int64_t integer = 0;                        // kInt; kBool: 0 or 1
  double number = 0;                          // kFloat
  std::string_view text = {};                 // kText
  DType dtype = DType::kUndefined;            // kDType, kTensor
  std::initializer_list<int64_t> shape = {};  // kTensor
  bool bounded = false;                       // kTensor: `in low..high`, both inclusive
  double low = 0;
  double high = 0;
  bool evenly = false;                      // kTensor: `from low to high`, in equal steps; `low` may be the higher one
  std::initializer_list<Value> items = {};  // kList; kTensor: its contents, instead of random ones
};

struct Arg {
  std::string_view name;  // of the ATen schema; arguments that are not listed have their default
  Value value;
};

// The property of the results that is compared with PyTorch's, besides dtype and shape.
enum class Compared : uint8_t {
  kValues,
  kDistribution,  // of random results, each element being a draw
  kRelations,     // what `holds` states of them
  kShape,         // nothing
};

// A term of a relation between results and arguments: a number, a name, or a function of others. `==` is the outermost
// function.
struct Term {
  std::string_view name = {};  // empty: a number
  std::initializer_list<Term> operands = {};
  double number = 0;
};

struct Case {
  std::string_view overload;  // "aten::softmax.int"
  std::initializer_list<Arg> args;
  // At which opsets to run: as the test says, else the first of each epoch of the overload.
  std::initializer_list<int> opsets;
  int until = 0;                  // the overload's last opset; 0: the test says where to run
  double tolerance = -1;          // absolute and relative; negative: the dtype's usual one
  std::string_view refuses = {};  // not empty: the export must fail with this text in its message
  Compared compared = Compared::kValues;
  std::initializer_list<Term> holds = {};  // kRelations
  std::string_view special = {};           // not empty: no special values among the ordinary ones, and why
  std::string_view domain = {};            // not empty: that the model may use
  std::string_view keep = {};              // not empty: the operator of ONNX that a call should become
  bool training = false;                   // operators in training mode stay in it
  std::string_view spec = {};              // "spec/aten/norm.yaml:31", of the test
};

// Tests of one family (`spec/aten/norm.yaml`).
struct Family {
  std::string_view name;
  std::span<const Case> cases;
};

// All families, sorted by name. Generated: //generated:conformance_cases.
std::span<const Family> Families();

}  // namespace onnxport::conformance

#endif  // ONNXPORT_TESTS_CONFORMANCE_CASE_H_
