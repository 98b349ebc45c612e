#include "runtime/sources/torchscript/compare/traced_axes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "runtime/base/error.h"
#include "runtime/ir/dtype.h"

namespace onnxport::torchscript {
namespace {

[[noreturn]] void Usage(const std::string& what) { throw Error(Code::kTracesDoNotFit, what); }

// A tensor, number, text or None among the example inputs. "past.0.key".
struct Leaf {
  std::string name;
  const Pickled* value;
};

// Depth is bounded by kMaxPickleDepth.
void AddLeaves(const std::string& name, const PickledPtr& value, std::vector<Leaf>* leaves) {
  if (!value) return;
  const auto add_all = [&](const PickledList& items) {
    for (size_t i = 0; i < items.size(); ++i) AddLeaves(fmt::format("{}.{}", name, i), items[i], leaves);
  };
  if (const auto* list = std::get_if<Pickled::List>(&value->v)) return add_all(list->items);
  if (const auto* tuple = std::get_if<Pickled::Tuple>(&value->v)) return add_all(tuple->items);
  if (const auto* dict = std::get_if<Pickled::Dict>(&value->v)) {
    for (const auto& [key, item] : dict->items) {
      const auto* text = key ? std::get_if<std::string>(&key->v) : nullptr;
      if (text) AddLeaves(name + "." + *text, item, leaves);
    }
    return;
  }
  leaves->push_back({name, value.get()});
}

// Nothing if the trace has recorded no inputs.
std::vector<Leaf> LeavesOf(const Program& program, const std::string& method) {
  std::vector<Leaf> leaves;
  const Class* type = ModuleClass(program);
  const Function* code = type == nullptr ? nullptr : type->FindMethod(method);
  const auto recorded = program.traced_inputs.find(method);
  if (!code || recorded == program.traced_inputs.end()) return leaves;
  for (size_t i = 0; i < recorded->second.size() && i + 1 < code->params.size(); ++i)
    AddLeaves(code->params[i + 1].name, recorded->second[i], &leaves);
  return leaves;
}

const Pickled::Tensor* TensorOf(const Leaf& leaf) {
  const auto* tensor = std::get_if<Pickled::Tensor>(&leaf.value->v);
  return tensor && tensor->data ? tensor : nullptr;
}

// A value for which the model is specialized; nothing if it cannot be one.
std::optional<onnxport::Value> FixedOf(const Leaf& leaf) {
  const auto& v = leaf.value->v;
  if (std::holds_alternative<std::monostate>(v)) return std::monostate();
  if (const auto* held = std::get_if<bool>(&v)) return *held;
  if (const auto* held = std::get_if<int64_t>(&v)) return *held;
  if (const auto* held = std::get_if<double>(&v)) return *held;
  if (const auto* held = std::get_if<std::string>(&v)) return *held;
  return std::nullopt;
}

class Finder {
 public:
  Finder(std::vector<TracedProgram>* traces, const std::string& method) : traces_(*traces), method_(method) {
    for (const TracedProgram& trace : traces_) leaves_.push_back(LeavesOf(*trace.program, method));
  }

  TracedAxes Find(std::vector<Input> said) {
    axes_.inputs = std::move(said);
    // First, because the code below looks up one trace's inputs by the names of another's.
    CheckAlike();
    // Names from the user come first; other axes may get the same name.
    for (Input& spec : axes_.inputs) Describe(&spec);
    for (size_t i = 0; i < leaves_[0].size(); ++i) {
      if (!Find(leaves_[0][i].name) && DiffersIn(leaves_[0][i].name)) DescribeNew(i);
    }
    CheckNames();
    return std::move(axes_);
  }

 private:
  std::string FileOf(size_t trace) const { return traces_[trace].program->archive->name(); }
  bool HasInputs(size_t trace) const { return !leaves_[trace].empty(); }

  const Input* Find(const std::string& name) const {
    const auto found = std::ranges::find(axes_.inputs, name, &Input::name);
    return found == axes_.inputs.end() ? nullptr : &*found;
  }

  // Checks the inputs of traces that have recorded them.
  void CheckAlike() const {
    size_t first = 0;
    while (first < traces_.size() && !HasInputs(first)) ++first;
    for (size_t trace = first + 1; trace < traces_.size(); ++trace) {
      if (!HasInputs(trace)) continue;
      const auto same = [](const Leaf& a, const Leaf& b) {
        const auto* x = TensorOf(a);
        const auto* y = TensorOf(b);
        if (a.name != b.name || !x != !y) return false;
        return !x || (x->data->dtype == y->data->dtype && x->data->shape.size() == y->data->shape.size());
      };
      const auto [x, y] = std::ranges::mismatch(leaves_[first], leaves_[trace], same);
      if (x == leaves_[first].end() && y == leaves_[trace].end()) continue;
      const std::string& name = x == leaves_[first].end() ? y->name : x->name;
      Usage(fmt::format("{} and {} are not traces of one model: the recorded input `{}` has another type",
                        FileOf(first), FileOf(trace), name));
    }
  }

  // The sizes of the axis in the traces that have recorded it; empty if none has.
  fit::Observed Recorded(const std::string& name, size_t axis) const {
    fit::Observed sizes;
    for (const std::vector<Leaf>& leaves : leaves_) {
      const auto leaf = std::ranges::find(leaves, name, &Leaf::name);
      const auto* tensor = leaf == leaves.end() ? nullptr : TensorOf(*leaf);
      if (tensor && axis < tensor->data->shape.size()) sizes.push_back(tensor->data->shape[axis]);
    }
    return sizes;
  }

  const Pickled::Tensor* FirstTensor(const std::string& name) const {
    for (const std::vector<Leaf>& leaves : leaves_) {
      const auto leaf = std::ranges::find(leaves, name, &Leaf::name);
      if (leaf != leaves.end()) return TensorOf(*leaf);
    }
    return nullptr;
  }

  // Returns true for some tensor of the parameter: a container is described with all of its tensors, or not at all.
  bool DiffersIn(const std::string& name) const {
    const std::string parameter = name.substr(0, name.find('.'));
    return std::ranges::any_of(leaves_[0], [&](const Leaf& leaf) {
      const auto* tensor = TensorOf(leaf);
      if (!tensor || leaf.name.substr(0, leaf.name.find('.')) != parameter) return false;
      for (size_t axis = 0; axis < tensor->data->shape.size(); ++axis) {
        if (Differ(Recorded(leaf.name, axis))) return true;
      }
      return false;
    });
  }

  static bool Differ(const fit::Observed& sizes) {
    return std::ranges::any_of(sizes, [&](int64_t size) { return size != sizes[0]; });
  }

  void DescribeNew(size_t i) {
    const Leaf& leaf = leaves_[0][i];
    Input spec{.name = leaf.name, .fixed = FixedOf(leaf)};
    if (!spec.fixed && !TensorOf(leaf)) Usage(fmt::format("the recorded input `{}` cannot be described", leaf.name));
    axes_.inputs.push_back(std::move(spec));
    Describe(&axes_.inputs.back());
  }

  // Describes the input with its recorded sizes.
  void Describe(Input* spec) {
    const auto* tensor = spec->list || spec->fixed ? nullptr : FirstTensor(spec->name);
    if (!tensor) return;
    if (spec->dtype == kUndefined) spec->dtype = tensor->data->dtype;
    const std::vector<int64_t>& shape = tensor->data->shape;
    // A size from the user must be true in all traces. A size that was only recorded may become a name.
    const bool named = spec->dims.has_value();
    if (!named) spec->dims.emplace(shape.begin(), shape.end());
    if (spec->dims->size() != shape.size()) {
      Usage(fmt::format("input '{}' is said to have {} axes, in {} it has {}", spec->name, spec->dims->size(),
                        FileOf(0), shape.size()));
    }
    for (size_t axis = 0; axis < shape.size(); ++axis) DescribeAxis(*spec, axis, named, &(*spec->dims)[axis]);
  }

  void DescribeAxis(const Input& spec, size_t axis, bool named, Dim* dim) {
    const fit::Observed sizes = Recorded(spec.name, axis);
    if (dim->is_unknown()) *dim = NameFor(spec.name, axis, sizes);
    if (dim->is_symbolic() && inputs::IsAxisSum(dim->symbol())) {
      Usage(fmt::format("axis {} of input '{}' is said to be {}: with several traces write ?, they show what it is",
                        axis, spec.name, dim->symbol()));
    }
    if (dim->is_number() && !Differ(sizes) && sizes[0] == dim->number()) return;
    if (dim->is_number() && named) {
      Usage(fmt::format("axis {} of input '{}' is said to be {}, in the traces it is {}; give it a name", axis,
                        spec.name, dim->number(), fmt::join(sizes, ", ")));
    }
    if (dim->is_number()) *dim = NameFor(spec.name, axis, sizes);
    for (size_t trace = 0, next = 0; trace < traces_.size(); ++trace) {
      if (HasInputs(trace)) NoteSize(trace, dim->symbol(), sizes.at(next++));
    }
  }

  void NoteSize(size_t trace, const std::string& name, int64_t size) {
    const auto [known, added] = traces_[trace].sizes.emplace(name, size);
    if (added || known->second == size) return;
    Usage(fmt::format("in {} the axis `{}` is {} in one place and {} in another", FileOf(trace), name, known->second,
                      size));
  }

  Dim NameFor(const std::string& input, size_t axis, const fit::Observed& sizes) {
    std::string name = inputs::AxisName(input, axis);
    const char* why = "";
    for (const auto& [known, size] : traces_[0].sizes) {
      // If two axes had the same size in every trace, they get the same name, as for the batches of two inputs. With a
      // third trace the user can show that they are independent.
      if (SizesOf(known) != sizes) continue;
      name = known;
      why = ", like another axis that had the same sizes";
      break;
    }
    axes_.remarks.push_back(fmt::format("axis {} of input '{}' ({} in the traces) is free and called `{}`{}", axis,
                                        input, fmt::join(sizes, ", "), name, why));
    return Sym(std::move(name));
  }

  fit::Observed SizesOf(const std::string& name) const {
    fit::Observed sizes;
    for (const TracedProgram& trace : traces_) {
      if (const auto found = trace.sizes.find(name); found != trace.sizes.end()) sizes.push_back(found->second);
    }
    return sizes;
  }

  void CheckNames() const {
    std::set<std::string> names;
    for (const Input& spec : axes_.inputs) {
      for (const Dim& dim : spec.list || !spec.dims ? std::vector<Dim>() : *spec.dims) {
        if (dim.is_symbolic()) names.insert(dim.symbol());
      }
    }
    for (size_t trace = 0; trace < traces_.size(); ++trace) {
      for (const auto& [name, size] : traces_[trace].sizes) {
        if (!names.contains(name)) FailNoSuchAxis(name);
      }
      for (const std::string& name : names) {
        if (traces_[trace].sizes.contains(name)) continue;
        Usage(
            fmt::format("{} has no recorded inputs, so the size of `{}` in it is not known; say which sizes it was "
                        "traced with (<<traced_sizes>>): {}=8",
                        FileOf(trace), name, name));
      }
    }
    if (names.empty()) {
      Usage(
          fmt::format("{} and {} were traced with the same sizes, or have no recorded inputs: name the axes that "
                      "differ (<<inputs>>) and say their sizes in each trace (<<traced_sizes>>)",
                      FileOf(0), FileOf(1)));
    }
    for (const std::string& name : names) {
      if (!Differ(SizesOf(name))) {
        Usage(
            fmt::format("the axis `{}` is {} in every trace: nothing tells what depends on it; trace it with another "
                        "size, too, or give it this number",
                        name, SizesOf(name)[0]));
      }
    }
  }

  std::vector<TracedProgram>& traces_;
  const std::string& method_;
  std::vector<std::vector<Leaf>> leaves_;
  TracedAxes axes_;
};

}  // namespace

TracedAxes FindTracedAxes(std::vector<TracedProgram>* traces, const std::string& method, std::vector<Input> said) {
  return Finder(traces, method).Find(std::move(said));
}

}  // namespace onnxport::torchscript
