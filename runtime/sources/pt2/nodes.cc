#include "runtime/sources/pt2/nodes.h"

#include <utility>

#include "runtime/base/text.h"
#include "runtime/sources/pt2/arguments.h"

namespace onnxport::pt2 {
namespace {

using ir::Arg;

constexpr int kMaxNodeDepth = 20;  // of blocks
constexpr size_t kMaxTarget = 300;

Json OnlyOutput(const Json& node) {
  const JsonRange outputs = node["outputs"].Elements();
  if (outputs.size() != 1) node.Fail("one result expected, not " + std::to_string(outputs.size()));
  return outputs[0];
}

std::vector<ir::Attribute> ArgumentNames(const Json& inputs) {
  std::vector<ir::Attribute> names;
  for (const Json& input : inputs.Elements()) names.push_back({std::string(input["name"].AsText()), {}});
  return names;
}

// torch.export writes dotted Python names.
void CheckTarget(std::string_view target, const Json& node) {
  // Other texts become operators unchanged (OperatorOf). With `::`, a file could name one without the form of
  // torch.ops.
  if (target.empty() || target.size() > kMaxTarget || target.find("::") != std::string_view::npos) {
    node.Fail("a call of '" + Printable(target.substr(0, kMaxTarget)) + "', which is no name of a function");
  }
}

void CheckOperands(const Function& function, const Json& node) {
  const size_t given = node["inputs"].Elements().size();
  if (given >= function.least() && given <= function.most()) return;
  node.Fail(std::string(node["target"].AsText()) + " is given " + std::to_string(given) + " operands, not " +
            std::to_string(function.least()));
}

}  // namespace

const NodeReader::Target& NodeReader::TargetOf(const Json& node) {
  const std::string_view text = node["target"].AsText();
  if (const Target* found = targets_.Find(text)) return *found;
  CheckTarget(text, node);
  Target target;
  target.function = FindFunction(text);
  target.op = OperatorOf(text);
  target.schema = ir::FindAtenSchema(target.op);
  target.is_assertion = IsAssertion(target.op);
  target.takes_graphs = target.op.text().starts_with("higher_order::");
  return *targets_.Add(text, std::move(target)).first;
}

void NodeReader::Read(const Json& node, Scope* scope) {
  const Target& target = TargetOf(node);
  const Function* function = target.function;
  if (function != nullptr) CheckOperands(*function, node);
  if (function != nullptr && function->kind == Function::Kind::kSum) return ReadSum(node, scope);
  if (function != nullptr && function->kind == Function::Kind::kItself) return ReadItself(node, scope);
  // Skipped here, so that values used only by assertions become unused and are removed, too (after_reading.cc).
  if (target.is_assertion) return;

  const Json inputs = node["inputs"];
  ir::Node call;
  call.op = target.op;
  call.inputs = ReadArguments(inputs, *scope, target.schema);
  if (target.schema == nullptr && function == nullptr && !target.takes_graphs) call.attributes = ArgumentNames(inputs);
  call.location = graph_->AddLocation(locations_.Read(node));
  for (const Json& output : node["outputs"].Elements()) {
    if (const auto list = output.Find("as_tensors")) {
      for (const Json& tensor : list->Elements()) {
        call.outputs.push_back(scope->Define(tensor["name"].AsText(), ir::ValueKind::kTensor, tensor));
      }
    } else {
      call.outputs.push_back(scope->DefineArgument(output));
    }
  }
  if (target.takes_graphs) ReadBlocks(inputs, *scope, &call);
  block_->nodes.push_back(std::move(call));
}

void NodeReader::ReadBlocks(const Json& inputs, const Scope& scope, ir::Node* call) {
  if (++depth_ > kMaxNodeDepth) inputs.FailUnknown("graphs nested deeper than " + std::to_string(kMaxNodeDepth));
  for (const Json& input : inputs.Elements()) {
    if (const auto graph = input["arg"].Find("as_graph")) call->blocks.push_back(ReadBlock((*graph)["graph"], scope));
  }
  --depth_;
}

// The block has its own names. Values from outside are passed as inputs.
ir::Block NodeReader::ReadBlock(const Json& body, const Scope& outer) {
  ir::Block block;
  ir::Block* const around = std::exchange(block_, &block);
  Scope inner = Scope::Inside(outer);
  for (const Json& input : body["inputs"].Elements()) {
    const std::string_view kind = input.Choice().key();
    const bool value = kind == "as_tensor" || kind.starts_with("as_sym") || kind == "as_optional_tensor";
    block.inputs.push_back(value ? inner.DefineArgument(input) : ir::ValueId::kNone);
  }
  for (const Json& call : body["nodes"].Elements()) Read(call, &inner);
  for (const Json& output : body["outputs"].Elements()) block.outputs.push_back(ReadArgument(output, inner));
  // After the calls, because types are stated by name, and names that no call made are skipped.
  inner.SetTypes(body, metas_);
  block_ = around;
  return block;
}

// +n
void NodeReader::ReadItself(const Json& node, Scope* scope) {
  const Json output = OnlyOutput(node).Choice();
  scope->Bind(output["as_name"].AsText(), ReadArguments(node["inputs"], *scope, nullptr)[0], output);
}

// sym_sum([a, b, c]): a chain of additions.
void NodeReader::ReadSum(const Json& node, Scope* scope) {
  const std::vector<Arg> args = ReadArguments(node["inputs"], *scope, nullptr);
  const ir::ArgList* terms = args.size() == 1 ? args[0].list() : nullptr;
  if (terms == nullptr || terms->size() < 2) node.Fail("sym_sum of no list of two and more");
  const ir::LocationId location = graph_->AddLocation(locations_.Read(node));
  Arg sum = (*terms)[0];
  for (size_t i = 1; i < terms->size(); ++i) {
    ir::Node add;
    add.op = ir::Instruction::kAdd;
    add.inputs = {sum, (*terms)[i]};
    add.location = location;
    if (i + 1 == terms->size()) {
      add.outputs = {scope->DefineArgument(OnlyOutput(node))};
    } else {
      ir::Value partial;
      partial.name = graph_->location(location).op_name + "_" + std::to_string(i);
      partial.kind = ir::ValueKind::kInt;
      partial.dtype = ir::DType::kInt64;
      partial.dims = ir::Dims();
      add.outputs = {graph_->AddValue(std::move(partial))};
      sum = {add.outputs[0]};
    }
    block_->nodes.push_back(std::move(add));
  }
}

}  // namespace onnxport::pt2
