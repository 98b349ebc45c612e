// The tensors of the source program: which share memory, and which value of the rewritten graph each has now.
//
// A storage is a base tensor and the views that were made from it, directly or through other views. A write to any of
// them makes a new value for it and, back along the views, for all its bases. The other views are then out of date and
// are made again from their base when they are next read.
#ifndef ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_ALIASES_H_
#define ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_ALIASES_H_

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/trace/functionalize/changes.h"
#include "runtime/trace/record/recorder.h"

namespace onnxport::functionalize {

// Questions and writes are functions of one class, and there are many, since each reads the same versions. No caller
// could keep track of the views that are out of date.
class Aliases {
 public:
  explicit Aliases(record::Recorder* recorder) : recorder_(recorder) {}

  // Tensors that were never mentioned have memory of their own. Nothing is kept of them, as most are only read.

  // The results of `node` (as it stands in the rewritten graph) are views of `base`, a tensor of the source program.
  void AddViews(const ir::Node& node, size_t argument, ir::ValueId base);
  // From now on `object` stands for `tensor`, a view of what it was. Undone by Leave.
  void Rebind(ir::ValueId object, ir::ValueId tensor);
  // The tensor that `object` stands for.
  ir::ValueId NameOf(ir::ValueId object) const;
  // They may share memory or not: after a write to one a read of the other is an error.
  void AddMaybe(ir::ValueId a, ir::ValueId b);
  // They are one tensor where `condition`, a bool of the rewritten graph, is `when`. Elsewhere they share nothing that
  // is not linked otherwise. A write to one is then followed to the other.
  void AddMaybeOn(ir::ValueId a, ir::ValueId b, ir::ValueId condition, bool when);
  // As AddMaybe, and not undone by Leave.
  void AddMaybeForGood(ir::ValueId a, ir::ValueId b);

  // The present value. Empty, with the reason in *why_not, when a write that may have changed it was not followed.
  std::optional<ir::ValueId> Read(ir::ValueId tensor, std::string* why_not);
  // The tensor becomes `value`, of the same type. `what` describes the write for later messages.
  bool Write(ir::ValueId tensor, ir::ValueId value, const std::string& what, std::string* why_not) {
    return WriteAt(NameOf(tensor), value, what, why_not);
  }
  // The same of a BaseOf, whatever that object stands for now.
  bool WriteBase(ir::ValueId base, ir::ValueId value, const std::string& what, std::string* why_not) {
    return WriteAt(base, value, what, why_not);
  }
  // A view between the tensor and its base may show an element several times. A write is then made place by place. That
  // is right where no place of the tensor itself is another one's, which the caller must know. Returns the source of
  // the view, or kNone.
  ir::ValueId RepeatedBelow(ir::ValueId tensor) {
    const ir::ValueId repeat = OutermostRepeat(NameOf(tensor));
    return repeat == ir::ValueId::kNone ? repeat : At(repeat).parent;
  }
  ir::ValueId ValueOfBase(ir::ValueId base) { return At(base).value; }

  // The present value if it was made already; nothing for a view that a write left out of date.
  std::optional<ir::ValueId> Peek(ir::ValueId tensor) const;
  // A value that it has, or had before a write.
  ir::ValueId AnyValue(ir::ValueId tensor) { return Find(tensor).value; }
  // From now on reading it is an error, since `what` may have written to it.
  void Doubt(ir::ValueId tensor, const std::string& what);

  // The tensor that owns the memory; not to be looked up as an object.
  ir::ValueId BaseOf(ir::ValueId tensor);
  // The bases of all storages that the tensor may share memory with, its own first.
  std::vector<ir::ValueId> BasesAround(ir::ValueId tensor);
  // Every step from the base to the tensor keeps all elements in their order.
  bool IsWhole(ir::ValueId tensor);
  // Every step takes elements as they lie in memory, in whatever order; with `from_start` none moves the first one.
  bool ShowsMemory(ir::ValueId tensor, bool from_start);
  // It may be another tensor, or share memory with one.
  bool uncertain(ir::ValueId tensor) { return !StorageOf(tensor).maybe.empty(); }
  bool base_written(ir::ValueId base) { return storage(At(base).storage).version > 0; }

  // From here on writes are recorded, until Leave undoes them. May be nested.
  void Enter() { records_.emplace_back(); }
  bool recording() const { return !records_.empty(); }
  // Returns the undone changes, with the bases that were written to since Enter, in the order of their first writes.
  Changes Leave();
  // Enter, with those changes made again.
  void Reenter(Changes changes);

 private:
  struct Storage {
    ir::ValueId base = ir::ValueId::kNone;
    int version = 0;          // of the last write; 0: none
    std::vector<Link> maybe;  // storages that may be this one
    std::string doubtful;     // set: a write to one of those happened and was not followed
  };
  struct Tensor {
    int storage = 0;
    ir::ValueId parent = ir::ValueId::kNone;  // kNone: the base itself
    std::shared_ptr<const ir::Node> view;     // makes it from the parent
    size_t argument = 0;                      // of the view's call
    size_t output = 0;
    ir::ValueId value = ir::ValueId::kNone;  // of the rewritten graph
    int version = 0;                         // of the storage when `value` was right
  };

  // `Find` takes an object, `At` a result of NameOf.
  Tensor& Find(ir::ValueId object) { return At(NameOf(object)); }
  Tensor& At(ir::ValueId tensor);
  bool WriteAt(ir::ValueId tensor, ir::ValueId value, const std::string& what, std::string* why_not);
  bool WriteWithin(ir::ValueId tensor, ir::ValueId value, std::string* why_not);
  Storage& storage(int index) { return storages_[static_cast<size_t>(index)]; }
  Storage& StorageOf(ir::ValueId tensor) { return storage(Find(tensor).storage); }
  ir::ValueId Update(ir::ValueId tensor);
  ir::ValueId OutermostRepeat(ir::ValueId tensor);
  std::optional<ir::ValueId> WritePlaces(ir::ValueId tensor, ir::ValueId value, ir::ValueId parent,
                                         std::string* why_not);
  std::vector<int> Around(int index);
  bool IsTree(const std::vector<int>& storages);
  void Spread(int index, const std::string& what);
  bool Follow(const Link& link);
  void SetValue(ir::ValueId tensor, ir::ValueId value, int version);
  void SetVersion(int index, int version);
  void SetDoubtful(int index, const std::string& what);
  void Connect(int a, const Link& link, bool recorded);
  const Link* FindLink(int a, int b);
  // Exchanges what is now with what the change remembers.
  void Swap(Change* change, bool undo);

  record::Recorder* recorder_;
  std::unordered_map<ir::ValueId, ir::ValueId> names_;
  std::unordered_map<ir::ValueId, Tensor> tensors_;
  std::vector<Storage> storages_;
  int last_version_ = 0;  // versions are never used twice
  size_t walked_ = 0;     // by Around
  std::vector<std::vector<Change>> records_;
};

}  // namespace onnxport::functionalize

#endif  // ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_ALIASES_H_
