// Decides if a list that a loop appends to may be a scan output of the Loop. It may if the body does nothing else with
// it. A reader in the loop sees the elements so far, which a scan output does not have until the loop has ended.
#include "runtime/sources/torchscript/interpret/scans.h"

namespace onnxport::torchscript {
namespace {

constexpr int kScanDepth = 8;  // of lists in lists that operators look into

}  // namespace

void Scans::NoteCall(const std::string& op, const CallArguments& arguments) {
  // Outside of loops no list is marked, and most calls are there.
  if (loops_ == 0) return;
  // These look at what they append, but not at the list: the one use that a scan output allows.
  const bool appends = op == "aten::append" || op == "aten::extend" || op == "aten::add_";
  for (size_t i = appends ? 1 : 0; i < arguments.positional.size(); ++i)
    // An element that is taken out is seen itself when it is used; so the list counts as read, and not what is in it.
    NoteRead(arguments.positional[i], op == "aten::__getitem__" ? kScanDepth : 0);
  for (const auto& [name, value] : arguments.keywords) NoteRead(value);
}

void Scans::NoteRead(const Value& value, int depth) {
  if (depth > kScanDepth) return;
  if (const auto* cell = value.As<CellPtr>(); cell && (*cell)->kind != Cell::Kind::kObject) {
    if ((*cell)->scan) read_.insert((*cell)->scan);
    for (const Value& item : (*cell)->items) NoteRead(item, depth + 1);
  } else if (const auto* tuple = value.As<TuplePtr>()) {
    for (const Value& item : (*tuple)->items) NoteRead(item, depth + 1);
  }
}

}  // namespace onnxport::torchscript
