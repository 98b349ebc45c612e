#include "runtime/lowering/dsl/dispatch.h"

#include <gtest/gtest.h>

#include <string>

namespace onnxport::lowering::dispatch_test {
namespace {

Vals Nothing(Context&) { return {}; }

constexpr DispatchRow kOwn[] = {{"aten::gelu", 7, 19, Nothing, nullptr, "gelu.yaml:1"},
                                {"aten::gelu", 20, 28, Nothing, nullptr, "gelu.yaml:1"},
                                {"aten::relu", 7, 28, Nothing, nullptr, "relu.yaml:2"}};
constexpr DispatchRow kFoo[] = {{"acme::both", 7, 28, Nothing, nullptr, "foo.yaml:4"},
                                {"aten::gelu", 7, 28, Nothing, nullptr, "foo.yaml:3"},
                                {"foo::op", 13, 28, Nothing, nullptr, "foo.yaml:5"}};
constexpr DispatchRow kBar[] = {{"acme::both", 7, 28, Nothing, nullptr, "bar.yaml:6"}};

// As programs add them: in any order, before anything is looked up.
[[maybe_unused]] const bool kAdded = DispatchTables::Add({"//foo", kFoo, {7, 28}}) &&
                                     DispatchTables::Add({kBuiltIn, kOwn, {7, 28}}) &&
                                     DispatchTables::Add({"//bar", kBar, {7, 28}});

TEST(Dispatch, AUsersRowsComeBeforeOurs) {
  struct Case {
    const char* name;
    int opset;
    const char* spec;  // "": no row
  };
  for (const Case& test : {Case{"aten::gelu", 20, "foo.yaml:3"}, Case{"aten::relu", 7, "relu.yaml:2"},
                           Case{"foo::op", 13, "foo.yaml:5"}, Case{"foo::op", 12, ""}, Case{"foo::o", 13, ""}}) {
    const DispatchRow* row = FindRow(test.name, test.opset);
    EXPECT_STREQ(row != nullptr ? row->spec : "", test.spec) << test.name;
  }
}

TEST(Dispatch, TwoUsersMayClaimOneOperator) {
  EXPECT_EQ(ClaimedTwice("acme::both"), "bar.yaml:6 and foo.yaml:4");
  EXPECT_EQ(ClaimedTwice("aten::gelu"), "");
  EXPECT_EQ(ClaimedTwice("aten::relu"), "");
}

TEST(Dispatch, AllRowsAreThoseInForce) {
  std::string rows;
  for (const DispatchRow& row : AllRows()) rows += std::string(row.name) + " " + row.spec + "\n";
  EXPECT_EQ(rows, "acme::both bar.yaml:6\naten::gelu foo.yaml:3\naten::relu relu.yaml:2\nfoo::op foo.yaml:5\n");
  EXPECT_EQ(SupportedOpsets().last, 28);
}

}  // namespace
}  // namespace onnxport::lowering::dispatch_test
