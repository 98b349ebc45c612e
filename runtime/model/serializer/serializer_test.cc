#include "runtime/model/serializer/serializer.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <sstream>
#include <thread>

#include "onnx/checker.h"
#include "onnx/onnx_pb.h"
#include "runtime/base/error.h"
#include "runtime/lowering/types/node_schema.h"
#include "runtime/model/serializer/layout.h"
#include "runtime/testing/sum_graph.h"

namespace onnxport::serializer::serializer_test {
namespace {

namespace fs = std::filesystem;

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class SerializerTest : public testing::Test {
 protected:
  SerializerTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~SerializerTest() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  onnx::ModelProto Load(const std::string& path) const {
    onnx::ModelProto model;
    EXPECT_TRUE(model.ParseFromString(ReadFile(path)));
    return model;
  }
  std::set<std::string> Files() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.insert(entry.path().filename().string());
    return names;
  }

  const fs::path folder_ = fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(SerializerTest, ValuesHaveTheirTypes) {
  const ir::Graph graph = SumGraph(18, {4, 4});
  Write(graph, Path("m.onnx"));
  const onnx::ModelProto model = Load(Path("m.onnx"));
  ASSERT_EQ(model.graph().value_info_size(), 1);  // inputs, outputs and weights have theirs elsewhere
  const onnx::ValueInfoProto& sum = model.graph().value_info(0);
  EXPECT_EQ(sum.name(), "/Add_0_output_0");
  EXPECT_EQ(sum.type().tensor_type().elem_type(), onnx::TensorProto::FLOAT);
  EXPECT_EQ(sum.type().tensor_type().shape().dim(0).dim_param(), "n");
  EXPECT_EQ(sum.type().tensor_type().shape().dim(1).dim_value(), 4);
}

struct OpsetCase {
  int opset;
  int ir_version;
  int inputs;  // listed by the graph: weights too, before IR version 4
};

TEST_F(SerializerTest, WritesEveryOpsetWithItsIrVersion) {
  constexpr OpsetCase kCases[] = {{7, 3, 3},   {8, 3, 3},   {9, 4, 1},   {10, 5, 1}, {11, 6, 1},
                                  {12, 7, 1},  {13, 7, 1},  {14, 7, 1},  {15, 8, 1}, {16, 8, 1},
                                  {17, 8, 1},  {18, 8, 1},  {19, 9, 1},  {20, 9, 1}, {21, 10, 1},
                                  {22, 10, 1}, {23, 11, 1}, {24, 12, 1}, {25, 13, 1}};
  for (const OpsetCase& test : kCases) {
    SCOPED_TRACE(test.opset);
    Write(SumGraph(test.opset, {4, 4}), Path("m.onnx"));
    const onnx::ModelProto model = Load(Path("m.onnx"));
    onnx::checker::check_model(model);
    EXPECT_EQ(model.ir_version(), test.ir_version);
    EXPECT_EQ(model.opset_import(0).version(), test.opset);
    EXPECT_EQ(model.graph().input_size(), test.inputs);
    EXPECT_EQ(model.graph().initializer_size(), 2);
  }
}

TEST_F(SerializerTest, RefusesOpsetsWithoutAnIrVersion) {
  EXPECT_THROW(Write(SumGraph(6, {4}), Path("m.onnx")), Error);
  EXPECT_THROW(Write(SumGraph(99, {4}), Path("m.onnx")), Error);
  EXPECT_TRUE(Files().empty());
}

TEST_F(SerializerTest, WritesWhatProtobufWouldWrite) {
  for (const int64_t size : {0, 1, 30'000, 32'767, 32'768, 33'000, 65'000, 65'536, 70'000, 1'000'000}) {
    SCOPED_TRACE(size);
    const ir::Graph graph = SumGraph(18, {4, size, 3, size});
    Write(graph, Path("m.onnx"));
    const onnx::ModelProto model = Load(Path("m.onnx"));
    EXPECT_EQ(model.SerializeAsString(), ReadFile(Path("m.onnx")));
    const std::string bytes = ir::BytesOf(*graph.weights[3].data->bytes);
    EXPECT_EQ(model.graph().initializer(3).raw_data(), bytes);
  }
}

TEST_F(SerializerTest, WritesShapesOfInputsAndOutputs) {
  Write(SumGraph(18, {4}), Path("m.onnx"));
  const onnx::ModelProto model = Load(Path("m.onnx"));
  const auto& shape = model.graph().input(0).type().tensor_type().shape();
  EXPECT_EQ(shape.dim(0).dim_param(), "n");
  EXPECT_EQ(shape.dim(1).dim_value(), 4);
  EXPECT_EQ(model.graph().output(0).name(), "y");
}

TEST_F(SerializerTest, WritesEveryKindOfAttribute) {
  ir::Graph graph = SumGraph(18, {4});
  graph.body.nodes[0].attributes = {
      {"i", {int64_t{-3}}},
      {"b", {true}},
      {"f", {0.5}},
      {"s", {std::string("text")}},
      {"d", {ir::DType::kInt64}},
      {"ints", {ir::ArgList{{int64_t{1}}, {int64_t{2}}}}},
      {"floats", {ir::ArgList{{int64_t{1}}, {0.5}}}},
      {"strings", {ir::ArgList{{std::string("a")}}}},
      {"t", {ir::MakeTensor(ir::DType::kUInt8, {2}, std::string("\1\2"))}},
  };
  Write(graph, Path("m.onnx"));
  const onnx::ModelProto model = Load(Path("m.onnx"));
  const auto& attributes = model.graph().node(0).attribute();
  EXPECT_EQ(attributes[0].i(), -3);
  EXPECT_EQ(attributes[1].i(), 1);
  EXPECT_EQ(attributes[2].f(), 0.5f);
  EXPECT_EQ(attributes[3].s(), "text");
  EXPECT_EQ(attributes[4].i(), 7);
  EXPECT_EQ(attributes[5].ints_size(), 2);
  EXPECT_EQ(attributes[6].floats_size(), 2);
  EXPECT_EQ(attributes[7].strings(0), "a");
  EXPECT_EQ(attributes[8].t().raw_data(), std::string("\1\2"));
}

TEST_F(SerializerTest, AsksTheSchemaWhatAnEmptyListIs) {
  ir::Graph graph = SumGraph(18, {4});
  ir::Node node;
  node.op = "Constant";
  node.name = "/Constant";
  node.attributes = {{"value_floats", {ir::ArgList{}}}};
  ir::Value empty;
  empty.name = "/Constant_output_0";
  empty.dtype = ir::DType::kFloat32;
  empty.dims = ir::Dims{0};
  node.outputs = {graph.AddValue(std::move(empty))};
  graph.body.nodes.push_back(node);
  Write(graph, Path("m.onnx"));
  EXPECT_EQ(Load(Path("m.onnx")).graph().node(1).attribute(0).type(), onnx::AttributeProto::FLOATS);
}

TEST_F(SerializerTest, ImportsTheDomainsOfItsNodes) {
  ir::Graph graph = SumGraph(18, {4});
  graph.body.nodes[0].op = "com.microsoft.BiasGelu";
  Write(graph, Path("m.onnx"));
  const onnx::ModelProto model = Load(Path("m.onnx"));
  EXPECT_EQ(model.graph().node(0).domain(), "com.microsoft");
  EXPECT_EQ(model.graph().node(0).op_type(), "BiasGelu");
  ASSERT_EQ(model.opset_import_size(), 2);
  EXPECT_EQ(model.opset_import(1).domain(), "com.microsoft");
  EXPECT_EQ(model.opset_import(1).version(), 1);
}

TEST_F(SerializerTest, ImportsTheNewestVersionThatANodeIsFrom) {
  const auto schema = [](const char* name, int version) {
    lowering::NodeSchema made;
    made.name = name;
    made.version = version;
    made.attributes = {{"scales", lowering::AttributeKind::kFloats, false, std::nullopt}};
    return made;
  };
  lowering::NodeSchemaTables::Add(
      {"//test", lowering::KeptSchemas({schema("acme.A", 3), schema("acme.B", 5), schema("b.c.D", 2)})});
  ir::Graph graph = SumGraph(18, {4, 4});
  graph.body.nodes[0].op = "acme.A";
  graph.body.nodes[0].attributes = {{"scales", {ir::ArgList{}}}};
  graph.body.nodes[1].op = "b.c.D";
  Write(graph, Path("m.onnx"));
  const onnx::ModelProto model = Load(Path("m.onnx"));
  std::string imports;
  for (const auto& import : model.opset_import())
    imports += import.domain() + " " + std::to_string(import.version()) + "; ";
  EXPECT_EQ(imports, " 18; acme 3; b.c 2; ");
  EXPECT_EQ(model.graph().node(0).attribute(0).type(), onnx::AttributeProto::FLOATS);
}

TEST_F(SerializerTest, PutsWeightsInADataFile) {
  const std::vector<int64_t> sizes = {4, 300, 20'000, 300, 20'000};
  const WriteReport report = Write(SumGraph(18, sizes), Path("m.onnx"), {.external_data = ExternalData::kAlways});
  const onnx::ModelProto model = Load(Path("m.onnx"));
  const std::string data = ReadFile(report.data_file);
  EXPECT_EQ(static_cast<int64_t>(data.size()), report.data_bytes);
  EXPECT_EQ(static_cast<int64_t>(ReadFile(Path("m.onnx")).size()), report.model_bytes);
  EXPECT_EQ(Files(), std::set<std::string>({"m.onnx", fs::path(report.data_file).filename().string()}));
  EXPECT_FALSE(model.graph().initializer(0).has_data_location());  // small ones stay
  int64_t end = 0;
  for (size_t i = 1; i < sizes.size(); ++i) {
    const onnx::TensorProto& tensor = model.graph().initializer(static_cast<int>(i));
    ASSERT_EQ(tensor.external_data_size(), 3);
    EXPECT_EQ(tensor.external_data(0).value(), fs::path(report.data_file).filename());
    const int64_t offset = std::stoll(tensor.external_data(1).value());
    const int64_t length = std::stoll(tensor.external_data(2).value());
    EXPECT_EQ(length, sizes[i] * 4);
    EXPECT_EQ(offset % (length >= kLargeBytes ? kLargeAlignment : kSmallAlignment), 0);
    EXPECT_GE(offset, end);
    EXPECT_LT(offset - end, kLargeAlignment);
    EXPECT_EQ(data.substr(offset, 4),
              std::string(reinterpret_cast<const char*>(std::vector<float>{float(i)}.data()), 4));
    end = offset + length;
  }
  EXPECT_EQ(end, report.data_bytes);
  onnx::checker::check_model(Path("m.onnx"));
}

// One object is one place: written once, however many weights it is.
TEST_F(SerializerTest, TiedWeightsLieInOnePlace) {
  ir::Graph graph = SumGraph(18, {20'000, 20'000, 20'000});
  graph.weights[2].data = std::make_shared<ir::TensorData>(*graph.weights[0].data);
  const WriteReport report = Write(std::move(graph), Path("m.onnx"), {.external_data = ExternalData::kAlways});
  const onnx::ModelProto model = Load(Path("m.onnx"));
  const auto offset = [&](int i) { return model.graph().initializer(i).external_data(1).value(); };
  EXPECT_EQ(offset(0), offset(2));
  EXPECT_NE(offset(0), offset(1));
  EXPECT_LT(report.data_bytes, 3 * 80'000);
  onnx::checker::check_model(Path("m.onnx"));
}

TEST_F(SerializerTest, NamesTheDataFileAfterItsContents) {
  const WriteOptions options = {.external_data = ExternalData::kAlways};
  const std::string first = Write(SumGraph(18, {300}), Path("m.onnx"), options).data_file;
  const std::string model = ReadFile(Path("m.onnx"));
  EXPECT_EQ(Write(SumGraph(18, {300}), Path("m.onnx"), options).data_file, first);
  EXPECT_EQ(ReadFile(Path("m.onnx")), model);
  EXPECT_NE(Write(SumGraph(18, {301}), Path("m.onnx"), options).data_file, first);
  EXPECT_NE(Write(SumGraph(18, {300, 300}), Path("m.onnx"), options).data_file, first);
  EXPECT_FALSE(fs::exists(first));
}

TEST_F(SerializerTest, RemovesTheDataOfTheReplacedModelAndNoOther) {
  const WriteOptions options = {.external_data = ExternalData::kAlways};
  const auto write = [&](int64_t size, const char* name, const WriteOptions& how) {
    return Write(SumGraph(18, {size}), Path(name), how);
  };
  const auto name = [](const WriteReport& report) { return fs::path(report.data_file).filename().string(); };
  const WriteReport first = write(300, "m.onnx", options);
  EXPECT_TRUE(first.left_behind.empty());
  write(400, "n.onnx", options);                                          // another model's
  std::ofstream(Path("m." + std::string(32, 'a') + ".data")) << "other";  // no model names it
  EXPECT_TRUE(write(300, "m.onnx", options).left_behind.empty());         // the same again
  const WriteReport second = write(301, "m.onnx", options);
  EXPECT_TRUE(second.left_behind.empty());
  EXPECT_FALSE(fs::exists(first.data_file));
  fs::copy_file(Path("m.onnx"), Path("copy.onnx"));
  EXPECT_EQ(write(300, "m.onnx", {}).left_behind, std::vector{name(second)});
  EXPECT_TRUE(fs::exists(second.data_file));
  EXPECT_TRUE(write(300, "m.onnx", {}).left_behind.empty());
  EXPECT_EQ(Files().size(), 6u);  // m, n, copy, and the data of n, of the copy and of nobody
}

TEST_F(SerializerTest, MovesWeightsOutAboveTheLimit) {
  const ir::Graph graph = SumGraph(18, {1000});
  EXPECT_EQ(Write(graph, Path("m.onnx"), {.inline_limit = 10'000}).data_bytes, 0);
  EXPECT_EQ(Write(graph, Path("m.onnx"), {.inline_limit = 4'000}).data_bytes, 4'000);
  EXPECT_EQ(Write(graph, Path("m.onnx"), {.external_data = ExternalData::kNever, .inline_limit = 4'000}).data_bytes, 0);
}

// Gives the bytes it is asked for without having them.
class FakeBytes : public ir::TensorBytes {
 public:
  explicit FakeBytes(int64_t size) : size_(size) {}
  void Stream(const std::function<void(std::span<const std::byte>)>& sink) const override {
    const std::vector<std::byte> block(1 << 20);
    for (int64_t left = size_; left > 0; left -= static_cast<int64_t>(block.size())) {
      sink(std::span(block).first(std::min<int64_t>(left, static_cast<int64_t>(block.size()))));
    }
  }

 private:
  int64_t size_;
};

ir::Graph GraphOfBytes(int64_t said, int64_t given) {
  ir::Graph graph = SumGraph(18, {4});
  auto data = std::make_shared<ir::TensorData>();
  data->dtype = ir::DType::kUInt8;
  data->shape = {said};
  data->bytes = std::make_shared<FakeBytes>(given);
  graph.weights[0].data = data;
  return graph;
}

TEST_F(SerializerTest, RefusesMoreThanAMessageHolds) {
  constexpr int64_t kTooMuch = int64_t{1} << 31;
  try {
    Write(GraphOfBytes(kTooMuch, kTooMuch), Path("m.onnx"), {.external_data = ExternalData::kNever});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_EQ(error.report().diagnostics()[0].code, Code::kModelIsTooLarge);
    EXPECT_NE(std::string(error.what()).find("(external data)"), std::string::npos) << error.what();
  }
  EXPECT_TRUE(Files().empty());
}

TEST_F(SerializerTest, StreamsWhatItWrites) {
  const ir::Graph graph = SumGraph(18, {4, 300'000, 1});
  const WriteReport written = Write(graph, Path("m.onnx"));
  std::string pieces;
  const int64_t count = Stream(graph, [&pieces](std::span<const std::byte> piece) {
    pieces.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  });
  EXPECT_EQ(count, written.model_bytes);
  EXPECT_TRUE(pieces == ReadFile(Path("m.onnx")));
  EXPECT_THROW(Stream(GraphOfBytes(int64_t{1} << 31, 1), [](std::span<const std::byte>) {}), Error);
}

// Weights for several shares, of sizes that end within blocks.
ir::Graph LargeGraph() { return SumGraph(18, {1'500'000, 3, 700'001, 1'200'000, 1, 1'000'003, 5}); }

TEST_F(SerializerTest, TwoThreadsWriteWhatOneWrites) {
  const ir::Graph graph = LargeGraph();
  const WriteReport one = Write(graph, Path("one.onnx"), {.any_thread = false});
  for (int i = 0; i < 5; ++i) EXPECT_EQ(Write(graph, Path("two.onnx")).model_bytes, one.model_bytes);
  const std::string bytes = ReadFile(Path("one.onnx"));
  EXPECT_TRUE(ReadFile(Path("two.onnx")) == bytes);
  std::string pieces;
  Stream(graph, [&pieces](std::span<const std::byte> piece) {
    pieces.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  });
  EXPECT_TRUE(pieces == bytes);
  onnx::checker::check_model(Path("two.onnx"));
}

// Says which threads have read it.
class WatchedBytes : public ir::TensorBytes {
 public:
  WatchedBytes(std::shared_ptr<const ir::TensorBytes> bytes, std::set<std::thread::id>* threads, std::mutex* mutex)
      : bytes_(std::move(bytes)), threads_(threads), mutex_(mutex) {}
  void Stream(const std::function<void(std::span<const std::byte>)>& sink) const override {
    {
      const std::lock_guard lock(*mutex_);
      threads_->insert(std::this_thread::get_id());
    }
    bytes_->Stream(sink);
  }

 private:
  std::shared_ptr<const ir::TensorBytes> bytes_;
  std::set<std::thread::id>* threads_;
  std::mutex* mutex_;
};

TEST_F(SerializerTest, OnlyTheCallersThreadReadsWhereThatIsWanted) {
  std::set<std::thread::id> threads;
  std::mutex mutex;
  ir::Graph graph = LargeGraph();
  for (ir::Weight& weight : graph.weights) {
    auto data = std::make_shared<ir::TensorData>(*weight.data);
    data->bytes = std::make_shared<WatchedBytes>(data->bytes, &threads, &mutex);
    weight.data = data;
  }
  for (int i = 0; i < 20; ++i) Write(graph, Path("m.onnx"), {.sync = false, .any_thread = false});
  EXPECT_EQ(threads, std::set{std::this_thread::get_id()});
  if (std::thread::hardware_concurrency() == 1) return;
  // Else the above would say nothing.
  for (int i = 0; i < 1000 && threads.size() < 2; ++i) Write(graph, Path("m.onnx"), {.sync = false});
  EXPECT_GE(threads.size(), 2u);
}

// When one model has several damaged weights, whichever thread meets the first of them ends the other.
TEST_F(SerializerTest, ADamagedWeightOfManyLeavesNothing) {
  for (size_t bad = 0; bad < LargeGraph().weights.size(); ++bad) {
    ir::Graph graph = LargeGraph();
    auto data = std::make_shared<ir::TensorData>(*graph.weights[bad].data);
    data->bytes = std::make_shared<FakeBytes>(1);
    graph.weights[bad].data = data;
    EXPECT_THROW(Write(graph, Path("m.onnx")), Error);
    EXPECT_TRUE(Files().empty());
  }
}

TEST_F(SerializerTest, SyncingChangesNoByte) {
  const ir::Graph graph = SumGraph(18, {4, 300'000, 1});
  for (const ExternalData external : {ExternalData::kNever, ExternalData::kAlways}) {
    const WriteReport safe = Write(graph, Path("m.onnx"), {.external_data = external});
    const std::string model = ReadFile(Path("m.onnx"));
    const WriteReport fast = Write(graph, Path("m.onnx"), {.external_data = external, .sync = false});
    EXPECT_TRUE(ReadFile(Path("m.onnx")) == model);
    EXPECT_EQ(fast.data_file, safe.data_file);  // which has the hash of its bytes
  }
}

TEST_F(SerializerTest, RefusesWeightsOfAnotherSize) {
  for (const int64_t given : {999, 1001, 5'000'000}) {
    for (const ExternalData external : {ExternalData::kAlways, ExternalData::kNever}) {
      try {
        Write(GraphOfBytes(1100, given), Path("m.onnx"), {.external_data = external});
        FAIL();
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
      }
      EXPECT_TRUE(Files().empty());
    }
  }
}

TEST_F(SerializerTest, ReportsProgress) {
  int64_t last = 0;
  int64_t total = 0;
  const auto progress = [&](int64_t done, int64_t all) {
    EXPECT_GE(done, last);
    last = done;
    total = all;
  };
  const WriteReport report = Write(SumGraph(18, {1000, 1000}), Path("m.onnx"), {.progress = progress});
  EXPECT_EQ(last, 8'000);
  EXPECT_EQ(total, report.model_bytes);
  last = 0;
  Write(LargeGraph(), Path("m.onnx"), {.progress = progress});
  EXPECT_EQ(last, 4 * (1'500'000 + 3 + 700'001 + 1'200'000 + 1 + 1'000'003 + 5));
}

// Lets the n-th call fail.
class FailingOps : public FileOps {
 public:
  FailingOps(int left, bool nameless) : left_(left), nameless_(nameless) {}
  bool failed() const { return left_ <= 0; }

  int Open(const std::string& path, int flags, mode_t mode) override {
    return Fails() ? -1 : FileOps::Open(path, flags, mode);
  }
  int OpenNameless(const std::string& folder, mode_t mode) override {
    return !nameless_ || Fails() ? -1 : FileOps::OpenNameless(folder, mode);
  }
  int Link(int file, const std::string& path) override { return Fails() ? -1 : FileOps::Link(file, path); }
  ssize_t WriteAt(int file, const std::byte* data, size_t size, int64_t offset) override {
    if (Fails()) return -1;
    return FileOps::WriteAt(file, data, std::min<size_t>(size, 1000), offset);  // short writes are no failures
  }
  int Allocate(int file, int64_t size) override { return Fails() ? -1 : FileOps::Allocate(file, size); }
  int Sync(int file) override { return Fails() ? -1 : FileOps::Sync(file); }
  int Close(int file) override { return FileOps::Close(file) != 0 || Fails() ? -1 : 0; }
  int Rename(const std::string& from, const std::string& to) override {
    return Fails() ? -1 : FileOps::Rename(from, to);
  }

 private:
  bool Fails() {
    errno = ENOSPC;
    return --left_ == 0;
  }
  int left_;
  bool nameless_;
};

struct FailureCase {
  ExternalData external;
  bool nameless;  // temporary files
};

TEST_F(SerializerTest, AnyFailureLeavesTheOldModelOrTheNewOne) {
  constexpr FailureCase kCases[] = {{ExternalData::kNever, false},
                                    {ExternalData::kNever, true},
                                    {ExternalData::kAlways, false},
                                    {ExternalData::kAlways, true}};
  for (const FailureCase& test : kCases) {
    bool finished = false;
    for (int n = 1; !finished; ++n) {
      SCOPED_TRACE(n);
      fs::remove_all(folder_);
      fs::create_directories(folder_);
      Write(SumGraph(18, {600}), Path("m.onnx"), {.external_data = test.external});
      const std::set<std::string> old_files = Files();
      const std::string old_model = ReadFile(Path("m.onnx"));
      FailingOps ops(n, test.nameless);
      try {
        Write(SumGraph(18, {700, 800}), Path("m.onnx"), {.external_data = test.external, .ops = &ops});
        finished = !ops.failed();
        onnx::checker::check_model(Path("m.onnx"));
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kCannotWrite);
        EXPECT_NE(std::string(error.what()).find("m.onnx"), std::string::npos);
        if (ReadFile(Path("m.onnx")) == old_model) {
          EXPECT_EQ(Files(), old_files);
        } else {
          onnx::checker::check_model(Path("m.onnx"));  // only the folder's sync failed
          EXPECT_EQ(Files().size(), test.external == ExternalData::kNever ? 1u : 3u);
        }
      }
      ASSERT_LT(n, 200);
    }
  }
}

// Writes one model over the other until it is killed.
[[noreturn]] void WriteForEver(const std::string& path, const WriteOptions& options) {
  for (;;) {
    Write(SumGraph(18, {600'000}), path, options);
    Write(SumGraph(18, {500'000, 500'000}), path, options);
  }
}

TEST_F(SerializerTest, AKilledExportLeavesAWholeModel) {
  const WriteOptions options = {.external_data = ExternalData::kAlways};
  Write(SumGraph(18, {600'000}), Path("m.onnx"), options);
  for (int moment = 1; moment <= 40; ++moment) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) WriteForEver(Path("m.onnx"), options);
    std::this_thread::sleep_for(std::chrono::microseconds(700 * moment));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const onnx::ModelProto model = Load(Path("m.onnx"));
    for (const onnx::TensorProto& tensor : model.graph().initializer()) {
      const fs::path data = folder_ / tensor.external_data(0).value();
      ASSERT_TRUE(fs::exists(data));
      EXPECT_EQ(fs::file_size(data), model.graph().initializer_size() == 1 ? 2'400'000u : 4'002'944u);
    }
  }
}

}  // namespace
}  // namespace onnxport::serializer::serializer_test
