// The command `exporter`: reads the command line, runs a command, and turns failures into exit statuses.

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>

#include "runtime/cli/command_line.h"
#include "runtime/cli/messages.h"

namespace onnxport::cli {
namespace {

// The command that was typed, whose page tells its options: "exporter export".
std::string CommandOf(const CLI::App& app, int argc, char** argv) {
  const bool known = argc > 1 && app.get_subcommand_no_throw(argv[1]) != nullptr;
  return known ? std::string("exporter ") + argv[1] : "exporter";
}

int Run(int argc, char** argv) {
  // The words as the user typed them: `verify` passes them to another program. CLI11 runs a command within `parse`, so
  // this also catches the command's exceptions.
  CommandLine line(argv + 1);
  try {
    line.app.parse(argc, argv);
    return line.status;
  } catch (const CLI::Success& success) {
    return line.app.exit(success);  // help, version
  } catch (const CLI::ParseError& error) {
    const std::string page = CommandOf(line.app, argc, argv) + " --help";
    return Fail(Report(Code::kCommandLine, std::string(error.what()) + "; `" + page + "` shows how"));
  } catch (const std::exception& error) {
    return Fail(Report(Code::kInternal, std::string("internal error, please report it: ") + error.what()));
  }
}

}  // namespace
}  // namespace onnxport::cli

namespace {

// If a standard stream is closed, the model's file would get its number, and messages would go into the model.
void OpenStandardStreams() {
  for (int number = 0; number <= STDERR_FILENO; ++number) {
    if (::fcntl(number, F_GETFD) < 0) (void)::open("/dev/null", number == STDIN_FILENO ? O_RDONLY : O_WRONLY);
  }
}

}  // namespace

int main(int argc, char** argv) {
  OpenStandardStreams();
  // `bazel run` starts programs in a folder of its own. This variable has the user's folder.
  if (const char* folder = std::getenv("BUILD_WORKING_DIRECTORY")) {
    if (::chdir(folder) != 0) std::perror("exporter: BUILD_WORKING_DIRECTORY");
  }
  // A write beyond the limit for file sizes then fails with an error that says so.
  ::signal(SIGXFSZ, SIG_IGN);
  const int status = onnxport::cli::Run(argc, argv);
  // The disk of the output may be full. stdout is buffered, so a full disk shows only at this flush, not at each Say.
  // An earlier failure keeps its status.
  if ((std::fflush(stdout) != 0 || std::ferror(stdout) != 0) && status == 0) {
    const std::string reason = std::string("cannot write: ") + std::strerror(errno);
    return onnxport::cli::Fail(onnxport::Report(onnxport::ErrorKind::kCannotWrite, reason));
  }
  return status;
}
