// Names of files that are being written, for a signal that ends the process before it can clean up.
#ifndef ONNXPORT_RUNTIME_SERIALIZER_TEMPORARIES_H_
#define ONNXPORT_RUNTIME_SERIALIZER_TEMPORARIES_H_

#include <string>

namespace onnxport::serializer {

// Between the two calls RemoveTemporaries removes this file. More names than a process can have exports, and names
// longer than a path, are not remembered.
void RememberTemporary(const std::string& path);
void ForgetTemporary(const std::string& path);

// Removes them. May be called in a signal handler.
void RemoveTemporaries();

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_SERIALIZER_TEMPORARIES_H_
