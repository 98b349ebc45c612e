#include "codegen/emit/def_library.h"

#include <algorithm>

#include "codegen/check/onnx_schemas.h"
#include "codegen/check/uses.h"
#include "codegen/emit/names.h"

namespace onnxport::codegen {

DefLibrary::DefLibrary(const std::vector<Def>& defs, const std::set<std::string>& domains)
    : defs_(defs), domains_(domains) {
  for (const Def& def : defs) Add(def);
}

void DefLibrary::Add(const Def& def) {
  if (names_.contains(def.name)) return;
  std::set<std::string> calls;
  for (const ExprPtr& expr : ExpressionsOf(def)) AddCalls(*expr, &calls);
  for (const Def& other : defs_)
    if (calls.contains(other.name)) Add(other);
  std::map<std::string, std::string> name_of_text;
  for (int opset = FirstOpset(); opset <= LastOpset(); ++opset) {
    const Def folded = FoldDef(def, {.opset = opset, .domains = domains_});
    DefText text = WriteDef(folded, opset, [&](const std::string& called) { return NameAt(called, opset); });
    const auto [known, is_new] = name_of_text.emplace(text.text, DefName(def.name, opset));
    if (is_new) functions_.emplace(known->second, Function{&def, opset, std::move(text)});
    names_[def.name][opset] = known->second;
  }
}

const std::string& DefLibrary::NameAt(const std::string& def, int opset) const { return names_.at(def).at(opset); }

std::vector<std::string> DefLibrary::InOrder(const std::set<std::string>& names) const {
  std::set<std::string> seen;
  std::vector<std::string> order;
  for (const std::string& name : names) Visit(name, &seen, &order);
  return order;
}

void DefLibrary::Visit(const std::string& name, std::set<std::string>* seen, std::vector<std::string>* order) const {
  if (!seen->insert(name).second) return;
  for (const std::string& called : functions_.at(name).text.defs) Visit(called, seen, order);
  order->push_back(name);
}

}  // namespace onnxport::codegen
