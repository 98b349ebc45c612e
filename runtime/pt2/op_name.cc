#include "runtime/pt2/op_name.h"

#include <utility>

#include "runtime/aten/aten_schema.h"

namespace onnxport::pt2 {
namespace {

// Python functions on sizes -> host operators; "pos" returns its operand.
constexpr std::pair<std::string_view, std::string_view> kHostOps[] = {
    {"and_", "and"},    {"or_", "or"},      {"sym_not", "not"}, {"sym_int", "int"},   {"sym_float", "float"},
    {"sym_ite", "ite"}, {"sym_max", "max"}, {"sym_min", "min"}, {"sym_sqrt", "sqrt"}, {"_sym_sqrt", "sqrt"},
};
constexpr std::string_view kHostModules[] = {"_operator.", "operator.", "math.", "builtins.", "torch."};

std::string_view AfterLast(std::string_view text, char c) {
  const size_t at = text.rfind(c);
  return at == std::string_view::npos ? text : text.substr(at + 1);
}

}  // namespace

std::string OpName(std::string_view target) {
  if (target.starts_with("torch.ops.")) {
    target.remove_prefix(10);
    const size_t space = target.find('.');
    if (space == std::string_view::npos) return "torch::" + std::string(target);
    std::string name = std::string(target.substr(0, space)) + "::" + std::string(target.substr(space + 1));
    if (name.ends_with(".default")) name.resize(name.size() - 8);
    return name;
  }
  for (const std::string_view module : kHostModules) {
    if (!target.starts_with(module) || (module == "torch." && target.find("sym_") == std::string_view::npos)) continue;
    const std::string_view function = AfterLast(target, '.');
    for (const auto& [python, host] : kHostOps) {
      if (function == python) return "host::" + std::string(host);
    }
    return "host::" + std::string(function);
  }
  return std::string(target);
}

bool IsAssertion(std::string_view op) {
  const ir::AtenSchema* schema = ir::FindAtenSchema(op);
  return schema != nullptr && schema->results.empty() && !schema->mutates() && schema->text.ends_with(" -> ()");
}

}  // namespace onnxport::pt2
