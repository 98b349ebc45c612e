// The library's border: inside, failures are thrown as Error; callers are promised a Result, whatever happens.
#ifndef ONNXPORT_RUNTIME_API_BORDER_BORDER_H_
#define ONNXPORT_RUNTIME_API_BORDER_BORDER_H_

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "onnxport/diagnostic.h"
#include "onnxport/expected.h"
#include "runtime/base/error.h"
#include "runtime/base/internal_error.h"

namespace onnxport {

// With all that comes from a file in a form that can be shown (VisibleLine in base/text.h).
Report VisibleReport(const Report& report);

// Returns the result of `body`, or the reason why it has none.
template <typename Body>
auto AtBorder(const Body& body) -> Result<decltype(body())> {
  try {
    return body();
  } catch (const Error& error) {
    return Unexpected(VisibleReport(error.report()));
    // Memory that has ended is no mistake of this library; all other exceptions that are no Error are, and say so.
  } catch (const std::bad_alloc&) {
    return Unexpected(Report(ErrorKind::kMemoryBudget, "out of memory"));
  } catch (const std::exception& error) {
    return Unexpected(VisibleReport(InternalError(error.what()).report()));
  } catch (...) {
    return Unexpected(InternalError("").report());
  }
}

// A call of the user's: what it throws asks for an end.
template <typename Function, typename... Args>
auto CallUser(const char* what, const Function& function, Args&&... args) {
  try {
    return function(std::forward<Args>(args)...);
  } catch (const std::exception& error) {
    throw Error(ErrorKind::kCancelled, std::string("cancelled: the ") + what + " threw: " + error.what());
  } catch (...) {
    throw Error(ErrorKind::kCancelled, std::string("cancelled: the ") + what + " threw an exception");
  }
}

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_API_BORDER_BORDER_H_
