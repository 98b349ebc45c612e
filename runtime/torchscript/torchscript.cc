#include "runtime/torchscript/torchscript.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/ir/error.h"
#include "runtime/lowering/dispatch.h"
#include "runtime/lowering/report.h"
#include "runtime/torchscript/interpret/inputs.h"
#include "runtime/torchscript/interpret/interpreter.h"
#include "runtime/torchscript/interpret/outputs.h"

namespace onnxport::torchscript {
namespace {

const Function& FindMethod(const Program& program, const std::string& name) {
  const auto* object = program.module ? std::get_if<Pickled::Object>(&program.module->v) : nullptr;
  const auto type = object ? program.classes.find(object->type) : program.classes.end();
  if (type == program.classes.end()) throw Error(ErrorKind::kBadInput, "the archive has no code for its module");
  if (const Function* method = type->second.FindMethod(name)) return *method;
  std::string known;
  for (const Function& method : type->second.methods) known += (known.empty() ? "" : ", ") + method.name;
  throw Error(ErrorKind::kUsage, fmt::format("the module has no method `{}`; it has {}", name, known));
}

// One walk over the method at one opset.
struct Attempt {
  std::unique_ptr<trace::Tracer> tracer;
  std::vector<lowering::Complaint> complaints;
};

// What avoids loops over an input whose length only a run knows.
std::string HintOnLists(const std::vector<importer::InputSpec>& inputs) {
  const auto list = std::ranges::find_if(inputs, [](const importer::InputSpec& input) { return input.list; });
  if (list == inputs.end()) return "";
  return fmt::format(
      "; if `{0}` has a length that is known, describe its elements: --input {0}.0=... --input {0}.1=...", list->name);
}

Attempt Walk(const Program& program, const InterpretOptions& options, int opset) {
  Attempt attempt{std::make_unique<trace::Tracer>(opset), {}};
  trace::Tracer& tracer = *attempt.tracer;
  Heap heap;
  const Function& method = FindMethod(program, options.method);
  std::vector<Value> arguments = BindInputs(method, program, options.inputs, &heap, &tracer);
  Interpreter interpreter(&program, &heap, &tracer);
  try {
    arguments.insert(arguments.begin(), interpreter.Module());
    AddOutputs(interpreter.Call(method, {std::move(arguments), {}}), &tracer);
  } catch (const Raised& raised) {
    // After a failure the program may only raise because something is missing.
    if (tracer.failures().empty())
      tracer.Fail("", fmt::format("the program raises an exception for these inputs: {}", raised.text));
  }
  const std::string hint = HintOnLists(options.inputs);
  for (const trace::Failure& failure : tracer.failures()) {
    const bool loop = failure.reason.starts_with(kNoLoop);
    attempt.complaints.push_back({failure.op, loop ? failure.reason + hint : failure.reason,
                                  tracer.source().location(failure.location), /*works_at=*/0});
  }
  return attempt;
}

using Key = std::tuple<std::string, std::string, int, std::string>;

Key KeyOf(const lowering::Complaint& complaint) {
  return {complaint.op, complaint.location.file, complaint.location.line, complaint.location.module_path};
}

std::set<Key> KeysAt(const Program& program, const InterpretOptions& options, int opset) {
  std::set<Key> keys;
  for (const lowering::Complaint& complaint : Walk(program, options, opset).complaints) keys.insert(KeyOf(complaint));
  return keys;
}

// Walks again at later opsets; the last one first, as it tells whether there is anything to look for.
void FindOpsets(const Program& program, const InterpretOptions& options, std::vector<lowering::Complaint>* complaints) {
  const int last = lowering::SupportedOpsets().last;
  if (options.opset >= last) return;
  const std::set<Key> never = KeysAt(program, options, last);
  size_t open = 0;
  for (const lowering::Complaint& complaint : *complaints) open += never.contains(KeyOf(complaint)) ? 0 : 1;
  for (int opset = options.opset + 1; open && opset <= last; ++opset) {
    const std::set<Key> failing = KeysAt(program, options, opset);
    for (lowering::Complaint& complaint : *complaints) {
      if (complaint.works_at || never.contains(KeyOf(complaint)) || failing.contains(KeyOf(complaint))) continue;
      complaint.works_at = opset;
      --open;
    }
  }
}

}  // namespace

Interpreted Interpret(const Program& program, const InterpretOptions& options) {
  Attempt attempt = Walk(program, options, options.opset);
  if (!attempt.complaints.empty()) {
    FindOpsets(program, options, &attempt.complaints);
    throw Error(ErrorKind::kCannotExport, lowering::FailureReport(attempt.complaints, options.opset));
  }
  Interpreted interpreted;
  std::set<std::string> seen;  // an unrolled loop says the same in every iteration
  for (const std::string& remark : attempt.tracer->remarks()) {
    if (seen.insert(remark).second) interpreted.remarks.push_back(remark);
  }
  interpreted.source = attempt.tracer->source();
  interpreted.onnx = attempt.tracer->TakeGraph();
  return interpreted;
}

}  // namespace onnxport::torchscript
