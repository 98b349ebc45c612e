#include "runtime/sources/pt2/program.h"

#include <functional>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/error.h"
#include "runtime/sources/pt2/json.h"

namespace onnxport::pt2::program_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string Tensor(const std::string& name, const std::string& sizes = R"({"as_int": 2})", int dtype = 7) {
  const bool scalar = sizes.empty();
  return '"' + name + R"(": {"dtype": )" + std::to_string(dtype) + R"(, "sizes": [)" + sizes +
         R"(], "requires_grad": false, "device": {"type": "cpu", "index": null}, "strides": [)" +
         (scalar ? "" : R"({"as_int": 1})") + R"(], "storage_offset": {"as_int": 0}, "layout": 7})";
}
std::string Symbol(const std::string& expression) {
  return R"({"as_expr": {"expr_str": ")" + expression + R"(", "hint": null}})";
}
std::string Named(const std::string& name) { return R"({"as_tensor": {"name": ")" + name + R"("}})"; }
std::string Node(const std::string& target, const std::string& inputs, const std::string& outputs) {
  return R"({"target": ")" + target + R"(", "inputs": [)" + inputs + R"(], "outputs": [)" + outputs +
         R"(], "metadata": {}, "name": "n"})";
}
std::string Arg(const std::string& name, const std::string& arg) {
  return R"({"name": ")" + name + R"(", "arg": )" + arg + R"(, "kind": 1})";
}

// y = relu(x), in parts that a test can replace.
struct Parts {
  std::string inputs = Named("x");
  std::string nodes = Node("torch.ops.aten.relu.default", Arg("self", Named("x")), Named("y"));
  std::string tensors = Tensor("x") + "," + Tensor("y");
  std::string sym_ints = "";
  std::string input_specs = R"({"user_input": {"arg": )" + Named("x") + "}}";
  std::string output_specs = R"({"user_output": {"arg": )" + Named("y") + "}}";
  std::string outputs = Named("y");  // of the graph
  std::string ranges = "";
  std::string version = R"({"major": 8, "minor": 20})";

  std::string Json() const {
    return R"({"graph_module": {"graph": {"inputs": [)" + inputs + R"(], "outputs": [)" + outputs + R"(], "nodes": [)" +
           nodes + R"(], "tensor_values": {)" + tensors + R"(}, "sym_int_values": {)" + sym_ints +
           R"(}, "sym_bool_values": {}}, "signature": {"input_specs": [)" + input_specs + R"(], "output_specs": [)" +
           output_specs + R"(]}, "module_call_graph": []}, "range_constraints": {)" + ranges +
           R"(}, "schema_version": )" + version + "}";
  }
};

Program Read(const Parts& parts, bool with_writes = false) {
  MetaReader metas;
  const std::string json = parts.Json();
  return ReadProgram(OneBlock(json), &metas, with_writes);
}

std::string Text(const Parts& parts) { return ir::ToText(Read(parts).graph); }

std::string ErrorOf(const Parts& parts) {
  try {
    Read(parts);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Program, KeepsWhatTheFileTakesForGrantedOfSizes) {
  MetaReader metas;
  std::string json = Parts().Json();
  json.insert(json.size() - 1, R"(, "guards_code": ["L['x'].size()[0] >= 2", "L['x'].size()[1] != 5"])");
  EXPECT_THAT(ReadProgram(OneBlock(json), &metas).guards,
              ElementsAre("L['x'].size()[0] >= 2", "L['x'].size()[1] != 5"));
}

// In blocks of any size the text is the same program, and where it ends too early it is none.
TEST(Program, InBlocks) {
  const auto in_blocks = [](std::string_view text, size_t size) {
    return [text, size]() mutable {
      const std::string_view block = text.substr(0, size);
      text.remove_prefix(block.size());
      return block;
    };
  };
  const std::string json = Parts().Json();
  const std::string whole = Text({});
  for (const size_t size : {size_t{1}, size_t{7}, size_t{4096}}) {
    MetaReader metas;
    EXPECT_EQ(ir::ToText(ReadProgram(in_blocks(json, size), &metas).graph), whole) << size;
    for (size_t end = 0; end < json.size(); ++end) {
      EXPECT_THROW(ReadProgram(in_blocks(std::string_view(json).substr(0, end), size), &metas), Error) << end;
    }
  }
}

TEST(Program, Plain) {
  EXPECT_THAT(Text({}), HasSubstr("%y: float32[2] = aten::relu(%x)"));
  const Program program = Read({});
  ASSERT_EQ(program.graph.inputs.size(), 1u);
  EXPECT_EQ(program.graph.inputs[0].name, "x");
  EXPECT_EQ(program.graph.outputs[0].name, "output");
}

TEST(Program, Versions) {
  EXPECT_EQ(ErrorOf({.version = R"({"major": 8, "minor": 99})"}), "no error");
  EXPECT_THAT(ErrorOf({.version = R"({"major": 9, "minor": 1})"}),
              HasSubstr("schema version 9.1 is unknown; known is 8.x"));
  EXPECT_THAT(ErrorOf({.version = "{}"}), HasSubstr("'major' is missing"));
}

TEST(Program, DefaultsAreFilledIn) {
  Parts parts;
  parts.nodes = Node("torch.ops.aten.add.Tensor", Arg("self", Named("x")) + "," + Arg("other", R"({"as_float": 0.5})"),
                     Named("y"));
  EXPECT_THAT(Text(parts), HasSubstr("aten::add.Tensor(%x, 0.5, 1)"));
  parts.nodes = Node("torch.ops.aten.avg_pool2d.default",
                     Arg("self", Named("x")) + "," + Arg("kernel_size", R"({"as_int": 3})"), Named("y"));
  EXPECT_THAT(Text(parts), HasSubstr("aten::avg_pool2d(%x, [3, 3], [], [0, 0], False, True, None)"));
  parts.nodes =
      Node("torch.ops.aten.dropout.default",
           Arg("input", Named("x")) + "," + Arg("p", R"({"as_int": 1})") + "," + Arg("train", R"({"as_bool": true})"),
           Named("y"));
  EXPECT_THAT(Text(parts), HasSubstr("aten::dropout(%x, 1.0, True)"));
}

TEST(Program, ArgumentKinds) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"as_none": true})", "None"},
      {R"({"as_ints": [1, -1]})", "[1, -1]"},
      {R"({"as_floats": [0.5, "Infinity"]})", "[0.5, inf]"},
      {R"({"as_bools": [true]})", "[True]"},
      {R"({"as_tensors": [{"name": "x"}]})", "[%x]"},
      {R"({"as_optional_tensors": [{"as_none": true}, {"as_tensor": {"name": "x"}}]})", "[None, %x]"},
      {R"({"as_sym_ints": [{"as_int": 4}]})", "[4]"},
      {R"({"as_sym_int": {"as_int": 4}})", "4"},
      {R"({"as_scalar_type": 13})", "bfloat16"},
      {R"({"as_memory_format": 2})", "channels_last"},
      {R"({"as_layout": 7})", "strided"},
      {R"({"as_device": {"type": "cuda", "index": 1}})", "cuda:1"},
      {R"({"as_int_lists": [[1], [2, 3]]})", "[[1], [2, 3]]"},
      {R"({"as_nested_tensors": [[{"name": "x"}]]})", "[[%x]]"},
      {R"({"as_operator": "torch.ops.aten.add"})", "torch.ops.aten.add"},
  };
  for (const auto& [json, text] : cases) {
    EXPECT_THAT(Text({.nodes = Node("torch.ops.mine.op.default", Arg("a", json), Named("y"))}),
                HasSubstr("mine::op(a=" + std::string(text) + ")"));
  }
}

TEST(Program, ListsOfResultsLieFlat) {
  Parts parts;
  parts.nodes =
      Node("torch.ops.aten.unbind.int", Arg("self", Named("x")), R"({"as_tensors": [{"name": "a"}, {"name": "y"}]})");
  parts.tensors += "," + Tensor("a");
  EXPECT_THAT(Text(parts), HasSubstr("%a: float32[2], %y: float32[2] = aten::unbind.int(%x, 0)"));
}

TEST(Program, SymbolsRangesAndArithmetic) {
  Parts parts;
  parts.tensors = Tensor("x", Symbol("Symbol('s77', positive=True, integer=True)")) + "," +
                  Tensor("y", Symbol("Add(Mul(Integer(2), Symbol('s77', positive=True, integer=True)), Integer(1))"));
  parts.sym_ints = R"("n": )" + Symbol("Symbol('s77', positive=True, integer=True)") + R"(, "m": )" +
                   Symbol("Mul(Integer(2), Symbol('s77', positive=True, integer=True))");
  parts.ranges =
      R"("s77": {"min_val": 2, "max_val": null}, "4*s77": {"min_val": 9, "max_val": 99}, "u0": {"min_val": 0, "max_val": 9223372036854775806})";
  parts.nodes =
      Node("torch.ops.aten.sym_size.int", Arg("self", Named("x")) + "," + Arg("dim", R"({"as_int": 0})"),
           R"({"as_sym_int": {"as_name": "n"}})") +
      "," +
      Node("_operator.mul", Arg("a", R"({"as_int": 2})") + "," + Arg("b", R"({"as_sym_int": {"as_name": "n"}})"),
           R"({"as_sym_int": {"as_name": "m"}})") +
      "," +
      Node("_operator.ge", Arg("a", R"({"as_sym_int": {"as_name": "m"}})") + "," + Arg("b", R"({"as_int": 4})"),
           R"({"as_sym_bool": {"as_name": "c"}})") +
      "," +
      Node("torch.ops.aten._assert_scalar.default",
           Arg("self", R"({"as_sym_bool": {"as_name": "c"}})") + "," + Arg("assert_msg", R"({"as_string": "no"})"),
           "") +
      "," +
      Node("torch.ops.aten.view.default",
           Arg("self", Named("x")) + "," + Arg("size", R"({"as_sym_ints": [{"as_name": "m"}, {"as_int": -1}]})"),
           Named("y"));
  const Program program = Read(parts);
  const std::string text = ir::ToText(program.graph);
  EXPECT_THAT(text, HasSubstr("host::mul(2, %n)"));
  EXPECT_THAT(text, HasSubstr("%y: float32[2*s77 + 1] = aten::view(%x, [%m, -1])"));
  EXPECT_THAT(text, testing::Not(HasSubstr("host::ge"))) << "only an assertion asked for it";
  EXPECT_EQ(program.graph.ranges.at("s77").min, 3);
  EXPECT_EQ(program.graph.ranges.at("s77").max, 24);
  EXPECT_FALSE(program.graph.ranges.at("u0").max.has_value());
}

TEST(Program, SumOfSizesIsAChain) {
  const std::string size = R"({"as_sym_int": {"as_name": ")";
  Parts parts;
  parts.nodes =
      Node("torch.ops.aten.sym_numel.default", Arg("self", Named("x")), size + "n\"}}") + "," +
      Node("torch.sym_sum", Arg("args", R"({"as_sym_ints": [{"as_name": "n"}, {"as_int": 1}, {"as_name": "n"}]})"),
           size + "s\"}}") +
      "," + Node("torch.ops.mine.op.default", Arg("a", size + "s\"}}"), Named("y"));
  const std::string text = Text(parts);
  EXPECT_THAT(text, HasSubstr("host::add(%n, 1)"));
  EXPECT_THAT(text, HasSubstr("mine::op(a=%s)"));
}

TEST(Program, GraphsOfHigherOrderOperatorsAreBlocks) {
  const auto graph = [](const std::string& nodes) {
    return R"({"as_graph": {"name": "body", "graph": {"inputs": [)" + Named("a") + R"(], "outputs": [)" + Named("b") +
           R"(], "nodes": [)" + nodes + R"(], "tensor_values": {)" + Tensor("a") + "," + Tensor("b") +
           R"(}, "sym_int_values": {}, "sym_bool_values": {}}}})";
  };
  const auto call = [](const std::string& body, const char* from, const char* to) {
    return Node("torch.ops.higher_order.wrap_with_set_grad_enabled",
                Arg("", R"({"as_bool": false})") + "," + Arg("", body) + "," + Arg("", Named(from)), Named(to));
  };
  Parts parts;
  const std::string inner = graph(Node("torch.ops.aten.relu.default", Arg("self", Named("a")), Named("b")));
  parts.nodes = call(graph(call(inner, "a", "b")), "x", "y");
  const std::string text = Text(parts);
  EXPECT_THAT(text, HasSubstr("%y: float32[2] = higher_order::wrap_with_set_grad_enabled(False, body, %x)"));
  EXPECT_THAT(text, HasSubstr("%b: float32[2] = higher_order::wrap_with_set_grad_enabled(False, body, %a)"));
  EXPECT_THAT(text, HasSubstr("%b: float32[2] = aten::relu(%a)"));
}

TEST(Program, KindsOfInputs) {
  Parts parts;
  parts.inputs = Named("p") + "," + Named("b") + "," + Named("c") + "," + Named("x") +
                 R"(, {"as_float": 1.5}, {"as_sym_int": {"as_name": "n"}})";
  parts.tensors += "," + Tensor("p") + "," + Tensor("b") + "," + Tensor("c");
  parts.input_specs =
      R"({"parameter": {"arg": {"name": "p"}, "parameter_name": "fc.weight"}}, {"buffer": {"arg": {"name": "b"}, "buffer_name": "mean", "persistent": false}},
      {"tensor_constant": {"arg": {"name": "c"}, "tensor_constant_name": "lifted"}}, )" +
      parts.input_specs +
      R"(, {"constant_input": {"name": "scale", "value": {"as_float": 1.5}}}, {"constant_input": {"name": "mask", "value": {"as_none": true}}}, {"user_input": {"arg": {"as_sym_int": {"as_name": "n"}}}})";
  const Program program = Read(parts);
  ASSERT_EQ(program.lifted.size(), 3u);
  EXPECT_EQ(program.lifted[0].name, "fc.weight");
  EXPECT_FALSE(program.lifted[0].constant);
  EXPECT_TRUE(program.lifted[1].constant);
  ASSERT_EQ(program.graph.inputs.size(), 2u);
  EXPECT_EQ(program.graph.inputs[1].name, "n");
  EXPECT_THAT(program.remarks, ElementsAre("argument 'scale' is no tensor: its value at export is part of the graph"));
}

TEST(Program, KindsOfOutputs) {
  Parts parts;
  parts.output_specs =
      R"({"buffer_mutation": {"arg": {"name": "y"}, "buffer_name": "mean"}}, {"user_input_mutation": {"arg": {"name": "y"}, "user_input_name": "x"}},
      {"user_output": {"arg": )" +
      Named("y") + R"(}}, {"user_output": {"arg": )" + Named("y") + R"(}}, {"user_output": {"arg": )" + Named("x") +
      R"(}}, {"user_output": {"arg": {"as_none": true}}}, {"user_output": {"arg": {"as_int": 7}}})";
  const std::string y = Named("y") + ",";
  parts.outputs = y + y + y + y + Named("x") + R"(, {"as_none": true}, {"as_int": 7})";
  const Program program = Read(parts);
  EXPECT_THAT(ir::ToText(program.graph), HasSubstr("output output_0 = %y\noutput output_1 = %y\noutput output_2 = "
                                                   "%x\noutput output_3 = None\noutput output_4 = 7"));
  EXPECT_THAT(program.remarks,
              ElementsAre(StartsWith("the new value of 'mean' is not kept: an ONNX model has no state"),
                          StartsWith("input 'x' is not written to")));
  parts.output_specs = R"({"gradient_to_parameter": {"arg": {"name": "y"}, "parameter_name": "p"}})";
  EXPECT_THAT(ErrorOf(parts), HasSubstr("training step"));
}

TEST(Program, WritesAreOutputsBehindItsOwn) {
  Parts parts;
  parts.output_specs =
      R"({"user_input_mutation": {"arg": {"name": "y"}, "user_input_name": "x"}}, {"user_output": {"arg": )" +
      Named("y") + "}}";
  parts.outputs = Named("y") + "," + Named("y");
  const Program program = Read(parts, true);
  ASSERT_EQ(program.graph.outputs.size(), 2u);
  ASSERT_EQ(program.writes.size(), 1u);
  EXPECT_EQ(program.writes[0].output, 1u);
  EXPECT_EQ(program.writes[0].target, *program.graph.inputs[0].value.value());
  EXPECT_EQ(*program.graph.outputs[1].value.value(), *program.graph.outputs[0].value.value());
  EXPECT_THAT(program.remarks, testing::IsEmpty());
  parts.output_specs = R"({"buffer_mutation": {"arg": {"name": "y"}, "buffer_name": "none"}})";
  EXPECT_THROW(Read(parts, true), Error);
}

TEST(Program, AMoveToAnotherDeviceIsACopy) {
  Parts parts;
  parts.nodes = Node("torch.ops.aten.to.dtype",
                     Arg("self", Named("x")) + "," + Arg("dtype", R"({"as_scalar_type": 7})"), Named("y"));
  EXPECT_THAT(Text(parts), HasSubstr("aten::to.dtype(%x, float32, False, False, None)"));
  parts.tensors.replace(parts.tensors.find("cpu"), 3, "cuda");
  EXPECT_THAT(Text(parts), HasSubstr("aten::to.dtype(%x, float32, False, True, None)"));
}

TEST(Program, RefusesDamage) {
  const std::string relu = "torch.ops.aten.relu.default";
  const std::pair<Parts, const char*> cases[] = {
      {{.nodes = Node(relu, Arg("self", Named("z")), Named("y"))}, "'z' is used before it is made"},
      {{.nodes = Node(relu, Arg("self", Named("x")), Named("x"))}, "the name 'x' is given twice"},
      {{.nodes = Node(relu, Arg("input", Named("x")), Named("y"))}, "aten::relu has no argument 'input'"},
      {{.nodes = Node(relu, "", Named("y"))}, "aten::relu lacks its argument 'self'"},
      {{.nodes = Node(relu, Arg("self", Named("x")) + "," + Arg("self", Named("x")), Named("y"))},
       "argument 'self' is given twice"},
      {{.nodes = Node(relu, Arg("self", R"({"as_new": 1})"), Named("y"))}, "unknown kind of argument 'as_new'"},
      {{.nodes = Node(relu, Arg("self", R"({"as_memory_format": 77})"), Named("y"))}, "unknown number 77"},
      {{.nodes = Node(relu, Arg("self", Named("x")), R"({"as_graph": {}})")},
       "a value of a kind that is not supported"},
      {{.nodes = Node("", "", Named("y"))}, "a call of '', which is no name of a function"},
      {{.nodes = Node("host::emptied", "", Named("y"))}, "a call of 'host::emptied', which is no name of a function"},
      {{.nodes = Node("_operator.add", Arg("a", Named("x")), Named("y"))}, "_operator.add is given 1 operands, not 2"},
      {{.nodes = "7"}, "an object expected, not an integer"},
      {{.tensors = Tensor("x")}, "no type is given for 'y'"},
      {{.tensors = Tensor("x", R"({"as_int": -2})")}, "a negative size"},
      {{.tensors = Tensor("x", R"({"as_int": 2}, {"as_int": 2})")}, "sizes and strides differ in number"},
      {{.tensors = Tensor("x", R"({"as_int": 2})", 77)}, "unknown dtype number 77"},
      {{.tensors = Tensor("x", R"({"as_int": 2})", 9)}, "tensor 'x': dtype complex32"},
      {{.input_specs = R"({"user_input": {"arg": )" + Named("q") + "}}"}, "'q' is used before it is made"},
      {{.input_specs = R"({"magic": {}})"}, "unknown kind of input 'magic'"},
      {{.output_specs = R"({"magic": {}})"}, "unknown kind of output 'magic'"},
      {{.input_specs =
            R"({"user_input": {"arg": )" + Named("x") + R"(}}, {"user_input": {"arg": )" + Named("x") + "}}"},
       "input 'x' is in the signature twice"},
      {{.output_specs = R"({"user_output": {"arg": )" + Named("x") + "}}"},
       "result 0 of the graph is 'y', the signature says 'x'"},
      {{.output_specs = ""}, "the graph gives 1 results, the signature has 0"},
      {{.ranges = R"("s0": {"min_val": 5, "max_val": 2})"}, "no size is in the range of 's0', 5 to 2"},
      {{.nodes = Node("torch.sym_sum", "", Named("y"))}, "torch.sym_sum is given 0 operands, not 1"},
  };
  for (const auto& [parts, message] : cases) EXPECT_THAT(ErrorOf(parts), HasSubstr(message));
}

// A text that this exporter does not know may come from a PyTorch of another version.
TEST(Program, WhatIsUnknownIsNoDamage) {
  const std::string relu = "torch.ops.aten.relu.default";
  const Parts cases[] = {
      {.nodes = Node(relu, Arg("input", Named("x")), Named("y"))},
      {.nodes = Node(relu, "", Named("y"))},
      {.nodes = Node(relu, Arg("self", R"({"as_new": 1})"), Named("y"))},
      {.nodes = Node(relu, Arg("self", R"({"as_memory_format": 77})"), Named("y"))},
      {.nodes = Node(relu, Arg("self", Named("x")), R"({"as_graph": {}})")},
      {.tensors = Tensor("x", R"({"as_int": 2})", 77)},
      {.input_specs = R"({"magic": {}})"},
      {.output_specs = R"({"magic": {}})"},
  };
  for (const Parts& parts : cases) {
    try {
      Read(parts);
      ADD_FAILURE() << parts.Json();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kCannotExport) << error.what();
    }
  }
}

TEST(Program, SparseTensorsAreRefused) {
  Parts parts;
  parts.tensors.replace(parts.tensors.find("\"layout\": 7"), 11, "\"layout\": 1");
  EXPECT_THAT(ErrorOf(parts), HasSubstr("tensor 'x': a tensor of layout 1"));
}

}  // namespace
}  // namespace onnxport::pt2::program_test
