#include "runtime/api/options/custom_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>
#include <utility>

#include "runtime/api/border/border.h"
#include "runtime/base/error.h"
#include "runtime/base/text.h"

namespace onnxport {
namespace {

bool IsWord(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

bool IsDotted(std::string_view text) {
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('.', begin), text.size());
    if (!IsWord(text.substr(begin, end - begin))) return false;
    begin = end + 1;
  }
  return true;
}

bool IsOperator(std::string_view text) {
  const size_t colons = text.find("::");
  return colons != std::string_view::npos && IsWord(text.substr(0, colons)) && IsDotted(text.substr(colons + 2));
}

// "(x, factor)" behind the operator's name. The arguments come off `op`, which is then the bare name. No parenthesis is
// no mistake: the names are those of the schema.
bool ReadArguments(std::string_view* op, std::vector<std::string>* names) {
  const size_t open = op->find('(');
  if (open == std::string_view::npos) return true;
  if (!op->ends_with(')')) return false;
  std::string_view inner = op->substr(open + 1, op->size() - open - 2);
  *op = Trim(op->substr(0, open));
  for (size_t begin = 0; begin <= inner.size();) {
    const size_t end = std::min(inner.find(',', begin), inner.size());
    const std::string_view name = Trim(inner.substr(begin, end - begin));
    if (!IsWord(name)) return false;
    names->emplace_back(name);
    begin = end + 1;
  }
  return true;
}

OperatorMapping Read(std::string_view text) {
  const size_t equals = text.find('=');
  OperatorMapping mapping;
  std::string_view op = Trim(text.substr(0, std::min(equals, text.size())));
  const bool reads = ReadArguments(&op, &mapping.arguments);
  const std::string_view node = equals == std::string_view::npos ? "" : Trim(text.substr(equals + 1));
  if (!reads || !IsOperator(op) || !IsDotted(node)) {
    throw Error(
        Code::kCustomNodeOption,
        fmt::format("<<map: {}>>: write NAMESPACE::OPERATOR=DOMAIN.NODE, as my_ops::relu6=com.example.Relu6, or "
                    "with the names of the arguments my_ops::scale(x, factor)=com.example.Scale",
                    text));
  }
  mapping.op = op;
  mapping.node = node;
  return mapping;
}

DomainVersion ReadDomain(std::string_view text) {
  const size_t equals = text.find('=');
  const std::string_view number = equals == std::string_view::npos ? "" : text.substr(equals + 1);
  int version = 0;
  const auto [end, code] = std::from_chars(number.data(), number.data() + number.size(), version);
  if (code != std::errc() || end != number.data() + number.size() || version < 1 || !IsDotted(text.substr(0, equals))) {
    throw Error(Code::kCustomNodeOption, fmt::format("<<domains: {}>>: write DOMAIN=VERSION, as com.example=2", text));
  }
  return {std::string(text.substr(0, equals)), version};
}

void CollectOperators(const ir::Block& block, std::set<std::string, std::less<>>* ops) {
  for (const ir::Node& call : block.nodes) {
    const std::string& op = call.op.text();
    // With and without the overload, as users may write both. The runtime's own instructions are no operators of
    // theirs.
    if (!call.op.instruction()) ops->insert({op, op.substr(0, op.find('.'))});
    for (const ir::Block& inner : call.blocks) CollectOperators(inner, ops);
  }
}

}  // namespace

Result<OperatorMapping> ParseMapping(std::string_view text) {
  return AtBorder([&] { return Read(text); });
}

Result<DomainVersion> ParseDomain(std::string_view text) {
  return AtBorder([&] { return ReadDomain(text); });
}

lowering::CustomNodes ForLowering(const ExportOptions& options) {
  lowering::CustomNodes made;
  made.fallthrough = options.fallthrough;
  for (const OperatorMapping& mapping : options.map) {
    if (!IsOperator(mapping.op) || !IsDotted(mapping.node)) {
      throw Error(Code::kCustomNodeOption,
                  fmt::format("`{}` cannot be mapped to `{}`: the names of an operator and of a node "
                              "are as in my_ops::relu6 and com.example.Relu6",
                              mapping.op, mapping.node));
    }
    // The same mapping twice is what a script does that puts lists together; two different ones are a contradiction.
    const auto [found, is_new] =
        made.targets.try_emplace(mapping.op, lowering::CustomNodes::Target{mapping.node, mapping.arguments});
    if (!is_new && (found->second.node != mapping.node || found->second.arguments != mapping.arguments)) {
      throw Error(Code::kCustomNodeOption,
                  fmt::format("{} is mapped to {} and to {}", mapping.op, found->second.node, mapping.node));
    }
  }
  for (const auto& [domain, version] : options.domain_versions) {
    if (!IsDotted(domain) || version < 1) {
      throw Error(Code::kCustomNodeOption,
                  fmt::format("`{}` of version {} is no domain: write com.example and 1 or more; the "
                              "version of ONNX's own is the opset",
                              domain, version));
    }
    made.versions.emplace(domain, version);
  }
  return made;
}

std::vector<std::string> UnusedMappings(const ExportOptions& options, const ir::Graph& program) {
  std::set<std::string, std::less<>> ops;
  // A mapping that nothing used is mostly a name with a mistake in it: the export would not fail, so it is said.
  if (!options.map.empty()) CollectOperators(program.body, &ops);
  std::vector<std::string> unused;
  for (const OperatorMapping& mapping : options.map) {
    if (!ops.contains(mapping.op))
      unused.push_back(fmt::format("the model has no call of {}, which is mapped to {}", mapping.op, mapping.node));
  }
  return unused;
}

}  // namespace onnxport
