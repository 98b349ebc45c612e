#include "tests/conformance/relation.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "codegen/model/relations.h"
#include "runtime/verify/ort/compare.h"

namespace onnxport::conformance {
namespace {

ort::Tensor Matrix(std::vector<float> values, std::vector<int64_t> shape) {
  return {.name = {},
          .dtype = DType::kFloat32,
          .shape = std::move(shape),
          .bytes = std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float))};
}

Related Some() {
  Related related;
  related.values["a"] = Matrix({1, 2, 3, 4}, {2, 2});
  related.values["turned"] = Matrix({1, 3, 2, 4}, {2, 2});
  related.values["square"] = Matrix({7, 10, 15, 22}, {2, 2});
  related.values["s"] = Matrix({5, 6}, {2});
  related.values["of_s"] = Matrix({5, 0, 0, 6}, {2, 2});
  related.values["one"] = Matrix({1, 0, 0, 1}, {2, 2});
  related.values["low"] = Matrix({0, 0, 3, 0}, {2, 2});
  related.pytorch["a"] = related.values["a"];
  return related;
}

struct Row {
  Term relation;
  bool holds;
};

const Row kRows[] = {
    {{.name = "==", .operands = {{.name = "matmul", .operands = {{.name = "a"}, {.name = "a"}}}, {.name = "square"}}},
     true},
    {{.name = "==", .operands = {{.name = "matmul", .operands = {{.name = "a"}, {.name = "a"}}}, {.name = "a"}}},
     false},
    {{.name = "==", .operands = {{.name = "adjoint", .operands = {{.name = "a"}}}, {.name = "turned"}}}, true},
    {{.name = "==", .operands = {{.name = "diagonal", .operands = {{.name = "s"}}}, {.name = "of_s"}}}, true},
    {{.name = "==", .operands = {{.name = "diagonal", .operands = {{.name = "s"}, {.name = "a"}}}, {.name = "of_s"}}},
     true},
    {{.name = "==", .operands = {{.name = "identity", .operands = {{.name = "a"}}}, {.name = "one"}}}, true},
    {{.name = "==", .operands = {{.name = "below", .operands = {{.name = "a"}}}, {.name = "low"}}}, true},
    {{.name = "==", .operands = {{.name = "pytorch", .operands = {{.name = "a"}}}, {.name = "a"}}}, true},
    {{.name = "==", .operands = {{.name = "-", .operands = {{.name = "a"}, {.name = "a"}}}, {.number = 0}}}, true},
    {{.name = "==", .operands = {{.name = "a"}, {.number = 0}}}, false},
    {{.name = "==", .operands = {{.name = "a"}, {.name = "s"}}}, false},  // not by broadcasting
};

TEST(Relation, Holds) {
  for (const Row& row : kRows) {
    const auto [left, right] = SidesOf(row.relation, Some());
    EXPECT_EQ(ort::Difference(left, right, {}).empty(), row.holds) << ToText(row.relation);
  }
}

TEST(Relation, ComputesEachFunctionThatASpecMayCall) {
  const Related some = Some();
  for (const codegen::RelationFunction& function : codegen::kRelationFunctions) {
    if (function.name == "gather") continue;  // takes integers, below
    const Term one{.name = function.name, .operands = {{.name = "a"}}};
    const Term two{.name = function.name, .operands = {{.name = "a"}, {.name = "a"}}};
    const Term relation{.name = "==", .operands = {function.min_args == 1 ? one : two, {.name = "a"}}};
    EXPECT_NO_THROW(SidesOf(relation, some)) << function.name;
  }
}

TEST(Relation, GathersByNumbers) {
  Related related = Some();
  const std::vector<int64_t> numbers = {1, 0};
  related.values["i"] = {.name = {},
                         .dtype = DType::kInt64,
                         .shape = {2},
                         .bytes = std::string(reinterpret_cast<const char*>(numbers.data()), 16)};
  related.values["back"] = Matrix({6, 5}, {2});
  const Term relation{.name = "==",
                      .operands = {{.name = "gather", .operands = {{.name = "s"}, {.name = "i"}}}, {.name = "back"}}};
  const auto [left, right] = SidesOf(relation, related);
  EXPECT_EQ(ort::Difference(left, right, {}), "");
}

TEST(Relation, SeesWhatTheModelLacks) {
  Related related = Some();
  related.pytorch["lacking"] = related.values["a"];
  EXPECT_TRUE(NeedsMissing({.name = "==", .operands = {{.name = "a"}, {.name = "lacking"}}}, related));
  EXPECT_FALSE(NeedsMissing({.name = "==", .operands = {{.name = "a"}, {.name = "s"}}}, related));
}

}  // namespace
}  // namespace onnxport::conformance
