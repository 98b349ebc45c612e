// Looks up schemas in the texts that were compiled in.
#include <algorithm>
#include <atomic>
#include <cstddef>
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

// Returns the name at the start of a schema or of a line of overloads.
std::string_view NameOf(std::string_view line) { return line.substr(0, line.find_first_of("( ")); }

// Returns the start of the line that contains the byte at `position`.
size_t LineStart(std::string_view text, size_t position) {
  const size_t before = position == 0 ? std::string_view::npos : text.rfind('\n', position - 1);
  return before == std::string_view::npos ? 0 : before + 1;
}

std::string_view LineAt(std::string_view text, size_t start) {
  return text.substr(start, text.find('\n', start) - start);
}

// Returns the start of the first line whose name is not less than `name`. `(` sorts before every character of a name,
// so the names are sorted like the lines.
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

// Returns the line of the schema, if there is one.
std::optional<std::string_view> FindLine(std::string_view name) {
  for (const AtenSchemaTable& table : AtenSchemaTables::All()) {
    const size_t start = LowerBound(table.text, name);
    if (start >= table.text.size()) continue;
    const std::string_view line = LineAt(table.text, start);
    if (NameOf(line) == name) return line;
  }
  return std::nullopt;
}

// Returns the overloads in one table, sorted.
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

// Returns the same overloads in the table's order.
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

// Parses the schema from the tables.
std::unique_ptr<const AtenSchema> Parse(std::string_view name) {
  const auto line = FindLine(name);
  if (!line) return nullptr;
  std::string error;
  std::optional<AtenSchema> parsed = ParseAtenSchema(*line, &error);
  return parsed ? std::make_unique<const AtenSchema>(std::move(*parsed))
                : nullptr;  // a test parses every line of the tables
}

}  // namespace

std::string_view AtenSchemasOrigin() { return AtenSchemaTables::All().back().origin; }

// A schema stays as long as its operator, since it names the operator. A missing schema is not remembered: the
// generator may ask for it before it adds the table that has it.
const AtenSchema* FindAtenSchema(const Operator& op) {
  AtenFacts* facts = op.aten();
  if (facts == nullptr) return nullptr;
  if (const AtenSchema* known = facts->schema.load(std::memory_order_acquire)) return known;
  std::unique_ptr<const AtenSchema> made = Parse(op.text());
  const AtenSchema* known = nullptr;
  if (made == nullptr) return nullptr;
  // If another thread was faster, its schema stays, as somebody may already use the pointer.
  if (!facts->schema.compare_exchange_strong(known, made.get(), std::memory_order_acq_rel)) return known;
  return made.release();
}

std::vector<std::string_view> OverloadsOf(std::string_view base_name) {
  std::vector<std::string_view> names = OverloadsInOrder(base_name);
  std::ranges::sort(names);
  return names;
}

// PyTorch registers its own overloads before those of a user's library.
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
