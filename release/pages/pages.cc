#include "release/pages/pages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace onnxport::release {
namespace {

// Those with a name that begins with a hyphen.
std::vector<const CLI::Option*> NamedOptions(const CLI::App& command) {
  std::vector<const CLI::Option*> named;
  for (const CLI::Option* option : command.get_options())
    if (!option->get_positional() && !option->get_group().empty()) named.push_back(option);
  return named;
}

bool TakesValue(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

std::vector<std::string> Spellings(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<const CLI::App*> Commands(const CLI::App& app) { return app.get_subcommands({}); }

std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// ---- the manual page

std::string Roff(const std::string& text) {
  std::string escaped = Replaced(Replaced(text, "\\", "\\e"), "-", "\\-");
  // A line that begins so would be a request.
  for (const char c : {'.', '\''}) {
    escaped = Replaced(escaped, fmt::format("\n{}", c), fmt::format("\n\\&{}", c));
    if (escaped.starts_with(c)) escaped.insert(0, "\\&");
  }
  return escaped;
}

std::string RoffOption(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : Spellings(option)) names.push_back(fmt::format("\\fB{}\\fR", Roff(name)));
  std::string text = fmt::format(".TP\n{}", fmt::join(names, ", "));
  if (TakesValue(option)) text += fmt::format(" \\fI{}\\fR", Roff(option.get_type_name()));
  text += fmt::format("\n{}", Roff(option.get_description()));
  if (!option.get_default_str().empty()) text += fmt::format(" (default: {})", Roff(option.get_default_str()));
  return text + "\n";
}

std::string RoffCommand(const CLI::App& command) {
  std::string operands;
  for (const CLI::Option* option : command.get_options())
    if (option->get_positional())
      operands +=
          fmt::format(fmt::runtime(option->get_required() ? " \\fI{}\\fR" : " [\\fI{}\\fR]"), option->get_name());
  std::string text =
      fmt::format(".SS \"exporter {}\"\n.B exporter {}\n[\\fIOPTIONS\\fR]{}\n.PP\n{}.\n", Roff(command.get_name()),
                  Roff(command.get_name()), operands, Roff(command.get_description()));
  for (const CLI::Option* option : NamedOptions(command)) text += RoffOption(*option);
  if (!command.get_footer().empty()) text += fmt::format(".PP\n.nf\n{}\n.fi\n", Roff(command.get_footer()));
  return text;
}

// ---- completions

// In single quotes.
std::string Quoted(const std::string& text) { return fmt::format("'{}'", Replaced(text, "'", "'\\''")); }

// The first sentence or clause says what an option is; shells have one line for it.
std::string Brief(const std::string& text) { return text.substr(0, text.find_first_of(";:\n")); }

std::string BashWords(const CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::Option* option : NamedOptions(command))
    for (std::string& name : Spellings(*option)) words.push_back(std::move(name));
  return fmt::format("{}", fmt::join(words, " "));
}

std::string ZshOptions(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* option : NamedOptions(command)) {
    const std::string brief = Replaced(Replaced(Brief(option->get_description()), "[", "("), "]", ")");
    for (const std::string& name : Spellings(*option)) {
      const std::string value = TakesValue(*option) ? fmt::format(":{}:_files", option->get_type_name()) : "";
      text += fmt::format("        {} \\\n", Quoted(fmt::format("*{}[{}]{}", name, brief, value)));
    }
  }
  return text;
}

std::string FishOption(const std::string& condition, const CLI::Option& option) {
  std::string text = "complete -c exporter -n " + Quoted(condition);
  for (const std::string& name : option.get_snames()) text += " -s " + name;
  for (const std::string& name : option.get_lnames()) text += " -l " + name;
  if (TakesValue(option)) text += " -r";
  return fmt::format("{} -d {}\n", text, Quoted(Brief(option.get_description())));
}

}  // namespace

std::string ManualPage(const CLI::App& app, std::string_view version) {
  std::string text = fmt::format(
      ".TH EXPORTER 1 \"\" \"onnxport {}\" \"User Commands\"\n"
      ".SH NAME\nexporter \\- write PyTorch models as ONNX\n"
      ".SH SYNOPSIS\n.B exporter\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR] ...\n"
      ".SH DESCRIPTION\n{}\n.SH OPTIONS\n",
      version, Roff(app.get_description()));
  for (const CLI::Option* option : NamedOptions(app)) text += RoffOption(*option);
  text += ".SH COMMANDS\n";
  for (const CLI::App* command : Commands(app)) text += RoffCommand(*command);
  return text + fmt::format(".SH NOTES\n.nf\n{}\n.fi\n", Roff(app.get_footer()));
}

std::string BashCompletion(const CLI::App& app) {
  std::vector<std::string> names;
  std::string cases;
  for (const CLI::App* command : Commands(app)) {
    names.push_back(command->get_name());
    cases += fmt::format("    {}) words={} ;;\n", command->get_name(), Quoted(BashWords(*command)));
  }
  return fmt::format(
      "# bash completion for exporter\n"
      "_exporter() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} words={}\n"
      "  ((COMP_CWORD == 1)) || case ${{COMP_WORDS[1]}} in\n{}    *) words= ;;\n  esac\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)) || [[ $word == -* ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
      "  else\n"
      "    mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
      "  fi\n"
      "}}\n"
      "complete -o filenames -F _exporter exporter\n",
      Quoted(fmt::format("{} {}", fmt::join(names, " "), BashWords(app))), cases);
}

std::string ZshCompletion(const CLI::App& app) {
  std::string commands;
  std::string cases;
  for (const CLI::App* command : Commands(app)) {
    commands += fmt::format("    {}\n", Quoted(fmt::format("{}:{}", command->get_name(), command->get_description())));
    cases += fmt::format("    {})\n      _arguments \\\n{}        '*:file:_files'\n      ;;\n", command->get_name(),
                         ZshOptions(*command));
  }
  return fmt::format(
      "#compdef exporter\n"
      "_exporter() {{\n"
      "  local -a commands=(\n{}  )\n"
      "  if ((CURRENT == 2)); then\n"
      "    _describe command commands\n"
      "    _arguments \\\n{}        '*: :'\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words\n"
      "  ((CURRENT--))\n"
      "  case $command in\n{}  esac\n"
      "}}\n"
      "_exporter \"$@\"\n",
      commands, ZshOptions(app), cases);
}

std::string FishCompletion(const CLI::App& app) {
  std::string text = "# fish completion for exporter\n";
  for (const CLI::Option* option : NamedOptions(app)) text += FishOption("__fish_use_subcommand", *option);
  for (const CLI::App* command : Commands(app)) {
    text += fmt::format("complete -c exporter -f -n __fish_use_subcommand -a {} -d {}\n", command->get_name(),
                        Quoted(command->get_description()));
    for (const CLI::Option* option : NamedOptions(*command))
      text += FishOption("__fish_seen_subcommand_from " + command->get_name(), *option);
  }
  return text;
}

}  // namespace onnxport::release
