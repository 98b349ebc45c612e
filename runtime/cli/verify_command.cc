#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "runtime/cli/commands.h"
#include "runtime/cli/messages.h"

namespace onnxport::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "exporter-verify";

// The status of a program whose libraries the loader does not find, or finds without what the program needs of them.
constexpr int kNotLoaded = 127;

std::string Folder() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path();
}

// A path, or a name that is to be looked for on PATH.
std::string Program(const std::string& given) {
  // execvp looks for a name without "/" on PATH; who names a file means the one that is here.
  if (!given.empty()) return given.find('/') == std::string::npos ? "./" + given : given;
  if (const char* named = std::getenv("ONNXPORT_VERIFY"); named != nullptr && *named != '\0') return named;
  const std::string beside = Folder() + "/" + kName;
  return ::access(beside.c_str(), X_OK) == 0 ? beside : kName;
}

constexpr const char* kHowToCompile =
    "  with the package for C++: cmake -S PACKAGE/share/onnxport/verify -B build && cmake --build build && "
    "cmake --install build\n"
    "  from the sources:         ./bazelw build //:exporter //:exporter-verify\n";

void TellMissing(const std::string& program, int error) {
  const bool searched = program == kName && error == ENOENT;
  const std::string what = searched ? fmt::format("there is no exporter-verify in {} or on PATH", Folder())
                                    : fmt::format("cannot start {}: {}", program, std::strerror(error));
  Fail(Report(Code::kNoVerifier, what));
  Tell(
      fmt::format("It runs the program of PyTorch, and is compiled with your LibTorch (that of `pip install torch` "
                  "will do), as no two releases of LibTorch can stand in for each other:\n{}"
                  "--verifier or ONNXPORT_VERIFY names one elsewhere. From Python, `onnxport.export(...).verify()` "
                  "compares without it.\n",
                  kHowToCompile));
}

// Gives what became of the program, as an exit status of this one.
int StatusOf(const std::string& program, int status) {
  if (WIFSIGNALED(status)) {
    Fail(Report(Code::kNotCompared, fmt::format("{} was ended by signal {}", program, WTERMSIG(status))));
    return kNotCompared;
  }
  if (WEXITSTATUS(status) != kNotLoaded) return WEXITSTATUS(status);
  Fail(
      Report(Code::kNoVerifier,
             fmt::format("{} was not loaded, as said above: the LibTorch that it was compiled with is gone, or another "
                         "one is in its place; compile it again",
                         program)));
  Tell(kHowToCompile);
  return kNotCompared;
}

}  // namespace

int RunVerify(const VerifyArguments& arguments, char** words) {
  const std::string program = Program(arguments.program);
  const pid_t child = ::fork();
  if (child == 0) {
    // Who kills the command means the comparison, which can take minutes.
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    // `words` begin with "verify", which takes the place of the program's name in the child: so both read the same
    // options from the same words.
    ::execvp(program.c_str(), words);
    TellMissing(program, errno);
    ::_exit(kNotCompared);
  }
  int status = 0;
  while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (child > 0) return StatusOf(program, status);
  Fail(Report(Code::kNotCompared, fmt::format("cannot start a process: {}", std::strerror(errno))));
  return kNotCompared;
}

}  // namespace onnxport::cli
