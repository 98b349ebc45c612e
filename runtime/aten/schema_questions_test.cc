#include "runtime/aten/schema_questions.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "runtime/aten/aten_schema_table.h"

namespace onnxport::ir {
namespace {

TEST(InstructionOf, WhatANodeDoes) {
  EXPECT_EQ(InstructionOf(Instruction::kEmptied), Instruction::kEmptied);
  EXPECT_EQ(InstructionOf("aten::sym_size.int"), Instruction::kSymSize);
  EXPECT_EQ(InstructionOf("aten::sym_numel"), Instruction::kSymNumel);
  EXPECT_EQ(InstructionOf("aten::sym_stride.int"), Instruction::kSymStride);
  EXPECT_EQ(InstructionOf("aten::sym_storage_offset"), Instruction::kSymStorageOffset);
}

TEST(InstructionOf, NothingForOperators) {
  for (const char* op : {"aten::relu", "aten::sym_size", "aten::add.Tensor", "host::add", "sym_size"}) {
    EXPECT_EQ(InstructionOf(op), std::nullopt) << op;
  }
}

// Only the spec entry of a user's operator defines its result. The name means nothing.
TEST(InstructionOf, NothingForOperatorsOfOthers) {
  AtenSchemaTables::Add({.owner = "//foo:ops",
                         .text = "foo::add(SymInt a, SymInt b) -> SymInt\n"
                                 "foo::sym_size.int(Tensor x, int dim) -> SymInt\n"
                                 "host::add(Tensor x) -> Tensor\n",
                         .order = {},
                         .origin = "//foo:ops"});
  for (const char* op : {"foo::add", "foo::sym_size.int", "host::add"}) {
    ASSERT_NE(FindAtenSchema(op), nullptr);
    EXPECT_EQ(InstructionOf(op), std::nullopt) << op;
  }
  EXPECT_EQ(FindAtenSchema(Operator(Instruction::kAdd)), nullptr);
}

TEST(CanBeSize, TellsHowMuchFromHow) {
  const struct {
    const char* op;
    std::vector<std::string> sizes;
  } kRows[] = {
      {"aten::dropout", {"input", "train"}},
      {"aten::layer_norm", {"input", "normalized_shape", "weight", "bias", "cudnn_enable"}},
      {"aten::lstm.input", {"input", "hx", "params", "has_biases", "train", "bidirectional", "batch_first"}},
      {"aten::flatten.using_ints", {"self"}},
      {"aten::slice.Tensor", {"self", "start", "end", "step"}},
      {"aten::unfold", {"self", "size", "step"}},
      {"aten::avg_pool1d", {"self", "kernel_size", "stride", "padding", "ceil_mode", "count_include_pad"}},
  };
  for (const auto& row : kRows) {
    const AtenSchema* schema = FindAtenSchema(row.op);
    ASSERT_NE(schema, nullptr) << row.op;
    std::vector<std::string> sizes;
    for (const AtenArgument& argument : schema->arguments) {
      if (CanBeSize(argument)) sizes.push_back(argument.name);
    }
    EXPECT_EQ(sizes, row.sizes) << row.op;
  }
}

}  // namespace
}  // namespace onnxport::ir
