// Detects operators that other threads call with the tensors of a run.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCH_OTHER_THREADS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCH_OTHER_THREADS_H_

#include <ATen/core/Tensor.h>

#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_set>

namespace onnxport::torch_export {

// While it lives, watches for operators that another thread calls with watched tensors, because a recorder does not see
// them. Calls of LibTorch's own threads inside an operator of the run do not count.
class OtherThreads {
 public:
  OtherThreads();
  ~OtherThreads();
  OtherThreads(const OtherThreads&) = delete;

  // The caller must keep the storage's address from being reused.
  void Watch(const at::Tensor& tensor);
  void Forget(const std::unordered_set<const c10::StorageImpl*>& dead);

  // While it lives, an operator of the run is being executed.
  class AtWork {
   public:
    explicit AtWork(OtherThreads* threads) : AtWork(&threads->at_work_) {}
    ~AtWork() { --*count_; }
    AtWork(const AtWork&) = delete;

   protected:
    explicit AtWork(std::atomic<int>* count) : count_(count) { ++*count_; }

   private:
    std::atomic<int>* count_;
  };
  // While it lives, no thread is watched, because the user's own code computes one node.
  class Unwatched : AtWork {
   public:
    explicit Unwatched(OtherThreads* threads) : AtWork(&threads->unwatched_) {}
  };

  // The first such operator, or an empty text.
  std::string First() const;

  // Called by LibTorch when a thread calls an operator.
  void See(const std::string& op, const at::Tensor& tensor);

 private:
  const std::thread::id own_ = std::this_thread::get_id();
  std::atomic<int> at_work_ = 0;
  std::atomic<int> unwatched_ = 0;
  mutable std::mutex mutex_;
  std::unordered_set<const c10::StorageImpl*> watched_;
  std::string first_;
};

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_OTHER_THREADS_H_
