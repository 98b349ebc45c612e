#include "tests/opinfo/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace onnxport::opinfo {
namespace {

using testing::ElementsAre;

Table Read(const std::string& outcomes) {
  Table table;
  std::istringstream in(outcomes);
  AddOutcomes(in, &table);
  return table;
}

constexpr char kOutcomes[] =
    "add\tpt\tf32\tok\t0\t()\t\nadd\tpt\tf32\twrong type\t1\t()\twhy\nadd\tpt\tf32\tok\t2\t()\t\nadd\tpt2\tf32\tno "
    "kernel\t0\t()\t\n";

TEST(Table, CountsOutcomes) {
  const Table table = Read(kOutcomes);
  EXPECT_EQ(ToText(table.at({"add", "pt", "f32"})), "2 ok, 1 wrong type");
  EXPECT_EQ(table.size(), 2);
}

TEST(Table, ListsWhatAgrees) { EXPECT_THAT(ListAgreeing(Read(kOutcomes)), ElementsAre("add pt f32 2")); }

TEST(Table, HasASummary) {
  std::ostringstream out;
  WriteSummary(Read(kOutcomes), out);
  EXPECT_EQ(
      out.str(),
      "pt: 3 samples: ok 2 (66.7 %), reference 0 (0.0 %), no kernel 0 (0.0 %), refused 0 (0.0 %), cannot export 0 "
      "(0.0 %), wrong 1 (33.3 %)\n"
      "pt2: 1 samples: ok 0 (0.0 %), reference 0 (0.0 %), no kernel 1 (100.0 %), refused 0 (0.0 %), cannot export "
      "0 (0.0 %), wrong 0 (0.0 %)\n");
}

TEST(Table, RefusesOtherLines) { EXPECT_THROW(Read("add\tpt\tf32\n"), std::exception); }

}  // namespace
}  // namespace onnxport::opinfo
