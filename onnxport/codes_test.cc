#include "onnxport/codes.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>

namespace onnxport {
namespace {

// codes.txt has the numbers that were given out. If a number changed or were used again, it would mislead a reader who
// knows it from an older message.
TEST(Codes, NumbersStay) {
  std::ifstream file("onnxport/codes.txt");
  std::set<std::string> given_out;
  size_t at = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    const std::string number = line.substr(0, line.find(' '));
    EXPECT_TRUE(given_out.insert(number).second) << number << " is there twice";
    if (line.ends_with(" retired")) continue;
    ASSERT_LT(at, AllCodes().size()) << line;
    EXPECT_EQ(AllCodes()[at++].number, number);
  }
  EXPECT_EQ(at, AllCodes().size()) << "a new code needs its line in codes.txt";
}

TEST(Codes, AreComplete) {
  std::set<std::string_view> titles;
  std::string_view before;
  for (const CodeInfo& row : AllCodes()) {
    EXPECT_EQ(&InfoOf(row.code), &row);
    EXPECT_EQ(FindCode(row.number), &row);
    EXPECT_TRUE(titles.insert(row.title).second) << row.title;
    ASSERT_EQ(row.number.size(), 5u);
    EXPECT_LT(before.substr(before.empty() ? 0 : 1), row.number.substr(1)) << "in the order of their numbers";
    before = row.number;
    for (const std::string_view text : {row.title, row.explanation, row.example, row.way_out}) {
      EXPECT_GE(text.size(), 8u) << row.number;
    }
    for (const std::string_view text : {row.explanation, row.way_out}) EXPECT_TRUE(text.ends_with('.')) << row.number;
  }
}

TEST(Codes, AreFoundByNumber) {
  EXPECT_EQ(FindCode("e0104"), &InfoOf(Code::kAxisIsFixed));
  for (const char* text : {"", "E", "E010", "E01040", "0104", "E9999"}) EXPECT_EQ(FindCode(text), nullptr) << text;
  EXPECT_EQ(NearestCode("E01044"), "E0104");
  EXPECT_EQ(NearestCode("nothing"), "");
}

TEST(Codes, KindsHaveNames) {
  EXPECT_EQ(Name(ErrorKind::kCannotExport), "cannot_export");
  EXPECT_EQ(Name(ErrorKind::kMemoryBudget), "memory_budget");
}

}  // namespace
}  // namespace onnxport
