// Checks that the linked LibTorch has the schemas that the specs claim.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "codegen/load/load.h"
#include "gtest/gtest.h"
#include "tools/schemas/claims.h"
#include "tools/schemas/registry.h"

namespace onnxport::schemas {
namespace {

std::vector<codegen::SpecFile> LoadSpecs() {
  codegen::Diagnostics diagnostics;
  std::vector<codegen::SpecFile> specs;
  for (const auto& file : std::filesystem::recursive_directory_iterator("spec/aten")) {
    if (!file.is_regular_file()) continue;
    std::ifstream in(file.path());
    std::ostringstream text;
    text << in.rdbuf();
    auto spec = codegen::LoadSpecFile(file.path().string(), text.str(), &diagnostics);
    if (spec) specs.push_back(std::move(*spec));
  }
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.ToText();
  return specs;
}

codegen::SpecFile Claiming(const std::string& name) {
  codegen::SpecFile spec;
  spec.path = "spec/aten/x.yaml";
  spec.ops.emplace_back();
  spec.ops.back().names = {name};
  spec.ops.back().place.line = 7;
  return spec;
}

TEST(Schemas, ClaimedOnesAreThoseOfTheLinkedLibTorch) {
  const auto specs = LoadSpecs();
  ASSERT_FALSE(specs.empty());
  std::string text;
  for (const std::string& difference : ClaimDifferences(specs, LinkedSchemas(), LinkedVersion()))
    text += difference + "\n";
  EXPECT_EQ(text, "")
      << "refresh with ./bazelw run //tools/schemas:dump -- spec/aten_schemas.txt and adapt the specs\n";
}

TEST(Schemas, ADifferenceIsFoundAndShowsBoth) {
  const std::string relu = "aten::relu(Tensor self) -> Tensor";
  const std::vector<codegen::SpecFile> claim = {Claiming("aten::relu")};
  EXPECT_TRUE(ClaimDifferences(claim, {{"aten::relu", relu}}, "9.9").empty());
  EXPECT_TRUE(ClaimDifferences(claim, {{"aten::relu", relu}, {"aten::new", "x"}}, "9.9").empty());
  const auto changed = ClaimDifferences(claim, {{"aten::relu", "aten::relu(Tensor x) -> Tensor"}}, "2.0.1");
  ASSERT_EQ(changed.size(), 1u);
  EXPECT_EQ(changed[0], "spec/aten/x.yaml:7: aten::relu\n  spec/aten_schemas.txt: " + relu +
                            "\n  linked LibTorch:       aten::relu(Tensor x) -> Tensor");
  EXPECT_EQ(ClaimDifferences({Claiming("aten::no_such")}, {}, "2.0.1").size(), 1u);
  // A schema that an older LibTorch does not have yet is no difference.
  EXPECT_EQ(ClaimDifferences(claim, {}, "9.9").size(), 1u);
  EXPECT_EQ(ClaimDifferences(claim, {}, "2.9.0+cpu").size(), 0u);
}

}  // namespace
}  // namespace onnxport::schemas
