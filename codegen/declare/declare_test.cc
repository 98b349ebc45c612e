#include "codegen/declare/declare.h"

#include <gtest/gtest.h>

#include <string>

#include "codegen/check/check.h"
#include "codegen/declare/text.h"
#include "codegen/emit/template.h"
#include "codegen/load/load.h"
#include "codegen/specialize/specialize.h"

namespace onnxport::codegen {
namespace {

// The messages about a text of schemas.
TEST(Declare, SchemasOfATenCalls) {
  struct Case {
    const char* text;
    const char* said;
    const char* aten;
    const char* order;
  };
  static constexpr Case kCases[] = {
      {"# ours\nfoo::b(Tensor x) -> Tensor\n\nfoo::a(Tensor x, int n=2) -> Tensor\n", "",
       "foo::a(Tensor x, int n=2) -> Tensor\nfoo::b(Tensor x) -> Tensor\n", ""},
      {"foo::a.z(Tensor x) -> Tensor\nfoo::a.y(int x) -> Tensor\nfoo::a(bool x) -> Tensor\n", "",
       "foo::a(bool x) -> Tensor\nfoo::a.y(int x) -> Tensor\nfoo::a.z(Tensor x) -> Tensor\n", "foo::a z y default\n"},
      {"foo::a(Tensor x) -> Tensor\nfoo::a(int x) -> Tensor\n", "foo.txt:2:1: error: `foo::a` comes twice",
       "foo::a(Tensor x) -> Tensor\n", ""},
      {"aten::relu(Tensor self) -> Tensor\n", "foo.txt:1:1: error: `aten::relu` is an operator that onnxport knows", "",
       ""},
      {"foo::a(Tensor\n", "foo.txt:1:1: error: expected", "", ""},
  };
  for (const Case& test : kCases) {
    SCOPED_TRACE(test.text);
    Declarations declarations;
    Diagnostics diagnostics;
    ReadAtenSchemas("foo.txt", test.text, &declarations, &diagnostics);
    EXPECT_EQ(diagnostics.ToText().find(test.said), 0u) << diagnostics.ToText();
    EXPECT_EQ(diagnostics.has_errors(), *test.said != '\0');
    EXPECT_EQ(declarations.aten, test.aten);
    EXPECT_EQ(declarations.order, test.order);
  }
}

Declarations Read(const std::string& ops, Diagnostics* diagnostics) {
  Declarations declarations;
  const auto spec = LoadSpecFile("foo.yaml", "spec: 1\nfamily: foo\nops:\n" + ops, diagnostics);
  if (spec) AddNodeSchemas(*spec, &declarations, diagnostics);
  return declarations;
}

TEST(Declare, SchemasOfNodes) {
  Diagnostics diagnostics;
  const Declarations declarations = Read(R"(
- schema: acme.Second
  outputs: {y: float32}
- schema: acme.First
  version: 3
  pure: true
  types: {T: [float32, int64]}
  inputs:
    x: T[*lead, n, 3]
    bias: T[n]?
    rest: int64[?]+
  attributes:
    k: int = 2
    mode: string?
    scales: floats
  outputs:
    y: T[*lead, 2*n + k, n // 2 % 3, max(n, k)]
    z: int64[?, 4]
    any: T
)",
                                         &diagnostics);
  EXPECT_EQ(diagnostics.ToText(), "");
  ASSERT_EQ(declarations.nodes.size(), 2u);
  EXPECT_EQ(declarations.nodes[1].name, "acme.Second");
  Templates templates("templates");
  const std::string text = DeclarationsText(declarations, &templates, "//a:b");
  for (const char* part : {
           R"(.name = "acme.First")",
           ".version = 3",
           ".pure = true",
           R"({.name = "T", .dtypes = {DType::kFloat32, DType::kInt64}})",
           R"(.dims = std::vector<std::string>{"*lead", "n", "3"}})",
           "NodeParameter::Count::kOptional",
           "NodeParameter::Count::kSome",
           R"({.name = "k", .kind = AttributeKind::kInt, .required = false, .number = 2})",
           R"({.name = "mode", .kind = AttributeKind::kString, .required = false, .number = std::nullopt})",
           R"x("((2*n) + k)", "PythonMod(FloorDiv(n, 2), 3)", "Max(n, k)")x",
           R"(.dims = std::vector<std::string>{"?", "4"})",
           R"(.name = "any", .type = "T", .count = NodeParameter::Count::kOne, .dims = std::nullopt)",
           R"(.place = "foo.yaml:7")",
           R"(.owner = "//a:b")",
       }) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
  }
}

TEST(Declare, AnOperatorOnce) {
  Diagnostics diagnostics;
  Read("- {schema: acme.Foo, outputs: {y: float32}}\n- {schema: acme.Foo, outputs: {y: int64}}\n", &diagnostics);
  EXPECT_EQ(diagnostics.ToText().find("foo.yaml:5:3: error: `acme.Foo` is declared twice; first at foo.yaml:4\n"), 0u)
      << diagnostics.ToText();
}

// The last test: what is declared stays.
TEST(Declare, CallsAndNodesAreCheckedLikeThoseOfPyTorchAndOnnx) {
  Diagnostics diagnostics;
  const auto spec = LoadSpecFile("foo.yaml", R"(spec: 1
family: foo
ops:
- schema: acme.Foo
  inputs: {x: float32}
  attributes: {scale: float}
  outputs: {y: float32}
- op: acme_ops::norn
  emit: acme.Foo(x, scale=1)
- op: acme_ops::norm
  emit: acme.Foo(x, scael=1)
- op: acme_ops::draw
  emit: acme.Fo(y, scale=1)
)",
                                 &diagnostics);
  ASSERT_TRUE(spec) << diagnostics.ToText();
  Declarations declarations;
  ReadAtenSchemas("foo.txt", "acme_ops::norm(Tensor x) -> Tensor\nacme_ops::draw(Tensor y) -> Tensor\n", &declarations,
                  &diagnostics);
  AddNodeSchemas(*spec, &declarations, &diagnostics);
  Declare(declarations);
  EXPECT_FALSE(Check(Specialize(*spec), {.needs_tests = false}, &diagnostics));
  EXPECT_EQ(diagnostics.ToText(),
            R"(foo.yaml:8:7: error: PyTorch has no operator `acme_ops::norn`; did you mean `acme_ops::norm`?
 | - op: acme_ops::norn
 |       ^
foo.yaml:11:9: error: acme.Foo needs its attribute `scale`
 |   emit: acme.Foo(x, scael=1)
 |         ^
foo.yaml:11:27: error: acme.Foo has no argument `scael` (inputs: x; attributes: scale); did you mean `scale`?
 |   emit: acme.Foo(x, scael=1)
 |                           ^
foo.yaml:13:9: error: no schema of acme.Fo is known; did you mean `acme.Foo`?
 |   emit: acme.Fo(y, scale=1)
 |         ^
)");
}

}  // namespace
}  // namespace onnxport::codegen
