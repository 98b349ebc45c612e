// The library's border: callers are promised Errors.
#ifndef ONNXPORT_RUNTIME_BORDER_H_
#define ONNXPORT_RUNTIME_BORDER_H_

#include <exception>
#include <new>
#include <string>

#include "runtime/base/error.h"

namespace onnxport {

// Runs `body`. What it throws besides Errors is a mistake of ours, and becomes an Error that asks for a report.
template <typename Body>
auto AtBorder(const Body& body) {
  constexpr const char* kInternal = "internal error, please report it";
  try {
    return body();
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::kCannotExport, "out of memory");
  } catch (const std::exception& error) {
    throw Error(ErrorKind::kCannotExport, std::string(kInternal) + ": " + error.what());
  } catch (...) {
    throw Error(ErrorKind::kCannotExport, kInternal);
  }
}

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BORDER_H_
