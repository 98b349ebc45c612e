// Calls in a `.pt2` that torch.export would not write: functions, operands and results of every kind put together by
// chance. Each is exported or refused. (A crash or a hang ends this test, which tells the case's seed.)
#include <fmt/core.h>
#include <unistd.h>

#include <cstdlib>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "onnxport/export.h"
#include "runtime/aten/aten_schema.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/testing/zip_writer.h"
#include "tests/fuzz/random.h"
#include "tests/hostile/forge.h"

namespace onnxport {
namespace {

constexpr unsigned kMostSeconds = 20;  // for one case

// Parts of a target's name; most combinations are no name that a file may use.
constexpr const char* kModules[] = {"_operator.", "operator.", "math.",           "builtins.",          "torch.",
                                    "torch._",    "host::",    "torch.ops.host.", "torch.ops.host.op.", ""};
constexpr const char* kFunctions[] = {
    "abs",
    "add",
    "and_",
    "cast",
    "ceil",
    "emptied",
    "eq",
    "exp",
    "float",
    "floor",
    "floordiv",
    "ge",
    "getitem",
    "gt",
    "int",
    "ite",
    "le",
    "log",
    "lshift",
    "lt",
    "max",
    "min",
    "mod",
    "mul",
    "ne",
    "neg",
    "not",
    "or_",
    "pos",
    "pow",
    "round",
    "sub",
    "sqrt",
    "sym_float",
    "sym_int",
    "sym_ite",
    "sym_max",
    "sym_min",
    "sym_not",
    "sym_numel",
    "sym_size",
    "sym_sqrt",
    "sym_stride",
    "sym_sum",
    "sym_storage_offset",
    "truediv",
    "trunc",
    "zeros",
    "sequence_at",
    "sequence_append",
    "sequence_concat",
    "sequence_construct",
    "sequence_empty",
    "sequence_erase",
    "sequence_insert",
    "sequence_length",
    "sequence_reverse",
    "sequence_slice",
    "sequence_split",
    "",
};
constexpr const char* kHigherOrder[] = {"associative_scan",
                                        "auto_functionalized",
                                        "cond",
                                        "hints_wrapper",
                                        "invoke_subgraph",
                                        "map_impl",
                                        "print",
                                        "run_const_graph",
                                        "scan",
                                        "strict_mode",
                                        "while_loop",
                                        "with_effects",
                                        "wrap",
                                        "wrap_with_autocast",
                                        "flat_apply",
                                        "out_dtype",
                                        "wrap_with_set_grad_enabled"};

// The operands: x: float32[2, 3], e: float32[0, 3], i: int64[2], s: a scalar, n: an int known only at run time.
constexpr const char* kOperands[] = {
    R"({"as_tensor": {"name": "x"}})",
    R"({"as_tensor": {"name": "e"}})",
    R"({"as_tensor": {"name": "i"}})",
    R"({"as_tensor": {"name": "s"}})",
    R"({"as_sym_int": {"as_name": "n"}})",
    R"({"as_sym_bool": {"as_bool": true}})",
    R"({"as_sym_float": {"as_float": 0.5}})",
    R"({"as_int": 1})",
    R"({"as_int": -1})",
    R"({"as_int": 9223372036854775807})",
    R"({"as_int": -9223372036854775808})",
    R"({"as_float": 0.5})",
    R"({"as_float": "NaN"})",
    R"({"as_bool": true})",
    R"({"as_none": true})",
    R"({"as_string": "sum"})",
    R"({"as_ints": [1]})",
    R"({"as_ints": []})",
    R"({"as_ints": [2, 3]})",
    R"({"as_floats": [0.5, "Infinity"]})",
    R"({"as_bools": [true, false]})",
    R"({"as_sym_ints": [{"as_name": "n"}, {"as_int": 2}]})",
    R"({"as_tensors": [{"name": "x"}, {"name": "i"}]})",
    R"({"as_tensors": []})",
    R"({"as_optional_tensors": [{"as_none": true}, {"as_tensor": {"name": "i"}}]})",
    R"({"as_scalar_type": 7})",
    R"({"as_scalar_type": 10})",
    R"({"as_memory_format": 2})",
    R"({"as_layout": 7})",
    R"({"as_device": {"type": "cpu", "index": null}})",
    R"({"as_complex": {"real": 0.5, "imag": 1.0}})",
    R"({"as_operator": "torch.ops.higher_order.print"})",
    R"({"as_graph": {"name": "g", "graph": {"inputs": [], "outputs": [], "nodes": [], "tensor_values": {}, "sym_int_values": {}, "sym_bool_values": {}}}})",
    R"({"as_graph": {"name": "g", "graph": {"inputs": [{"as_tensor": {"name": "a"}}], "outputs": [{"as_tensor": {"name": "a"}}], "nodes": [], "tensor_values": {"a": TYPE}, "sym_int_values": {}, "sym_bool_values": {}}}})",
};
constexpr const char* kResults[] = {
    R"({"as_tensor": {"name": "y"}})",      R"({"as_sym_int": {"as_name": "k"}})",
    R"({"as_sym_bool": {"as_name": "k"}})", R"({"as_sym_float": {"as_name": "k"}})",
    R"({"as_tensors": [{"name": "y"}]})",   R"({"as_none": true})",
};

std::string TypeOf(const std::string& sizes, const std::string& strides, int dtype = 7) {
  return fmt::format(
      R"({{"dtype": {}, "sizes": [{}], "requires_grad": false, "device": {{"type": "cpu", "index": null}}, )"
      R"("strides": [{}], "storage_offset": {{"as_int": 0}}, "layout": 7}})",
      dtype, sizes, strides);
}
const std::string kTwoByThree = TypeOf(R"({"as_int": 2}, {"as_int": 3})", R"({"as_int": 3}, {"as_int": 1})");

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at; (at = text.find(from)) != std::string::npos;) text.replace(at, from.size(), to);
  return text;
}

struct Call {
  std::string target;
  std::vector<std::pair<std::string, std::string>> operands{};  // name, argument
  std::vector<std::string> results{};
};

// model.json of (n = i.item(), the call) -> x.
std::string Program(const Call& call) {
  std::string inputs, outputs;
  for (const auto& [name, operand] : call.operands)
    inputs += fmt::format(R"({}{{"name": "{}", "arg": {}, "kind": 1}})", inputs.empty() ? "" : ", ", name, operand);
  for (const std::string& result : call.results) outputs += (outputs.empty() ? "" : ", ") + result;
  const auto user_input = [](const char* name) {
    return fmt::format(R"({{"user_input": {{"arg": {{"as_tensor": {{"name": "{}"}}}}}}}})", name);
  };
  const auto tensor = [](const char* name) { return fmt::format(R"({{"as_tensor": {{"name": "{}"}}}})", name); };
  const std::string text =
      R"({"graph_module": {"graph": {"inputs": [INPUTS], "outputs": [RESULT], "nodes": [)"
      R"({"target": "torch.ops.aten.item.default", "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "s"}}, )"
      R"("kind": 1}], "outputs": [{"as_sym_int": {"as_name": "n"}}], "metadata": {}, "name": "item"}, )"
      R"({"target": "TARGET", "inputs": [OPERANDS], "outputs": [GIVEN], "metadata": {}, "name": "call"}], )"
      R"("tensor_values": {"x": TYPE, "y": TYPE, "e": EMPTY, "i": INTS, "s": SCALAR}, "sym_int_values": {"n": )"
      R"({"as_expr": {"expr_str": "u0", "hint": null}}, "k": {"as_expr": {"expr_str": "u1", "hint": null}}}, )"
      R"("sym_bool_values": {}}, "signature": {"input_specs": [SPECS], "output_specs": [{"user_output": {"arg": )"
      R"(RESULT}}]}, "module_call_graph": []}, "range_constraints": {}, "schema_version": {"major": 8, "minor": 20}})";
  std::string json = Replaced(text, "INPUTS", tensor("x") + "," + tensor("e") + "," + tensor("i") + "," + tensor("s"));
  json =
      Replaced(json, "SPECS", user_input("x") + "," + user_input("e") + "," + user_input("i") + "," + user_input("s"));
  json = Replaced(json, "RESULT", tensor(call.results.empty() || call.results[0] != kResults[0] ? "x" : "y"));
  json = Replaced(json, "OPERANDS", inputs);
  json = Replaced(json, "GIVEN", outputs);
  json = Replaced(json, "TARGET", call.target);
  json = Replaced(json, "EMPTY", TypeOf(R"({"as_int": 0}, {"as_int": 3})", R"({"as_int": 3}, {"as_int": 1})"));
  json = Replaced(json, "INTS", TypeOf(R"({"as_int": 2})", R"({"as_int": 1})", 5));
  json = Replaced(json, "SCALAR", TypeOf("", "", 5));
  return Replaced(json, "TYPE", kTwoByThree);
}

class ForgedCalls : public testing::Test {
 protected:
  void SetUp() override { records_ = RecordsOf(std::string(std::getenv("ARCHIVES")) + "/exported.pt2"); }

  void EndsWell(const Call& call, int opset) {
    for (auto& [name, contents] : records_) {
      if (name.ends_with("models/model.json")) contents = Program(call);
    }
    SCOPED_TRACE(Program(call));
    ::alarm(kMostSeconds);
    const std::string archive = archive::WriteZip(records_);
    const Result<Model> model = Export(Source::Bytes(std::as_bytes(std::span(archive))), {.opset = opset});
    if (model) {
      EXPECT_TRUE(model->Bytes());
      ++exported_;
    } else {
      const std::set<ErrorKind> kinds = {ErrorKind::kCannotExport, ErrorKind::kBadInput, ErrorKind::kMemoryBudget};
      EXPECT_TRUE(kinds.contains(model.error().kind())) << model.error().Text();
      EXPECT_EQ(model.error().Text().find("internal error"), std::string::npos) << model.error().Text();
    }
    ::alarm(0);
  }

  // As many of the schema's arguments as chance gives, most of them.
  static Call OfSchema(const ir::AtenSchema& schema, Random* random) {
    std::string path = schema.name.text().substr(schema.name.text().find("::") + 2);
    if (schema.overload().empty()) path += ".default";
    Call call{.target = "torch.ops.aten." + path};
    for (const ir::AtenArgument& argument : schema.arguments) {
      if (random->OneIn(argument.default_value ? 2 : 20)) continue;
      call.operands.emplace_back(argument.name, Operand(argument.type.kind == ir::AtenKind::kTensor, random));
    }
    for (size_t n = 0; n < schema.results.size(); ++n)
      call.results.push_back(n == 0 ? ResultOf(schema, random) : kNone);
    return call;
  }

  static std::string Operand(bool tensor, Random* random) {
    return tensor && !random->OneIn(4) ? kOperands[random->Below(4)] : random->Pick(kOperands);
  }

  static std::string ResultOf(const ir::AtenSchema& schema, Random* random) {
    const bool tensor = schema.results[0].type.kind == ir::AtenKind::kTensor && !schema.results[0].type.list;
    return tensor && !random->OneIn(4) ? kResults[0] : random->Pick(kResults);
  }

  static constexpr const char* kNone = R"({"as_none": true})";
  archive::ZipContents records_;
  int exported_ = 0;
};

TEST_F(ForgedCalls, OfFunctionsOnNumbers) {
  uint64_t seed = 0;
  for (const char* module : kModules) {
    for (const char* function : kFunctions) {
      for (size_t operands = 0; operands < 4; ++operands) {
        SCOPED_TRACE(fmt::format("seed {}", seed));
        Random random(seed++);
        Call call{.target = std::string(module) + function, .results = {random.Pick(kResults)}};
        for (size_t i = 0; i < operands; ++i) call.operands.emplace_back("a", random.Pick(kOperands));
        EndsWell(call, random.OneIn(3) ? 11 : 18);
      }
    }
  }
  EXPECT_GT(exported_, 0);
}

// With every pair of operands, so that none is missed by chance.
TEST_F(ForgedCalls, OfTwoOperandsOfEachKind) {
  for (const char* target : {"_operator.add", "_operator.and_", "_operator.floordiv", "_operator.mod", "_operator.pow",
                             "_operator.eq", "_operator.lt", "torch.sym_max"}) {
    for (const char* a : kOperands) {
      for (const char* b : kOperands) EndsWell({target, {{"a", a}, {"b", b}}, {kResults[1]}}, 18);
    }
  }
  EXPECT_GT(exported_, 0);
}

TEST_F(ForgedCalls, OfOperatorsThatTakeGraphs) {
  for (uint64_t seed = 0; seed < 600; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Random random(seed);
    Call call{.target = fmt::format("torch.ops.higher_order.{}", random.Pick(kHigherOrder))};
    for (size_t n = random.Below(6); n > 0; --n) {
      call.operands.emplace_back("", random.OneIn(2) ? kOperands[std::size(kOperands) - 1] : random.Pick(kOperands));
    }
    for (size_t n = random.Below(2); n > 0; --n) call.results.emplace_back(random.Pick(kResults));
    EndsWell(call, 18);
  }
}

TEST_F(ForgedCalls, OfEveryOperator) {
  uint64_t seed = 0;
  std::string before;
  for (const lowering::DispatchRow& row : lowering::AllRows()) {
    const ir::AtenSchema* schema = ir::FindAtenSchema(row.name);
    if (schema == nullptr || row.name == before || !row.name.starts_with("aten::")) continue;
    before = row.name;
    for (int i = 0; i < 3; ++i) {
      SCOPED_TRACE(fmt::format("seed {}", seed));
      Random random(seed++);
      EndsWell(OfSchema(*schema, &random), random.OneIn(4) ? 11 : 18);
    }
  }
  EXPECT_GT(exported_, 0);
}

}  // namespace
}  // namespace onnxport
