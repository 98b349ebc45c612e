// Tables that generated code adds to a program: those of onnxport, and those of users' operators.
#ifndef ONNXPORT_RUNTIME_BASE_LINKED_TABLES_H_
#define ONNXPORT_RUNTIME_BASE_LINKED_TABLES_H_

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace onnxport {

// Whose tables they are: what `owner` of onnxport's own says. A set of a user's has the name of its target.
inline constexpr std::string_view kBuiltIn = "";

// All tables of one kind; a Table has an `owner`. The tables of users come first, sorted by the names of their sets. So
// the order does not depend on how a program was linked, and lookups find an entry before the one that it overrides.
// Tables are added before `main` runs, by the generator while it reads its arguments; afterwards they stay.
template <typename Table>
class LinkedTables {
 public:
  static bool Add(Table table) {
    std::vector<Table>& tables = Mutable();
    tables.insert(std::ranges::upper_bound(tables, Position(table), {}, Position), std::move(table));
    return true;
  }
  static std::span<const Table> All() { return Mutable(); }

 private:
  static std::pair<bool, std::string_view> Position(const Table& table) {
    return {table.owner == kBuiltIn, table.owner};
  }
  static std::vector<Table>& Mutable() {
    static auto& tables = *new std::vector<Table>();  // outlives every other static object
    return tables;
  }
};

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_LINKED_TABLES_H_
