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
    resolved_.op = schema_.name;
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
      row.copies = static_cast<op_traits::Copies>(PlainWord(trait, kCopiesWords));
    } else if (trait.key == "layout") {
      row.layout = static_cast<op_traits::Layout>(PlainWord(trait, kLayoutWords));
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

  // The place of the word among `words`; 0 after reporting another one.
  size_t Word(const Trait& trait, std::span<const std::string_view> words) {
    const TraitTerm& value = trait.value;
    const bool is_word = value.kind == Kind::kWord || value.kind == Kind::kCall;
    // From 1: index 0 stands for "nothing is stated" and cannot be written.
    for (size_t i = 1; i < words.size(); ++i) {
      if (is_word && value.text == words[i]) return i;
    }
    Error(trait.value.place, fmt::format("`{}` is one of {}{}", trait.key, fmt::join(words.subspan(1), ", "),
                                         is_word ? DidYouMean(value.text, words) : ""));
    return 0;
  }

  size_t PlainWord(const Trait& trait, std::span<const std::string_view> words) {
    const size_t word = Word(trait, words);
    if (word > 0 && trait.value.kind == Kind::kCall)
      Error(trait.value.place, fmt::format("`{}` takes nothing in brackets", trait.value.text));
    return word;
  }

  void ReadAlias(const Trait& trait) {
    struct Count {
      size_t least, most;
    };
    // In the order of kAliasWords: `permuted(dims)` takes one argument, `range(dim, start, end, step)` one to four,
    // `swapped` up to two.
    static constexpr Count kCounts[] = {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 2},
                                        {1, 1}, {1, 4}, {1, 2}, {0, 0}, {0, 0}, {0, 0}};
    static_assert(std::size(kCounts) == kAliasWords.size());
    const size_t word = Word(trait, kAliasWords);
    if (word == 0) return;
    resolved_.traits.alias = static_cast<Alias>(word);
    const std::vector<TraitTerm>& given = trait.value.operands;
    if (given.size() < kCounts[word].least || given.size() > kCounts[word].most || !trait.value.named.empty()) {
      return Error(trait.value.place, fmt::format("`{}` takes {} to {} arguments of the operator", trait.value.text,
                                                  kCounts[word].least, kCounts[word].most));
    }
    for (size_t i = 0; i < given.size(); ++i) {
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
    static constexpr std::string_view kWrites[] = {"", "nothing", "when"};
    const size_t word = Word(trait, kWrites);
    const TraitTerm& value = trait.value;
    resolved_.traits.writes_nothing = word == 1;
    if (word == 1 && value.kind == Kind::kCall) Error(value.place, "`nothing` takes nothing in brackets");
    if (word != 2) return;
    const int position =
        value.operands.size() == 1 && value.named.empty() ? schema_.FindArgument(value.operands[0].text) : -1;
    if (position < 0 || schema_.arguments[static_cast<size_t>(position)].type.kind != AtenKind::kBool)
      return Error(value.place, "`when` takes a bool argument of the operator");
    resolved_.traits.writes_when = static_cast<int8_t>(position);
  }

  // `grid(0.00390625, 0, -128)`
  void ReadQuantized(const Trait& trait) {
    const size_t word = Word(trait, kQuantizedWords);
    resolved_.traits.quantized = static_cast<op_traits::Quantized>(word);
    const TraitTerm& value = trait.value;
    if (resolved_.traits.quantized != op_traits::Quantized::kGrid) {
      if (value.kind == Kind::kCall)
        Error(trait.value.place, fmt::format("`{}` takes nothing in brackets", value.text));
      return;
    }
    const std::vector<TraitTerm>& given = value.operands;
    if (given.size() != 3 || !value.named.empty() || given[0].kind != Kind::kFloat || given[1].kind != Kind::kInt ||
        given[2].kind != Kind::kInt)
      return Error(value.place, "`grid` takes a scale and the zero points of quint8 and of qint8");
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

// What a file says of one overload.
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
  // What is overridden no longer counts, so that it is no second statement.
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
