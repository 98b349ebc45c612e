#include "runtime/sources/pt2/replay/operands.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace onnxport::pt2 {
namespace {

using ir::Arg;
using Args = std::vector<Arg>;

bool IsWord(const Arg& arg) { return std::holds_alternative<ir::Word>(arg.v); }

}  // namespace

Args Concat(Args args, const Args& more) {
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

Args OperandsOf(const ir::Node& call) {
  const auto graph = std::ranges::find_if(call.inputs, IsWord);
  const auto graphs = std::min(std::distance(graph, call.inputs.end()), std::ssize(call.blocks));
  Args operands(graph + graphs, call.inputs.end());
  std::erase_if(operands, [](const Arg& arg) { return std::holds_alternative<std::string>(arg.v) || IsWord(arg); });
  return operands;
}

Args FirstOf(const Args& operands, size_t count) {
  Args flat;
  for (const Arg& operand : operands) {
    flat = Concat(std::move(flat), operand.list() != nullptr ? *operand.list() : Args{operand});
  }
  flat.resize(std::min(flat.size(), count));
  return flat;
}

std::vector<ir::Arg> Flat(std::vector<ir::Arg> results) {
  const auto is_list = [](const ir::Arg& result) { return result.list() != nullptr; };
  if (std::ranges::none_of(results, is_list)) return results;
  std::vector<ir::Arg> flat;
  for (const ir::Arg& result : results) {
    const std::vector<ir::Arg> inner = is_list(result) ? Flat(*result.list()) : std::vector<ir::Arg>{result};
    flat.insert(flat.end(), inner.begin(), inner.end());
  }
  return flat;
}

}  // namespace onnxport::pt2
