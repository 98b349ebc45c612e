// Internal to the readers of pickles: reads the operators of a pickle, one after another. A pickle is a program for a
// small stack machine, which in Python may call any function. Here the machine implements only the operators that
// archives use, and others are refused.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_PICKLE_OPERATORS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_PICKLE_OPERATORS_H_

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "runtime/base/error.h"
#include "runtime/base/memory_budget.h"
#include "runtime/base/refusal.h"
#include "runtime/sources/torchscript/archive/pickle_bytes.h"

namespace onnxport::torchscript {

// A machine has a function for each operator, with its name (Unpickler has all of them). Numbers and texts are passed
// as std::monostate, bool, int64_t, double and std::string_view.
template <typename Machine>
class PickleOperators {
 public:
  PickleOperators(std::string_view text, Machine* machine) : bytes_(text), machine_(*machine) {}

  // Throws Error (kBadInput) that begins with `what` if the machine throws Refusal or the text is no pickle.
  void Run(const std::string& what) {
    try {
      const MemoryBudget::Place place([&] { return what; });
      while (!done_) Step();
      machine_.Stop(bytes_.size());
    } catch (const Refusal& mistake) {
      throw Error(Code::kBadPickle,
                  fmt::format("{} is damaged or hostile: at byte {} the pickle {}", what, bytes_.at(), mistake.what()));
    }
  }

 private:
  void Step() {
    const auto code = static_cast<uint8_t>(bytes_.Take(1)[0]);
    switch (code) {
      case 0x80:
        if (bytes_.Little(1) != 2) throw Refusal("has another protocol than 2");
        return;
      case '.':
        done_ = true;
        return;
      case '(':
        return machine_.PushMark();
      case '0':
        return machine_.Pop();
      case 'N':
        return machine_.Push(std::monostate());
      case 0x88:
        return machine_.Push(true);
      case 0x89:
        return machine_.Push(false);
      case 'J':
        return machine_.Push(static_cast<int64_t>(static_cast<int32_t>(bytes_.Little(4))));
      case 'K':
        return machine_.Push(static_cast<int64_t>(bytes_.Little(1)));
      case 'M':
        return machine_.Push(static_cast<int64_t>(bytes_.Little(2)));
      case 0x8a:
        return machine_.Push(bytes_.Long());
      case 'G':
        return machine_.Push(bytes_.Double());
      case 'X':
        return machine_.Push(bytes_.Take(bytes_.Little(4)));
      default:
        return StepOther(code);
    }
  }

  void StepOther(uint8_t code) {
    switch (code) {
      case ']':
        return machine_.EmptyList();
      case '}':
        return machine_.EmptyDict();
      case ')':
        return machine_.TupleOf(0);
      case 0x85:
      case 0x86:
      case 0x87:
        return machine_.TupleOf(code - 0x84u);
      case 't':
        return machine_.TupleToMark();
      case 'a':
        return machine_.Append();
      case 'e':
        return machine_.AppendToMark();
      case 's':
        return machine_.SetItem();
      case 'u':
        return machine_.SetItemsToMark();
      case 'c': {
        const std::string_view module = bytes_.Line();
        return machine_.PushGlobal(module, bytes_.Line());
      }
      case 'q':
        return machine_.Remember(bytes_.Little(1), bytes_.size());
      case 'r':
        return machine_.Remember(bytes_.Little(4), bytes_.size());
      case 'h':
        return machine_.Recall(bytes_.Little(1));
      case 'j':
        return machine_.Recall(bytes_.Little(4));
      case 'Q':
        return machine_.PersistentId();
      case 'R':
        return machine_.Reduce();
      case 0x81:
        return machine_.NewObject();
      case 'b':
        return machine_.Build();
      default:
        throw Refusal(fmt::format("has the operator 0x{:02x}, which TorchScript archives do not use", code));
    }
  }

  PickleBytes bytes_;
  Machine& machine_;
  bool done_ = false;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_PICKLE_OPERATORS_H_
