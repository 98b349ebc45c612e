// Do exports in one process get into each other's way? `parallel_exports MODEL.pt2 [ROUNDS [EXPORTS]]`.
//
// Exports the file EXPORTS times (default: 16) in eight threads of one process, and then as often in two processes with
// one thread each, ROUNDS times (default: 7) in turn. Prints the medians of the ratios of wall time and of processor
// time. On a machine of two processors both do the same work with the same processors, so a ratio above 1 is what the
// threads wait for each other. Models are kept in memory, so that no disk is measured.
//
// Beside other work, wall time says little. So it also prints how often a thread gave up its processor by itself, for
// each export: as often in threads as in processes, if no lock is contended.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "onnxport/export.h"

namespace {

constexpr int kThreads = 8;
constexpr int kProcesses = 2;

void ExportTimes(const std::string& path, int times) {
  for (int i = 0; i < times; ++i) {
    const auto model = onnxport::Export(onnxport::Source::File(path));
    if (!model || !model->Bytes()) {
      std::fprintf(stderr, "%s\n", model ? "no bytes" : model.error().Text().c_str());
      std::_Exit(1);
    }
  }
}

[[noreturn]] void RunThreads(const std::string& path, int threads, int exports) {
  std::vector<std::jthread> running;
  for (int i = 0; i < threads; ++i) running.emplace_back([&] { ExportTimes(path, exports / threads); });
  running.clear();
  std::_Exit(0);
}

struct Costs {
  double wall = 0;       // s
  double processor = 0;  // s
  double waits = 0;      // for each export
};

double Of(const timeval& time) { return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec); }

// Each process has nothing in memory of what another has looked up.
Costs Measure(const std::string& path, int processes, int threads, int exports) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < processes; ++i) {
    if (fork() == 0) RunThreads(path, threads, exports / processes);
  }
  Costs costs;
  for (int i = 0; i < processes; ++i) {
    int status = 0;
    rusage usage{};
    if (wait4(-1, &status, 0, &usage) < 0 || status != 0) std::exit(1);
    costs.processor += Of(usage.ru_utime) + Of(usage.ru_stime);
    costs.waits += static_cast<double>(usage.ru_nvcsw) / exports;
  }
  costs.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return costs;
}

double Median(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  return numbers[numbers.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: parallel_exports MODEL.pt2 [ROUNDS [EXPORTS]]\n");
    return 2;
  }
  const std::string path = argv[1];
  const int rounds = argc > 2 ? std::max(1, std::atoi(argv[2])) : 7;
  const int exports = argc > 3 ? std::max(kThreads, std::atoi(argv[3]) / kThreads * kThreads) : 2 * kThreads;
  std::vector<double> wall, processor, waits_of_threads, waits_of_processes;
  for (int i = 0; i < rounds; ++i) {
    const Costs threads = Measure(path, 1, kThreads, exports);
    const Costs processes = Measure(path, kProcesses, 1, exports);
    wall.push_back(threads.wall / processes.wall);
    processor.push_back(threads.processor / processes.processor);
    waits_of_threads.push_back(threads.waits);
    waits_of_processes.push_back(processes.waits);
  }
  std::printf("%d exports in %d threads of one process : in %d processes, median of %d rounds\n", exports, kThreads,
              kProcesses, rounds);
  std::printf("wall time %.2f, processor time %.2f; waits for each export: %.1f in threads, %.1f in processes\n",
              Median(wall), Median(processor), Median(waits_of_threads), Median(waits_of_processes));
  return 0;
}
