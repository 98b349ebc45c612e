#include "codegen/emit/definition.h"

#include <string>
#include <utility>
#include <vector>

#include "codegen/emit/block_plan.h"
#include "codegen/emit/function_names.h"
#include "codegen/emit/names.h"
#include "codegen/emit/repetition.h"
#include "codegen/specialize/specialize.h"

namespace onnxport::codegen {
namespace {

// if (c.opset() < 13) refuse("complex numbers need opset 13");
cpp::Statement OpsetGuard(const Def& def) {
  return cpp::If(cpp::Infix("<", ContextMethod("opset", {}), cpp::Int(*def.since)),
                 {cpp::Do(cpp::Call(InfoOf(Builtin::kRefuse).cpp, {cpp::Text(RefusalBefore(def))}))});
}

}  // namespace

cpp::Function WriteDef(const Def& def, Arms* arms) {
  if (arms) arms->Enter(def.name);
  const LocalNames names(NamesOf(def), CalledBy(def));
  const ExpressionWriter writer(
      &names, [](const std::string& name) -> DefCall { return {.function = DefName(name), .takes_context = true}; },
      arms);
  BlockWriter block(&writer);
  for (const std::string& name : def.params) block.Declare(name);
  AddDefBody(def, {}, &block);
  std::vector<cpp::Parameter> parameters = {{"Context&", "c"}};
  for (const std::string& name : def.params) parameters.push_back({"const Val&", names.OfSpec(name)});
  return cpp::MakeFunction("static Val", DefName(def.name), std::move(parameters), block.Take());
}

void AddDefBody(const Def& def, std::span<const Def> defs, BlockWriter* block) {
  if (def.since) block->Add(OpsetGuard(def));
  // Behind the guard: a call that it refuses has not reached the definition.
  if (Arms* arms = block->writer().arms()) block->Add(arms->Definition(def));
  const BlockPlan plan = PlanOf(def, defs);
  for (const PlannedLet& planned : plan.lets) block->AddLet(planned, plan.used);
  if (!plan.repetition_places.empty()) AddRepetition(*def.repetition, plan.repetition, plan.used, block);
  block->Add(cpp::Return(block->Value(*def.cases[0].body.emit[0])));
}

}  // namespace onnxport::codegen
