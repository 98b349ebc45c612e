#include "tools/mutate/trial.h"

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "codegen/source/files.h"
#include "tests/conformance/suite_name.h"

namespace onnxport::mutate {
namespace {

namespace fs = std::filesystem;

constexpr char kLongest[] = " timeout 600 ";
constexpr int kSomeFailed = 1;  // GoogleTest's exit code; others mean that it did not get to its end

// The exit code of a shell command whose output is added to a file.
int Shell(const std::string& command, const fs::path& log) {
  const int status = std::system(("( " + command + " ) >>" + log.string() + " 2>&1").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string PathOf(const Mutant& mutant) { return mutant.site.place.file->path; }
std::string FamilyOf(const std::string& spec) { return fs::path(spec).stem(); }

fs::path LogOf(const std::string& program, const fs::path& folder) {
  return folder / (fs::path(program).filename().string() + ".log");
}

std::set<std::string> SuitesOf(const Mutant& mutant) {
  std::set<std::string> suites;
  for (const std::string& overload : mutant.site.overloads) suites.insert(conformance::SuiteName(overload));
  return suites;
}

std::set<std::string> SuitesOf(const std::vector<Mutant>& mutants) {
  std::set<std::string> suites;
  for (const Mutant& mutant : mutants) suites.merge(SuitesOf(mutant));
  return suites;
}

// The suites of the lines "[  FAILED  ] Suite.test" of GoogleTest.
std::set<std::string> FailedIn(const fs::path& log) {
  constexpr std::string_view kFailed = "[  FAILED  ] ";
  std::set<std::string> failed;
  std::ifstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kFailed)) failed.insert(line.substr(kFailed.size(), line.find('.') - kFailed.size()));
  }
  return failed;
}

void InParallel(size_t count, const std::function<void(size_t)>& work) {
  std::atomic<size_t> next = 0;
  std::vector<std::jthread> threads;
  for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
    threads.emplace_back([&] {
      for (size_t item = next++; item < count; item = next++) work(item);
    });
  }
}

}  // namespace

Trial::Trial(Tools tools, fs::path folder) : tools_(std::move(tools)), folder_(std::move(folder)) {
  for (const fs::directory_entry& spec : fs::recursive_directory_iterator("spec/aten")) {
    if (spec.is_regular_file() && !Generate(spec.path(), ReadFile(spec), folder_ / "unchanged", fs::current_path())) {
      throw std::runtime_error(ReadFile(folder_ / "unchanged/log"));
    }
  }
}

void Trial::CheckUnchanged(const std::vector<Mutant>& mutants) {
  for (const auto& [name, program] : tools_.tests) {
    const fs::path folder = NewFolder();
    if (Failing(program, SuitesOf(mutants), folder) == Suites()) continue;
    throw std::runtime_error("tests fail without any change:\n" + ReadFile(LogOf(program, folder)));
  }
}

void Trial::Run(const std::vector<Mutant>& mutants, const Report& report) {
  std::mutex mutex;
  std::vector<Mutant> left;
  const Report one_by_one = [&](const Mutant& mutant, std::string_view noticed) {
    const std::lock_guard lock(mutex);
    report(mutant, noticed);
  };
  InParallel(mutants.size(), [&](size_t i) {
    if (!mutants[i].site.elsewhere.empty()) return one_by_one(mutants[i], TryLibrary(mutants[i]));
    const std::string_view noticed = NoticedWithoutTests(mutants[i]);
    if (noticed != kNothing) return one_by_one(mutants[i], noticed);
    const std::lock_guard lock(mutex);
    left.push_back(mutants[i]);
  });
  const std::vector<Batch> batches = Batches(left);
  InParallel(batches.size(), [&](size_t i) { Try(batches[i], one_by_one); });
}

std::string_view Trial::NoticedWithoutTests(const Mutant& mutant) {
  const fs::path folder = NewFolder();
  if (!Generate(PathOf(mutant), Mutated({mutant}), folder, fs::current_path())) return kGenerator;
  return IsUnchanged(FamilyOf(PathOf(mutant)) + ".gen.cc", folder) ? kSameCode : kNothing;
}

void Trial::Try(const Batch& batch, const Report& report) {
  const fs::path folder = NewFolder();
  const std::string spec = PathOf(batch[0]);
  if (!Generate(spec, Mutated(batch), folder, fs::current_path())) return TryHalves(batch, kGenerator, report);
  if (!Compile(FamilyOf(spec), folder)) return TryHalves(batch, kCompiler, report);
  Batch left = batch;
  for (const auto& [name, program] : tools_.tests) {
    if (left.empty()) return;
    const std::optional<Suites> failing = Failing(program, SuitesOf(left), folder);
    if (!failing) return TryHalves(left, name, report);
    std::erase_if(left, [&](const Mutant& mutant) {
      const bool noticed = std::ranges::any_of(SuitesOf(mutant), [&](const auto& s) { return failing->contains(s); });
      if (noticed) report(mutant, name);
      return noticed;
    });
  }
  for (const Mutant& mutant : left) report(mutant, kNothing);
}

// Some member of the batch keeps the others from being tried.
void Trial::TryHalves(const Batch& batch, std::string_view noticed, const Report& report) {
  if (batch.size() == 1) return report(batch[0], noticed);
  const auto middle = batch.begin() + static_cast<std::ptrdiff_t>(batch.size() / 2);
  Try({batch.begin(), middle}, report);
  Try({middle, batch.end()}, report);
}

// Family by family, those with the fewest operators first: most mutants are noticed in the first one.
std::string_view Trial::TryLibrary(const Mutant& mutant) {
  const fs::path root = NewFolder();
  fs::create_directories(root / "spec/lib");
  std::ofstream(root / PathOf(mutant), std::ios::binary) << Mutated({mutant});
  std::vector<std::pair<size_t, std::string>> specs;
  for (const auto& [spec, overloads] : mutant.site.elsewhere) specs.emplace_back(overloads.size(), spec);
  std::ranges::sort(specs);
  std::string_view outcome = kSameCode;
  for (const auto& [operators, spec] : specs) {
    const auto noticed = TryLibraryIn(spec, mutant, root);
    if (noticed) outcome = *noticed;
    if (noticed && outcome != kNothing) break;
  }
  return outcome;
}

std::optional<std::string_view> Trial::TryLibraryIn(const std::string& spec, const Mutant& mutant,
                                                    const fs::path& root) {
  const fs::path folder = NewFolder();
  if (!Generate(spec, ReadFile(spec), folder, root)) return kGenerator;
  if (IsUnchanged(FamilyOf(spec) + ".gen.cc", folder)) return std::nullopt;
  if (!Compile(FamilyOf(spec), folder)) return kCompiler;
  Suites suites;
  for (const std::string& overload : mutant.site.elsewhere.at(spec)) suites.insert(conformance::SuiteName(overload));
  for (const auto& [name, program] : tools_.tests) {
    if (Failing(program, suites, folder) != Suites()) return name;
  }
  return kNothing;
}

bool Trial::Generate(const std::string& spec, const std::string& text, const fs::path& folder,
                     const fs::path& root) const {
  fs::create_directories(folder);
  std::ofstream(folder / "spec.yaml", std::ios::binary) << text;
  std::string command = tools_.codegen + " --spec " + (folder / "spec.yaml").string() + " --spec-name " + spec +
                        " --templates templates --out-dir " + folder.string();
  for (const codegen::NamedFile& library : codegen::LibraryFiles(".")) {
    const fs::path changed = root / library.name;
    command += " --library " + library.name + "=" + (fs::exists(changed) ? changed.string() : library.path);
  }
  for (const fs::directory_entry& domain : fs::directory_iterator("spec/domains")) {
    command += " --declares " + domain.path().string() + "=" + domain.path().string();
  }
  return Shell(command, folder / "log") == 0;
}

// One library with the family, and with the dispatch table when that is another one.
bool Trial::Compile(const std::string& family, const fs::path& folder) const {
  std::string sources = (folder / (family + ".gen.cc")).string();
  const std::string rows = family + ".rows.json";
  if (!IsUnchanged(rows, folder)) {
    std::string merge = tools_.codegen + " --templates templates --out-dir " + folder.string() + " --merge";
    for (const fs::directory_entry& file : fs::directory_iterator(folder_ / "unchanged")) {
      const fs::path name = file.path().filename();
      if (name.string().ends_with(".rows.json")) merge += " " + (name == rows ? folder / name : file.path()).string();
    }
    if (Shell(merge, folder / "log") != 0) return false;
    sources += " " + (folder / "dispatch_table.gen.cc").string();
  }
  return Shell("g++ -std=c++20 -O0 -w -fPIC -shared -I. -o " + (folder / "mutant.so").string() + " " + sources,
               folder / "log") == 0;
}

// Those of the suites in which a test fails; nothing when the program does not get to its end.
std::optional<Trial::Suites> Trial::Failing(const std::string& program, const Suites& suites,
                                            const fs::path& folder) const {
  std::string filter;
  for (const std::string& suite : suites) filter += suite + ".*:";
  const fs::path library = folder / "mutant.so";
  const fs::path log = LogOf(program, folder);
  const int code = Shell("cd " + tools_.runfiles.string() + " && TEST_TMPDIR=" + folder.string() +
                             " LD_PRELOAD=" + (fs::exists(library) ? library.string() : "") + kLongest + program +
                             " --gtest_brief=1 --gtest_filter='" + filter + "'",
                         log);
  if (code != 0 && code != kSomeFailed) return std::nullopt;
  return FailedIn(log);
}

bool Trial::IsUnchanged(const std::string& file, const fs::path& folder) const {
  return ReadFile(folder / file) == ReadFile(folder_ / "unchanged" / file);
}

fs::path Trial::NewFolder() {
  fs::path folder = folder_ / std::to_string(++folders_);
  fs::create_directories(folder);
  return folder;
}

}  // namespace onnxport::mutate
