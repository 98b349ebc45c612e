#include "runtime/sources/torchscript/archive/program.h"

#include <functional>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/sources/torchscript/archive/pickled_tensors.h"
#include "runtime/sources/torchscript/archive/unpickler.h"
#include "runtime/testing/error_of.h"
#include "runtime/testing/zip_writer.h"

namespace onnxport::torchscript {
namespace {

using archive::ZipContents;
using testing::AllOf;
using testing::HasSubstr;

std::string Text(const std::string& text) { return "X" + std::string{static_cast<char>(text.size()), 0, 0, 0} + text; }
std::string Int(int number) { return std::string{'K', static_cast<char>(number)}; }

// torch._utils._rebuild_tensor_v2(('storage', torch.FloatStorage, key, 'cpu', 6), 0, (2, 3), strides, False, {})
std::string TensorPickle(const std::string& key, const std::string& strides) {
  return "ctorch._utils\n_rebuild_tensor_v2\n((" + Text("storage") + "ctorch\nFloatStorage\n" + Text(key) +
         Text("cpu") + Int(6) + "tQ" + Int(0) + Int(2) + Int(3) + "\x86" + strides + "\x89" +
         "ccollections\nOrderedDict\n)RtR";
}
const std::string kRowMajor = Int(3) + Int(1) + "\x86";
const std::string kColumnMajor = Int(1) + Int(2) + "\x86";

// An object of class __torch__.Net with `w` and a list.
std::string ModulePickle() {
  return "\x80\x02"
         "c__torch__\nNet\n)\x81}(" +
         Text("w") + TensorPickle("0", kRowMajor) + Text("w2") + TensorPickle("0", kRowMajor) + Text("t") +
         TensorPickle("0", kColumnMajor) + Text("sizes") + "ctorch.jit._pickle\nbuild_intlist\n(](" + Int(1) + Int(2) +
         "etR" + "ub.";
}

const char kSource[] =
    "class Net(Module):\n"
    "  __parameters__ = [\"w\", ]\n"
    "  __buffers__ = []\n"
    "  w : Tensor\n"
    "  w2 : Tensor\n"
    "  t : Tensor\n"
    "  sizes : List[int]\n"
    "  def forward(self: __torch__.Net,\n"
    "    x: Tensor) -> Tensor:\n"
    "    return torch.add(x, self.w)\n";

ZipContents Model(const std::string& source = kSource) {
  std::string floats;
  for (int i = 0; i < 6; ++i) floats += std::string(3, '\0') + static_cast<char>(i);
  return {{"m/data/0", floats},
          {"m/data.pkl", ModulePickle()},
          {"m/code/__torch__.py", source},
          {"m/constants.pkl", "\x80\x02)."},
          {"m/version", "3\n"},
          {"m/byteorder", "little"}};
}

Program Read(const ZipContents& contents, const ReadOptions& options = {}) {
  return ReadProgram(archive::Archive::Open(archive::WriteTestFile("model.pt", archive::WriteZip(contents))), options);
}

const Pickled::Tensor& TensorOf(const Program& program, std::string_view attribute) {
  const auto& object = std::get<Pickled::Object>(program.module->v);
  for (const auto& [key, value] : std::get<Pickled::Dict>(object.state->v).items)
    if (std::get<std::string>(key->v) == attribute) return std::get<Pickled::Tensor>(value->v);
  throw std::runtime_error("no attribute " + std::string(attribute));
}

std::string BytesOf(const Pickled::Tensor& tensor) { return ir::BytesOf(*tensor.data->bytes); }

TEST(Program, Reads) {
  const Program program = Read(Model());
  EXPECT_EQ(program.version, 3);
  ASSERT_TRUE(program.classes.contains("__torch__.Net"));
  EXPECT_NE(program.classes.at("__torch__.Net").FindMethod("forward"), nullptr);
  const auto& w = TensorOf(program, "w");
  EXPECT_EQ(w.data->dtype, ir::DType::kFloat32);
  EXPECT_EQ(w.data->shape, (std::vector<int64_t>{2, 3}));
  // One tensor under two names is one; another view of its memory is not.
  EXPECT_EQ(w.data, TensorOf(program, "w2").data);
  EXPECT_NE(w.data, TensorOf(program, "t").data);
  EXPECT_EQ(w.data->bytes->storage(), TensorOf(program, "t").data->bytes->storage());
  EXPECT_EQ(BytesOf(w)[7], 1);
  EXPECT_EQ(BytesOf(TensorOf(program, "t"))[7], 2);  // column-major: element (0, 1) lies third
}

TEST(Program, LocatesInTheFileWithoutDebugInformation) {
  const Program program = Read(Model());
  const ir::Location location = program.files[0].Locate(static_cast<Offset>(program.files[0].text.find("torch.add")));
  EXPECT_EQ(location.file(), "code/__torch__.py");
  EXPECT_EQ(location.line(), 10);
  EXPECT_EQ(location.code(), "return torch.add(x, self.w)");
}

TEST(Program, LocatesInTheUsersFile) {
  ZipContents contents = Model();
  // ("FORMAT_WITH_STRING_TABLE", ("def f():\n", "  return g\n", "user.py"), ((OFFSET, (((0, 1), 2, 40), 11, 12), 0),))
  const auto offset = static_cast<int>(std::string(kSource).find("return torch.add"));
  contents.emplace_back("m/code/__torch__.py.debug_pkl",
                        "\x80\x02" + Text("FORMAT_WITH_STRING_TABLE") + Text("def f():\n") + Text("  return g\n") +
                            Text("user.py") + "\x87" + "M" + std::string{static_cast<char>(offset & 255)} +
                            std::string{static_cast<char>(offset >> 8)} + Int(0) + Int(1) + "\x86" + Int(2) + Int(40) +
                            "\x87" + Int(11) + Int(12) + "\x87" + Int(0) + "\x87\x85\x87.");
  const Program program = Read(contents);
  const ir::Location location = program.files[0].Locate(static_cast<Offset>(offset + 3));
  EXPECT_EQ(location.file(), "user.py");
  EXPECT_EQ(location.line(), 41);
  EXPECT_EQ(location.code(), "return g");
}

// A trace has stacks: the innermost frame that is not PyTorch's.
TEST(Program, LocatesInTheUsersFrame) {
  const auto offset = static_cast<int>(std::string(kSource).find("return torch.add"));
  const auto located = [&](const std::string& stack) {
    ZipContents contents = Model();
    const std::string innermost = stack.substr(0, stack.find('('));
    contents.emplace_back("m/code/__torch__.py.debug_pkl",
                          "\x80\x02" + Text("FORMAT_WITH_STRING_TABLE") + Text(stack) + Text(innermost) + "\x86" + "M" +
                              std::string{static_cast<char>(offset & 255)} +
                              std::string{static_cast<char>(offset >> 8)} + Int(0) + "\x85" + Int(1) + Int(40) +
                              "\x87" + Int(0) + Int(1) + "\x87" + Int(0) + "\x87\x85\x87.");
    const ir::Location location = Read(contents).files[0].Locate(static_cast<Offset>(offset + 3));
    return location.file() + ":" + std::to_string(location.line());
  };
  const std::string torch = "/usr/lib/python3/dist-packages/torch/_ops.py";
  EXPECT_EQ(located("mine.py(7): forward\nrun.py(8): <module>\n"), "mine.py:7");
  EXPECT_EQ(located(torch + "(13): __call__\nmine (1).py(7): forward\nrun.py(8): <module>\n"), "mine (1).py:7");
  EXPECT_EQ(located(torch + "(13): __call__\n"), torch + ":40");
  EXPECT_EQ(located(torch + "(13): __call__\nmine.py(x): forward\nmine.py"), torch + ":40");
}

TEST(Program, RefusesDamage) {
  const auto without = [](const char* name) {
    ZipContents contents = Model();
    std::erase_if(contents, [&](const auto& record) { return record.first == name; });
    return contents;
  };
  const auto with = [](const char* name, const std::string& text) {
    ZipContents contents = Model();
    for (auto& record : contents)
      if (record.first == name) record.second = text;
    return contents;
  };
  const std::tuple<const char*, ZipContents, const char*> cases[] = {
      {"no version", without("m/version"), "m/version' is missing"},
      {"version text", with("m/version", "x"), "is no number"},
      {"newer", with("m/version", "99"), "newer PyTorch"},
      {"big endian", with("m/byteorder", "big"), "little-endian"},
      {"no weight", without("m/data/0"), "data/0' is missing"},
      {"short weight", with("m/data/0", "abc"), "is shorter than"},
      {"no module", with("m/data.pkl", "\x80\x02N."), "holds no module"},
      {"source", with("m/code/__torch__.py", "class ("), "__torch__"},
      {"constants", with("m/constants.pkl", "\x80\x02K\1."), "holds no tuple"},
  };
  for (const auto& [name, contents, message] : cases)
    EXPECT_THAT(ErrorOf(ErrorKind::kBadInput, [&] { Read(contents); }), HasSubstr(message)) << name;
}

TEST(Program, ChecksumsOfRecordsThatNobodyUses) {
  ZipContents contents = Model();
  contents.emplace_back("m/extra", "unused");
  std::string zip = archive::WriteZip(contents);
  zip[zip.find("unused")] = 'U';
  const std::string path = archive::WriteTestFile("extra.pt", zip);
  EXPECT_THAT(ErrorOf(ErrorKind::kBadInput, [&] { ReadProgram(archive::Archive::Open(path)); }),
              AllOf(HasSubstr("m/extra"), HasSubstr("checksum")));
}

TEST(Program, TellsWhatIsNoTorchScript) {
  const ZipContents weights = {{"m/data.pkl", ModulePickle()}, {"m/data/0", std::string(24, 'x')}, {"m/version", "3"}};
  EXPECT_THAT(ErrorOf(Code::kNoProgram, [&] { Read(weights); }),
              AllOf(HasSubstr("no code"), HasSubstr("torch.jit.save"), HasSubstr("ExportOptions::weights"),
                    HasSubstr("onnxport/torch.h")));
  const std::string path = archive::WriteTestFile("old.pt", "\x80\x02\x8a\nl");
  EXPECT_THAT(ErrorOf(Code::kNoProgram, [&] { archive::Archive::Open(path); }), HasSubstr("pickle"));
}

// As torch.save(state_dict) and torch::save(module) write it.
TEST(Tensors, HaveTheNamesOfDictionariesAndObjects) {
  const auto names = [](const std::string& pickle) {
    const ZipContents contents = {{"m/data.pkl", pickle}, {"m/data/0", std::string(24, 'x')}, {"m/version", "3"}};
    std::string found;
    for (const auto& [name, data] :
         ReadTensors(archive::Archive::Open(archive::WriteTestFile("state.pt", archive::WriteZip(contents))))) {
      found += name + ":" + std::to_string(data->shape.at(0)) + " ";
    }
    return found;
  };
  const std::string tensor = TensorPickle("0", kRowMajor);
  EXPECT_EQ(names("\x80\x02"
                  "ccollections\nOrderedDict\n)R(" +
                  Text("fc.weight") + tensor + Text("steps") + Int(3) + "u" + "}(" + Text("_metadata") + "}ub."),
            "fc.weight:2 ");
  EXPECT_EQ(
      names("\x80\x02"
            "c__torch__\nModule\n)\x81}(" +
            Text("training") + "\x88" + Text("fc") + "c__torch__\nModule\n)\x81}(" + Text("weight") + tensor + "ubub."),
      "fc.weight:2 ");
  EXPECT_THAT(ErrorOf(ErrorKind::kBadInput,
                      [&] {
                        names(
                            "\x80\x02"
                            "}(" +
                            Text("w") + "N");
                      }),
              HasSubstr("is cut off"));
}

std::string WithMethod(const std::string& method) { return kSource + method; }

TEST(Safety, SetStateMayMoveDataAndPackWeights) {
  const char* harmless[] = {
      "  def __setstate__(self: __torch__.Net,\n    state: Tuple[Tensor, int]) -> NoneType:\n"
      "    self.w = (state)[0]\n    _0 = ops.quantized.linear_prepack((state)[0], None)\n    return None\n",
      "  def __setstate__(self: __torch__.Net,\n    state: Tensor) -> NoneType:\n"
      "    _0 = (self).put(state, )\n    return None\n"
      "  def put(self: __torch__.Net,\n    w: Tensor) -> NoneType:\n    self.w = w\n    return None\n",
  };
  for (const char* method : harmless) EXPECT_NO_THROW(Read(Model(WithMethod(method)))) << method;
}

TEST(Safety, RefusesWhatWouldRun) {
  const std::string head = "  def __setstate__(self: __torch__.Net,\n    state: Tensor) -> NoneType:\n";
  const std::pair<std::string, const char*> cases[] = {
      {head + "    _0 = torch.mul(state, state)\n    return None\n", "torch.mul"},
      {head + "    while True:\n      pass\n    return None\n", "loop"},
      {head + "    _0 = (self).put(state, )\n    return None\n"
              "  def put(self: __torch__.Net,\n    w: Tensor) -> NoneType:\n    _1 = torch.relu_(w)\n    return None\n",
       "torch.relu_"},
      {"  def helper(self: __torch__.Net) -> Tensor:\n    return torch.from_file(\"/etc/passwd\", True, 10)\n",
       "reads or writes a file"},
      {"  def helper(self: __torch__.Net,\n    x: Tensor) -> NoneType:\n    torch.save(x, \"f\")\n    return None\n",
       "reads or writes a file"},
  };
  for (const auto& [method, message] : cases) {
    const ZipContents contents = Model(WithMethod(method));
    EXPECT_THAT(ErrorOf(ErrorKind::kBadInput, [&] { Read(contents); }),
                AllOf(HasSubstr(message), HasSubstr("ExportOptions::trust_source"), HasSubstr("code/__torch__.py")))
        << method;
    EXPECT_NO_THROW(Read(contents, {.trust_source = true})) << method;
  }
}

// ---- pickles ----

PickledPtr UnpickleText(const std::string& text) {
  const auto none = [](const StorageView&) { return std::make_shared<const ir::TensorData>(); };
  return Unpickle(text, "x.pkl", none);
}

TEST(Unpickler, ReadsNumbers) {
  EXPECT_EQ(std::get<int64_t>(UnpickleText("\x80\x02J\xff\xff\xff\xff.")->v), -1);
  EXPECT_EQ(std::get<int64_t>(UnpickleText("\x80\x02M\x01\x02.")->v), 513);
  EXPECT_EQ(std::get<int64_t>(UnpickleText(std::string("\x80\x02\x8a\x02\x00\xff.", 7))->v), -256);
  EXPECT_EQ(std::get<int64_t>(UnpickleText(std::string("\x80\x02\x8a\x00.", 5))->v), 0);
  EXPECT_EQ(std::get<double>(UnpickleText(std::string("\x80\x02G\x3f\xf8\0\0\0\0\0\0.", 12))->v), 1.5);
  EXPECT_TRUE(std::get<bool>(UnpickleText("\x80\x02\x88.")->v));
}

// torch._utils._rebuild_qtensor(storage of 6, 0, (6,), (1,), scheme, False, {})
std::string QuantizedPickle(const std::string& scheme) {
  return "\x80\x02"
         "ctorch._utils\n_rebuild_qtensor\n((" +
         Text("storage") + "ctorch\nQInt8Storage\n" + Text("0") + Text("cpu") + Int(6) + "tQ" + Int(0) + Int(6) +
         "\x85" + Int(1) + "\x85(" + scheme + "t\x89" + "ccollections\nOrderedDict\n)RtR.";
}

TEST(Unpickler, ReadsQuantizers) {
  const std::string half("G\x3f\xe0\0\0\0\0\0\0", 9);
  const PickledPtr value = UnpickleText(QuantizedPickle(Int(0) + half + Int(3)));
  const auto& tensor = std::get<Pickled::Tensor>(value->v);
  ASSERT_TRUE(tensor.quantizer);
  EXPECT_EQ(tensor.quantizer->scales, std::vector<double>{0.5});
  EXPECT_EQ(tensor.quantizer->zero_points, std::vector<double>{3});
  EXPECT_EQ(tensor.quantizer->axis, -1);

  const auto error_of = [](ErrorKind kind, const std::string& scheme) {
    return ErrorOf(kind, [&] { UnpickleText(QuantizedPickle(scheme)); });
  };
  EXPECT_THAT(error_of(ErrorKind::kBadInput, Int(0) + Int(1) + Int(3)), HasSubstr("has a quantizer without a scale"));
  EXPECT_THAT(error_of(ErrorKind::kBadInput, Int(9) + half + Int(3)), HasSubstr("has the quantization scheme 9"));
  EXPECT_THAT(error_of(ErrorKind::kBadInput, Int(4) + half + half + Int(0)),
              HasSubstr("has a quantizer without scales"));
}

// torch._utils._rebuild_qtensor(storage, offset, sizes, strides, (0, 0.5, 3), False, {}) of two rows
std::string SmallElements(int offset, const std::string& sizes, const std::string& strides) {
  const std::string half("G\x3f\xe0\0\0\0\0\0\0", 9);
  return "\x80\x02"
         "ctorch._utils\n_rebuild_qtensor\n((" +
         Text("storage") + "ctorch\nQUInt4x2Storage\n" + Text("0") + Text("cpu") + Int(6) + "tQ" + Int(offset) + "(" +
         sizes + "t(" + strides + "t(" + Int(0) + half + Int(3) + "t\x89" + "ccollections\nOrderedDict\n)RtR.";
}

TEST(Unpickler, ReadsTwoSmallElementsOfEachByte) {
  StorageView seen;
  const auto look = [&](const StorageView& view) {
    seen = view;
    return std::make_shared<const ir::TensorData>();
  };
  const PickledPtr value = Unpickle(SmallElements(0, Int(2) + Int(6), Int(6) + Int(1)), "x.pkl", look);
  EXPECT_EQ(seen.dtype, ir::DType::kUInt8);
  EXPECT_EQ(seen.sizes, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(seen.strides, (std::vector<int64_t>{3, 1}));
  EXPECT_EQ(std::get<Pickled::Tensor>(value->v).quantizer->per_byte, 2);

  const std::pair<std::string, const char*> refused[] = {
      {SmallElements(0, Int(2) + Int(5), Int(5) + Int(1)), "begin and end with a byte"},
      {SmallElements(6, Int(1) + Int(6), Int(6) + Int(1)), "begin and end with a byte"},
      {SmallElements(0, "", ""), "begin and end with a byte"},
      {SmallElements(0, Int(6) + Int(2), Int(1) + Int(6)), "do not lie one after another"},
  };
  for (const auto& [text, message] : refused)
    EXPECT_THAT(ErrorOf(Code::kBadPickle, [&] { UnpickleText(text); }), HasSubstr(message));
}

TEST(Unpickler, RefusesDamageAndHarm) {
  const std::string begin = "\x80\x02";
  std::string deep = begin;
  for (int i = 0; i < 1000; ++i) deep += "(";
  for (int i = 0; i < 1000; ++i) deep += "t";
  std::string doubling = begin + ")q" + std::string(1, '\0');
  for (int i = 0; i < 40; ++i) doubling += std::string("0h\0h\0\x86q\0", 8);
  const std::pair<std::string, const char*> cases[] = {
      {"", "is cut off"},
      {begin, "is cut off"},
      {begin + "K", "is cut off"},
      {"\x80\x04N.", "another protocol"},
      {begin + "NN.", "more than one value"},
      {begin + "t.", "no mark"},
      {begin + "0.", "empty stack"},
      {begin + "h\1.", "never remembered"},
      {begin + "cos\nsystem\n(" + Text("true") + "tR.", "os.system"},
      {begin + "cbuiltins\nexec\n)\x81.", "no class of the archive"},
      {begin + "c__torch__\nA\n)\x81.", "without a state"},
      {begin + "NNa.", "no list"},
      {begin + "(NNs.", "something else"},
      {begin + "I1\n.", "operator 0x49"},
      {begin + "\x8a\x09" + std::string(9, '\1') + ".", "more than 64 bits"},
      {begin + "X" + std::string{-1, -1, -1, 127} + "abc.", "is cut off"},
      {begin + "r" + std::string{-1, -1, -1, -1} + ".", "nothing"},
      {deep + ".", "nested deeper"},
  };
  for (const auto& [text, message] : cases)
    EXPECT_THAT(ErrorOf(Code::kBadPickle, [&] { UnpickleText(text); }), AllOf(HasSubstr(message), HasSubstr("x.pkl")));
  EXPECT_NO_THROW(UnpickleText(doubling + "."));  // 2^40 leaves, walked once each
}

// Neither the check nor the destructors may follow it down.
TEST(Unpickler, RefusesWhatIsNestedDeep) {
  constexpr size_t kDepth = 200'000;
  for (const std::string& nested :
       {")" + std::string(kDepth, '\x85'), std::string(kDepth, ']') + std::string(kDepth - 1, 'a')}) {
    EXPECT_THAT(ErrorOf(Code::kBadPickle, [&] { UnpickleText("\x80\x02" + nested + "."); }),
                HasSubstr("nested deeper than 256"));
    EXPECT_EQ(std::get<bool>(UnpickleText("\x80\x02" + nested + "q\1" + "0" + "\x88.")->v), true);
  }
}

TEST(Unpickler, RefusesAValueThatHoldsItself) {
  EXPECT_THAT(ErrorOf(Code::kBadPickle, [] { UnpickleText("\x80\x02]q\1h\1a."); }), HasSubstr("nested deeper"));
}

}  // namespace
}  // namespace onnxport::torchscript
