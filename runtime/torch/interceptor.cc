#include "runtime/torch/interceptor.h"

#include <torch/library.h>

#include <utility>

namespace onnxport::torch_export {
namespace {

thread_local Recorder* recorder_of_thread = nullptr;

void Intercept(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
  if (recorder_of_thread != nullptr) return recorder_of_thread->Call(op, keys, stack);
  const NotIntercepted below;
  op.callBoxed(stack);
}

// Once in a process.
void Register() {
  static const torch::Library library = [] {
    torch::Library made(torch::Library::IMPL, "_", kInterceptKey, __FILE__, __LINE__);
    made.fallback(torch::CppFunction::makeFromBoxedFunction<&Intercept>());
    return made;
  }();
}

}  // namespace

Interceptor::Interceptor(Recorder* recorder)
    : before_((Register(), std::exchange(recorder_of_thread, recorder))), included_(kInterceptKey) {}

Interceptor::~Interceptor() { recorder_of_thread = before_; }

Recorder* RecorderOfThread() {
  return c10::impl::tls_is_dispatch_key_excluded(kInterceptKey) ? nullptr : recorder_of_thread;
}

}  // namespace onnxport::torch_export
