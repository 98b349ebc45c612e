// Checks that the generator's code, with the runtime, has the meaning of the language. Random specs go through the
// whole generator and a C++ compiler, and an interpreter reads the same specs as they are written. At every opset, with
// sizes known and unknown, the two make the same nodes, or both refuse.
#include "tests/language/programs.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "codegen/load/load.h"
#include "fmt/format.h"
#include "runtime/aten/aten_schema.h"
#include "runtime/testing/emitted_graph.h"
#include "tests/language/entry.h"

namespace onnxport::language {
namespace {

using lowering::DType;
using lowering::TestGraph;
using lowering::Val;
using lowering::Vals;

constexpr int kFirstOpset = 7;
constexpr int kLastOpset = 28;
constexpr int kCalls = 4;

// Values by the nodes that make them, in one order whichever order they were made in: equal terms are one.
class Terms {
 public:
  explicit Terms(const TestGraph& graph) : graph_(graph) { Add(graph.graph.body, 0); }

  std::string Of(const Val& val) {
    if (val.is_tensor()) return OfValue(val.AsTensor().id);
    if (!val.is_list()) return val.ToString();
    std::string text = "[";
    for (const Val& item : val.AsList()) text += Of(item) + ",";
    return text + "]";
  }

  std::string Definitions() const {
    std::string text;
    for (const std::string& line : lines_) text += line + "\n";
    return text;
  }

 private:
  // A value that a Loop passes to its block has the name of its place there.
  void Add(const ir::Block& block, int depth) {
    for (size_t i = 0; depth > 0 && i < block.inputs.size(); ++i)
      known_[block.inputs[i]] = fmt::format("inside{}.{}", depth, i);
    for (const ir::Node& node : block.nodes) {
      for (size_t i = 0; i < node.outputs.size(); ++i) makers_[node.outputs[i]] = {&node, i};
      for (const ir::Block& inner : node.blocks) Add(inner, depth + 1);
    }
  }

  std::string OfValue(ir::ValueId id) {
    const auto known = known_.find(id);
    if (known != known_.end()) return known->second;
    const auto maker = makers_.find(id);
    if (maker == makers_.end()) return known_[id] = graph_.graph.value(id).name;
    const auto [node, output] = maker->second;
    std::string term = node->op;
    for (const ir::Attribute& attribute : node->attributes)
      term += fmt::format(" {}={}", attribute.name, OfArg(attribute.value));
    term += "(";
    for (const ir::Arg& input : node->inputs) term += OfArg(input) + ",";
    for (const ir::Block& block : node->blocks) {
      term += "{";
      for (const ir::Arg& result : block.outputs) term += OfArg(result) + ",";
      term += "}";
    }
    return known_[id] = fmt::format("{}.{}", Numbered(term + ")"), output);
  }

  std::string Numbered(const std::string& term) {
    const auto [number, is_new] = numbers_.emplace(term, fmt::format("n{}", numbers_.size()));
    if (is_new) lines_.push_back(number->second + " = " + term);
    return number->second;
  }

  std::string OfArg(const ir::Arg& arg) {
    if (const ir::ValueId* id = arg.value()) return OfValue(*id);
    if (const ir::ArgList* list = arg.list()) {
      std::string text = "[";
      for (const ir::Arg& item : *list) text += OfArg(item) + ",";
      return text + "]";
    }
    if (const bool* b = std::get_if<bool>(&arg.v)) return *b ? "true" : "false";
    if (const int64_t* i = std::get_if<int64_t>(&arg.v)) return fmt::format("{}", *i);
    if (const double* d = std::get_if<double>(&arg.v)) return fmt::format("{}", *d);
    if (const std::string* s = std::get_if<std::string>(&arg.v)) return *s;
    if (const DType* t = std::get_if<DType>(&arg.v)) return std::string(ir::Name(*t));
    if (const auto* data = std::get_if<std::shared_ptr<const ir::TensorData>>(&arg.v)) return OfData(**data);
    return "none";
  }

  static std::string OfData(const ir::TensorData& data) {
    std::string text = std::string(ir::Name(data.dtype)) + "[";
    for (const int64_t size : data.shape) text += fmt::format("{},", size);
    text += "]:";
    for (const unsigned char byte : ir::BytesOf(*data.bytes)) text += fmt::format("{:02x}", byte);
    return text;
  }

  const TestGraph& graph_;
  std::map<ir::ValueId, std::pair<const ir::Node*, size_t>> makers_;
  std::map<ir::ValueId, std::string> known_;
  std::map<std::string, std::string> numbers_;
  std::vector<std::string> lines_;
};

// Arguments for a call, by the types of the schema: one of four, with sizes that are known or not.
Vals ArgumentsFor(const ir::AtenSchema& schema, int call, bool known, TestGraph* graph) {
  int tensors = 0;
  const auto tensor = [&] {
    const std::string name = fmt::format("in{}", tensors++);
    const DType dtype = call == 3 ? DType::kInt64 : DType::kFloat32;
    if (call == 1) return graph->Input(name, dtype, {"3"});
    return known ? graph->Input(name, dtype, {"2", "3"}) : graph->Input(name, dtype, {"s0", call == 2 ? "s1" : "3"});
  };
  Vals values;
  for (const ir::AtenArgument& argument : schema.arguments) {
    const ir::AtenType& type = argument.type;
    if (type.kind == ir::AtenKind::kTensor)
      values.push_back(type.list ? Val(Vals{tensor(), tensor()}) : tensor());
    else if (type.kind == ir::AtenKind::kBool)
      values.push_back(call % 2 == 0);
    else if (type.list)
      values.push_back(call == 3 && type.optional ? Val() : Val(Vals{call, 1}));
    else if (type.kind == ir::AtenKind::kScalar || type.kind == ir::AtenKind::kFloat)
      values.push_back(0.25 * call);
    else
      values.push_back(type.kind == ir::AtenKind::kInt || type.kind == ir::AtenKind::kSymInt ? Val(call - 1) : Val());
  }
  return values;
}

struct Outcome {
  std::string results;  // empty: refused
  std::string refusal;
};

template <typename Compute>
Outcome OutcomeOf(const ir::AtenSchema& schema, int opset, int call, bool known, const Compute& compute) {
  TestGraph graph(opset);
  const Vals arguments = ArgumentsFor(schema, call, known, &graph);
  lowering::Context context(&graph.emitter, arguments);
  try {
    const Vals results = compute(context);
    Terms terms(graph);
    std::string text = terms.Of(results);
    return {terms.Definitions() + text, {}};
  } catch (const Refusal& refusal) {
    return {{}, refusal.what()};
  }
}

class EmittedCode : public testing::TestWithParam<size_t> {};

TEST_P(EmittedCode, ComputesWhatTheLanguageMeans) {
  const Program& program = Programs()[GetParam()];
  codegen::Diagnostics diagnostics;
  const auto spec = codegen::LoadSpecFile("spec/aten/f.yaml", std::string(program.spec), &diagnostics);
  ASSERT_TRUE(spec) << diagnostics.ToText();
  const ir::AtenSchema& schema = *ir::FindAtenSchema(spec->ops[0].names[0]);
  int computed = 0;
  for (int opset = std::max(kFirstOpset, spec->ops[0].since.value_or(0)); opset <= kLastOpset; ++opset)
    for (int call = 0; call < kCalls; ++call)
      for (const bool known : {true, false}) {
        const Outcome meant = OutcomeOf(schema, opset, call, known, [&](auto& c) { return RunEntry(*spec, &c); });
        const Outcome emitted = OutcomeOf(schema, opset, call, known, program.function);
        ASSERT_EQ(emitted.results, meant.results)
            << program.spec << "\nopset " << opset << ", call " << call << (known ? "" : " of unknown sizes")
            << "\nemitted code refuses: " << emitted.refusal << "\nthe interpreter refuses: " << meant.refusal;
        computed += !meant.results.empty();
      }
  RecordProperty("computed", computed);
}

INSTANTIATE_TEST_SUITE_P(Random, EmittedCode, testing::Range<size_t>(0, Programs().size()));

// Programs that refuse every call would show nothing.
TEST(Programs, ComputeSomething) {
  size_t computing = 0;
  for (const Program& program : Programs()) {
    codegen::Diagnostics diagnostics;
    const auto spec = codegen::LoadSpecFile("spec/aten/f.yaml", std::string(program.spec), &diagnostics);
    const ir::AtenSchema& schema = *ir::FindAtenSchema(spec->ops[0].names[0]);
    bool some = false;
    for (const int opset : {13, 18})
      for (int call = 0; call < kCalls; ++call)
        some |= !OutcomeOf(schema, opset, call, true, program.function).results.empty();
    computing += some;
  }
  EXPECT_GT(computing * 2, Programs().size());
}

}  // namespace
}  // namespace onnxport::language
