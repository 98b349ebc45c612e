// Lookups in the compiled-in texts of all schemas.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/aten/aten_schema.h"
#include "runtime/aten/aten_schema_table.h"

namespace onnxport::ir {
namespace {

// Of a schema, or of a line of overloads.
std::string_view NameOf(std::string_view line) { return line.substr(0, line.find_first_of("( ")); }

// Start of the line that holds a byte.
size_t LineStart(std::string_view text, size_t position) {
  const size_t before = position == 0 ? std::string_view::npos : text.rfind('\n', position - 1);
  return before == std::string_view::npos ? 0 : before + 1;
}

std::string_view LineAt(std::string_view text, size_t start) {
  return text.substr(start, text.find('\n', start) - start);
}

// Start of the first line whose name is not less than `name`. `(` sorts before every character of a name, so that
// sorted lines are sorted names.
size_t LowerBound(std::string_view text, std::string_view name) {
  size_t low = 0, high = text.size();
  while (low < high) {
    const size_t middle = LineStart(text, low + (high - low) / 2);
    const std::string_view line = LineAt(text, middle);
    if (NameOf(line) < name) {
      low = middle + line.size() + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// The line of the schema; nothing where there is none.
std::optional<std::string_view> FindLine(std::string_view name) {
  for (const AtenSchemaTable& table : AtenSchemaTables::All()) {
    const size_t start = LowerBound(table.text, name);
    if (start >= table.text.size()) continue;
    const std::string_view line = LineAt(table.text, start);
    if (NameOf(line) == name) return line;
  }
  return std::nullopt;
}

// Those of one table, sorted.
std::vector<std::string_view> OverloadsIn(const AtenSchemaTable& table, std::string_view base_name) {
  const std::string_view text = table.text;
  std::vector<std::string_view> names;
  for (size_t start = LowerBound(text, base_name); start < text.size();) {
    const std::string_view line = LineAt(text, start);
    const std::string_view name = NameOf(line);
    if (!name.starts_with(base_name) || (name.size() > base_name.size() && name[base_name.size()] != '.')) break;
    names.push_back(name);
    start += line.size() + 1;
  }
  return names;
}

// The same in the table's order.
std::vector<std::string_view> OrderedIn(const AtenSchemaTable& table, std::string_view base_name) {
  const std::vector<std::string_view> sorted = OverloadsIn(table, base_name);
  const std::string_view text = table.order;
  const size_t start = LowerBound(text, base_name);
  if (start >= text.size() || NameOf(LineAt(text, start)) != base_name) return sorted;
  std::string_view order = LineAt(text, start).substr(base_name.size());
  std::vector<std::string_view> names;
  while (!order.empty()) {
    order.remove_prefix(1);
    const std::string_view overload = order.substr(0, order.find(' '));
    order.remove_prefix(overload.size());
    for (const std::string_view name : sorted) {
      const std::string_view own = name.size() == base_name.size() ? "default" : name.substr(base_name.size() + 1);
      if (own == overload) names.push_back(name);
    }
  }
  return names;
}

// Schemas that were asked for. Every call of a program asks, in any thread: nobody waits for another. Schemas are only
// added, and there are no more than the tables have.
class Parsed {
 public:
  const AtenSchema* Find(std::string_view name) {
    std::atomic<const Entry*>& bucket = buckets_[std::hash<std::string_view>()(name) % kBuckets];
    const Entry* first = bucket.load(std::memory_order_acquire);
    if (const AtenSchema* known = FindIn(first, nullptr, name)) return known;
    const auto line = FindLine(name);
    if (!line) return nullptr;
    std::string error;
    std::optional<AtenSchema> parsed = ParseAtenSchema(*line, &error);
    if (!parsed) return nullptr;  // not in a tested table
    // The name is text of the table, which lives for ever; that of the caller may not.
    auto made = std::make_unique<Entry>(NameOf(*line), std::move(*parsed), first);
    while (!bucket.compare_exchange_weak(first, made.get(), std::memory_order_release, std::memory_order_acquire)) {
      // Another thread was faster, perhaps with the same schema.
      if (const AtenSchema* known = FindIn(first, made->next, name)) return known;
      made->next = first;
    }
    return &made.release()->schema;
  }

 private:
  static constexpr size_t kBuckets = 4096;

  struct Entry {
    Entry(std::string_view name, AtenSchema schema, const Entry* next)
        : name(name), schema(std::move(schema)), next(next) {}

    std::string_view name;
    AtenSchema schema;
    const Entry* next;
  };

  static const AtenSchema* FindIn(const Entry* first, const Entry* end, std::string_view name) {
    for (; first != end; first = first->next) {
      if (first->name == name) return &first->schema;
    }
    return nullptr;
  }

  std::array<std::atomic<const Entry*>, kBuckets> buckets_ = {};
};

}  // namespace

std::string_view AtenSchemasOrigin() { return AtenSchemaTables::All().back().origin; }

const AtenSchema* FindAtenSchema(std::string_view name) {
  static Parsed& parsed = *new Parsed();  // outlives every other static object
  return parsed.Find(name);
}

std::vector<std::string_view> OverloadsOf(std::string_view base_name) {
  std::vector<std::string_view> names = OverloadsInOrder(base_name);
  std::ranges::sort(names);
  return names;
}

// PyTorch registers its own before those of a user's library.
std::vector<std::string_view> OverloadsInOrder(std::string_view base_name) {
  std::vector<std::string_view> names;
  for (const AtenSchemaTable& table : std::views::reverse(AtenSchemaTables::All())) {
    for (const std::string_view name : OrderedIn(table, base_name)) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

}  // namespace onnxport::ir
