#include "runtime/sources/torch/other_threads.h"

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/record_function.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "runtime/sources/torch/arguments.h"

namespace onnxport::torch_export {
namespace {

// There is one per process, because LibTorch's callbacks are global. Exports on several threads each add themselves.
struct Watchers {
  std::mutex mutex;
  std::vector<OtherThreads*> all;
  at::CallbackHandle handle = 0;
};

Watchers& TheWatchers() {
  static Watchers watchers;
  return watchers;
}

// The watchers of this thread, whose operators are recorded or ignored. LibTorch passes only the operator to the
// callback, in the thread that runs it.
thread_local int own_watchers = 0;

std::unique_ptr<at::ObserverContext> See(const at::RecordFunction& call) {
  if (own_watchers > 0) return nullptr;
  Watchers& watchers = TheWatchers();
  const std::scoped_lock lock(watchers.mutex);
  for (OtherThreads* threads : watchers.all) {
    for (const c10::IValue& value : call.inputs()) {
      VisitTensors(value, [&](const at::Tensor& tensor) { threads->See(call.name(), tensor); });
    }
  }
  return nullptr;
}

}  // namespace

OtherThreads::OtherThreads() {
  Watchers& watchers = TheWatchers();
  const std::scoped_lock lock(watchers.mutex);
  if (watchers.all.empty()) {
    auto callback = at::RecordFunctionCallback(&torch_export::See).needsInputs(true);
    watchers.handle = at::addGlobalCallback(callback.scopes({at::RecordScope::FUNCTION}));
  }
  watchers.all.push_back(this);
  ++own_watchers;
}

OtherThreads::~OtherThreads() {
  Watchers& watchers = TheWatchers();
  const std::scoped_lock lock(watchers.mutex);
  std::erase(watchers.all, this);
  if (watchers.all.empty()) at::removeCallback(watchers.handle);
  --own_watchers;
}

void OtherThreads::Watch(const at::Tensor& tensor) {
  if (!tensor.has_storage()) return;
  const std::scoped_lock lock(mutex_);
  watched_.insert(tensor.storage().unsafeGetStorageImpl());
}

void OtherThreads::Forget(const std::unordered_set<const c10::StorageImpl*>& dead) {
  const std::scoped_lock lock(mutex_);
  for (const c10::StorageImpl* storage : dead) watched_.erase(storage);
}

std::string OtherThreads::First() const {
  const std::scoped_lock lock(mutex_);
  return first_;
}

void OtherThreads::See(const std::string& op, const at::Tensor& tensor) {
  if (std::this_thread::get_id() == own_ || !tensor.has_storage()) return;
  // An operator of the run may use LibTorch's threads. These are in a parallel region while it is executed. A thread of
  // the program is not, or no operator is being executed.
  if (unwatched_ > 0 || (at_work_ > 0 && at::in_parallel_region())) return;
  const std::scoped_lock lock(mutex_);
  if (first_.empty() && watched_.contains(tensor.storage().unsafeGetStorageImpl())) first_ = op;
}

}  // namespace onnxport::torch_export
