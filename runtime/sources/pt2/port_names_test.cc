#include "runtime/sources/pt2/port_names.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/error.h"

namespace onnxport::pt2::port_names_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string kLeaf = R"({"type": null, "context": null, "children_spec": []})";

std::string Tree(const std::string& type, const std::string& context, const std::string& children) {
  return R"({"type": ")" + type + R"(", "context": ")" + context + R"(", "children_spec": [)" + children + "]}";
}
std::string Tuple(const std::string& children) { return Tree("builtins.tuple", "null", children); }
std::string Dict(const std::string& keys, const std::string& children) { return Tree("builtins.dict", keys, children); }
std::string Spec(const std::string& tree) { return "[1, " + tree + "]"; }
const std::string kNoKwargs = Dict("[]", "");

TEST(PortNames, Inputs) {
  const std::string args =
      Tuple(kLeaf + "," + Dict(R"([\"a\", \"b\"])", kLeaf + "," + Tuple(kLeaf + "," + kLeaf)) + "," + Tuple(""));
  EXPECT_THAT(InputNames(Spec(Tuple(args + "," + kNoKwargs)), {"x", "named", "none"}, {}),
              ElementsAre("x", "named.a", "named.b.0", "named.b.1"));
  EXPECT_THAT(InputNames(Spec(Tuple(Tuple(kLeaf) + "," + Dict(R"([\"mask\"])", kLeaf))), {"x", "mask"}, {}),
              ElementsAre("x", "mask"));
}

TEST(PortNames, InputsThatAreNotUnderstood) {
  EXPECT_THAT(InputNames(Spec(kLeaf), {"x"}, {}), IsEmpty());
  EXPECT_THAT(InputNames(Spec(Tuple(Tuple(kLeaf + "," + kLeaf) + "," + kNoKwargs)), {"x"}, {}), IsEmpty());
  EXPECT_THROW(InputNames("[1", {}, {}), Error);
  EXPECT_THROW(InputNames("[1]", {}, {}), Error);
}

TEST(PortNames, Outputs) {
  EXPECT_THAT(OutputNames(Spec(kLeaf), {}), ElementsAre("output"));
  EXPECT_THAT(OutputNames(Spec(Tuple(kLeaf + "," + Tuple(kLeaf + "," + kLeaf))), {}),
              ElementsAre("output_0", "output_1.0", "output_1.1"));
  EXPECT_THAT(OutputNames(Spec(Dict(R"([\"logits\", 7])", kLeaf + "," + kLeaf)), {}), ElementsAre("logits", "7"));
}

TEST(PortNames, NamesOfOtherTypes) {
  const std::string two = kLeaf + "," + kLeaf;
  EXPECT_THAT(OutputNames(Spec(Tree("my.Point", R"(\"my.Point\")", two)), {{"my.Point", {"x", "y"}}}),
              ElementsAre("x", "y"));
  EXPECT_THAT(OutputNames(Spec(Tree("collections.namedtuple", "my.Point", two)), {{"my.Point", {"x", "y"}}}),
              ElementsAre("x", "y"));
  EXPECT_THAT(OutputNames(Spec(Tree("collections.namedtuple", "my.Point", two)), {}),
              ElementsAre("output_0", "output_1"));
  // defaultdict: [factory, keys]; a data class: [names, names of None].
  EXPECT_THAT(OutputNames(Spec(Tree("collections.defaultdict", R"([\"list\", [\"a\", \"b\"]])", two)), {}),
              ElementsAre("a", "b"));
  EXPECT_THAT(OutputNames(Spec(Tree("my.Output", R"([[\"loss\", \"logits\"], [\"hidden\"]])", two)), {}),
              ElementsAre("loss", "logits"));
  EXPECT_THAT(OutputNames(Spec(Dict(R"([\"a b\\n\"])", kLeaf)), {}), ElementsAre("a_b_"));
}

}  // namespace
}  // namespace onnxport::pt2::port_names_test
