// Decides if a list that a loop appends to can be a scan output of the Loop. It can if the body does nothing else with
// it. A read in the loop would see the elements so far, but a scan output has none until the loop has ended.
#include "runtime/sources/torchscript/interpret/scans.h"

namespace onnxport::torchscript {
namespace {

constexpr int kScanDepth = 8;  // depth of nested lists that operators read

}  // namespace

void Scans::NoteCall(const std::string& op, const CallArguments& arguments) {
  // Outside loops no list is marked, and most calls are there.
  if (loops_ == 0) return;
  // These read the appended value, but not the list. This is the only use that a scan output allows.
  const bool appends = op == "aten::append" || op == "aten::extend" || op == "aten::add_";
  for (size_t i = appends ? 1 : 0; i < arguments.positional.size(); ++i)
    // If an element is taken out, its own use is noted later. So the list counts as read, but not its elements.
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
