#include "codegen/model/onnx_ops.h"

#include <onnx/defs/schema.h>

#include <map>
#include <set>
#include <string>

#include "runtime/lowering/types/operator_forms.h"

namespace onnxport::codegen {

// Opset 7 is the first with broadcasting as NumPy has it; before, Add had an attribute for it.
int FirstOpset() { return 7; }

int LastOpset() {
  static const int last = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map().at(onnx::ONNX_DOMAIN).second;
  return last;
}

const OpInfo* FindOp(std::string_view op, int opset) {
  // FormsOf compares pointers: at two opsets with the same form of an operator, the catalogs give one OpInfo
  // (lowering/types/op_info.cc).
  static auto* catalogs = new std::map<int, lowering::OpCatalog>;
  return catalogs->try_emplace(opset, opset).first->second.Find(op);
}

std::vector<const OpInfo*> FormsOf(std::string_view op) {
  std::vector<const OpInfo*> forms;
  for (int opset = 1; opset <= LastOpset(); ++opset) {
    const OpInfo* form = FindOp(op, opset);
    if (form && (forms.empty() || forms.back() != form)) forms.push_back(form);
  }
  return forms;
}

const std::vector<std::string>& OpNames() {
  static const auto* names = [] {
    std::set<std::string> all;
    for (const lowering::OperatorForm& form : lowering::OperatorForms()) all.emplace(form.name);
    return new std::vector<std::string>(all.begin(), all.end());
  }();
  return *names;
}

}  // namespace onnxport::codegen
