#include "runtime/cli/option_table.h"

#include <iterator>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>

#include "runtime/cli/options.h"

namespace onnxport::cli {
namespace {

// The place where parsing stores the values of an option.
struct Binding {
  CLI::App* command;
  const OptionRow& option;
  std::vector<Diagnostic>* mistakes;

  std::string Help() const { return std::string(option.help); }
};

template <typename T>
void Take(Result<T> parsed, std::vector<Diagnostic>* mistakes, T* into) {
  if (parsed) {
    *into = *std::move(parsed);
  } else {
    const std::vector<Diagnostic>& found = parsed.error().marked();
    mistakes->insert(mistakes->end(), found.begin(), found.end());
  }
}

Result<Input> Parse(const std::string& text, const Input* /*wanted*/) { return ParseInput(text); }
Result<Output> Parse(const std::string& text, const Output* /*wanted*/) { return ParseOutput(text); }
Result<OperatorMapping> Parse(const std::string& text, const OperatorMapping* /*wanted*/) { return ParseMapping(text); }
Result<WeightsAs> Parse(const std::string& text, const WeightsAs* /*wanted*/) { return ParseWeightsAs(text); }
Result<ComputeAs> Parse(const std::string& text, const ComputeAs* /*wanted*/) { return ParseComputeAs(text); }

template <typename T>
concept Parsed = requires(const std::string& text, T* wanted) { Parse(text, wanted); };

// ---- one Bind for each type of a member. For a list, the flag may be given several times, one value each.

CLI::Option* Bind(const Binding& at, bool* member) {
  const std::string flag = (*member ? "!" : "") + std::string(at.option.flag);
  return at.command->add_flag(flag, *member, at.Help());
}

CLI::Option* Bind(const Binding& at, std::string* member) {
  return at.command->add_option(std::string(at.option.flag), *member, at.Help());
}
CLI::Option* Bind(const Binding& at, std::optional<int>* member) {
  return at.command->add_option(std::string(at.option.flag), *member, at.Help());
}
CLI::Option* Bind(const Binding& at, std::optional<uint64_t>* member) {
  return at.command->add_option(std::string(at.option.flag), *member, at.Help());
}

CLI::Option* Bind(const Binding& at, std::vector<std::string>* member) {
  const auto add = [member, commas = at.option.commas](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      std::vector<std::string> names = commas ? SplitNames(text) : std::vector{text};
      std::ranges::move(names, std::back_inserter(*member));
    }
  };
  return at.command->add_option_function<std::vector<std::string>>(std::string(at.option.flag), add, at.Help());
}

template <Parsed T>
CLI::Option* Bind(const Binding& at, std::vector<T>* member) {
  const auto add = [member, mistakes = at.mistakes](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) Take(Parse(text, member->data()), mistakes, &member->emplace_back());
  };
  return at.command->add_option_function<std::vector<std::string>>(std::string(at.option.flag), add, at.Help());
}

template <Parsed T>
CLI::Option* Bind(const Binding& at, std::optional<T>* member) {
  const auto set = [member, mistakes = at.mistakes](const std::string& text) {
    Take(Parse(text, &member->emplace()), mistakes, &**member);
  };
  return at.command->add_option_function<std::string>(std::string(at.option.flag), set, at.Help());
}

template <typename T, size_t kCount>
CLI::Option* BindWord(const Binding& at, const std::pair<std::string_view, T> (&words)[kCount], T* member) {
  // The lambda holds a copy: CLI11 calls it while parsing, long after this function has returned.
  const std::map<std::string, T> values(std::begin(words), std::end(words));
  const auto set = [values, member](const std::string& word) { *member = values.at(word); };
  return at.command->add_option_function<std::string>(std::string(at.option.flag), set, at.Help())
      ->check(CLI::IsMember(values).description(""));
}
CLI::Option* Bind(const Binding& at, ComplexTensors* member) { return BindWord(at, kComplexTensorsWords, member); }
CLI::Option* Bind(const Binding& at, ExternalData* member) { return BindWord(at, kExternalDataWords, member); }

template <typename Struct, auto kMember>
void Add(CLI::App* command, const Option<kMember>& option, std::vector<Diagnostic>* mistakes, Struct* options) {
  // Options with code of their own need no Bind.
  constexpr bool kBinds = requires(const Binding& at) { Bind(at, &(options->*kMember)); };
  if constexpr (kBinds) {
    CLI::Option* made = Bind({command, option, mistakes}, &(options->*kMember))->allow_extra_args(false);
    if (!option.takes.empty()) made->type_name(std::string(option.takes));
  }
}

}  // namespace

void AddTable(CLI::App* command, bool inspect, ExportOptions* options, std::vector<Diagnostic>* mistakes) {
  ForEachOption(kExportOptions, [&](const auto& option) {
    const bool wanted = option.by == Flag::kPlainInspect || (!inspect && option.by == Flag::kPlain);
    if (wanted) Add(command, option, mistakes, options);
  });
}

void AddTable(CLI::App* command, SaveOptions* options, std::vector<Diagnostic>* mistakes) {
  ForEachOption(kSaveOptions, [&](const auto& option) {
    if (option.by != Flag::kOwn) Add(command, option, mistakes, options);
  });
}

}  // namespace onnxport::cli
