#include "runtime/aten/aten_schema.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include "gtest/gtest.h"
#include "runtime/aten/aten_schema_table.h"

namespace onnxport::ir {
namespace {

AtenSchema Parse(std::string_view text) {
  std::string error;
  auto schema = ParseAtenSchema(text, &error);
  EXPECT_TRUE(schema) << error;
  return schema.value_or(AtenSchema());
}

TEST(AtenSchema, NamesAndKinds) {
  const AtenSchema s = Parse("aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  EXPECT_EQ(s.name, "aten::add.Tensor");
  EXPECT_EQ(s.base_name(), "aten::add");
  EXPECT_EQ(s.overload(), "Tensor");
  ASSERT_EQ(s.arguments.size(), 3u);
  EXPECT_EQ(s.arguments[0].type.kind, AtenKind::kTensor);
  EXPECT_FALSE(s.arguments[1].keyword_only);
  EXPECT_FALSE(s.arguments[1].default_value);
  EXPECT_TRUE(s.arguments[2].keyword_only);
  EXPECT_EQ(s.arguments[2].type.kind, AtenKind::kScalar);
  EXPECT_EQ(std::get<int64_t>(s.arguments[2].default_value->v), 1);
  EXPECT_EQ(s.FindArgument("alpha"), 2);
  EXPECT_EQ(s.FindArgument("beta"), -1);
  EXPECT_EQ(s.results.size(), 1u);
  EXPECT_FALSE(s.mutates());
  EXPECT_FALSE(s.returns_alias());
}

struct TypeCase {
  std::string_view text;
  AtenKind kind;
  bool optional, list, optional_elements;
  int list_size;  // 0: none
  std::string_view alias;
  bool written;
};
constexpr TypeCase kTypes[] = {
    {"Tensor", AtenKind::kTensor, false, false, false, 0, "", false},
    {"Tensor?", AtenKind::kTensor, true, false, false, 0, "", false},
    {"Tensor(a!)", AtenKind::kTensor, false, false, false, 0, "a", true},
    {"Tensor(a)?", AtenKind::kTensor, true, false, false, 0, "a", false},
    {"Tensor(a -> *)", AtenKind::kTensor, false, false, false, 0, "a -> *", false},
    {"Tensor(b!)[]", AtenKind::kTensor, false, true, false, 0, "b", true},
    {"Tensor[](a!)", AtenKind::kTensor, false, true, false, 0, "a", true},
    {"Tensor?[]", AtenKind::kTensor, false, true, true, 0, "", false},
    {"Tensor?[]?", AtenKind::kTensor, true, true, true, 0, "", false},
    {"int[2]", AtenKind::kInt, false, true, false, 2, "", false},
    {"SymInt[1]?", AtenKind::kSymInt, true, true, false, 1, "", false},
    {"float[]?", AtenKind::kFloat, true, true, false, 0, "", false},
    {"str?", AtenKind::kString, true, false, false, 0, "", false},
    {"ScalarType?", AtenKind::kScalarType, true, false, false, 0, "", false},
    {"Dict(str, Tensor)(a!)", AtenKind::kOther, false, false, false, 0, "a", true},
    {"t(*)", AtenKind::kOther, false, false, false, 0, "*", false},
    {"int[][]", AtenKind::kOther, false, true, false, 0, "", false},
    {"__torch__.torch.classes.rnn.CellParamsBase[]", AtenKind::kOther, false, true, false, 0, "", false},
};

TEST(AtenSchema, Types) {
  for (const TypeCase& c : kTypes) {
    const AtenSchema s = Parse("aten::f(" + std::string(c.text) + " x) -> ()");
    ASSERT_EQ(s.arguments.size(), 1u) << c.text;
    const AtenType& type = s.arguments[0].type;
    EXPECT_EQ(type.kind, c.kind) << c.text;
    EXPECT_EQ(type.optional, c.optional) << c.text;
    EXPECT_EQ(type.list, c.list) << c.text;
    EXPECT_EQ(type.optional_elements, c.optional_elements) << c.text;
    EXPECT_EQ(type.list_size.value_or(0), c.list_size) << c.text;
    EXPECT_EQ(type.alias, c.alias) << c.text;
    EXPECT_EQ(type.written, c.written) << c.text;
    EXPECT_EQ(type.text, c.text);
  }
}

Arg DefaultOf(const std::string& argument) {
  const AtenSchema s = Parse("aten::f(" + argument + ", int last=0) -> Tensor");
  return s.arguments.empty() ? Arg() : s.arguments[0].default_value.value_or(Arg());
}

TEST(AtenSchema, Defaults) {
  EXPECT_TRUE(DefaultOf("Tensor? x=None").is_none());
  EXPECT_EQ(std::get<bool>(DefaultOf("bool x=True").v), true);
  EXPECT_EQ(std::get<int64_t>(DefaultOf("int x=-100").v), -100);
  EXPECT_EQ(std::get<int64_t>(DefaultOf("int x=9223372036854775807").v), INT64_MAX);
  EXPECT_EQ(std::get<double>(DefaultOf("float x=1.").v), 1.0);
  EXPECT_EQ(std::get<double>(DefaultOf("float x=1").v), 1.0);
  EXPECT_EQ(std::get<double>(DefaultOf("float x=1.0000000000000001e-05").v), 1e-5);
  EXPECT_EQ(std::get<double>(DefaultOf("float x=-inf").v), -INFINITY);
  EXPECT_EQ(std::get<std::string>(DefaultOf("str x=\"none\"").v), "none");
  EXPECT_EQ(std::get<std::string>(DefaultOf("str x=\"\\\"\\'\\\\\\n, )\"").v), "\"'\\\n, )");
  EXPECT_EQ(std::get<DType>(DefaultOf("ScalarType x=long").v), DType::kInt64);
  EXPECT_EQ(std::get<DType>(DefaultOf("ScalarType? x=6").v), DType::kFloat32);
  EXPECT_EQ(std::get<DType>(DefaultOf("ScalarType x=24").v), DType::kFloat8E4M3FN);
  EXPECT_EQ(std::get<Word>(DefaultOf("MemoryFormat x=contiguous_format").v).text, "contiguous_format");
  EXPECT_EQ(std::get<Word>(DefaultOf("MemoryFormat x=0").v).text, "contiguous_format");
  EXPECT_EQ(std::get<ArgList>(DefaultOf("int[] x=[]").v).size(), 0u);
  EXPECT_EQ(std::get<ArgList>(DefaultOf("int[2] x=1").v).size(), 2u);
  const auto list = std::get<ArgList>(DefaultOf("SymInt[2] x=[-2, -1]").v);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(std::get<int64_t>(list[0].v), -2);
  EXPECT_EQ(std::get<bool>(std::get<ArgList>(DefaultOf("bool[3] x=[True, False, True]").v)[1].v), false);
}

TEST(AtenSchema, ResultsAndAliases) {
  const AtenSchema max =
      Parse("aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)");
  ASSERT_EQ(max.results.size(), 2u);
  EXPECT_EQ(max.results[1].name, "indices");
  const AtenSchema view = Parse("aten::view(Tensor(a) self, SymInt[] size) -> Tensor(a)");
  EXPECT_TRUE(view.returns_alias());
  EXPECT_FALSE(view.mutates());
  const AtenSchema relu = Parse("aten::relu_(Tensor(a!) self) -> Tensor(a!)");
  EXPECT_TRUE(relu.mutates());
  EXPECT_TRUE(
      Parse("aten::split.Tensor(Tensor(a -> *) self, SymInt n, int dim=0) -> Tensor(a)[]").results[0].type.list);
  EXPECT_TRUE(Parse("aten::f(Tensor x) -> ()").results.empty());
  EXPECT_EQ(Parse("aten::format(str self, ...) -> str").arguments.size(), 1u);
}

TEST(AtenSchema, BadTexts) {
  const std::string_view texts[] = {"",
                                    "add",
                                    "aten::",
                                    "::add()",
                                    "aten::add",
                                    "aten::add(",
                                    "aten::add(Tensor self",
                                    "aten::add(Tensor)",
                                    "aten::add(Tensor self) -> ",
                                    "aten::add(Tensor self)",
                                    "aten::add(Tensor self) -> Tensor x y",
                                    "aten::add(Tensor(a self) -> Tensor",
                                    "aten::add(int[x] self) -> Tensor",
                                    "aten::add(int self=) -> Tensor",
                                    "aten::add(int self=1.2.3) -> Tensor",
                                    "aten::add(str self=\"x) -> Tensor",
                                    "aten::add(int[] self=[1) -> Tensor",
                                    "aten::add(Tensor(#) x) -> Tensor",
                                    "aten::add(int self=99999999999999999999) -> Tensor"};
  for (std::string_view text : texts) {
    std::string error;
    EXPECT_FALSE(ParseAtenSchema(text, &error)) << text;
    EXPECT_NE(error.find("expected"), std::string::npos) << text;
  }
  std::string error;
  EXPECT_FALSE(ParseAtenSchema("aten::f(Dict" + std::string(100000, '(') + " x) -> ()", &error));
}

std::vector<std::string_view> AllNames() {
  std::vector<std::string_view> names;
  std::string_view text = AtenSchemaTables::All().back().text;
  for (; !text.empty(); text.remove_prefix(text.find('\n') + 1)) names.push_back(text.substr(0, text.find('(')));
  return names;
}

// The first test to use the registry, so that all threads find it empty.
TEST(AtenSchemaRegistry, Threads) {
  const std::vector<std::string_view> names = AllNames();
  std::vector<std::vector<const AtenSchema*>> found(8);
  std::vector<std::thread> threads;
  for (auto& mine : found) {
    threads.emplace_back([&] {
      for (const std::string_view name : names) mine.push_back(FindAtenSchema(name));
    });
  }
  for (auto& thread : threads) thread.join();
  for (size_t i = 0; i < names.size(); ++i) {
    ASSERT_NE(found[0][i], nullptr) << names[i];
    EXPECT_EQ(found[0][i]->name, names[i]);
    // Each thread gets the same pointer.
    for (const auto& mine : found) EXPECT_EQ(mine[i], found[0][i]);
  }
}

TEST(AtenSchemaRegistry, FindsWhatIsThere) {
  const AtenSchema* add = FindAtenSchema("aten::add.Tensor");
  ASSERT_NE(add, nullptr);
  EXPECT_EQ(add->text, "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  EXPECT_EQ(FindAtenSchema("aten::add.Tensor"), add);
  for (std::string_view name :
       {"aten::add.Tenso", "aten::add.Tensors", "aten::ad", "", "aaa", "zzz::zzz", "aten::add."}) {
    EXPECT_EQ(FindAtenSchema(name), nullptr) << name;
  }
}

TEST(AtenSchemaRegistry, AnOperatorKeepsItsSchema) {
  const Operator add = "aten::add.Tensor";
  const AtenSchema* schema = FindAtenSchema(add);
  ASSERT_NE(schema, nullptr);
  EXPECT_EQ(add.aten()->schema.load(), schema);
  EXPECT_EQ(schema->name, add);
  const Operator named_alike = Operator(Instruction::kAdd).text();
  EXPECT_EQ(FindAtenSchema(Operator(Instruction::kAdd)), nullptr);
  EXPECT_EQ(FindAtenSchema(named_alike), nullptr);
}

// The generator asks about a name before it adds the table that contains it.
TEST(AtenSchemaRegistry, NoSchemaIsNotKept) {
  EXPECT_EQ(FindAtenSchema("late::op"), nullptr);
  AtenSchemaTables::Add({.owner = "//late:ops", .text = "late::op(Tensor x) -> Tensor\n", .order = {}, .origin = {}});
  EXPECT_NE(FindAtenSchema("late::op"), nullptr);
}

TEST(AtenSchemaRegistry, Origin) {
  const std::string_view origin = AtenSchemasOrigin();
  EXPECT_TRUE(origin.starts_with("LibTorch 2.")) << origin;
  EXPECT_EQ(origin.find_first_not_of("0123456789.", 9), std::string_view::npos) << origin;
}

TEST(AtenSchemaRegistry, Overloads) {
  const auto all = OverloadsOf("aten::relu");
  EXPECT_EQ(all, (std::vector<std::string_view>{"aten::relu", "aten::relu.out"}));
  EXPECT_TRUE(OverloadsOf("aten::rel").empty());
  EXPECT_TRUE(OverloadsOf("").empty());
  const auto add = OverloadsOf("aten::add");
  EXPECT_NE(std::find(add.begin(), add.end(), "aten::add.Tensor"), add.end());
}

TEST(AtenSchemaRegistry, Order) {
  EXPECT_EQ(OverloadsInOrder("aten::size"), (std::vector<std::string_view>{"aten::size.int", "aten::size"}));
  EXPECT_EQ(OverloadsInOrder("aten::relu"), OverloadsOf("aten::relu"));
  EXPECT_TRUE(OverloadsInOrder("aten::rel").empty());
  // Every line lists exactly the overloads that have schemas.
  std::string_view text = AtenSchemaTables::All().back().order;
  while (!text.empty()) {
    const std::string_view base = text.substr(0, text.find(' '));
    auto names = OverloadsInOrder(base);
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, OverloadsOf(base)) << base;
    text.remove_prefix(text.find('\n') + 1);
  }
}

TEST(AtenSchemaRegistry, Torchvision) { EXPECT_NE(FindAtenSchema("torchvision::nms"), nullptr); }

// Every line of the table parses and is found by its name.
TEST(AtenSchemaRegistry, WholeTable) {
  std::string_view text = AtenSchemaTables::All().back().text;
  int count = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const AtenSchema* schema = FindAtenSchema(line.substr(0, line.find('(')));
    ASSERT_NE(schema, nullptr) << line;
    EXPECT_EQ(schema->text, line);
    text.remove_prefix(line.size() + 1);
    ++count;
  }
  EXPECT_GT(count, 3000);
}

// Runs after the tests that read the built-in table.
TEST(AtenSchemaRegistry, UsersAddTheirOwn) {
  AtenSchemaTables::Add({.owner = "//foo:ops",
                         .text = "aten::relu.mine(Tensor self, int k) -> Tensor\n"
                                 "foo::op.a(Tensor x) -> Tensor\nfoo::op.b(Tensor x, int n) -> Tensor\n",
                         .order = "foo::op b a\n",
                         .origin = "//foo:ops"});
  AtenSchemaTables::Add({.owner = "//zoo:ops", .text = "foo::op.b(Tensor x) -> Tensor\n", .order = {}, .origin = {}});
  using Names = std::vector<std::string_view>;
  ASSERT_NE(FindAtenSchema("foo::op.b"), nullptr);
  EXPECT_EQ(FindAtenSchema("foo::op.b")->arguments[1].name, "n");
  EXPECT_EQ(FindAtenSchema("foo::op"), nullptr);
  EXPECT_EQ(OverloadsOf("foo::op"), (Names{"foo::op.a", "foo::op.b"}));
  EXPECT_EQ(OverloadsInOrder("foo::op"), (Names{"foo::op.b", "foo::op.a"}));
  EXPECT_EQ(OverloadsInOrder("aten::relu"), (Names{"aten::relu", "aten::relu.out", "aten::relu.mine"}));
  EXPECT_EQ(OverloadsOf("aten::relu"), (Names{"aten::relu", "aten::relu.mine", "aten::relu.out"}));
  EXPECT_TRUE(AtenSchemasOrigin().starts_with("LibTorch"));
}

}  // namespace
}  // namespace onnxport::ir
