#include "runtime/onnx/size_refusals.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "runtime/base/refusal.h"

namespace onnxport::onnx_ops {
namespace {

using ir::Dim;
using ir::Dims;

// "axis `batch` of `x`", for the first input that has the symbol; nothing if none has.
std::optional<std::string> InputAxis(const ir::Graph& graph, const std::string& symbol) {
  for (const ir::Port& port : graph.inputs) {
    const ir::ValueId* id = port.value.value();
    if (!id || !graph.value(*id).dims) continue;
    for (const Dim& dim : *graph.value(*id).dims) {
      const std::vector<std::string> symbols = dim.symbols();
      if (std::ranges::find(symbols, symbol) != symbols.end()) {
        return fmt::format("axis `{}` of `{}`", symbol, port.name);
      }
    }
  }
  return std::nullopt;
}

std::string AxisText(const ir::Graph& graph, const std::string& symbol) {
  return InputAxis(graph, symbol).value_or(fmt::format("axis `{}`", symbol));
}

// Finds the value of the only symbol for which the expression equals `number`. The expression must be c*s + d.
std::optional<int64_t> Solve(const Dim& expression, const std::string& symbol, int64_t number) {
  const auto at = [&](int64_t size) { return expression.Substitute({{symbol, Dim(size)}}); };
  const Dim zero = at(0);
  // Two points define the line. A third one, far off, shows that the expression is linear, which `n*n` is not.
  const Dim slope = at(1) - zero;
  if (!slope.is_number() || slope == Dim(0) || at(1 << 20) != zero + slope * Dim(1 << 20)) return std::nullopt;
  const Dim rest = Dim(number) - zero;
  if (Dim::Mod(rest, slope) != Dim(0)) return std::nullopt;
  const Dim size = Dim::FloorDiv(rest, slope);
  return size.is_number() ? std::optional(size.number()) : std::nullopt;
}

}  // namespace

std::string Text(const Dims& dims) {
  std::string text;
  for (const Dim& dim : dims) text += (text.empty() ? "" : ", ") + dim.ToString();
  return "[" + text + "]";
}

std::string AxesOf(const ir::Graph& graph, const Dim& size) {
  std::string axes;
  for (const std::string& symbol : size.symbols()) {
    if (const auto axis = InputAxis(graph, symbol)) axes += (axes.empty() ? "" : " and ") + *axis;
  }
  return axes;
}

void RefuseFixed(const ir::Graph& graph, const Dim& free, int64_t number, const std::string& how) {
  const std::vector<std::string> symbols = free.symbols();
  std::string axes;
  for (const std::string& symbol : symbols) axes += (axes.empty() ? "" : " and ") + AxisText(graph, symbol);
  const auto size = symbols.size() == 1 ? Solve(free, symbols[0], number) : std::nullopt;
  const std::string at = size ? fmt::format("{}", *size) : fmt::format("what makes {} = {}", free.ToString(), number);
  throw Refusal(Code::kAxisIsFixed, fmt::format("{} would be fixed at {}: {}; {}", axes, at, how, kGiveTheSize));
}

void RefuseFixed(const ir::Graph& graph, const std::string& symbol, const std::string& how) {
  throw Refusal(Code::kAxisIsFixed,
                fmt::format("{} would be fixed: {}; {}", AxisText(graph, symbol), how, kGiveTheSize));
}

}  // namespace onnxport::onnx_ops
