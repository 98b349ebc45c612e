// Pickles, ZIP archives, and the JSON of a `.pt2`.
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <string>

#include "runtime/archive/archive.h"
#include "runtime/base/error.h"
#include "runtime/base/memory_budget.h"
#include "runtime/sources/pt2/pt2.h"
#include "runtime/sources/torchscript/archive/unpickler.h"
#include "runtime/testing/zip_writer.h"
#include "tests/fuzz/target.h"

namespace onnxport::fuzz {
namespace {

std::string Little(uint64_t value, size_t width) {
  std::string bytes;
  for (size_t i = 0; i < width; ++i) bytes += static_cast<char>(value >> (8 * i));
  return bytes;
}

// ---- pickles: values nested in values, with memo, then a few wrong bytes

constexpr std::string_view kGlobals[] = {"torch._utils\n_rebuild_tensor_v2\n",
                                         "torch._utils\n_rebuild_qtensor\n",
                                         "torch._utils\n_rebuild_parameter\n",
                                         "collections\nOrderedDict\n",
                                         "torch\ndevice\n",
                                         "torch.jit._pickle\nbuild_intlist\n",
                                         "torch.jit._pickle\nrestore_type_tag\n",
                                         "__torch__\nNet\n",
                                         "__torch__.torch.classes.quantized\nParams\n",
                                         "torch\nFloatStorage\n",
                                         "torch\nQInt8Storage\n",
                                         "torch\nper_channel_affine\n",
                                         "os\nsystem\n"};
constexpr std::string_view kOperators = "().]}0aesutRcqrhjQbNKMJXG\x81\x85\x86\x87\x88\x89\x8a";

std::string Text(std::string_view text) { return "X" + Little(text.size(), 4) + std::string(text); }
std::string Number(Random* random) {
  if (random->OneIn(6)) return "\x8a\x08" + Little(random->Next(), 8);
  return "K" + Little(random->Below(5), 1);
}
std::string Numbers(Random* random) {
  std::string tuple = "(";
  for (size_t n = random->Below(4); n > 0; --n) tuple += Number(random);
  return tuple + "t";
}
std::string Global(Random* random) { return "c" + std::string(random->Pick(kGlobals)); }

std::string Tensor(Random* random) {
  const std::string storage = "(" + Text("storage") + "c" +
                              std::string(random->OneIn(3) ? "torch\nQInt8Storage\n" : "torch\nFloatStorage\n") +
                              Text(random->OneIn(3) ? "1" : "0") + Text("cpu") + "K" + Little(16, 1) + "tQ";
  const bool quantized = random->OneIn(3);
  const std::string name = quantized ? "_rebuild_qtensor" : "_rebuild_tensor_v2";
  std::string text = "ctorch._utils\n" + name + "\n(" + storage + Number(random) + Numbers(random) + Numbers(random);
  if (quantized) text += "(K" + Little(random->Below(5), 1) + "G?\xf0" + std::string(6, '\0') + Number(random) + "t";
  return text + "\x89" + "N" + "tR";
}

std::string PickledValue(Random* random, int depth) {
  if (depth == 0) return random->OneIn(2) ? Number(random) : Text("weight");
  std::string text;
  const auto values = [&](size_t most) {
    for (size_t n = random->Below(most); n > 0; --n) text += PickledValue(random, depth - 1);
  };
  const std::string memo = Little(random->Below(6), 1);
  switch (random->Below(9)) {
    case 0:
      text = "](";
      values(5);
      return text + "e";
    case 1:
      text = "}(";
      for (size_t n = random->Below(4); n > 0; --n) text += Text("k") + PickledValue(random, depth - 1);
      return text + "u";
    case 2:
      text = "(";
      values(5);
      return text + "t";
    case 3:
      return "c__torch__\nNet\n)\x81" + PickledValue(random, depth - 1) + "b";
    case 4:
      return Tensor(random);
    case 5:
      return PickledValue(random, depth - 1) + "q" + memo;
    case 6:
      return PickledValue(random, depth - 1) + "q" + memo + "0h" + memo;
    case 7:
      text = Global(random) + "(";
      values(4);
      return text + "tR";
    default:
      return random->OneIn(2) ? "N" : "\x88";
  }
}

std::string MakePickle(Random* random) {
  std::string pickle = "\x80\x02" + PickledValue(random, static_cast<int>(1 + random->Below(6))) + ".";
  for (size_t n = random->Below(4); n > 0; --n) {
    const size_t at = random->Below(pickle.size());
    switch (random->Below(3)) {
      case 0:
        pickle[at] = kOperators[random->Below(kOperators.size())];
        break;
      case 1:
        pickle.insert(at, pickle.substr(random->Below(pickle.size()), random->Below(30)));
        break;
      default:
        pickle.erase(at, 1 + random->Below(3));
        if (pickle.empty()) pickle = ".";
    }
  }
  return pickle;
}

class SomeBytes : public ir::TensorBytes {
 public:
  void Stream(const std::function<void(std::span<const std::byte>)>& sink) const override { sink(bytes_); }

 private:
  std::array<std::byte, 64> bytes_ = {};
};

void RunPickle(const std::string& input) {
  const MemoryBudget budget("fuzz", input.size());
  const auto tensors = [](const torchscript::StorageView& view) {
    auto data = std::make_shared<ir::TensorData>();
    data->dtype = view.dtype;
    data->shape = view.sizes;
    data->bytes = std::make_shared<SomeBytes>();
    return data;
  };
  torchscript::Unpickle(input, "fuzz", tensors);
}

// ---- archives

// A file in memory, with a path.
class MemoryFile {
 public:
  explicit MemoryFile(const std::string& bytes) : file_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    Check(::write(file_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()), "that the file is written",
          "");
  }
  ~MemoryFile() { ::close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

std::string MakeZip(Random* random) {
  archive::ZipContents contents;
  for (size_t n = random->Below(5); n > 0; --n) {
    constexpr std::string_view kNames[] = {"m/data.pkl", "m/code/a.py", "m/data/0", "m/", "a/../b", "m/version", ""};
    contents.emplace_back(random->Pick(kNames), std::string(random->Below(300), 'x'));
  }
  std::string zip = archive::WriteZip(contents, random->OneIn(2));
  constexpr std::string_view kSignatures[] = {"PK\1\2", "PK\3\4", "PK\5\6", "PK\6\6", "PK\6\7"};
  constexpr uint64_t kValues[] = {0, 1, 8, 22, 30, 0xffff, 0xffffffff, 0x7fffffffffffffff, ~uint64_t{0}};
  constexpr size_t kWidths[] = {1, 2, 4, 8};
  for (size_t n = random->Below(4); n > 0; --n) {
    const size_t header = zip.find(random->Pick(kSignatures), random->Below(zip.size()));
    if (header == std::string::npos) continue;
    const size_t at = header + random->Below(60);
    const uint64_t value = random->OneIn(3) ? random->Below(zip.size()) : random->Pick(kValues);
    const std::string bytes = Little(value, random->Pick(kWidths));
    if (at + bytes.size() <= zip.size()) zip.replace(at, bytes.size(), bytes);
  }
  if (random->OneIn(10)) zip.resize(random->Below(zip.size()));
  return zip;
}

void RunZip(const std::string& input) {
  const MemoryBudget budget("fuzz", input.size());
  const MemoryFile file(input);
  const auto archive = archive::Archive::Open(file.path());
  for (const auto& record : archive->records()) {
    try {
      Check(archive->ReadText(record, 1 << 20).size() == record.size, "the stated size", input);
    } catch (const Error&) {  // of this record; the others are read as well
    }
  }
}

// ---- the JSON of a `.pt2`

constexpr std::string_view kJsonWords[] = {"null",
                                           "true",
                                           "0",
                                           "-1",
                                           "9223372036854775807",
                                           "1e999",
                                           "\"\"",
                                           "{",
                                           "}",
                                           "[",
                                           "]",
                                           ":",
                                           ",",
                                           "\"as_int\"",
                                           "\"as_tensor\"",
                                           "\"as_none\"",
                                           "\"as_expr\"",
                                           "\"as_name\"",
                                           "\"Infinity\"",
                                           "\"x\"",
                                           "\"s0\""};

std::string MakeJson(Random* random) { return Mutated(Seed("json", random), Seed("json", random), kJsonWords, random); }

void RunJson(const std::string& input) {
  const MemoryBudget budget("fuzz", input.size());
  const MemoryFile file(archive::WriteZip({{"m/models/model.json", input}, {"m/byteorder", "little"}}));
  pt2::Remarks remarks;
  pt2::ReadPt2(file.path(), &remarks);
}

}  // namespace

const Target kPickle = {"pickle", MakePickle, RunPickle};
const Target kZip = {"zip", MakeZip, RunZip};
const Target kJson = {"json", MakeJson, RunJson};

}  // namespace onnxport::fuzz
