#include "runtime/base/function_ref.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

namespace onnxport {
namespace {

std::string Twice(FunctionRef<std::string(const std::string&)> f) { return f("a") + f("b"); }

TEST(FunctionRef, CallsWhatItWasMadeOf) {
  int calls = 0;
  const auto quoted = [&calls](const std::string& text) {
    ++calls;
    return "'" + text + "'";
  };
  EXPECT_EQ(Twice(quoted), "'a''b'");
  EXPECT_EQ(calls, 2);
  const FunctionRef<std::string(const std::string&)> first = quoted;
  const auto copy = first;
  EXPECT_EQ(copy("c"), "'c'");
}

TEST(FunctionRef, ConvertsTheResultAndMovesArguments) {
  const auto value = [](std::unique_ptr<int> number) { return *number; };
  const FunctionRef<double(std::unique_ptr<int>)> f = value;
  EXPECT_EQ(f(std::make_unique<int>(3)), 3.0);
}

TEST(FunctionRef, ReferencesAreTheCallers) {
  const auto append = [](std::string& text) { text += "!"; };
  const FunctionRef<void(std::string&)> f = append;
  std::string text = "a";
  f(text);
  EXPECT_EQ(text, "a!");
}

TEST(FunctionRef, NoneIsFalse) {
  const auto answer = [] { return 1; };
  FunctionRef<int()> f;
  EXPECT_FALSE(f);
  EXPECT_FALSE(FunctionRef<int()>(nullptr));
  f = answer;
  EXPECT_TRUE(f);
  EXPECT_EQ(f(), 1);
}

}  // namespace
}  // namespace onnxport
