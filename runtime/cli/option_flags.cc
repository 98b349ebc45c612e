#include "runtime/cli/option_flags.h"

#include <algorithm>
#include <cctype>

#include "onnxport/options.h"

namespace onnxport::cli {
namespace {

// Quotes a word for the shell if needed.
std::string Word(std::string_view value) {
  const bool plain = std::ranges::all_of(value, [](unsigned char c) {
    return std::isalnum(c) || std::string_view("-_.,:/=").find(static_cast<char>(c)) != std::string_view::npos;
  });
  return plain ? std::string(value) : "'" + std::string(value) + "'";
}

}  // namespace

std::string OptionAsFlag(std::string_view key, std::string_view value) {
  const OptionRow* row = FindOption(key);
  const std::string flag(row == nullptr || row->flag.empty() ? key : row->flag);
  return value.empty() ? flag : flag + " " + Word(value);
}

}  // namespace onnxport::cli
