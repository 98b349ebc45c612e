// Puts a RunRecorder between an eager program and the dispatcher of LibTorch.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCH_INTERCEPTOR_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCH_INTERCEPTOR_H_

#include <c10/core/DispatchKey.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include "runtime/sources/torch/recorder.h"

namespace onnxport::torch_export {

// Above autograd, so that calls are seen as the program makes them, composite ones whole, with gradients on or off. A
// key that LibTorch keeps for modes of a thread; nothing of its own uses it.
inline constexpr c10::DispatchKey kInterceptKey = c10::DispatchKey::TESTING_ONLY_GenericMode;

// Calls that this thread makes while it lives go to the recorder.
class Interceptor {
 public:
  explicit Interceptor(RunRecorder* recorder);
  ~Interceptor();
  Interceptor(const Interceptor&) = delete;

 private:
  RunRecorder* before_;
  c10::impl::IncludeDispatchKeyGuard included_;
};

// Calls that this thread makes while it lives are nobody's business.
class NotIntercepted {
 private:
  c10::impl::ExcludeDispatchKeyGuard excluded_{kInterceptKey};
};

// Tensors that this thread makes while it lives have no memory, where no device is asked for.
class MadeOnMeta {
 public:
  MadeOnMeta();
  ~MadeOnMeta();
  MadeOnMeta(const MadeOnMeta&) = delete;

 private:
  bool before_;
  c10::impl::IncludeDispatchKeyGuard included_;
};

// Who takes down this thread's calls; null: nobody.
RunRecorder* RecorderOfThread();

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_INTERCEPTOR_H_
