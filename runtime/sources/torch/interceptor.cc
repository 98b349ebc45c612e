#include "runtime/sources/torch/interceptor.h"

#include <torch/library.h>

#include <utility>

namespace onnxport::torch_export {
namespace {

// LibTorch's dispatcher calls a function of the process with only the operator. The keys are set for one thread, and so
// is the recorder.
thread_local RunRecorder* recorder_of_thread = nullptr;
thread_local bool made_on_meta = false;

// For operators that create tensors.
void AskForMeta(const c10::FunctionSchema& schema, torch::jit::Stack* stack) {
  const std::optional<int> device = schema.argumentIndexWithName("device");
  if (!device) return;
  c10::IValue& value = *(stack->end() - static_cast<std::ptrdiff_t>(schema.arguments().size()) + *device);
  if (value.isNone()) value = c10::Device(c10::kMeta);
}

// The key may be on without a recorder, for MadeOnMeta. Then calls go on to the next key, as without it.
void Intercept(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
  if (recorder_of_thread != nullptr) return recorder_of_thread->Call(op, keys, stack);
  const NotIntercepted below;
  if (made_on_meta) AskForMeta(op.schema(), stack);
  op.callBoxed(stack);
}

// Registers once per process.
void Register() {
  static const torch::Library library = [] {
    torch::Library made(torch::Library::IMPL, "_", kInterceptKey, __FILE__, __LINE__);
    made.fallback(torch::CppFunction::makeFromBoxedFunction<&Intercept>());
    return made;
  }();
}

}  // namespace

Interceptor::Interceptor(RunRecorder* recorder)
    : before_((Register(), std::exchange(recorder_of_thread, recorder))), included_(kInterceptKey) {}

Interceptor::~Interceptor() { recorder_of_thread = before_; }

MadeOnMeta::MadeOnMeta() : before_((Register(), std::exchange(made_on_meta, true))), included_(kInterceptKey) {}

MadeOnMeta::~MadeOnMeta() { made_on_meta = before_; }

// Also null inside NotIntercepted: the user's code inside onnxport::Custom does not count as exporting.
RunRecorder* RecorderOfThread() {
  return c10::impl::tls_is_dispatch_key_excluded(kInterceptKey) ? nullptr : recorder_of_thread;
}

}  // namespace onnxport::torch_export
