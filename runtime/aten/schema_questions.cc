#include "runtime/aten/schema_questions.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

namespace onnxport::ir {

namespace {

bool ReturnsSizes(const AtenSchema& schema) {
  return !schema.results.empty() && std::ranges::all_of(schema.results, [](const AtenArgument& result) {
    return result.type.kind == AtenKind::kSymInt && !result.type.list;
  });
}

// Arguments with these names are no sizes in any schema. Modes are ints here.
constexpr std::string_view kNoSizes[] = {
    "atol",       "averaging_const",
    "blank",      "compute_mode",
    "decimals",   "destination",
    "dropout",    "dropout_p",
    "edge_order", "eps",
    "epsilon",    "exponential_average_factor",
    "impl_index", "interpolation_mode",
    "level",      "label_smoothing",
    "mask_type",  "mode",
    "momentum",   "norm_type",
    "num_layers", "normalization",
    "ord",        "output_zero_point",
    "p",          "padding_mode",
    "quant_max",  "quant_min",
    "rcond",      "reduction",
    "rtol",       "seed",
    "source",     "tol",
    "zero_point",
};

// "dim", "start_dim", "dims", "dimension", "ch_axis". But `embed_dim` is a width, that of attention's weights.
bool NamesAxes(const AtenArgument& argument) {
  if (argument.type.kind != AtenKind::kInt || argument.name == "embed_dim") return false;
  return argument.name.find("dim") != std::string::npos || argument.name.find("axis") != std::string::npos;
}

}  // namespace

bool CanBeSize(const AtenArgument& argument) {
  return !NamesAxes(argument) && std::ranges::find(kNoSizes, argument.name) == std::end(kNoSizes);
}

std::optional<Instruction> InstructionOf(const Operator& op) { return InstructionOf(op, FindAtenSchema(op)); }

// Only aten:: counts. A user's operator that returns a size may compute it from the tensor's contents.
std::optional<Instruction> InstructionOf(const Operator& op, const AtenSchema* schema) {
  constexpr std::string_view kSpace = "aten::";
  if (op.instruction()) return op.instruction();
  if (schema == nullptr || !ReturnsSizes(*schema) || !schema->name.text().starts_with(kSpace)) return std::nullopt;
  return FindSizeQuestion(schema->base_name().substr(kSpace.size()));
}

}  // namespace onnxport::ir
