// Operators that are never computed.
#include <array>
#include <cstddef>
#include <iterator>

#include "runtime/sources/torchscript/interpret/builtins/call_site.h"

namespace onnxport::torchscript {
namespace refused {
namespace {

struct RefusedOperator {
  std::string_view op;
  const char* reason;
  onnxport::Code code = onnxport::Code::kNotInAModel;
};
// LibTorch itself cannot load such a file.
constexpr const char* kLostWeights =
    "optimize_for_inference left these weights out of the file; save the module before it";

constexpr RefusedOperator kRefused[] = {
    {"aten::save", "a model writes no files"},
    {"aten::from_file", "a model reads no files"},
    {"aten::Generator", "a model has no random state"},
    {"aten::seed", "a model has no random state"},
    {"aten::initial_seed", "a model has no random state"},
    {"aten::hash", "hashes differ from run to run"},
    {"prim::id", "identities differ from run to run"},
    {"prim::ConstantMKLDNNTensor", kLostWeights, onnxport::Code::kUnsupportedCall},
    {"aten::_cufft_get_plan_cache_size", "it asks about a machine"},
    {"aten::_cufft_get_plan_cache_max_size", "it asks about a machine"},
    {"aten::_cufft_set_plan_cache_max_size", "it changes a machine"},
    {"aten::_cufft_clear_plan_cache", "it changes a machine"},
    {"aten::_get_cpu_capability", "it asks about a machine"},
    {"aten::backward", "a model computes no gradients"},
    {"prim::TimePoint", "it asks for the time"},
    {"prim::PythonOp", "the function is not in the archive: it was Python", onnxport::Code::kUnsupportedCall},
    {"prim::rpc_async", "a model calls no other machine"},
    {"prim::rpc_sync", "a model calls no other machine"},
    {"prim::rpc_remote", "a model calls no other machine"},
};

std::optional<Value> Refuse(const CallSite& call) {
  for (const auto& [op, reason, code] : kRefused) {
    if (op == call.op) throw Refusal(code, reason);
  }
  return std::nullopt;
}

constexpr auto kRows = [] {
  std::array<BuiltinRow, std::size(kRefused)> rows{};
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = {kRefused[i].op, Refuse};
  return rows;
}();

}  // namespace
}  // namespace refused

std::span<const BuiltinRow> RefusedBuiltins() { return refused::kRows; }

}  // namespace onnxport::torchscript
