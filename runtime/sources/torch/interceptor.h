// Puts a RunRecorder between an eager program and the dispatcher of LibTorch.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCH_INTERCEPTOR_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCH_INTERCEPTOR_H_

#include <c10/core/DispatchKey.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include "runtime/sources/torch/recorder.h"

namespace onnxport::torch_export {

// The key is above autograd, so the recorder sees calls as the program makes them: composite calls whole, with
// gradients on or off. LibTorch reserves this key for modes of a thread and does not use it itself.
inline constexpr c10::DispatchKey kInterceptKey = c10::DispatchKey::TESTING_ONLY_GenericMode;

// While it lives, calls of this thread go to the recorder.
class Interceptor {
 public:
  explicit Interceptor(RunRecorder* recorder);
  ~Interceptor();
  Interceptor(const Interceptor&) = delete;

 private:
  RunRecorder* before_;
  c10::impl::IncludeDispatchKeyGuard included_;
};

// While it lives, calls of this thread are not recorded.
class NotIntercepted {
 private:
  c10::impl::ExcludeDispatchKeyGuard excluded_{kInterceptKey};
};

// While it lives, tensors that this thread creates have no memory, unless a device is requested.
class MadeOnMeta {
 public:
  MadeOnMeta();
  ~MadeOnMeta();
  MadeOnMeta(const MadeOnMeta&) = delete;

 private:
  bool before_;
  c10::impl::IncludeDispatchKeyGuard included_;
};

// The recorder of this thread's calls, or null.
RunRecorder* RecorderOfThread();

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_INTERCEPTOR_H_
