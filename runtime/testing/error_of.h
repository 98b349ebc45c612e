// The text of an error, for tests.
#ifndef ONNXPORT_RUNTIME_TESTING_ERROR_OF_H_
#define ONNXPORT_RUNTIME_TESTING_ERROR_OF_H_

#include <functional>
#include <string>

#include "gtest/gtest.h"
#include "runtime/base/error.h"

namespace onnxport {

// Returns the text of the Error that `f` throws, which must be of this kind; "no error" if it throws none.
inline std::string ErrorOf(ErrorKind kind, const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return "no error";
}

// Does the same for an Error whose first diagnostic has this code.
inline std::string ErrorOf(Code code, const std::function<void()>& f) {
  return ErrorOf(InfoOf(code).kind, [&] {
    try {
      f();
    } catch (const Error& error) {
      EXPECT_EQ(Number(error.report().diagnostics().front().code), Number(code)) << error.what();
      throw;
    }
  });
}

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_TESTING_ERROR_OF_H_
