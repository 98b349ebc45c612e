#include "runtime/sources/torchscript/archive/plain_pickle.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/error.h"
#include "runtime/testing/error_of.h"

namespace onnxport::torchscript {
namespace {

using testing::HasSubstr;

std::string TextOf(const PlainPickle& pickle, PlainValue value) {
  if (const auto number = pickle.IntOf(value)) return std::to_string(*number);
  if (const auto text = pickle.TextOf(value)) return "'" + std::string(*text) + "'";
  if (value.kind != PlainValue::Kind::kSequence) return "None";
  std::string all;
  for (const PlainValue item : pickle.ItemsOf(value)) all += (all.empty() ? "" : " ") + TextOf(pickle, item);
  return "(" + all + ")";
}

TEST(PlainPickle, ReadsNumbersAndTextsInTuplesAndLists) {
  const struct {
    std::string pickle;
    std::string wanted;
  } cases[] = {
      {"K\x07.", "7"},
      {std::string("J\xfe\xff\xff\xff.", 6), "-2"},
      {std::string("X\x02\0\0\0ab.", 8), "'ab'"},
      {"NK\x01K\x02\x87.", "(None 1 2)"},
      {"(K\x01(K\x02t)t.", "(1 (2) ())"},
      {"](K\x01K\x02\x65K\x03\x61.", "(1 2 3)"},
      {"ctorch.jit._pickle\nbuild_intlist\n(](K\x01K\x02\x65tR.", "(1 2)"},
      {"K\x05q\x01\x30K\x04h\x01\x86.", "(4 5)"},
      // A list that is added to after others were made, where it is known already.
      {"]q\x01K\x01\x61](K\x02K\x03\x65h\x01K\x04\x61\x30h\x01\x87.", "((1 4) (2 3) (1 4))"},
  };
  for (const auto& [text, wanted] : cases) {
    const std::string whole = "\x80\x02" + text;
    const PlainPickle pickle(whole, "x.pkl");
    EXPECT_EQ(TextOf(pickle, pickle.root()), wanted);
  }
}

TEST(PlainPickle, RefusesDamageAndWhatElseAPickleCanHold) {
  const struct {
    std::string pickle;
    std::string wanted;
  } cases[] = {
      {"K", "x.pkl is damaged or hostile: at byte 3 the pickle is cut off"},
      {"K\x01", "is cut off"},
      {".", "leaves more than one value"},
      {"(.", "is no value"},
      {"K\x01t.", "has no mark where one belongs"},
      {"K\x01\x86.", "takes from an empty stack"},
      {"K\x01(\x86.", "has a mark inside a tuple"},
      {"h\x01.", "recalls what it never remembered"},
      {"K\x01K\x02\x61.", "appends to what is no list"},
      {"K\x01K\x02\x85R.", "calls what is no function"},
      {"ctorch.jit._pickle\nbuild_intlist\n)R.", "gives a function other arguments than it has"},
      {"cos\nsystem\n.", "names the function os.system, which debug information does not need; nothing of it was run"},
      {"}.", "has a dictionary, which debug information does not have"},
      {"NQ.", "has a tensor, which"},
      {"NN\x81.", "has an object, which"},
      {"\x88.", "has a truth value, which"},
      {std::string("G\0\0\0\0\0\0\0\0.", 10), "has a fraction, which"},
      {"I1\n.", "has the operator 0x49"},
  };
  for (const auto& [text, wanted] : cases) {
    EXPECT_THAT(ErrorOf(Code::kBadPickle, [&] { PlainPickle("\x80\x02" + text, "x.pkl"); }), HasSubstr(wanted));
  }
}

}  // namespace
}  // namespace onnxport::torchscript
