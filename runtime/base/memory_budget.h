// Limits the memory that an export takes for the contents of a file. A small file can describe much: compressed texts,
// a pickle of a million values, a program that doubles a list.
//
// BudgetAllocator and Charge count the memory of readers and of the interpreter where it is allocated. Any code may
// reach an allocator, so the budget belongs to the thread. Threads that export at the same time have their own.
#ifndef ONNXPORT_RUNTIME_BASE_MEMORY_BUDGET_H_
#define ONNXPORT_RUNTIME_BASE_MEMORY_BUDGET_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace onnxport {

// This thread's budget for as long as it lives. Without one nothing is counted.
class MemoryBudget {
 public:
  // In bytes, the limit is kForEachByte times the size of the file plus kAlways, and at least kLeast.
  static constexpr uint64_t kForEachByte = 32;
  static constexpr uint64_t kAlways = uint64_t{128} << 20;
  static constexpr uint64_t kLeast = uint64_t{256} << 20;
  static uint64_t LimitOf(uint64_t file_size);

  // `limit` replaces this limit, in bytes. `way_out` tells in the error how to get more; it is empty if there is no
  // way.
  static constexpr const char* kWayOut = "; for a file that you trust, <<memory_budget>> gives more";
  MemoryBudget(std::string file, uint64_t file_size, std::optional<uint64_t> limit = {}, const char* way_out = kWayOut);
  ~MemoryBudget();
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  // Throws Error (kMemoryBudget) beyond the limit. The error names the limit, and the place or else the file. Work can
  // also be interrupted here (interruption.h).
  static void Take(uint64_t bytes);
  static void Give(uint64_t bytes) noexcept;

  uint64_t limit() const { return limit_; }
  uint64_t used() const { return used_; }

  // Describes the current work for the error: "record 'data.pkl'". Only called when the limit is reached.
  class Place {
   public:
    explicit Place(std::function<std::string()> describe);
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

   private:
    MemoryBudget* budget_;
    std::function<std::string()> before_;
  };

 private:
  std::string file_;
  std::string limit_text_;
  const char* way_out_;
  uint64_t limit_;
  uint64_t used_ = 0;
  std::function<std::string()> place_;
  MemoryBudget* outer_;
};

// Holds bytes of the budget for as long as it lives. A copy takes the same number of bytes again.
class Charge {
 public:
  explicit Charge(uint64_t bytes = 0) : bytes_(bytes) { MemoryBudget::Take(bytes); }
  Charge(const Charge& other) : Charge(other.bytes_) {}
  Charge(Charge&& other) noexcept : bytes_(std::exchange(other.bytes_, 0)) {}
  Charge& operator=(Charge other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Charge() { MemoryBudget::Give(bytes_); }

  void Add(uint64_t bytes) {
    MemoryBudget::Take(bytes);
    bytes_ += bytes;
  }

 private:
  uint64_t bytes_;
};

// The allocator for standard containers.
template <typename T>
class BudgetAllocator {
 public:
  using value_type = T;
  BudgetAllocator() = default;
  template <typename U>
  BudgetAllocator(const BudgetAllocator<U>&) {}  // NOLINT: allocators convert

  T* allocate(size_t count) {
    MemoryBudget::Take(count * sizeof(T));
    return std::allocator<T>().allocate(count);
  }
  void deallocate(T* pointer, size_t count) {
    MemoryBudget::Give(count * sizeof(T));
    std::allocator<T>().deallocate(pointer, count);
  }
  friend bool operator==(const BudgetAllocator&, const BudgetAllocator&) { return true; }
};

// A text whose copies count against the budget.
struct BudgetText : std::string {
  BudgetText() = default;
  BudgetText(std::string text) : std::string(std::move(text)), held(size()) {}  // NOLINT: stands for a std::string
  BudgetText(const char* text) : BudgetText(std::string(text)) {}               // NOLINT
  Charge held;
};

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_MEMORY_BUDGET_H_
