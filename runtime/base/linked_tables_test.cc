#include "runtime/base/linked_tables.h"

#include <gtest/gtest.h>

#include <string>

namespace onnxport {
namespace {

struct Table {
  std::string_view owner;
  int number = 0;
};

TEST(LinkedTables, UsersComeByNameAndOnnxportLast) {
  EXPECT_TRUE(LinkedTables<Table>::All().empty());
  for (const Table& table : {Table{"//b:ops", 1}, Table{kBuiltIn, 2}, Table{"//a:ops", 3}, Table{"//b:ops", 4}}) {
    EXPECT_TRUE(LinkedTables<Table>::Add(table));
  }
  std::string order;
  for (const Table& table : LinkedTables<Table>::All()) order += std::to_string(table.number);
  EXPECT_EQ(order, "3142");
}

}  // namespace
}  // namespace onnxport
