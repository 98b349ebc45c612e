#include "codegen/format/same_spec.h"

#include <gtest/gtest.h>

#include <string>

#include "codegen/load/load.h"

namespace onnxport::codegen {
namespace {

SpecFile Read(const std::string& ops) {
  Diagnostics diagnostics;
  const auto spec = LoadSpecFile("spec/aten/x.yaml", "spec: 1\nfamily: x\nops:\n" + ops, &diagnostics);
  EXPECT_TRUE(spec) << diagnostics.ToText();
  return spec.value_or(SpecFile());
}

// Two texts that differ in one thing each, and where that is.
struct Row {
  const char* a;
  const char* b;
  const char* part;
};

const Row kRows[] = {
    {"- {op: aten::no, emit: x, tests: [no(1)]}\n", "- {op: aten::no, emit: x, tests: ['no(1) with domain=\"d\"']}\n",
     "aten::no: tests"},
    {"- {op: aten::no, emit: x, tests: [no(1)]}\n", "- {op: aten::no, emit: x, tests: [no(1) with training=True]}\n",
     "aten::no: tests"},
    {"- {op: aten::no, emit: x, tests: [no(1)]}\n", "- {op: aten::no, emit: x, tests: [no(1) with special=\"a\"]}\n",
     "aten::no: tests"},
    {"- {op: aten::no, emit: x, tests: ['no(f32[1] in 0..1)']}\n",
     "- {op: aten::no, emit: x, tests: ['no(f32[1] in 0..2)']}\n", "aten::no: tests"},
    {"- {op: aten::no, emit: x, tests: ['no(f32[1] in 0..1)']}\n",
     "- {op: aten::no, emit: x, tests: ['no(f32[1] from 0 to 1)']}\n", "aten::no: tests"},
    {"- {op: aten::no, writes: nothing}\n- {op: aten::of, emit: x}\n", "- {op: aten::of, emit: x}\n", "ops"},
    {"- {op: aten::no, alias: self}\n", "- {op: aten::no, alias: reshape}\n", "aten::no: alias"},
    {"- {op: aten::no, emit: x, layout: contiguous}\n", "- {op: aten::no, emit: x}\n", "aten::no: layout"},
    {"- {op: aten::no, emit: nan}\n", "- {op: aten::no, emit: inf}\n", "aten::no: cases"},
    {"- {op: aten::no, emit: x}\n", "- {op: aten::no, list: x}\n", "aten::no: cases"},
    {"- {op: aten::no, emit: {a: x}}\n", "- {op: aten::no, emit: {b: x}}\n", "aten::no: cases"},
    {"- {op: aten::no, args: {a: must(1)}, emit: x}\n", "- {op: aten::no, args: {a: must(2)}, emit: x}\n",
     "aten::no: args"},
    {"- {op: aten::no, promote: {of: [a]}, emit: x}\n", "- {op: aten::no, promote: {of: [a], kind: float}, emit: x}\n",
     "aten::no: promote"},
    {"- {op: aten::no, since: 9, emit: x}\n", "- {op: aten::no, since: 10, emit: x}\n", "aten::no: since"},
    {"- {op: aten::no, emit: x}\n", "- {op: aten::no, override: true, emit: x}\n", "aten::no: override"},
    {"- {def: f(a), emit: a}\n", "- {def: f(a), emit: a + a}\n", "the definition f: cases"},
};

TEST(Difference, SeesEachThingThatAFileSays) {
  for (const Row& row : kRows) {
    EXPECT_EQ(Difference(Read(row.a), Read(row.b)), row.part) << row.a << row.b;
    EXPECT_EQ(Difference(Read(row.a), Read(row.a)), "");
  }
}

}  // namespace
}  // namespace onnxport::codegen
