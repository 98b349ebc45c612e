// The library as programs use it: through its public headers.
#include "onnxport/export.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>
#include <streambuf>
#include <string>

#include "onnxport/check_axes.h"
#include "onnxport/inspect.h"
#include "onnxport/operators.h"
#include "onnxport/version.h"

namespace onnxport::export_test {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

std::string Mnist() { return std::getenv("MNIST"); }

std::string Read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::span<const std::byte> BytesOf(const std::string& text) { return std::as_bytes(std::span(text)); }

std::string TextOf(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class ExportTest : public testing::Test {
 protected:
  ExportTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~ExportTest() override { fs::remove_all(folder_); }
  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  bool IsEmpty() const { return fs::is_empty(folder_); }

  const fs::path folder_ = fs::path(testing::TempDir()) / "export_test";
};

Model Mnist(const ExportOptions& options) {
  Result<Model> model = Export(Source::File(Mnist()), options);
  EXPECT_TRUE(model) << model.error().Text();
  return std::move(model).value();
}

TEST_F(ExportTest, ModelsSayWhereTheyComeFrom) {
  const auto text = [](const ExportOptions& options) { return TextOf(Mnist(options).Bytes().value()); };
  const std::string told = text({.opset = 21});
  EXPECT_NE(told.find("pkg.torch.onnx.fx_node"), std::string::npos);
  EXPECT_NE(told.find("onnxport.source"), std::string::npos);
  EXPECT_EQ(told.find(Mnist()), std::string::npos);  // not where the file lay
  // Nodes of older files have no such keys.
  const std::string older = text({.opset = 20});
  EXPECT_EQ(older.find("pkg.torch.onnx.fx_node"), std::string::npos);
  EXPECT_NE(older.find("call_function[target=torch.ops.aten."), std::string::npos);
  for (const int opset : {20, 21}) {
    const std::string bare = text({.opset = opset, .metadata = false});
    EXPECT_EQ(bare.find("torch.ops.aten."), std::string::npos);
    EXPECT_EQ(bare.find("onnxport."), std::string::npos);
  }
}

TEST_F(ExportTest, OutputsAreHeldAgainstWhatIsPromised) {
  const Model model = Mnist({.outputs = {{.name = "output", .dims = {Dim(), 10}}}});
  EXPECT_EQ(model.outputs()[0].dims->at(1), Dim(10));
  const Result<Model> wrong = Export(Source::File(Mnist()), {.outputs = {{.name = "output", .dims = {Dim(), 11}}}});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().kind(), ErrorKind::kUsage);
  EXPECT_NE(wrong.error().Text().find("axis 1 of output 'output' is 10, not 11"), std::string::npos)
      << wrong.error().Text();
}

TEST_F(ExportTest, ReadsFilesBytesAndStreams) {
  const std::string bytes = Read(Mnist());
  std::istringstream stream(bytes);
  const auto owned = std::make_shared<std::string>(bytes);
  const Source sources[] = {Source::File(Mnist()), Source::Bytes(BytesOf(bytes)), Source::Bytes(BytesOf(*owned), owned),
                            Source::Stream(stream)};
  std::string first;
  for (const Source& source : sources) {
    for (int again = 0; again < 2; ++again) {
      const Result<Model> model = Export(source);
      ASSERT_TRUE(model) << model.error().Text();
      const auto exported = model->Bytes();
      ASSERT_TRUE(exported) << exported.error().Text();
      if (first.empty()) first = TextOf(*exported);
      EXPECT_EQ(TextOf(*exported), first);
    }
  }
  EXPECT_GT(first.size(), 10000u);
}

TEST_F(ExportTest, KeepsTheOwnerOfBytes) {
  auto owned = std::make_shared<std::string>(Read(Mnist()));
  const std::weak_ptr<std::string> alive = owned;
  {
    const Result<Model> model = Export(Source::Bytes(BytesOf(*owned), owned));
    ASSERT_TRUE(model);
    owned.reset();
    EXPECT_FALSE(alive.expired());
    EXPECT_TRUE(model->Bytes());
  }
  EXPECT_TRUE(alive.expired());
}

TEST_F(ExportTest, WritesTheSameBytesEverywhere) {
  const Model model = Mnist({});
  const auto saved = model.Save(Path("m.onnx"));
  ASSERT_TRUE(saved) << saved.error().Text();
  const std::string file = Read(Path("m.onnx"));
  EXPECT_EQ(saved->model_bytes, static_cast<int64_t>(file.size()));
  EXPECT_EQ(saved->data_file, "");

  std::string pieces;
  const auto sent = model.Serialize([&pieces](std::span<const std::byte> piece) {
    pieces.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    return true;
  });
  ASSERT_TRUE(sent);
  EXPECT_EQ(*sent, saved->model_bytes);
  EXPECT_TRUE(pieces == file);
  std::ostringstream stream;
  ASSERT_TRUE(model.Serialize(stream));
  EXPECT_TRUE(stream.str() == file);
  EXPECT_TRUE(TextOf(model.Bytes().value()) == file);

  const auto split = model.Save(Path("split.onnx"), {.external_data = ExternalData::kAlways});
  ASSERT_TRUE(split);
  EXPECT_EQ(fs::file_size(split->data_file), static_cast<uintmax_t>(split->data_bytes));
}

TEST_F(ExportTest, KnowsWhatTheModelIs) {
  ExportOptions options{.opset = 17, .input_names = {"picture"}};
  options.inputs.push_back(TensorInput("x", kFloat32, {Sym("n"), 1, 28, 28}));
  std::vector<std::string> stages;
  options.progress = [&stages](std::string_view stage, int64_t, int64_t) { stages.emplace_back(stage); };
  const Model model = Mnist(options);
  EXPECT_EQ(model.opset(), 17);
  ASSERT_EQ(model.inputs().size(), 1u);
  const Port& input = model.inputs()[0];
  EXPECT_EQ(input.name, "picture");
  EXPECT_EQ(input.dtype, kFloat32);
  EXPECT_FALSE(input.sequence);
  EXPECT_EQ(input.dims, (std::vector<Dim>{Sym("n"), 1, 28, 28}));
  ASSERT_EQ(model.outputs().size(), 1u);
  EXPECT_EQ(model.outputs()[0].dims, (std::vector<Dim>{Sym("n"), 10}));
  EXPECT_GT(model.nodes(), 0);
  EXPECT_GT(model.weights(), 0);
  EXPECT_EQ(stages, (std::vector<std::string>{"read", "trace", "passes"}));
  EXPECT_EQ(model.stages().size(), stages.size());
}

// ---- failures

struct Failing {
  const char* what;
  ErrorKind kind;
  std::function<Report()> run;
};

template <typename T>
Report ReportOf(const Result<T>& result) {
  return result ? Report(ErrorKind::kUsage, "it succeeded") : result.error();
}

Report ExportWith(const ExportOptions& options) { return ReportOf(Export(Source::File(Mnist()), options)); }

// A stream that breaks after some bytes.
class Breaking : public std::streambuf {
 public:
  explicit Breaking(std::string text) : text_(std::move(text)) {
    setg(text_.data(), text_.data(), text_.data() + text_.size());
  }
  int_type underflow() override { throw std::runtime_error("the line is cut"); }

 private:
  std::string text_;
};

TEST_F(ExportTest, EveryFailureIsAReportOfItsKind) {
  const std::string cut = Read(Mnist()).substr(0, 3000);
  Breaking breaking(cut);
  std::istream broken(&breaking);
  broken.exceptions(std::ios::badbit);
  std::ostringstream full;
  full.setstate(std::ios::badbit);
  fs::copy_file(Mnist(), Path("m.pt2"));
  const Model model = Export(Source::File(Path("m.pt2"))).value();
  std::stop_source stop;
  stop.request_stop();
  const auto past = Clock::now() - std::chrono::seconds(1);
  const Failing kCases[] = {
      {"fixed axis", ErrorKind::kCannotExport,
       [] { return ExportWith({.inputs = {TensorInput("x", kFloat32, {Sym("n"), 1, Sym("h"), 28})}}); }},
      {"opset", ErrorKind::kUsage, [] { return ExportWith({.opset = 99}); }},
      {"no such input", ErrorKind::kUsage, [] { return ExportWith({.inputs = {TensorInput("z", kFloat32)}}); }},
      {"wrong value", ErrorKind::kUsage, [] { return ExportWith({.inputs = {TensorInput("x", kFloat32, {-1})}}); }},
      {"pass", ErrorKind::kUsage, [] { return ExportWith({.disabled_passes = {"none"}}); }},
      {"names", ErrorKind::kUsage, [] { return ExportWith({.output_names = {"a", "b"}}); }},
      {"stopped", ErrorKind::kCancelled, [&] { return ExportWith({.stop = stop.get_token()}); }},
      {"late", ErrorKind::kDeadline, [&] { return ExportWith({.deadline = past}); }},
      {"budget", ErrorKind::kMemoryBudget, [] { return ExportWith({.memory_budget = 1000}); }},
      {"callback", ErrorKind::kCancelled,
       [] { return ExportWith({.progress = [](auto...) { throw std::runtime_error("enough"); }}); }},
      {"missing", ErrorKind::kBadInput, [] { return ReportOf(Export(Source::File("missing.pt2"))); }},
      {"cut", ErrorKind::kBadInput, [&] { return ReportOf(Export(Source::Bytes(BytesOf(cut)))); }},
      {"no bytes", ErrorKind::kBadInput, [] { return ReportOf(Export(Source::Bytes({}))); }},
      {"broken stream", ErrorKind::kBadInput, [&] { return ReportOf(Export(Source::Stream(broken))); }},
      {"axes of nothing", ErrorKind::kBadInput, [] { return ReportOf(CheckAxes(Source::File("missing.pt2"))); }},
      {"axes, stopped", ErrorKind::kCancelled,
       [&] { return ReportOf(CheckAxes(Source::File(Mnist()), {.stop = stop.get_token()})); }},
      {"text of nothing", ErrorKind::kBadInput, [] { return ReportOf(Inspect(Source::File("missing.onnx"))); }},
      {"text, late", ErrorKind::kDeadline,
       [&] { return ReportOf(Inspect(Source::File(Mnist()), {.deadline = past})); }},

      {"no folder", ErrorKind::kCannotWrite, [&] { return ReportOf(model.Save(Path("none/m.onnx"))); }},
      {"no name", ErrorKind::kCannotWrite, [&] { return ReportOf(model.Save("")); }},
      {"itself", ErrorKind::kUsage, [&] { return ReportOf(model.Save(Path("m.pt2"))); }},
      {"save, stopped", ErrorKind::kCancelled,
       [&] { return ReportOf(model.Save(Path("m.onnx"), {.stop = stop.get_token()})); }},
      {"save, late", ErrorKind::kDeadline, [&] { return ReportOf(model.Save(Path("m.onnx"), {.deadline = past})); }},
      {"save, callback", ErrorKind::kCancelled,
       [&] { return ReportOf(model.Save(Path("m.onnx"), {.progress = [](auto...) { throw 1; }})); }},
      {"sink", ErrorKind::kCancelled, [&] { return ReportOf(model.Serialize([](auto) { return false; })); }},
      {"throwing sink", ErrorKind::kCancelled,
       [&] { return ReportOf(model.Serialize([](auto) -> bool { throw std::runtime_error("no"); })); }},
      {"full stream", ErrorKind::kCannotWrite, [&] { return ReportOf(model.Serialize(full)); }},
  };
  for (const Failing& test : kCases) {
    const Report report = test.run();
    EXPECT_EQ(Name(report.kind()), Name(test.kind)) << test.what << ": " << report.Text();
    EXPECT_NE(report.Text(), "") << test.what;
    ASSERT_FALSE(report.diagnostics().empty()) << test.what;
    EXPECT_EQ(report.diagnostics()[0].code == Code::kCancelled, test.kind == ErrorKind::kCancelled) << test.what;
    for (const Diagnostic& diagnostic : report.diagnostics()) {
      EXPECT_EQ(InfoOf(diagnostic.code).kind, test.kind) << test.what << ": " << report.Text();
      EXPECT_NE(diagnostic.code, Code::kInternal) << test.what << ": " << report.Text();
    }
  }
  fs::remove(Path("m.pt2"));
  EXPECT_TRUE(IsEmpty()) << "something is left behind";
}

TEST_F(ExportTest, SaysThatAStreamCannotBeKept) {
  const char* before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", Path("none").c_str(), 1);
  std::istringstream stream("bytes");
  const Report report = ReportOf(Export(Source::Stream(stream)));
  before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", kept.c_str(), 1);
  EXPECT_EQ(Name(report.kind()), "cannot_write") << report.Text();
  EXPECT_NE(report.Text().find("TMPDIR"), std::string::npos);
}

TEST_F(ExportTest, StopsWhenACallbackAsksForIt) {
  for (const char* when : {"read", "trace", "passes"}) {
    std::stop_source stop;
    const Progress progress = [&](std::string_view stage, int64_t, int64_t) {
      if (stage == when) stop.request_stop();
    };
    EXPECT_EQ(Name(ExportWith({.progress = progress, .stop = stop.get_token()}).kind()), "cancelled") << when;
  }
  std::stop_source stop;
  const Progress progress = [&](std::string_view, int64_t done, int64_t total) {
    if (done > total / 4) stop.request_stop();
  };
  const Report report = ReportOf(Mnist({}).Save(Path("m.onnx"), {.progress = progress, .stop = stop.get_token()}));
  EXPECT_EQ(Name(report.kind()), "cancelled");
  EXPECT_TRUE(IsEmpty());
}

TEST_F(ExportTest, ADamagedWeightShowsWhenItIsWritten) {
  std::string bytes = Read(Mnist());
  const Result<Model> model = Export(Source::Bytes(BytesOf(bytes)));
  ASSERT_TRUE(model);
  for (char& byte : bytes) byte = static_cast<char>(byte ^ 1);
  EXPECT_EQ(Name(ReportOf(model->Save(Path("m.onnx"))).kind()), "bad_input");
  EXPECT_EQ(Name(ReportOf(model->Bytes()).kind()), "bad_input");
  EXPECT_TRUE(IsEmpty());
}

// ---- the other entries

TEST_F(ExportTest, ChecksAxes) {
  const auto axes = CheckAxes(Source::File(Mnist()));
  ASSERT_TRUE(axes) << axes.error().Text();
  ASSERT_EQ(axes->size(), 4u);
  EXPECT_TRUE(axes->at(0).free);
  EXPECT_TRUE(axes->at(0).size.is_symbolic());
  EXPECT_EQ(axes->at(0).fixed_by, "");
  EXPECT_FALSE(axes->at(2).free);
  EXPECT_EQ(axes->at(2).axis.input, "x");
  EXPECT_EQ(axes->at(2).axis.number, 2u);
  EXPECT_EQ(axes->at(2).size, Dim(28));
  EXPECT_NE(axes->at(2).fixed_by, "");
}

TEST_F(ExportTest, ShowsModels) {
  const auto text = Inspect(Source::File(Mnist()));
  ASSERT_TRUE(text) << text.error().Text();
  EXPECT_NE(text->find("aten::conv2d"), std::string::npos) << *text;
  const std::string onnx = TextOf(Mnist({}).Bytes().value());
  const auto lowered = Inspect(Source::Bytes(BytesOf(onnx)));
  ASSERT_TRUE(lowered) << lowered.error().Text();
  EXPECT_NE(lowered->find("= Conv <"), std::string::npos) << *lowered;
}

TEST_F(ExportTest, KnowsWhatItCan) {
  EXPECT_EQ(SupportedOpsets().first, 7);
  EXPECT_GE(SupportedOpsets().last, kDefaultOpset);
  std::map<std::string_view, std::string_view> specs;
  for (const OperatorSupport& row : ListOperators()) {
    EXPECT_LE(row.opsets.first, row.opsets.last);
    EXPECT_FALSE(row.name.starts_with("qdq::") || row.name.starts_with("functional::")) << row.name;
    specs[row.name] = row.spec;
  }
  EXPECT_TRUE(specs["aten::relu"].starts_with("spec/aten/"));
  EXPECT_EQ(specs["aten::size"], "computed while exporting");
  EXPECT_FALSE(specs.contains("aten::save"));
  EXPECT_FALSE(PassNames().empty());
  EXPECT_EQ(AtenSchemasOrigin().rfind("LibTorch ", 0), 0u);
  // Since 1.2, each minor release of ONNX brings one opset.
  EXPECT_TRUE(OnnxVersion().starts_with("1." + std::to_string(SupportedOpsets().last - 5) + ".")) << OnnxVersion();
}

}  // namespace
}  // namespace onnxport::export_test
