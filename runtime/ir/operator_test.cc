#include "runtime/ir/operator.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace onnxport::ir::operator_test {
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

// A text from a file is a name, whatever it is.
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

TEST(Operator, SharesItsName) {
  const Operator one = "Relu";
  const Operator other = std::string("Relu");
  EXPECT_EQ(&one.text(), &other.text());
  EXPECT_EQ(Operator(), Operator(""));
}

// Names that nobody has any more are dropped now and then; one that a graph has must be found again, as operators are
// compared by where their names are.
TEST(Operator, KeepsNamesThatAreUsed) {
  std::vector<Operator> kept;
  for (int i = 0; i < 50'000; ++i) {
    Operator made = "Op" + std::to_string(i);
    if (i % 7 == 0) kept.push_back(std::move(made));
  }
  for (size_t i = 0; i < kept.size(); ++i) EXPECT_EQ(kept[i], Operator("Op" + std::to_string(7 * i)));
}

// Threads that meet the same new names at once get the same operators: names that stay, and those that are counted.
TEST(Operator, IsOneInAllThreads) {
  constexpr int kNames = 20'000;
  const auto name = [](int i) { return "Thread" + std::to_string(i) + std::string(i % 100 == 0 ? 300 : 0, 'x'); };
  std::vector<std::vector<Operator>> made(8);
  std::vector<std::thread> threads;
  for (auto& mine : made) {
    threads.emplace_back([&mine, &name] {
      for (int i = 0; i < kNames; ++i) mine.emplace_back(name(i));
    });
  }
  for (auto& thread : threads) thread.join();
  for (int i = 0; i < kNames; ++i) {
    for (const auto& mine : made) ASSERT_EQ(mine[i], made[0][i]) << name(i);
    ASSERT_EQ(made[0][i].text(), name(i));
  }
}

TEST(Operator, HasPlaceForWhatAtenSays) {
  EXPECT_EQ(Operator("aten::relu").aten(), Operator(std::string("aten::relu")).aten());
  EXPECT_NE(Operator("aten::relu").aten(), nullptr);
  EXPECT_EQ(Operator().aten(), nullptr);
  EXPECT_EQ(Operator(Instruction::kAdd).aten(), nullptr);
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
}  // namespace onnxport::ir::operator_test
