#include "runtime/sources/torchscript/interpret/operators/custom_call.h"

#include <fmt/format.h>

#include <utility>

namespace onnxport::torchscript {
namespace {

// Without a schema the type of an argument is unknown, so it is passed on unchanged. Names in the call become names of
// attributes.
ir::Arg ArgOf(const CallSite& site, const Value& value) {
  const auto* tuple = value.As<TuplePtr>();
  const CellPtr* list = AsList(value);
  if (tuple != nullptr || (list != nullptr && !(*list)->is_dynamic())) {
    ir::ArgList args;
    for (const Value& item : tuple != nullptr ? (*tuple)->items : (*list)->items) args.push_back(ArgOf(site, item));
    return {std::move(args)};
  }
  if (std::optional<ir::Arg> arg = ToScalarArg(value)) return *std::move(arg);
  throw Refusal(fmt::format("{} is no argument of a node", KindName(value, *site.tracer)));
}

}  // namespace

Value CustomCall(const CallSite& site) {
  std::vector<ir::Arg> args;
  RareList<ir::Attribute> names;
  for (const Value& value : site.args) {
    args.push_back(ArgOf(site, value));
    names.push_back({});
  }
  for (const auto& [name, value] : site.keywords) {
    args.push_back(ArgOf(site, value));
    names.push_back({name, {}});
  }
  const std::vector<ir::Arg> results = site.tracer->Call(site.op, std::move(args), nullptr, &names);
  return FromScalarArg(results.at(0), *site.tracer);
}

}  // namespace onnxport::torchscript
