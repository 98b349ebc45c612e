#include "codegen/help/keys.h"

#include <string>
#include <vector>

#include "codegen/load/load.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace onnxport::codegen::keys_test {
namespace {

// A file with a key that there is not, in a map of each kind.
struct UnknownKey {
  KeyMap owner;
  std::string text;
};
const std::string kHeader = "spec: 1\nfamily: x\nops:\n";
const std::vector<UnknownKey> kUnknownKeys = {
    {KeyMap::kFile, "spec: 1\nfamily: x\nnokey: 1\nops:\n- op: aten::relu\n  emit: self\n"},
    {KeyMap::kEntry, kHeader + "- op: aten::relu\n  nokey: 1\n  emit: self\n"},
    {KeyMap::kDefinition, kHeader + "- def: f(x)\n  nokey: 1\n  emit: x\n"},
    {KeyMap::kLocalDefinition,
     kHeader + "- op: aten::relu\n  def:\n    f(x):\n      nokey: 1\n      emit: x\n  emit: f(self)\n"},
    {KeyMap::kSchema, kHeader + "- schema: acme.Foo\n  nokey: 1\n"},
    {KeyMap::kCase, kHeader + "- op: aten::relu\n  cases:\n    - nokey: 1\n      emit: self\n"},
    {KeyMap::kValueCase, kHeader + "- def: f(x)\n  cases:\n    - nokey: 1\n      value: x\n"},
    {KeyMap::kFold, kHeader + "- op: aten::relu\n  fold:\n    nokey: 1\n  emit: self\n"},
    {KeyMap::kLoop, kHeader + "- op: aten::relu\n  loop:\n    nokey: 1\n  emit: self\n"},
    {KeyMap::kPromote, kHeader + "- op: aten::relu\n  promote:\n    nokey: 1\n  emit: self\n"},
    {KeyMap::kComputeIn, kHeader + "- op: aten::relu\n  compute_in:\n    nokey: float32\n  emit: self\n"},
};

// "x.yaml:4:3: error: an entry has no key `nokey` (keys: a, b)" -> a, b
std::vector<std::string> LoadersKeys(const std::string& text) {
  Diagnostics diagnostics;
  LoadSpecFile("x.yaml", text, &diagnostics);
  const std::string message = diagnostics.ToText();
  const size_t begin = message.find("(keys: ");
  EXPECT_NE(begin, std::string::npos) << message;
  if (begin == std::string::npos) return {};
  std::string list = message.substr(begin + 7, message.find(')', begin) - begin - 7) + ", ";
  std::vector<std::string> keys;
  for (size_t end = list.find(", "); end != std::string::npos; end = list.find(", ")) {
    keys.push_back(list.substr(0, end));
    list.erase(0, end + 2);
  }
  return keys;
}

TEST(Keys, AreThoseOfTheLoader) {
  for (const UnknownKey& unknown : kUnknownKeys) {
    std::vector<std::string> keys;
    for (const KeyInfo& key : KeysOf(unknown.owner)) keys.emplace_back(key.key);
    EXPECT_THAT(keys, testing::UnorderedElementsAreArray(LoadersKeys(unknown.text))) << unknown.text;
  }
}

}  // namespace
}  // namespace onnxport::codegen::keys_test
