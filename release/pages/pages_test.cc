#include "release/pages/pages.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "runtime/cli/command_line.h"

namespace onnxport::release {
namespace {

struct Page {
  std::string name;
  std::string text;
  std::string hyphen;   // how it writes one
  std::string options;  // what stands before the name of a long option
};

std::vector<Page> Pages() {
  char* none = nullptr;
  const cli::CommandLine line(&none);
  return {{"man", ManualPage(line.app, "1.2.3"), "\\-", "\\-\\-"},
          {"bash", BashCompletion(line.app), "-", "--"},
          {"zsh", ZshCompletion(line.app), "-", "--"},
          {"fish", FishCompletion(line.app), "-", "-l "}};
}

std::string Written(std::string name, const std::string& hyphen) {
  for (size_t at = name.find('-'); at != std::string::npos; at = name.find('-', at + hyphen.size()))
    name.replace(at, 1, hyphen);
  return name;
}

// No option or command is left out, as none is listed by hand.
TEST(PagesTest, HaveEveryCommandAndOption) {
  char* none = nullptr;
  const cli::CommandLine line(&none);
  const std::vector<const CLI::App*> commands = line.app.get_subcommands({});
  ASSERT_GE(commands.size(), 5u);
  for (const Page& page : Pages()) {
    SCOPED_TRACE(page.name);
    for (const CLI::App* command : commands) {
      EXPECT_NE(page.text.find(Written(command->get_name(), page.hyphen)), std::string::npos) << command->get_name();
      for (const CLI::Option* option : command->get_options()) {
        for (const std::string& name : option->get_lnames()) {
          const std::string wanted = page.options + Written(name, page.name == "man" ? page.hyphen : "-");
          EXPECT_NE(page.text.find(wanted), std::string::npos) << command->get_name() << " --" << name;
        }
      }
    }
  }
}

// The example in the footer begins a line with a dot; an apostrophe would end a quoted text.
TEST(PagesTest, QuoteWhatWouldBeSyntax) {
  CLI::App app("It's\n.request \\ here", "exporter");
  app.add_subcommand("run", "the user's")->add_option("--at", "where it's [at]: here");
  EXPECT_NE(ManualPage(app, "1").find("It's\n\\&.request \\e here"), std::string::npos);
  EXPECT_NE(ZshCompletion(app).find("'run:the user'\\''s'"), std::string::npos);
  EXPECT_NE(ZshCompletion(app).find("'*--at[where it'\\''s (at)]"), std::string::npos);
  EXPECT_NE(FishCompletion(app).find("-l at -r -d 'where it'\\''s [at]'"), std::string::npos);
}

}  // namespace
}  // namespace onnxport::release
