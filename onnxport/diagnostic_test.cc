#include "onnxport/diagnostic.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace onnxport {
namespace {

Diagnostic Roll() {
  return {.code = Code::kUnsupportedCall,
          .op = "aten::roll",
          .calls = 3,
          .reason = "axis 4 is outside a rank of 2",
          .opset = 11,
          .spec = "spec/aten/shape.yaml:31",
          .sites = {{.module = "layer1.0", .file = "model.py", .line = 12, .code = "x = torch.roll(x, 1, 4)"},
                    {.file = "model.py"},
                    {.node = "roll_2"}}};
}

TEST(Report, IsTextForPeople) {
  const struct {
    Report report;
    const char* text;
  } kCases[] = {
      {{ErrorKind::kUsage, "opset 99 is not supported"}, "opset 99 is not supported"},
      {{ErrorKind::kUsage, {{.code = Code::kUsage, .reason = "a"}, {.code = Code::kUsage, .reason = "b\nc"}}},
       "a\nb\\x0ac"},
      {{ErrorKind::kCannotExport, {Roll()}, "the model cannot be exported at opset 9"},
       "the model cannot be exported at opset 9:\n"
       "  aten::roll (3 calls): axis 4 is outside a rank of 2\n"
       "      opset 11 can express it\n"
       "      layer1.0  model.py:12  x = torch.roll(x, 1, 4)\n"
       "      model.py\n"
       "      roll_2"},
      {{ErrorKind::kCannotExport,
        {{.reason = "the program raises"}, {.op = "aten::foo", .calls = 1, .reason = "no spec"}},
        "it cannot"},
       "it cannot:\n  the program raises\n  aten::foo (1 call): no spec"},
  };
  for (const auto& test : kCases) EXPECT_EQ(test.report.Text(), test.text);
}

TEST(Report, ShowsSomePlacesAndHasAll) {
  Diagnostic diagnostic = Roll();
  diagnostic.sites.clear();
  for (int line = 1; line <= 7; ++line) diagnostic.sites.push_back({.file = "m.py", .line = line});
  diagnostic.sites.push_back({.file = "m.py", .line = 3, .node = "the same line"});
  const Report report(ErrorKind::kCannotExport, {diagnostic}, "no");
  EXPECT_NE(report.Text().find("m.py:5\n      and 2 more places"), std::string::npos) << report.Text();
  EXPECT_EQ(report.Text().find("m.py:6"), std::string::npos);
  EXPECT_NE(report.Json().find("\"line\":7"), std::string::npos);
}

TEST(Report, IsJsonForPrograms) {
  const Report report(ErrorKind::kCannotExport, {Roll()}, "no");
  const char* json =
      R"json({"kind":"cannot_export","headline":"no","diagnostics":[{"code":"E0200","op":"aten::roll",)json"
      R"json("calls":3,"reason":"axis 4 is outside a rank of 2","opset":11,"spec":"spec/aten/shape.yaml:31",)json"
      R"json("sites":[{"module":"layer1.0","file":"model.py","line":12,"code":"x = torch.roll(x, 1, 4)"},)json"
      R"json({"file":"model.py"},{"node":"roll_2"}]}]})json";
  EXPECT_EQ(report.Json(), json);
  EXPECT_EQ(Report(ErrorKind::kBadInput, "a \"name\"\n\x1b\xff").Json(),
            "{\"kind\":\"bad_input\",\"diagnostics\":[{\"code\":\"E0300\",\"reason\":"
            "\"a \\\"name\\\"\\\\x0a\\\\x1b\\\\xff\"}]}");
}

TEST(Report, NamesWhatItIsAbout) {
  EXPECT_EQ(Report(ErrorKind::kBadInput, "is damaged").Behind("m.pt2: ").Text(), "m.pt2: is damaged");
  EXPECT_EQ(Report(ErrorKind::kCannotExport, {Roll()}, "no").Behind("m.pt2: ").headline(), "m.pt2: no");
}

TEST(CallSite, HasNoControlCharacters) {
  const CallSite site = {.file = "a\nb", .code = "\x1b[2J"};
  EXPECT_EQ(site.Text(), "a\\x0ab  \\x1b[2J");
}

// Names from a file may have newlines. The text of a report has no more lines for that.
TEST(Report, IsForgedByNoName) {
  const std::string name = "a\nexporter: note: all is well \x1b[2J\xe2\x80\xae";
  const Report report(ErrorKind::kCannotExport,
                      {{.code = Code::kUnsupportedCall,
                        .op = name,
                        .calls = 1,
                        .reason = name,
                        .sites = {{.module = name, .file = name}}}},
                      name);
  const std::string text = report.Text();
  EXPECT_EQ(std::ranges::count(text, '\n'), 2);  // headline, diagnostic, place
  EXPECT_EQ(text.find_first_of("\x1b\xe2"), text.npos) << text;
  const std::string json = report.Json();
  EXPECT_EQ(json.find_first_of("\n\x1b\xe2"), json.npos) << json;
}

TEST(Report, SaysItsCodes) {
  const Report two(ErrorKind::kUsage,
                   {{.code = Code::kUsage, .reason = "a"}, {.code = Code::kBadNames, .reason = "b"}});
  EXPECT_EQ(two.TextWithCodes(), "error[E0001]: a\nerror[E0010]: b");
  const Report call(ErrorKind::kCannotExport, {{.code = Code::kGraphOperator, .op = "f", .calls = 2, .reason = "a"}},
                    "no");
  EXPECT_EQ(call.TextWithCodes(), "error: no:\n  [E0113] f (2 calls): a");
}

TEST(Report, HasTheKindOfItsCode) {
  EXPECT_EQ(Report(Code::kBadPickle, "a").kind(), ErrorKind::kBadInput);
  EXPECT_EQ(Report(Code::kBadPickle, "a").diagnostics()[0].code, Code::kBadPickle);
  EXPECT_EQ(Report(ErrorKind::kDeadline, "a").diagnostics()[0].code, Code::kDeadline);
}

}  // namespace
}  // namespace onnxport
