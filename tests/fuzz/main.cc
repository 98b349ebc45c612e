// Runs targets on inputs that follow their grammar, and almost do.
//
//   fuzz [--target NAME] [--seconds N | --minutes N] [--first CASE] [--case CASE]
//
// Case i has the same input on every machine. Targets run in processes of their own. A crash, a hang, or an exception
// that is no Error is a finding. It is reported with the command that repeats this case, and the other targets go on.
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>

#include "runtime/base/error.h"
#include "tests/fuzz/target.h"

namespace onnxport::fuzz {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const Target* kTargets[] = {&kPickle, &kSource, &kJson, &kExpression, &kZip, &kYaml};
constexpr auto kLongestCase = std::chrono::seconds(20);
constexpr int kMostFindings = 20;  // of a target

void RunCase(const Target& target, uint64_t number) {
  Random random(number * 0x9e3779b9 + 1);
  const std::string input = target.make(&random);
  try {
    target.run(input);
  } catch (const Error&) {
  } catch (const std::exception& error) {
    Check(false, std::string("that only Errors are thrown (") + error.what() + ")", input);
  }
}

// Runs cases from *number on until the time is over. True: it was; false: the case *number is a finding.
bool RunUntil(const Target& target, Clock::time_point end, std::atomic<uint64_t>* number) {
  const pid_t child = ::fork();
  if (child == 0) {
    for (; Clock::now() < end; ++*number) RunCase(target, *number);
    std::_Exit(0);
  }
  uint64_t last = *number;
  Clock::time_point since = Clock::now();
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    ::usleep(20'000);
    if (const uint64_t now = *number; now != last) {
      last = now;
      since = Clock::now();
    } else if (Clock::now() - since > kLongestCase) {
      std::printf("case %llu takes too long\n", static_cast<unsigned long long>(last));
      ::kill(child, SIGKILL);
    }
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int RunTarget(const Target& target, std::chrono::seconds time, uint64_t first) {
  void* shared = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto* number = new (shared) std::atomic<uint64_t>(first);
  int findings = 0;
  const Clock::time_point end = Clock::now() + time;
  while (findings < kMostFindings && !RunUntil(target, end, number)) {
    ++findings;
    std::printf("FOUND: --target %s --case %llu\n", target.name.data(), static_cast<unsigned long long>(*number));
    ++*number;
  }
  std::printf("%s: %llu cases, %d findings\n", target.name.data(), static_cast<unsigned long long>(*number - first),
              findings);
  std::fflush(stdout);
  ::munmap(shared, 4096);
  return findings;
}

int Main(int argc, char** argv) {
  CLI::App app("Runs readers on inputs that follow their grammar, and almost do.");
  std::string name;
  int64_t seconds = 10;
  int64_t minutes = 0;
  uint64_t first = 0;
  std::optional<uint64_t> single;
  app.add_option("--target", name, "One of pickle, source, json, expression, zip, yaml; all without it");
  app.add_option("--seconds", seconds, "For each target")->capture_default_str();
  app.add_option("--minutes", minutes, "For all targets together");
  app.add_option("--first", first, "The first case");
  app.add_option("--case", single, "Only this one, in this process");
  CLI11_PARSE(app, argc, argv);
  int findings = 0;
  int known = 0;
  for (const Target* target : kTargets) {
    if (!name.empty() && name != target->name) continue;
    ++known;
    if (single) {
      RunCase(*target, *single);
      continue;
    }
    const int64_t share = minutes * 60 / (name.empty() ? static_cast<int64_t>(std::size(kTargets)) : 1);
    findings += RunTarget(*target, std::chrono::seconds(minutes > 0 ? share : seconds), first);
  }
  return known == 0 || findings > 0 ? 1 : 0;
}

}  // namespace
}  // namespace onnxport::fuzz

int main(int argc, char** argv) { return onnxport::fuzz::Main(argc, argv); }
