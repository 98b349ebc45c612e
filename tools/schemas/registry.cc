#include "tools/schemas/registry.h"

#include <set>
#include <sstream>

#include "ATen/core/function_schema.h"
#include "torch/csrc/jit/runtime/operator.h"
#if __has_include("torch/headeronly/version.h")
#include "torch/headeronly/version.h"
#else
#include "torch/csrc/api/include/torch/version.h"
#endif

namespace onnxport::schemas {

std::map<std::string, std::string> LinkedSchemas() {
  std::map<std::string, std::string> schemas;
  for (const auto& op : torch::jit::getAllOperators()) {
    std::ostringstream text;
    text << op->schema();
    const std::string schema = text.str();
    if (schema.starts_with("aten::") || schema.starts_with("quantized::")) {
      schemas.emplace(schema.substr(0, schema.find('(')), schema);
    }
  }
  return schemas;
}

std::map<std::string, std::vector<std::string>> LinkedOverloads() {
  std::map<std::string, std::vector<std::string>> overloads;
  for (const auto& [name, schema] : LinkedSchemas()) overloads[name.substr(0, name.find('.', name.find("::")))];
  for (auto& [base, names] : overloads) {
    for (const auto& op : torch::jit::getAllOperatorsFor(c10::Symbol::fromQualString(base))) {
      const std::string& overload = op->schema().overload_name();
      names.push_back(overload.empty() ? "default" : overload);
    }
  }
  return overloads;
}

std::vector<std::string> RegisteredSchemas() {
  std::set<std::string> bases;
  for (const auto& op : torch::jit::getAllOperators()) bases.insert(op->schema().name());
  std::vector<std::string> schemas;
  for (const std::string& base : bases) {
    for (const auto& op : torch::jit::getAllOperatorsFor(c10::Symbol::fromQualString(base))) {
      std::ostringstream text;
      text << op->schema();
      schemas.push_back(text.str());
    }
  }
  return schemas;
}

std::string LinkedVersion() { return TORCH_VERSION; }

}  // namespace onnxport::schemas
