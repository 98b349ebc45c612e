#include "runtime/base/nearest_name.h"

#include <string>

#include "gtest/gtest.h"

namespace onnxport {
namespace {

TEST(NearestName, Table) {
  const std::string_view names[] = {"axes", "keepdims", "negative_slope", "Relu"};
  struct {
    std::string_view word, nearest;
  } cases[] = {{"axis", "axes"},
               {"keepdim", "keepdims"},
               {"relu", "Relu"},
               {"slope", ""},
               {"ax", ""},
               {"axes", "axes"},
               {"", ""},
               {std::string_view(), ""},
               {"negativ_slop", "negative_slope"},
               {"axse", "axes"}};
  for (const auto& c : cases) EXPECT_EQ(NearestName(c.word, names), c.nearest) << c.word;
  EXPECT_EQ(NearestName(std::string(10000, 'a'), names), "");
}

}  // namespace
}  // namespace onnxport
