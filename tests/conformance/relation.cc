#include "tests/conformance/relation.h"

#include <ATen/ops/add.h>
#include <ATen/ops/diag_embed.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/full.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/tril.h>
#include <ATen/ops/zeros_like.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <vector>

#include "runtime/verify/program/torch_values.h"
#include "tests/conformance/program.h"

namespace onnxport::conformance {
namespace {

using Tensors = std::vector<at::Tensor>;

// Ints and bools stay what they are.
at::Tensor InDouble(const at::Tensor& tensor) {
  if (tensor.is_complex()) return tensor.to(at::kComplexDouble);
  return tensor.is_floating_point() ? tensor.to(at::kDouble) : tensor;
}

at::Tensor Diagonal(const Tensors& of) {
  if (of.size() == 1) return at::diag_embed(of[0]);
  at::Tensor wide = at::zeros_like(of[1]);
  wide.diagonal(0, -2, -1).copy_(of[0]);
  return wide;
}

at::Tensor Identity(const Tensors& of) {
  std::vector<int64_t> shape = of[0].sizes().vec();
  shape[shape.size() - 2] = shape.back();
  return at::eye(shape.back(), of[0].options()).expand(shape);
}

// Products of a real and a complex matrix are complex.
at::Tensor Product(const at::Tensor& a, const at::Tensor& b) {
  const bool complex = a.is_complex() || b.is_complex();
  return complex ? at::matmul(a.to(at::kComplexDouble), b.to(at::kComplexDouble)) : at::matmul(a, b);
}

using Function = std::function<at::Tensor(const Tensors&)>;

// Those of codegen/model/relations.h.
const std::map<std::string_view, Function>& Functions() {
  static const std::map<std::string_view, Function> functions = {
      {"*", [](const Tensors& of) { return at::mul(of[0], of[1]); }},
      {"+", [](const Tensors& of) { return at::add(of[0], of[1]); }},
      {"-", [](const Tensors& of) { return at::sub(of[0], of[1]); }},
      {"matmul", [](const Tensors& of) { return Product(of[0], of[1]); }},
      {"adjoint", [](const Tensors& of) { return of[0].mH().resolve_conj(); }},
      {"diagonal", Diagonal},
      {"identity", Identity},
      {"below", [](const Tensors& of) { return at::tril(of[0], -1); }},
      {"gather", [](const Tensors& of) { return at::gather(of[0], -1, of[1]); }},
  };
  return functions;
}

at::Tensor Computed(const Term& term, const Related& related) {
  if (term.name.empty()) return at::full({}, term.number, at::kDouble);
  if (term.operands.size() == 0) {
    const auto value = related.values.find(std::string(term.name));
    if (value == related.values.end()) throw std::runtime_error("no tensor `" + std::string(term.name) + "`");
    return InDouble(verify::ToTorch(value->second));
  }
  if (term.name == "pytorch")
    return InDouble(verify::ToTorch(related.pytorch.at(std::string(term.operands.begin()->name))));
  Tensors operands;
  for (const Term& operand : term.operands) operands.push_back(Computed(operand, related));
  return Functions().at(term.name)(operands);
}

ort::Tensor PartsOfSide(const at::Tensor& side, bool complex) {
  return PartsOf(verify::FromTorch((complex ? side.to(at::kComplexDouble) : side).contiguous()));
}

}  // namespace

Sides SidesOf(const Term& relation, const Related& related) {
  const at::Tensor left = Computed(*relation.operands.begin(), related);
  const at::Tensor right = Computed(*(relation.operands.begin() + 1), related);
  const bool complex = left.is_complex() || right.is_complex();
  // A number on one side stands for each element.
  const bool number = right.dim() == 0 && left.dim() > 0;
  return {PartsOfSide(left, complex),
          PartsOfSide(number ? right.expand_as(left).to(left.scalar_type()) : right, complex)};
}

bool NeedsMissing(const Term& relation, const Related& related) {
  const std::string name(relation.name);
  const bool missing =
      relation.operands.size() == 0 && related.pytorch.contains(name) && !related.values.contains(name);
  return missing ||
         std::ranges::any_of(relation.operands, [&](const Term& term) { return NeedsMissing(term, related); });
}

std::string ToText(const Term& relation) {
  if (relation.name.empty()) return fmt::format("{}", relation.number);
  if (relation.operands.size() == 0) return std::string(relation.name);
  std::vector<std::string> operands;
  for (const Term& operand : relation.operands) operands.push_back(ToText(operand));
  const bool infix = relation.name.find_first_of("=+-*") == 0 && operands.size() == 2;
  if (infix) return fmt::format("{} {} {}", operands[0], relation.name, operands[1]);
  return fmt::format("{}({})", relation.name, fmt::join(operands, ", "));
}

}  // namespace onnxport::conformance
