// Programs that LibTorch would not write: containers nested deeper than a stack, or that hold each other in more ways
// than can be walked. Each is exported or refused, soon. (A crash or a hang ends this test, which tells the case's
// name.)
#include <pthread.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "gtest/gtest.h"
#include "onnxport/export.h"
#include "runtime/testing/zip_writer.h"
#include "tests/hostile/forge.h"

namespace onnxport {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kMostSeconds = 60;  // for one case

struct Forged {
  const char* name;
  const char* body;  // of forward(self, x)
};

const Forged kDeep[] = {
    {"lists", R"(
    y = [x]
    for i in range(100000):
      y = [y]
    return torch.add(x, torch.len(y)))"},
    {"tuples", R"(
    y = (x,)
    for i in range(100000):
      y = (y,)
    return torch.eq(y, y))"},
    {"dicts", R"(
    y = {"a": x}
    for i in range(100000):
      y = {"a": y}
    return torch.add(x, torch.len(y)))"},
    {"returned", R"(
    y = [x]
    for i in range(100000):
      y = [y]
    return y)"},
    {"in_no_overload", R"(
    y = [x]
    for i in range(100000):
      y = [y]
    return torch.cat(y))"},
    {"in_a_loop_of_the_run", R"(
    y = [x]
    for i in range(100000):
      y = [y]
    for j in range(int(torch.sum(x))):
      y = [y]
    return x)"},
    {"holding_itself", R"(
    y = [x]
    _0 = torch.append(y, y)
    if bool(torch.gt(torch.sum(x), 0)):
      _1 = torch.append(y, y)
    else:
      _2 = torch.append(y, [y])
    return y)"},
};

// Calls that LibTorch would not write.
const Forged kOdd[] = {
    {"wait_for_nothing", "\n    return torch.wait()"},
    {"wait_for_two", "\n    return torch.wait(x, x)"},
    {"annotate_with_nothing", "\n    return annotate(Optional, x)"},
    {"chunk_of_nothing", "\n    return torch.chunk()"},
    {"named_twice", "\n    return torch.add(x, other=x, other=x)"},
};

const Forged kWide[] = {
    {"returned", R"(
    y = (x, x)
    for i in range(60):
      y = (y, y)
    return y)"},
    {"as_text", R"(
    y = [x]
    for i in range(60):
      y = [y, y]
    return torch.add(x, torch.len(torch.str(y))))"},
    {"compared", R"(
    y = (x, x)
    z = (x, x)
    for i in range(60):
      y = (y, y)
      z = (z, z)
    return torch.eq(y, z))"},
    {"compared_when_known", R"(
    y = [1]
    z = [1]
    for i in range(60):
      y = [y, y]
      z = [z, z]
    return torch.eq(y, z))"},
    {"joined", R"(
    if bool(torch.gt(torch.sum(x), 0)):
      y = (x, x)
      for i in range(60):
        y = (y, y)
    else:
      y = (torch.neg(x), x)
      for i in range(60):
        y = (y, y)
    return y[0])"},
    {"joined_when_the_same", R"(
    if bool(torch.gt(torch.sum(x), 0)):
      y = (x, x)
      for i in range(60):
        y = (y, y)
    else:
      y = (x, x)
      for i in range(60):
        y = (y, y)
    return y[0])"},
};

// Models that no runtime would take: refused, and why.
struct Refused {
  const char* name;
  const char* body;
  const char* text;
};

const Refused kRefused[] = {
    {"nothing_is_returned", "\n    return None", "returns nothing that an ONNX model can give"},
    {"kernel_of_nothing", "\n    return torch.max_pool2d(x, [2, 0], [1, 1])", "at least one element"},
    {"only_padding", "\n    return torch.max_pool2d(x, [2, 2], [2, 2], [2, 2])", "at most half of a window"},
    {"mean_of_padding", "\n    return torch.avg_pool2d(x, [2, 2], [2, 2], [2, 2], False, False)",
     "at most half of a window"},
    {"no_step", "\n    return torch.max_pool2d(x, [2, 2], [0, 1])", "stride of windows is at least 1"},
    {"weight_of_nothing", "\n    return torch.conv2d(x, torch.zeros([4, 2, 0, 1], dtype=6), None)", "has_kernel"},
    {"size_that_cannot_be", "\n    return torch.view(x, [4611686018427387904, 4])", ""},
    {"sizes_whose_product_wraps", "\n    return torch.zeros([4611686018427387904, 4], dtype=6)", "can be counted"},
    {"wider_than_memory", "\n    return torch.expand(x, [4611686018427387904, 2, 4, 4])", "can be counted"},
    {"padded_beyond_memory", "\n    return torch.constant_pad_nd(x, [4611686018427387904, 4611686018427387904])", ""},
};

class RefusedPrograms : public testing::TestWithParam<Refused> {};

TEST_P(RefusedPrograms, SayWhy) {
  const fs::path folder = fs::path(testing::TempDir()) / "refused";
  fs::create_directories(folder);
  const std::string path = (folder / GetParam().name).string() + ".pt";
  const std::string traced = std::string(std::getenv("ARCHIVES")) + "/traced.pt";
  std::ofstream(path, std::ios::binary) << archive::WriteZip(WithForward(traced, GetParam().body));
  const Result<Model> model = Export(Source::File(path), {.inputs = {TensorInput("x", kFloat32, {1, 2, 4, 4})}});
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().kind(), ErrorKind::kCannotExport);
  EXPECT_NE(model.error().Text().find(GetParam().text), std::string::npos) << model.error().Text();
  EXPECT_EQ(model.error().Text().find("internal error"), std::string::npos) << model.error().Text();
}

class ForgedPrograms : public testing::TestWithParam<Forged> {};

TEST_P(ForgedPrograms, EndSoon) {
  const fs::path folder = fs::path(testing::TempDir()) / "forged";
  fs::create_directories(folder);
  const std::string path = (folder / "case.pt").string();
  const std::string traced = std::string(std::getenv("ARCHIVES")) + "/traced.pt";
  std::ofstream(path, std::ios::binary) << archive::WriteZip(WithForward(traced, GetParam().body));
  const fs::path out = folder / "model.onnx";
  fs::remove(out);
  ::alarm(kMostSeconds);
  const Result<Model> model = Export(Source::File(path), {.inputs = {TensorInput("x", kFloat32, {2})}});
  if (model) {
    EXPECT_TRUE(model->Save(out));
  } else {
    const Report& report = model.error();
    const bool fits = report.kind() == ErrorKind::kCannotExport || report.kind() == ErrorKind::kBadInput ||
                      report.kind() == ErrorKind::kMemoryBudget;
    EXPECT_TRUE(fits) << report.Text();
    EXPECT_EQ(report.Text().find("internal error"), std::string::npos) << report.Text();
  }
  ::alarm(0);
}

// As of a thread pool.
constexpr size_t kSmallStack = size_t{768} << 10;

TEST(ForgedProgram, EndsOnASmallStack) {
  const std::string path = testing::TempDir() + "/calls_itself.pt";
  const std::string traced = std::string(std::getenv("ARCHIVES")) + "/traced.pt";
  std::ofstream(path, std::ios::binary) << archive::WriteZip(WithForward(traced, "\n    return (self).forward(x, )"));
  const auto run = [](void* file) -> void* {
    const Result<Model> model =
        Export(Source::File(*static_cast<const std::string*>(file)), {.inputs = {TensorInput("x", kFloat32, {2})}});
    EXPECT_FALSE(model);
    if (!model) {
      EXPECT_NE(model.error().Text().find("nested"), std::string::npos) << model.error().Text();
    }
    return nullptr;
  };
  pthread_attr_t attributes;
  ASSERT_EQ(::pthread_attr_init(&attributes), 0);
  ASSERT_EQ(::pthread_attr_setstacksize(&attributes, kSmallStack), 0);
  pthread_t thread;
  ASSERT_EQ(::pthread_create(&thread, &attributes, run, const_cast<std::string*>(&path)), 0);
  ::pthread_join(thread, nullptr);
  ::pthread_attr_destroy(&attributes);
}

const auto kName = [](const testing::TestParamInfo<Forged>& info) { return std::string(info.param.name); };
INSTANTIATE_TEST_SUITE_P(Deep, ForgedPrograms, testing::ValuesIn(kDeep), kName);
INSTANTIATE_TEST_SUITE_P(Odd, ForgedPrograms, testing::ValuesIn(kOdd), kName);
INSTANTIATE_TEST_SUITE_P(All, RefusedPrograms, testing::ValuesIn(kRefused),
                         [](const testing::TestParamInfo<Refused>& info) { return std::string(info.param.name); });
INSTANTIATE_TEST_SUITE_P(Wide, ForgedPrograms, testing::ValuesIn(kWide), kName);

}  // namespace
}  // namespace onnxport
