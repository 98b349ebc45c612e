// Random texts: what JSON is, and what it says, another reader has to agree with.
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "runtime/base/error.h"
#include "runtime/sources/pt2/json.h"

namespace onnxport::pt2::json_peer_test {
namespace {

constexpr int kTries = 100000;
constexpr std::string_view kTexts[] = {
    R"({"graph": {"nodes": [{"target": "torch.ops.aten.add.Tensor", "inputs": [{"name": "self", "arg": {"as_int": -3}}]}]}})",
    R"([0, -0.0, 1.5e-3, 1E+30, 9223372036854775807, 18446744073709551616, true, false, null, [], {}, ""])",
    "{\"a\\u00e9\\ud83d\\ude00\\n\\/\": \"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 and plain text that is longer\", \"b\" "
    ": [ 1 ,\t2\r\n] }",
    R"("a text of sixteen" )",
    "-12.25e2",
};
// The characters of JSON, and some that look like them. No NUL, which the other reader takes for the end.
constexpr std::string_view kBytes =
    "{}[]\":,\\/ \n\t-+.eE0123456789abfnlrtusx\x01\x1f\x7f\x80\xbf\xc0\xc3\xe0\xed\xf0\xf4\xf5\xff";

std::string Mutated(std::mt19937* random) {
  const auto below = [&](size_t n) { return static_cast<size_t>((*random)() % n); };
  std::string text(kTexts[below(std::size(kTexts))]);
  for (size_t changes = below(4); changes > 0 && !text.empty(); --changes) {
    const size_t at = below(text.size());
    switch (below(4)) {
      case 0:
        text[at] = kBytes[below(kBytes.size())];
        break;
      case 1:
        text.insert(at, 1, kBytes[below(kBytes.size())]);
        break;
      case 2:
        text.erase(at, 1 + below(3));
        break;
      default:
        text.insert(at, text.substr(below(text.size()), 1 + below(8)));
    }
  }
  return text;
}

// Strings are compared by their texts, numbers by their values.
bool IsSame(const Json& ours, const rapidjson::Value& theirs) {
  switch (ours.kind()) {
    case Json::Kind::kNull:
      return theirs.IsNull();
    case Json::Kind::kBool:
      return theirs.IsBool() && theirs.GetBool() == ours.AsBool();
    case Json::Kind::kInt:
      return theirs.IsInt64() ? theirs.GetInt64() == ours.AsInt() : theirs.IsDouble() && theirs.GetDouble() == 0;
    case Json::Kind::kFloat:
      return theirs.IsNumber() && theirs.GetDouble() == ours.AsFloat();
    case Json::Kind::kText:
      return theirs.IsString() && ours.AsText() == std::string_view(theirs.GetString(), theirs.GetStringLength());
    case Json::Kind::kArray: {
      if (!theirs.IsArray() || theirs.Size() != ours.Items().size()) return false;
      rapidjson::SizeType i = 0;
      for (const Json item : ours.Items())
        if (!IsSame(item, theirs[i++])) return false;
      return true;
    }
    case Json::Kind::kObject: {
      if (!theirs.IsObject() || theirs.MemberCount() != ours.Items().size()) return false;
      auto member = theirs.MemberBegin();
      for (const Json item : ours.Items()) {
        const std::string_view key(member->name.GetString(), member->name.GetStringLength());
        if (item.key() != key || !IsSame(item, (member++)->value)) return false;
      }
      return true;
    }
  }
  return false;
}

// Nothing where ours refuses more on purpose.
std::optional<JsonTree> Ours(const std::string& text, bool* on_purpose) {
  try {
    return JsonTree::Parse(text);
  } catch (const Error& error) {
    const std::string_view what = error.what();
    *on_purpose = what.find("occurs twice") != what.npos || what.find("surrogate") != what.npos;
    return std::nullopt;
  }
}

TEST(JsonText, AgreesWithAnotherReader) {
  std::mt19937 random(1);
  int taken = 0;
  int refused = 0;
  for (int i = 0; i < kTries; ++i) {
    const std::string text = Mutated(&random);
    rapidjson::Document theirs;
    rapidjson::MemoryStream stream(text.data(), text.size());  // not by its shorter way, which skips parts of a BOM
    theirs.ParseStream<rapidjson::kParseFullPrecisionFlag | rapidjson::kParseValidateEncodingFlag, rapidjson::UTF8<>>(
        stream);
    bool on_purpose = false;
    const std::optional<JsonTree> ours = Ours(text, &on_purpose);
    // It takes 0e999 for too large.
    if (on_purpose || theirs.GetParseError() == rapidjson::kParseErrorNumberTooBig) continue;
    ASSERT_EQ(ours.has_value(), !theirs.HasParseError())
        << text << (theirs.HasParseError() ? rapidjson::GetParseError_En(theirs.GetParseError()) : "");
    ++(ours ? taken : refused);
    ASSERT_TRUE(!ours || IsSame(ours->root(), theirs)) << text;
  }
  EXPECT_GT(taken, kTries / 10);
  EXPECT_GT(refused, kTries / 10);
}

}  // namespace
}  // namespace onnxport::pt2::json_peer_test
