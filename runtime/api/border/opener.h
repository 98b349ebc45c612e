// Opens the bytes behind a Source.
#ifndef ONNXPORT_RUNTIME_API_BORDER_OPENER_H_
#define ONNXPORT_RUNTIME_API_BORDER_OPENER_H_

#include <memory>
#include <string>

#include "onnxport/source.h"
#include "runtime/archive/byte_source.h"

namespace onnxport {

class Source::Opener {
 public:
  virtual ~Opener() = default;
  // Throws Error.
  virtual std::shared_ptr<const archive::ByteSource> Open() const = 0;
  // Returns whether `path` is the file that it opens.
  virtual bool IsFile(const std::string& /*path*/) const { return false; }
};

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_API_BORDER_OPENER_H_
