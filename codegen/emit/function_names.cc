#include "codegen/emit/function_names.h"

#include <vector>

#include "codegen/emit/block.h"
#include "codegen/emit/function.h"
#include "codegen/emit/names.h"
#include "codegen/model/uses.h"
#include "codegen/model/walk.h"

namespace onnxport::codegen {
namespace {

void AddNamesOfDef(const Def& def, std::set<std::string>* names) {
  names->insert(def.params.begin(), def.params.end());
  AddNamesGiven(def, names);
}

}  // namespace

std::set<std::string> FileDefsOf(const Mapping& mapping) {
  std::set<std::string> calls;
  for (const ExprPtr& expr : ExpressionsOf(mapping)) AddCalls(*expr, &calls);
  for (const Def& def : mapping.defs) calls.erase(def.name);
  return calls;
}

std::set<std::string> NamesOf(const Mapping& mapping, const ir::AtenSchema& schema) {
  std::set<std::string> names;
  for (const ir::AtenArgument& argument : schema.arguments) names.insert(argument.name);
  AddNamesGiven(mapping, &names);
  for (const Def& def : mapping.defs) {
    names.insert(def.name);
    AddNamesOfDef(def, &names);
  }
  AddTargets(ExpressionsOf(mapping), &names);
  return names;
}

std::set<std::string> NamesOf(const Def& def) {
  std::set<std::string> names;
  AddNamesOfDef(def, &names);
  AddTargets(ExpressionsOf(def), &names);
  return names;
}

std::set<std::string> CalledBy(const Mapping& mapping) {
  std::set<std::string> called;
  AddBuiltins(ExpressionsOf(mapping), &called);
  for (const std::string& def : FileDefsOf(mapping)) called.insert(DefName(def));
  return called;
}

std::set<std::string> CalledBy(const Def& def) {
  std::set<std::string> calls;
  for (const ExprPtr& expr : ExpressionsOf(def)) AddCalls(*expr, &calls);
  std::set<std::string> called;
  for (const std::string& name : calls) called.insert(DefName(name));
  AddBuiltins(ExpressionsOf(def), &called);
  return called;
}

}  // namespace onnxport::codegen
