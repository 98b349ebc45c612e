#include "codegen/traits/resolve.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "codegen/traits/call_resolver.h"
#include "codegen/traits/words.h"
#include "runtime/aten/aten_schema.h"

namespace onnxport::codegen {
namespace {

using ir::AtenKind;
using op_traits::Alias;
using Kind = TraitTerm::Kind;

bool IsTensor(const ir::AtenArgument& argument) { return argument.type.kind == AtenKind::kTensor; }

// Reads the traits of one overload.
class Resolver {
 public:
  Resolver(const ir::AtenSchema& schema, Diagnostics* diagnostics) : schema_(schema), diagnostics_(diagnostics) {}

  ResolvedTraits Resolve(const std::vector<Trait>& traits) {
    resolved_.op = schema_.name.text();
    // All are read before their meaning is checked, since they depend on each other whatever their order: `copies`
    // needs an `alias`, `writes: when(...)` a `functional`.
    for (const Trait& trait : traits) Read(trait);
    for (const Trait& trait : traits) CheckMeaning(trait);
    return std::move(resolved_);
  }

 private:
  void Error(const Place& place, std::string message) { diagnostics_->Error(place, std::move(message)); }

  void Read(const Trait& trait) {
    op_traits::OpTraits& row = resolved_.traits;
    if (trait.key == "alias") {
      ReadAlias(trait);
    } else if (trait.key == "copies") {
      row.copies = ReadWord(trait, kCopiesWords);
    } else if (trait.key == "layout") {
      row.layout = ReadWord(trait, kLayoutWords);
    } else if (trait.key == "quantized") {
      ReadQuantized(trait);
    } else if (trait.key == "writes") {
      ReadWrites(trait);
    } else {
      auto& call = trait.key == "write_back" ? resolved_.write_back
                   : trait.key == "read_one" ? resolved_.read_one
                                             : resolved_.functional;
      call = CallResolver(schema_, trait.key == "write_back", diagnostics_).Resolve(trait.value);
    }
  }

  // Returns the enumerator for a trait's word and checks the number of operands. Reports an unknown word and returns
  // the first enumerator.
  template <typename E, size_t n>
  E ReadWord(const Trait& trait, const std::array<TraitWord<E>, n>& table) {
    const TraitTerm& value = trait.value;
    const bool is_word = value.kind == Kind::kWord || value.kind == Kind::kCall;
    const TraitWord<E>* row = is_word ? FindWord(table, value.text) : nullptr;
    if (!row) {
      const std::vector<std::string_view> words = WordsOf(table);
      Error(value.place, fmt::format("`{}` is one of {}{}", trait.key, fmt::join(words, ", "),
                                     is_word ? DidYouMean(value.text, words) : ""));
      return E{};
    }
    const size_t count = value.operands.size() + value.named.size();
    const std::string wrong = WrongCount(*row, value.kind == Kind::kCall && row->most == 0 ? count + 1 : count);
    if (!wrong.empty() || !value.named.empty())
      Error(value.place, wrong.empty() ? fmt::format("`{}` takes no `name=`", value.text) : wrong);
    return row->value;
  }

  void ReadAlias(const Trait& trait) {
    resolved_.traits.alias = ReadWord(trait, kAliasWords);
    const std::vector<TraitTerm>& given = trait.value.operands;
    for (size_t i = 0; i < std::min(given.size(), resolved_.traits.axes.size()); ++i) {
      const int position = given[i].kind == Kind::kWord ? schema_.FindArgument(given[i].text) : -1;
      if (position < 0)
        Error(given[i].place, fmt::format("{} has no argument `{}`", schema_.name, given[i].text));
      else if (IsTensor(schema_.arguments[static_cast<size_t>(position)]))
        Error(given[i].place, fmt::format("`{}` is a tensor, no position", given[i].text));
      resolved_.traits.axes[i] = static_cast<int8_t>(position);
    }
  }

  // `nothing`, `when(training)`
  void ReadWrites(const Trait& trait) {
    const TraitTerm& value = trait.value;
    if (value.text == "nothing") {
      resolved_.traits.writes_nothing = true;
      if (value.kind == Kind::kCall) Error(value.place, "`nothing` takes nothing in brackets");
      return;
    }
    if (value.kind != Kind::kCall || value.text != "when")
      return Error(value.place, "`writes` is `nothing` or `when(argument)`");
    const int position =
        value.operands.size() == 1 && value.named.empty() ? schema_.FindArgument(value.operands[0].text) : -1;
    if (position < 0 || schema_.arguments[static_cast<size_t>(position)].type.kind != AtenKind::kBool)
      return Error(value.place, "`when` takes a bool argument of the operator");
    resolved_.traits.writes_when = static_cast<int8_t>(position);
  }

  // `grid(0.00390625, 0, -128)`
  void ReadQuantized(const Trait& trait) {
    resolved_.traits.quantized = ReadWord(trait, kQuantizedWords);
    const std::vector<TraitTerm>& given = trait.value.operands;
    if (resolved_.traits.quantized != op_traits::Quantized::kGrid || given.size() != 3) return;
    if (given[0].kind != Kind::kFloat || given[1].kind != Kind::kInt || given[2].kind != Kind::kInt)
      return Error(trait.value.place, "`grid` takes a float and two ints");
    resolved_.traits.grid = {given[0].float_value, given[1].int_value, given[2].int_value};
  }

  void CheckMeaning(const Trait& trait) {
    const bool makes_tensors = std::ranges::any_of(schema_.results, IsTensor);
    // An operator gives a view when it says so itself or its schema does: `aten::slice.Tensor(Tensor(a) self, ...) ->
    // Tensor(a)`.
    const bool view = resolved_.traits.alias != Alias::kUnknown || (schema_.returns_alias() && !schema_.mutates());
    // native_batch_norm writes to running_mean in training mode, and its schema has no mark for it.
    const bool unmarked = resolved_.traits.writes_when >= 0;
    if (trait.key == "writes" || trait.key == "functional") {
      if (!schema_.mutates() && !unmarked)
        Error(trait.value.place, fmt::format("{} writes nothing by its schema", schema_.name));
      if (unmarked && (schema_.mutates() || !resolved_.functional))
        Error(trait.value.place, "`writes: when(...)` is of an operator without marks, with its `functional` call");
    } else if (!makes_tensors || schema_.mutates()) {
      Error(trait.value.place, fmt::format("{} {}, so `{}` says nothing of it", schema_.name,
                                           makes_tensors ? "writes in place" : "gives no tensor", trait.key));
    } else if (!view && (trait.key == "copies" || trait.key == "write_back" || trait.key == "read_one")) {
      Error(trait.value.place,
            fmt::format("{} gives no view: its schema has no alias mark, and no `alias` is stated", schema_.name));
    }
  }

  const ir::AtenSchema& schema_;
  Diagnostics* diagnostics_;
  ResolvedTraits resolved_;
};

// The traits that a file states for one overload.
struct Stated {
  std::string op;
  Place place;
  std::vector<Trait> traits;
  bool overrides = false;
};

// Several operators may share an entry and differ in a trait: an item of its own then states it.
void AddTraits(const std::string& op, const Place& place, const std::vector<Trait>& traits, std::vector<Stated>* stated,
               Diagnostics* diagnostics) {
  if (ir::FindAtenSchema(op) == nullptr)
    return diagnostics->Error(place, fmt::format("PyTorch has no operator `{}`", op));
  const auto known = std::ranges::find(*stated, op, &Stated::op);
  if (known == stated->end()) return stated->push_back({op, place, traits, false});
  for (const Trait& trait : traits) {
    if (std::ranges::find(known->traits, trait.key, &Trait::key) != known->traits.end())
      diagnostics->Error(trait.value.place, fmt::format("`{}` of `{}` is stated twice", trait.key, op));
    known->traits.push_back(trait);
  }
}

}  // namespace

std::vector<ResolvedTraits> ResolveTraits(const SpecFile& spec, Diagnostics* diagnostics) {
  // Entries first, then items with traits only: these add to what an entry states, whichever comes first in the file.
  std::vector<Stated> stated;
  for (const OpEntry& entry : spec.ops) {
    for (size_t i = 0; i < entry.names.size(); ++i)
      stated.push_back({entry.names[i], entry.name_places[i], entry.traits, entry.overrides});
  }
  for (const TraitEntry& entry : spec.traits) {
    for (size_t i = 0; i < entry.names.size(); ++i)
      AddTraits(entry.names[i], entry.name_places[i], entry.traits, &stated, diagnostics);
  }
  std::vector<ResolvedTraits> all;
  for (const Stated& one : stated) {
    const ir::AtenSchema* schema = ir::FindAtenSchema(one.op);
    if (schema == nullptr || one.traits.empty()) continue;
    ResolvedTraits resolved = Resolver(*schema, diagnostics).Resolve(one.traits);
    resolved.overrides = one.overrides;
    resolved.place = one.place;
    all.push_back(std::move(resolved));
  }
  return all;
}

void CheckTraitClaims(std::vector<ResolvedTraits> traits, Diagnostics* diagnostics, std::vector<ResolvedTraits> base) {
  // An overridden statement no longer counts, so it is no second statement.
  std::erase_if(base, [&](const ResolvedTraits& one) {
    return std::ranges::any_of(traits, [&](const auto& own) { return own.overrides && own.op == one.op; });
  });
  traits.insert(traits.begin(), base.begin(), base.end());
  std::map<std::string_view, const ResolvedTraits*> claimed;
  std::map<std::string, const ResolvedTraits*> quantized;  // by base name
  for (const ResolvedTraits& one : traits) {
    const auto [first, is_new] = claimed.emplace(one.op, &one);
    if (!is_new)
      diagnostics->Error(one.place, fmt::format("traits of `{}` are stated in two files; first at {}", one.op,
                                                LineText(first->second->place)));
    if (one.traits.quantized == op_traits::Quantized::kUnsupported) continue;
    const auto [base, is_new_base] = quantized.emplace(one.op.substr(0, one.op.find('.')), &one);
    if (base->second->traits.quantized != one.traits.quantized)
      diagnostics->Error(one.place, fmt::format("`quantized` differs from that of `{}` at {}", base->second->op,
                                                LineText(base->second->place)));
  }
}

}  // namespace onnxport::codegen
