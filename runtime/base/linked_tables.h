// Tables that generated code adds to a program: onnxport's own, and those of users' operators.
#ifndef ONNXPORT_RUNTIME_BASE_LINKED_TABLES_H_
#define ONNXPORT_RUNTIME_BASE_LINKED_TABLES_H_

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace onnxport {

// The `owner` of onnxport's own tables. The owner of a user's table is the name of the target that made the set.
inline constexpr std::string_view kBuiltIn = "";

// All tables of one kind; a Table has an `owner`. Users' tables come first, sorted by owner. So the order does not
// depend on how a program was linked, and a lookup finds an entry before the one that it overrides. Tables are added
// before `main` runs, or by the generator while it reads its arguments. None is removed.
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
