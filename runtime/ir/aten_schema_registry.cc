// Lookups in the compiled-in text of all schemas.
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "runtime/ir/aten_schema.h"
#include "runtime/ir/aten_schema_table.h"

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

// Schemas that were asked for, by the line in the table.
class Parsed {
 public:
  const AtenSchema* Get(std::string_view line) {
    const std::lock_guard lock(mutex_);
    auto& schema = schemas_[line.data()];
    if (schema == nullptr) {
      std::string error;
      std::optional<AtenSchema> parsed = ParseAtenSchema(line, &error);
      if (!parsed) return nullptr;  // not in a tested table
      schema = std::make_unique<AtenSchema>(std::move(*parsed));
    }
    return schema.get();
  }

 private:
  std::mutex mutex_;
  std::map<const char*, std::unique_ptr<AtenSchema>> schemas_;
};

}  // namespace

std::string_view AtenSchemasOrigin() { return AtenSchemaOrigin(); }

const AtenSchema* FindAtenSchema(std::string_view name) {
  const std::string_view text = AtenSchemaText();
  const size_t start = LowerBound(text, name);
  if (start >= text.size()) return nullptr;
  const std::string_view line = LineAt(text, start);
  if (NameOf(line) != name) return nullptr;
  static Parsed& parsed = *new Parsed();  // outlives every other static object
  return parsed.Get(line);
}

std::vector<std::string_view> OverloadsOf(std::string_view base_name) {
  const std::string_view text = AtenSchemaText();
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

std::vector<std::string_view> OverloadsInOrder(std::string_view base_name) {
  const std::vector<std::string_view> sorted = OverloadsOf(base_name);
  const std::string_view text = OverloadOrderText();
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

}  // namespace onnxport::ir
