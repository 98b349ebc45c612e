#include "runtime/api/options/input_values.h"

#include <string>
#include <string_view>

#include "onnxport/output.h"
#include "runtime/api/border/border.h"
#include "runtime/inputs/inputs.h"
#include "runtime/inputs/outputs.h"

namespace onnxport {

std::set<std::string> AxisNamesOf(const std::vector<Input>& inputs) {
  std::set<std::string> names;
  for (const Input& input : inputs) {
    for (const Dim& dim : input.dims.value_or(std::vector<Dim>())) {
      if (dim.is_symbolic()) names.insert(dim.symbol());
    }
  }
  return names;
}

// An expression is passed on as a symbol of its text: callers compare and print sizes, they do not compute with them.
Dim DimOf(const ir::Dim& dim) {
  if (dim.is_number()) return dim.number();
  return dim.is_symbolic() ? Sym(dim.ToString()) : Dim();
}

Result<Input> ParseInput(std::string_view text) {
  return AtBorder([&] { return inputs::ParseInput(text); });
}

Result<Output> ParseOutput(std::string_view text) {
  return AtBorder([&] { return inputs::ParseOutput(text); });
}

}  // namespace onnxport
