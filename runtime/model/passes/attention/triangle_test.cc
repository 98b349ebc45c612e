#include "runtime/model/passes/attention/triangle.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::triangle_test {
namespace {

using ir::Dims;
using ir::DType;
using ir::ValueId;

const ir::Dim kQueries = Sym("q");
const ir::Dim kPast = Sym("p");
const Dims kMatrix = {kQueries, kPast + kQueries};

// A program that makes a mask of [queries, past + queries].
class Program {
 public:
  GraphBuilder b{23};

  ValueId Number(double number) {
    return b.Constant(Name(), {DType::kFloat32, {}, {onnx_ops::FromFloat(static_cast<float>(number))}});
  }
  ValueId Int(const ir::Dim& number) {
    const ValueId id = number.is_number() ? b.Scalar(Name(), number.number()) : b.Value(Name(), {}, DType::kInt64);
    b.graph.value(id).contents = Dims{number};
    return id;
  }
  ValueId Op(const std::string& op, const std::vector<ValueId>& inputs, const Dims& dims = kMatrix,
             DType dtype = DType::kFloat32, std::vector<ir::Attribute> attributes = {}) {
    return b.Node(op, inputs, Name(), dims, dtype, std::move(attributes));
  }
  ValueId Places(const ir::Dim& from, const ir::Dim& count) {
    return Op("Range", {Int(from), Int(from + count), Int(1)}, {count}, DType::kInt64);
  }
  ValueId Rows(const ir::Dim& from) {
    return Op("Unsqueeze", {Places(from, kQueries), b.Ints(Name(), {1})}, {kQueries, 1}, DType::kInt64);
  }
  ValueId Columns(const ir::Dim& from = 0) { return Places(from, kPast + kQueries); }
  ValueId Compared(const std::string& op, ValueId left, ValueId right) {
    return Op(op, {left, right}, kMatrix, DType::kBool);
  }
  ValueId Full(double number) { return Op("Expand", {Number(number), b.Value(Name(), {2}, DType::kInt64)}); }
  ValueId Trilu(ValueId of, const ir::Dim& k, int64_t upper) {
    return Op("Trilu", {of, Int(k)}, kMatrix, DType::kFloat32, {{"upper", {upper}}});
  }

 private:
  std::string Name() { return "v" + std::to_string(count_++); }

  int count_ = 0;
};

std::string Element(const onnx_ops::KnownTensor& element) {
  if (element.dtype == DType::kBool) return element.elements[0] != 0 ? "yes" : "no";
  const double number = onnx_ops::ToFloat(element.elements[0]);
  return std::isinf(number) ? (number < 0 ? "-inf" : "inf") : std::to_string(static_cast<int>(number));
}

struct TriangleCase {
  const char* what;
  std::function<ValueId(Program&)> mask;
  const char* expected;  // the diagonal, what is inside, and outside; empty: none
};

TEST(TriangleTest, Masks) {
  const double inf = std::numeric_limits<double>::infinity();
  const TriangleCase cases[] = {
      {"places up to the own one", [](Program& p) { return p.Compared("LessOrEqual", p.Columns(), p.Rows(kPast)); },
       "p: yes, no"},
      {"before the own one", [](Program& p) { return p.Compared("Less", p.Columns(), p.Rows(kPast)); },
       "p - 1: yes, no"},
      {"the other way round", [](Program& p) { return p.Compared("GreaterOrEqual", p.Rows(0), p.Columns()); },
       "0: yes, no"},
      {"rows before columns", [](Program& p) { return p.Compared("Less", p.Rows(0), p.Columns(2)); }, "-2: no, yes"},
      {"rows up to columns", [](Program& p) { return p.Compared("LessOrEqual", p.Rows(0), p.Columns(2)); },
       "-3: no, yes"},
      {"places that are moved",
       [](Program& p) {
         const ValueId rows = p.Op("Add", {p.Int(kPast), p.Places(0, kQueries)}, {kQueries}, DType::kInt64);
         const ValueId turned = p.Op("Unsqueeze", {rows, p.b.Ints("at", {1})}, {kQueries, 1}, DType::kInt64);
         return p.Compared("Greater", p.Columns(), turned);
       },
       "p: no, yes"},
      {"with axes in front, one by one",
       [](Program& p) {
         const ValueId rows = p.Op("Unsqueeze", {p.Rows(kPast), p.b.Ints("a", {0})}, {1, kQueries, 1}, DType::kInt64);
         const ValueId one = p.Op("Unsqueeze", {p.Columns(), p.b.Ints("b", {0})}, {1, kMatrix[1]}, DType::kInt64);
         const ValueId two = p.Op("Unsqueeze", {one, p.b.Ints("c", {0})}, {1, 1, kMatrix[1]}, DType::kInt64);
         return p.Op("LessOrEqual", {two, rows}, {1, kQueries, kMatrix[1]}, DType::kBool);
       },
       "p: yes, no"},
      {"rows of another axis",
       [](Program& p) {
         const ValueId rows = p.Op("Unsqueeze", {p.Rows(kPast), p.b.Ints("a", {2})}, {kQueries, 1, 1}, DType::kInt64);
         return p.Op("LessOrEqual", {p.Columns(), rows}, {kQueries, 1, kMatrix[1]}, DType::kBool);
       },
       ""},
      {"the lower triangle", [](Program& p) { return p.Trilu(p.Full(1), 0, 0); }, "0: 1, 0"},
      {"the upper triangle", [inf](Program& p) { return p.Trilu(p.Full(-inf), 1, 1); }, "0: 0, -inf"},
      {"what is done to its elements",
       [inf](Program& p) {
         const ValueId shown = p.Op("Equal", {p.Trilu(p.Full(1), kPast, 0), p.Number(0)}, kMatrix, DType::kBool);
         return p.Op("Where", {shown, p.Number(-inf), p.Number(0)});
       },
       "p: 0, -inf"},
      {"with an axis in front",
       [](Program& p) {
         Dims dims = kMatrix;
         dims.insert(dims.begin(), 1);
         return p.Op("Unsqueeze", {p.Trilu(p.Full(1), 0, 0), p.b.Ints("at", {0})}, dims);
       },
       "0: 1, 0"},
      {"a constant", [](Program& p) { return p.b.Constant("c", {DType::kBool, {1, 2, 3}, {1, 1, 0, 1, 1, 1}}); },
       "1: yes, no"},
      {"a constant that is none",
       [](Program& p) { return p.b.Constant("c", {DType::kBool, {1, 2, 3}, {1, 1, 0, 1, 0, 1}}); }, ""},
      {"two diagonals", [](Program& p) { return p.Op("Add", {p.Trilu(p.Full(1), 0, 0), p.Trilu(p.Full(1), 1, 0)}); },
       ""},
      {"one number", [](Program& p) { return p.Full(1); }, ""},
      {"columns alone", [](Program& p) { return p.Compared("Less", p.Columns(), p.Columns()); }, ""},
      {"places that an input has",
       [](Program& p) {
         return p.Compared("LessOrEqual", p.Columns(), p.b.Input("positions", {kQueries, 1}, DType::kInt64));
       },
       ""},
      {"a row for all",
       [](Program& p) {
         const Dims row = {1, kPast + kQueries};
         const ValueId own = p.Op("Reshape", {p.Int(kPast), p.b.Ints("s", {1, 1})}, {1, 1}, DType::kInt64);
         const ValueId sees = p.Op("LessOrEqual", {p.Columns(), own}, row, DType::kBool);
         return p.Op("Where", {sees, p.Number(1), p.Full(0)});
       },
       ""},
  };
  for (const TriangleCase& test : cases) {
    Program p;
    const ValueId mask = test.mask(p);
    const Producers producers(p.b.graph);
    const auto found = FindTriangle(p.b.graph, producers, mask);
    EXPECT_EQ(found ? found->diagonal.ToString() + ": " + Element(found->inside) + ", " + Element(found->outside) : "",
              test.expected)
        << test.what;
  }
}

}  // namespace
}  // namespace onnxport::passes::triangle_test
