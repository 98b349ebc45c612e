#include "runtime/lowering/types/declared_types.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "runtime/base/refusal.h"
#include "runtime/lowering/types/op_info.h"

namespace onnxport::lowering {
namespace {

using Words = std::vector<std::string>;
using Count = NodeParameter::Count;

constexpr const char* kOp = "acme.Op";

// The sizes of the results, or why they are refused; `as_stated`: when free sizes must stay free.
struct Case {
  std::vector<NodeParameter> inputs;
  std::vector<NodeParameter> outputs;
  std::vector<std::vector<std::string>> given;  // sizes of each input: numbers, names, "?"; {"none"}: no rank
  std::string expected;
  std::string as_stated;  // "": fine
};

NodeParameter T(std::string name, std::optional<Words> dims = std::nullopt, Count count = Count::kOne) {
  return {.name = std::move(name), .type = "T", .count = count, .dims = std::move(dims)};
}

ir::Dim DimOf(const std::string& text) {
  std::string error;
  return text == "?" ? ir::Dim() : ir::Dim::Parse(text, &error).value();
}

const std::vector<Case>& Cases() {
  static const auto& cases = *new std::vector<Case>{
      {{T("x")}, {T("y")}, {{"2", "3"}}, "none", ""},
      {{T("x", Words{"*s"})}, {T("y", Words{"*s"})}, {{"batch", "3"}}, "[batch, 3]", ""},
      {{T("x", Words{"*s"})}, {T("y", Words{"*s"})}, {{"none"}}, "none", ""},
      {{T("x", Words{"*lead", "n"})},
       {T("y", Words{"*lead", "2*n + 1"}), T("z", Words{"n", "?"})},
       {{"b", "4", "s0"}},
       "[b, 4, 2*s0 + 1] [s0, ?]",
       ""},
      {{T("x", Words{"n", "*rest", "m"})}, {T("y", Words{"m", "*rest", "n"})}, {{"2", "3", "4"}}, "[4, 3, 2]", ""},
      {{T("x", Words{"n", "*rest", "m"})}, {T("y", Words{"m", "*rest", "n"})}, {{"2", "3"}}, "[3, 2]", ""},
      {{T("x", Words{"n", "m"}), T("w", Words{"m", "c"})},
       {T("y", Words{"n", "c"})},
       {{"a", "3"}, {"3", "5"}},
       "[a, 5]",
       ""},
      {{T("x", Words{"n", "m"}), T("w", Words{"m", "k"})},
       {T("y", Words{"n", "k"})},
       {{"a", "3"}, {"4", "5"}},
       "`m` of acme.Op is 3, but 4 in `w`",
       "`m` of acme.Op is 3, but 4 in `w`"},
      // A number says more than a name; that it would fix the name is refused where names must stay free.
      {{T("x", Words{"n"}), T("w", Words{"n"})},
       {T("y", Words{"n"})},
       {{"a"}, {"4"}},
       "[4]",
       "axis `a` would be fixed at 4: `n` of acme.Op is a, but 4 in `w`; give the size itself instead of a name if "
       "that "
       "is meant"},
      {{T("x", Words{"n"}), T("w", Words{"n"})}, {T("y", Words{"n"})}, {{"a"}, {"b"}}, "[a]", ""},
      {{T("x", Words{"n"}), T("w", Words{"n"})}, {T("y", Words{"n"})}, {{"?"}, {"b"}}, "[b]", ""},
      {{T("x", Words{"n", "3"})}, {T("y", Words{"n"})}, {{"2", "3"}}, "[2]", ""},
      {{T("x", Words{"n", "3"})},
       {T("y", Words{"n"})},
       {{"2", "4"}},
       "`3` of acme.Op is 3, but 4 in `x`",
       "`3` of acme.Op is 3, but 4 in `x`"},
      {{T("x", Words{"n", "m"})},
       {T("y", Words{"n"})},
       {{"2"}},
       "acme.Op: `x` has sizes [2], and foo.yaml:3 asks for [n, m]",
       "acme.Op: `x` has sizes [2], and foo.yaml:3 asks for [n, m]"},
      {{T("x", Words{"*s"}), T("w", Words{"*s"})}, {T("y", Words{"*s"})}, {{"2", "?"}, {"2", "3"}}, "[2, 3]", ""},
      {{T("x", Words{"*s"}), T("w", Words{"*s"})},
       {T("y", Words{"*s"})},
       {{"2", "3"}, {"2"}},
       "acme.Op: `*s` is [2, 3], but [2] in `w`",
       "acme.Op: `*s` is [2, 3], but [2] in `w`"},
      {{T("xs", Words{"n", "?"}, Count::kSome)}, {T("y", Words{"n"})}, {{"?", "1"}, {"6", "2"}}, "[6]", ""},
      // An attribute, and its default.
      {{T("x", Words{"n"})}, {T("y", Words{"n*k", "j"})}, {{"a"}}, "[3*a, 7]", ""},
  };
  return cases;
}

class Fixture {
 public:
  explicit Fixture(const Case& test) {
    schema_.name = kOp;
    schema_.inputs = test.inputs;
    schema_.outputs = test.outputs;
    schema_.attributes = {{"k", AttributeKind::kInt, true, std::nullopt}, {"j", AttributeKind::kInt, false, 7}};
    schema_.place = "foo.yaml:3";
    node_.op = kOp;
    node_.attributes = {{"k", {int64_t{3}}}};
    for (const auto& sizes : test.given) {
      ir::Value value;
      value.dtype = ir::DType::kFloat32;
      if (sizes != Words{"none"}) value.dims.emplace();
      if (value.dims) {
        for (const std::string& size : sizes) value.dims->push_back(DimOf(size));
      }
      node_.inputs.push_back({graph_.AddValue(value)});
    }
    node_.outputs = ir::ValueIds(test.outputs.size());
  }

  std::string Results() const {
    std::string text;
    try {
      for (const auto& dims : DeclaredDims(schema_, graph_, node_)) {
        if (!text.empty()) text += ' ';
        if (!dims) text += "none";
        for (size_t i = 0; dims && i < dims->size(); ++i) text += (i == 0 ? "[" : ", ") + (*dims)[i].ToString();
        if (dims) text += dims->empty() ? "[]" : "]";
      }
    } catch (const Refusal& refusal) {
      return refusal.what();
    }
    return text;
  }

  std::string AsStated() const {
    try {
      CheckDeclaredSizes(schema_, graph_, node_);
    } catch (const Refusal& refusal) {
      return refusal.what();
    }
    return "";
  }

 private:
  ir::Graph graph_;
  ir::Node node_;
  NodeSchema schema_;
};

TEST(DeclaredTypes, SizesFollowFromTheSchema) {
  for (size_t i = 0; i < Cases().size(); ++i) {
    SCOPED_TRACE(i);
    const Fixture fixture(Cases()[i]);
    EXPECT_EQ(fixture.Results(), Cases()[i].expected);
    EXPECT_EQ(fixture.AsStated(), Cases()[i].as_stated);
  }
}

TEST(DeclaredTypes, TheCatalogReadsSchemasLikeThoseOfOnnx) {
  NodeSchemaTables::Add(
      {"//foo:ops", KeptSchemas({{.name = "acme.Mix",
                                  .version = 3,
                                  .types = {{"T", {ir::DType::kFloat32, ir::DType::kFloat16}}},
                                  .inputs = {T("x"), T("bias", std::nullopt, Count::kOptional),
                                             T("rest", std::nullopt, Count::kAny)},
                                  .attributes = {{"axes", AttributeKind::kInts, true, std::nullopt}},
                                  .outputs = {T("y"), {.name = "at", .type = "int64", .dims = std::nullopt}},
                                  .place = "foo.yaml:3"}})});
  OpCatalog catalog(18);
  const OpInfo* info = catalog.Find("acme.Mix");
  ASSERT_NE(info, nullptr);
  EXPECT_EQ(info->since, 3);
  EXPECT_EQ(info->min_inputs, 1);
  EXPECT_GT(info->max_inputs, 1000);
  EXPECT_EQ(info->input(7)->name, "rest");
  EXPECT_TRUE(info->input(1)->optional);
  EXPECT_EQ(info->min_outputs, 2);
  EXPECT_EQ(info->max_outputs, 2);
  EXPECT_EQ(info->VariableOf(*info->output(1)).allowed, ir::DTypeSet{ir::DType::kInt64});
  EXPECT_EQ(info->output(0)->variable, info->input(0)->variable);
  EXPECT_TRUE(info->FindAttribute("axes")->required);
  EXPECT_EQ(catalog.Find("acme.Max"), nullptr);
}

TEST(DeclaredTypes, TwoDeclarationsThatDifferAreRefused) {
  NodeSchema one;
  one.name = "acme.Twice";
  one.inputs = {T("x")};
  one.outputs = {T("y")};
  one.place = "a.yaml:1";
  NodeSchema other = one;
  other.place = "b.yaml:2";
  NodeSchemaTables::Add({"//a", KeptSchemas({one})});
  NodeSchemaTables::Add({"//b", KeptSchemas({other})});
  EXPECT_EQ(FindNodeSchema("acme.Twice")->place, "a.yaml:1");
  other.version = 2;
  NodeSchemaTables::Add({"//c", KeptSchemas({other})});
  EXPECT_THROW(FindNodeSchema("acme.Twice"), Refusal);
}

}  // namespace
}  // namespace onnxport::lowering
