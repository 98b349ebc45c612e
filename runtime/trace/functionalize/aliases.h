// Tracks which tensors of the source program share memory, and the current value of each in the rewritten graph.
//
// A storage is a base tensor and its views, made from it directly or through other views. A write to any of them makes
// a new value for it and, back along the views, for all its bases. The other views are then out of date. They are made
// again from their base when they are next read.
#ifndef ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_ALIASES_H_
#define ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_ALIASES_H_

#include <functional>
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

// A tensor that another one is, with all elements in the same places, where `when` is true: a bool of the rewritten
// graph, or `true`.
struct Identity {
  ir::ValueId tensor = ir::ValueId::kNone;
  ir::Arg when;
};

// All functions work on the same versions, so they are in one class, though there are many. No caller could keep track
// of the views that are out of date.
class Aliases {
 public:
  explicit Aliases(record::Recorder* recorder) : recorder_(recorder) {}

  // A tensor that was never mentioned has its own memory, and nothing is stored for it: most tensors are only read.

  // Declares the results of `node` (a node of the rewritten graph) to be views of `base`, a tensor of the source
  // program.
  void AddViews(const ir::Node& node, size_t argument, ir::ValueId base);
  // From now on `object` stands for `tensor`, a view of its old tensor. Leave undoes this.
  void Rebind(ir::ValueId object, ir::ValueId tensor);
  // The tensor that `object` stands for.
  ir::ValueId NameOf(ir::ValueId object) const;
  // The two may share memory or not. So after a write to one, it is an error to read the other. `for_good`: Leave does
  // not undo it.
  void AddMaybe(ir::ValueId a, ir::ValueId b, bool for_good = false);
  // The two are one tensor where `condition`, a bool of the rewritten graph, is `when`. Elsewhere they share nothing
  // that is not linked otherwise. A write to one is then followed to the other. A tensor may be one view of another
  // where a condition holds, and a second view of it where it does not.
  void AddMaybeOn(ir::ValueId a, ir::ValueId b, ir::ValueId condition, bool when);

  // Returns the current value. Returns nothing, with the reason in *why_not, if an unknown write may have changed it.
  std::optional<ir::ValueId> Read(ir::ValueId tensor, std::string* why_not);
  // Sets the tensor to `value`, of the same type. `what` describes the write for later messages.
  bool Write(ir::ValueId tensor, ir::ValueId value, const std::string& what, std::string* why_not) {
    return WriteAt(NameOf(tensor), value, what, why_not);
  }
  // The same for a result of BaseOf, even if its object stands for another tensor now.
  bool WriteBase(ir::ValueId base, ir::ValueId value, const std::string& what, std::string* why_not) {
    return WriteAt(base, value, what, why_not);
  }
  // A view between the tensor and its base may show an element several times (`expand`). Then a write must go place by
  // place. This is right only if the tensor itself shows no element twice, which the caller must know. Returns the
  // source of such a view, or kNone.
  ir::ValueId RepeatedBelow(ir::ValueId tensor) {
    const ir::ValueId repeat = OutermostRepeat(NameOf(tensor));
    return repeat == ir::ValueId::kNone ? repeat : At(repeat).parent;
  }
  ir::ValueId ValueOfBase(ir::ValueId base) { return At(base).value; }

  // Returns the current value if it exists; nothing for a view that a write made out of date.
  std::optional<ir::ValueId> Peek(ir::ValueId tensor) const;
  // Returns a value that it has, or had before a write.
  ir::ValueId AnyValue(ir::ValueId tensor) { return Find(tensor).value; }
  // From now on it is an error to read it, because `what` may have written to it; or what may share its memory, if it is
  // not `alone`.
  void Doubt(ir::ValueId tensor, const std::string& what, bool alone = false);

  // Returns the tensor that owns the memory. Do not look it up as an object.
  ir::ValueId BaseOf(ir::ValueId tensor);
  // Returns the bases of all storages that may share memory with the tensor, its own first.
  std::vector<ir::ValueId> BasesAround(ir::ValueId tensor);
  // Returns the oldest tensor that shows the same elements in the same places, always: its own, or what it is a view of.
  ir::ValueId WholeOf(ir::ValueId tensor) { return WholeAt(NameOf(tensor)); }
  // Returns the tensors that the tensor may be, of those for which `is_end` is true. With no other one of these, and no
  // part of one, does it share memory. Returns nothing if that is not known. It adds calls that combine conditions.
  std::optional<std::vector<Identity>> Identities(ir::ValueId tensor, const std::function<bool(ir::ValueId)>& is_end);
  // Returns true if every step from the base to the tensor keeps all elements in their order.
  bool IsWhole(ir::ValueId tensor);
  // Returns true if every step takes elements from memory unchanged, in any order. With `from_start`, the first element
  // must stay the first.
  bool ShowsMemory(ir::ValueId tensor, bool from_start);
  // Returns true if it may be another tensor, or share memory with one.
  bool uncertain(ir::ValueId tensor) { return !StorageOf(tensor).maybe.empty(); }
  bool base_written(ir::ValueId base) { return storage(At(base).storage).version > 0; }

  // Records the writes from now on, until Leave undoes them. May be nested.
  void Enter() { records_.emplace_back(); }
  bool recording() const { return !records_.empty(); }
  // Returns the undone changes, and the bases that were written to since Enter, in the order of their first writes.
  Changes Leave();
  // Does Enter, and makes those changes again.
  void Reenter(Changes changes);

 private:
  struct Storage {
    ir::ValueId base = ir::ValueId::kNone;
    int version = 0;          // of the last write; 0: none
    std::vector<Link> maybe;  // storages that may be this one
    std::string doubtful;     // set after a write to one of those that was not followed
  };
  struct Tensor {
    int storage = 0;
    ir::ValueId parent = ir::ValueId::kNone;  // kNone: the base itself
    std::shared_ptr<const ir::Node> view;     // makes the value from the parent
    size_t argument = 0;                      // of the view's call
    size_t output = 0;
    ir::ValueId value = ir::ValueId::kNone;  // of the rewritten graph
    int version = 0;                         // the storage's version that `value` is right for
  };

  // `Find` takes an object, `At` takes a result of NameOf.
  Tensor& Find(ir::ValueId object) { return At(NameOf(object)); }
  Tensor& At(ir::ValueId tensor);
  bool WriteAt(ir::ValueId tensor, ir::ValueId value, const std::string& what, std::string* why_not);
  bool WriteWithin(ir::ValueId tensor, ir::ValueId value, std::string* why_not);
  Storage& storage(int index) { return storages_[static_cast<size_t>(index)]; }
  Storage& StorageOf(ir::ValueId tensor) { return storage(Find(tensor).storage); }
  ir::ValueId Update(ir::ValueId tensor);
  ir::ValueId WholeAt(ir::ValueId tensor);
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
  bool MayConnect(int a, int b, ir::ValueId condition, bool when);
  // Exchanges the current state with the one stored in the change.
  void Swap(Change* change, bool undo);

  record::Recorder* recorder_;
  std::unordered_map<ir::ValueId, ir::ValueId> names_;
  std::unordered_map<ir::ValueId, Tensor> tensors_;
  std::vector<Storage> storages_;
  int last_version_ = 0;  // versions are never reused
  size_t walked_ = 0;     // used by Around
  std::vector<std::vector<Change>> records_;
};

}  // namespace onnxport::functionalize

#endif  // ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_ALIASES_H_
