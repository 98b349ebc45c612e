#include "runtime/ir/operator.h"

#include <gtest/gtest.h>

#include <set>

namespace onnxport::ir {
namespace {

TEST(Operator, IsOfItsName) {
  const Operator relu = "Relu";
  EXPECT_EQ(relu.text(), "Relu");
  EXPECT_TRUE(relu == "Relu");
  EXPECT_FALSE(relu == "Add");
  EXPECT_FALSE(relu.instruction());
  EXPECT_EQ(relu, Operator(std::string("Relu")));
}

TEST(Operator, IsAnInstruction) {
  const Operator add = Instruction::kAdd;
  EXPECT_EQ(add.instruction(), Instruction::kAdd);
  EXPECT_TRUE(add == Instruction::kAdd);
  EXPECT_FALSE(add == Instruction::kSub);
  EXPECT_EQ(add.text(), "host::add");
}

// What a file writes is a name, whatever it is.
TEST(Operator, TextIsNoInstruction) {
  for (size_t i = 0; i < kInstructions; ++i) {
    const Operator own = static_cast<Instruction>(i);
    const Operator written = own.text();
    EXPECT_FALSE(written.instruction());
    EXPECT_FALSE(written == own);
    EXPECT_FALSE(own == own.text());
    EXPECT_TRUE(written == own.text());
  }
}

TEST(Instruction, HasANameOfItsOwn) {
  std::set<std::string> texts;
  for (size_t i = 0; i < kInstructions; ++i) {
    const InstructionInfo& info = InfoOf(static_cast<Instruction>(i));
    EXPECT_EQ(info.instruction, static_cast<Instruction>(i));
    EXPECT_LE(info.least, info.most);
    texts.insert(TextOf(info.instruction));
  }
  EXPECT_EQ(texts.size(), kInstructions);
}

TEST(Instruction, FindsQuestionsAboutSizes) {
  EXPECT_EQ(FindSizeQuestion("sym_size"), Instruction::kSymSize);
  EXPECT_EQ(FindSizeQuestion("sym_storage_offset"), Instruction::kSymStorageOffset);
  EXPECT_EQ(FindSizeQuestion("add"), std::nullopt);
  EXPECT_EQ(FindSizeQuestion("emptied"), std::nullopt);
}

}  // namespace
}  // namespace onnxport::ir
