#include "runtime/aten/schema_questions.h"

#include <gtest/gtest.h>

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

// Only its own entry knows the result of somebody's operator, whatever its name is.
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

}  // namespace
}  // namespace onnxport::ir
