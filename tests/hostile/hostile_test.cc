// Damaged and forged archives: an export ends with a model or with an error of the right kind, leaves
// nothing behind when it fails, and ends soon. (A crash or a hang ends this test, which tells them by the case's name.)
#include <fmt/core.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "onnxport/export.h"
#include "runtime/testing/zip_writer.h"
#include "tests/fuzz/random.h"
#include "tests/hostile/forge.h"

namespace onnxport {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kMostSeconds = 20;  // for one case
constexpr int kCasesOfEachKind = 130;

// ---- damage: the bytes of the file change, its checksums do not follow ----

void FlipBits(std::string* bytes, Random* random) {
  for (size_t n = 1 + random->Below(8); n > 0; --n)
    (*bytes)[random->Below(bytes->size())] ^= static_cast<char>(1 << random->Below(8));
}
void Truncate(std::string* bytes, Random* random) { bytes->resize(random->Below(bytes->size())); }
void Splice(std::string* bytes, Random* random) {
  const std::string piece = bytes->substr(random->Below(bytes->size()), random->Below(2000));
  bytes->insert(random->Below(bytes->size()), piece);
}
void Blank(std::string* bytes, Random* random) {
  const size_t at = random->Below(bytes->size());
  const size_t count = std::min(random->Below(500), bytes->size() - at);
  bytes->replace(at, count, std::string(count, static_cast<char>(random->Below(2) * 0xff)));
}
// The end of the file is its directory.
void EditDirectory(std::string* bytes, Random* random) {
  const size_t directory = bytes->rfind("PK\1\2");
  const size_t room = std::min<size_t>(3000, bytes->size());
  const size_t from = random->Below(2) && directory != std::string::npos ? directory : bytes->size() - room;
  for (size_t n = 1 + random->Below(4); n > 0; --n)
    (*bytes)[from + random->Below(bytes->size() - from)] = static_cast<char>(random->Next());
}

// ---- forgery: records change, and the archive is right again ----

using archive::ZipContents;

std::string* Pick(ZipContents* records, Random* random, const std::function<bool(const std::string&)>& wanted) {
  std::vector<std::string*> found;
  for (auto& [name, contents] : *records)
    if (wanted(name) && !contents.empty()) found.push_back(&contents);
  return found.empty() ? nullptr : found[random->Below(found.size())];
}

void EditPickle(ZipContents* records, Random* random) {
  std::string* pickle = Pick(records, random, [](const std::string& name) { return name.ends_with("pkl"); });
  for (size_t n = 1 + random->Below(3); n > 0; --n) {
    const size_t at = random->Below(pickle->size());
    switch (random->Below(4)) {
      case 0:
        (*pickle)[at] = static_cast<char>(random->Next());
        break;
      case 1:
        pickle->erase(at, 1 + random->Below(4));
        if (pickle->empty()) *pickle = ".";
        break;
      case 2:
        pickle->insert(at, pickle->substr(random->Below(pickle->size()), random->Below(40)));
        break;
      default:
        (*pickle)[at] = "().]}0aesutRcqhQbN\x85\x81"[random->Below(20)];
    }
  }
}
void EditSource(ZipContents* records, Random* random) {
  std::string* source = Pick(records, random, [](const std::string& name) { return name.ends_with(".py"); });
  for (size_t n = 1 + random->Below(3); n > 0; --n) {
    const size_t at = random->Below(source->size());
    switch (random->Below(4)) {
      case 0:
        source->erase(at, 1 + random->Below(10));
        if (source->empty()) *source = "\n";
        break;
      case 1:
        (*source)[at] = "()[]{}=,.:\n \"0159_abT-"[random->Below(22)];
        break;
      case 2:
        source->insert(at, source->substr(random->Below(source->size()), random->Below(80)));
        break;
      default: {  // a line is lost
        const size_t end = source->find('\n', at);
        if (end != std::string::npos) source->erase(at, end - at);
        if (source->empty()) *source = "\n";
      }
    }
  }
}
void EditJson(ZipContents* records, Random* random) {
  constexpr const char* kNumbers[] = {
      "0",     "-1",   "1",    "2",     "3",  "7", "4611686018427387904", "9223372036854775807", "-9223372036854775808",
      "1e999", "null", "true", "\"x\"", "[]", "{}"};
  std::string* json = Pick(records, random, [](const std::string& name) { return name.ends_with(".json"); });
  for (size_t n = 1 + random->Below(3); n > 0; --n) {
    const size_t at = random->Below(json->size());
    switch (random->Below(5)) {
      case 0:
        json->erase(at, 1 + random->Below(20));
        if (json->empty()) *json = "{}";
        break;
      case 1:
        json->insert(at, json->substr(random->Below(json->size()), random->Below(80)));
        break;
      default: {
        const size_t begin = json->find_first_of("0123456789", at);
        if (begin == std::string::npos) break;
        const size_t end = std::min(json->find_first_not_of("0123456789", begin), json->size());
        json->replace(begin, end - begin, random->Pick(kNumbers));
      }
    }
  }
}
void EditRecords(ZipContents* records, Random* random) {
  auto& record = (*records)[random->Below(records->size())];
  auto& other = (*records)[random->Below(records->size())];
  switch (random->Below(5)) {
    case 0:
      std::swap(record.second, other.second);
      break;
    case 1:
      record.second.resize(random->Below(record.second.size() + 1));
      break;
    case 2:
      record.second += other.second;
      break;
    case 3:
      record.first += "x";
      break;
    default:
      records->erase(records->begin() + static_cast<ptrdiff_t>(random->Below(records->size())));
  }
}

// ---- the cases ----

const std::set<std::string> kDamaged = {"exported", "bad_input", "memory_budget"};
const std::set<std::string> kForged = {"exported", "bad_input", "memory_budget", "cannot_export", "usage"};

std::string Read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Kind {
  const char* name;
  void (*damage)(std::string*, Random*);
  void (*forge)(ZipContents*, Random*);
};
constexpr Kind kKinds[] = {
    {"bits", FlipBits, nullptr}, {"truncated", Truncate, nullptr},      {"spliced", Splice, nullptr},
    {"blanked", Blank, nullptr}, {"directory", EditDirectory, nullptr}, {"records", nullptr, EditRecords},
};
constexpr Kind kTorchScriptKinds[] = {{"pickle", nullptr, EditPickle}, {"source", nullptr, EditSource}};
constexpr Kind kPt2Kinds[] = {{"json", nullptr, EditJson}};

class Hostile : public testing::TestWithParam<std::tuple<const char*, Kind>> {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / fmt::format("hostile_{}_{}", Archive(), std::get<1>(GetParam()).name);
    fs::create_directories(folder_ / "out");
    original_ = std::string(std::getenv("ARCHIVES")) + "/" + Archive();
    if (Archive() == "scripted.pt") {
      options_.inputs = {TensorInput("x", kFloat32, {Sym("n"), 2, 4}), FixedInput("extra", None{})};
    }
  }

  static std::string Archive() { return std::get<0>(GetParam()); }

  // "exported", or the kind of the failure.
  std::string Outcome(const std::string& path) {
    const std::string out = (folder_ / "out" / "model.onnx").string();
    const Result<Model> model = Export(Source::File(path), options_);
    if (!model) return Failed(model.error());
    const auto saved = model->Save(out);
    if (!saved) return Failed(saved.error());
    EXPECT_TRUE(fs::exists(out));
    fs::remove(out);
    return "exported";
  }

  static std::string Failed(const Report& report) {
    EXPECT_FALSE(report.Text().empty());
    EXPECT_EQ(report.Text().find("internal error"), std::string::npos) << report.Text();
    return std::string(Name(report.kind()));
  }

  fs::path folder_;
  std::string original_;
  ExportOptions options_;
};

TEST_P(Hostile, EndsWell) {
  const Kind& kind = std::get<1>(GetParam());
  const std::string bytes = Read(original_);
  const ZipContents records = RecordsOf(original_);
  ASSERT_EQ(Outcome(original_), "exported");
  const std::string path = (folder_ / "case").string();
  int refused = 0;
  for (int i = 0; i < kCasesOfEachKind; ++i) {
    SCOPED_TRACE(fmt::format("case {}", i));
    Random random(static_cast<uint64_t>(i) * 1000 + static_cast<uint64_t>(kind.name[0]));
    std::string changed = bytes;
    if (kind.damage) kind.damage(&changed, &random);
    if (kind.forge) {
      ZipContents forged = records;
      kind.forge(&forged, &random);
      changed = archive::WriteZip(forged);
    }
    std::ofstream(path, std::ios::binary) << changed;
    ::alarm(kMostSeconds);
    const std::string outcome = Outcome(path);
    ::alarm(0);
    refused += outcome != "exported";
    // A forged program may be a valid one that cannot be exported, or that has other parameters.
    EXPECT_TRUE((kind.forge ? kForged : kDamaged).contains(outcome)) << outcome;
    EXPECT_TRUE(fs::is_empty(folder_ / "out"));
  }
  EXPECT_GT(refused, 0);
}

constexpr const char* kTorchScript[] = {"traced.pt", "scripted.pt", "quantized.pt"};
constexpr const char* kPt2[] = {"exported.pt2"};
const auto kName = [](const testing::TestParamInfo<Hostile::ParamType>& info) {
  const std::string archive = std::get<0>(info.param);
  return archive.substr(0, archive.find('.')) + "_" + std::get<1>(info.param).name;
};
using testing::Combine;
using testing::ValuesIn;
INSTANTIATE_TEST_SUITE_P(TorchScript, Hostile, Combine(ValuesIn(kTorchScript), ValuesIn(kKinds)), kName);
INSTANTIATE_TEST_SUITE_P(TorchScriptRecords, Hostile, Combine(ValuesIn(kTorchScript), ValuesIn(kTorchScriptKinds)),
                         kName);
INSTANTIATE_TEST_SUITE_P(Pt2, Hostile, Combine(ValuesIn(kPt2), ValuesIn(kKinds)), kName);
INSTANTIATE_TEST_SUITE_P(Pt2Records, Hostile, Combine(ValuesIn(kPt2), ValuesIn(kPt2Kinds)), kName);

}  // namespace
}  // namespace onnxport
