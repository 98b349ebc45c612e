#include "tools/mutate/sites.h"

#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "codegen/model/walk.h"

namespace onnxport::mutate {

size_t OffsetOf(const codegen::Place& place) {
  const std::string& text = place.file->text;
  size_t offset = 0;
  for (int line = 1; line < place.line && offset != std::string::npos; ++line) {
    offset = text.find('\n', offset);
    if (offset != std::string::npos) ++offset;
  }
  return offset == std::string::npos ? text.size() : offset + static_cast<size_t>(place.column) - 1;
}

namespace {

using codegen::Expr;
using codegen::ExprKind;
using codegen::ExprPtr;
using codegen::Operator;
using codegen::Place;

// The operators for which each could be mistaken.
std::vector<Operator> Neighbours(Operator op) {
  switch (op) {
    case Operator::kAdd:
      return {Operator::kSubtract};
    case Operator::kSubtract:
      return {Operator::kAdd};
    case Operator::kMultiply:
      return {Operator::kAdd, Operator::kDivide};
    case Operator::kDivide:
      return {Operator::kMultiply};
    case Operator::kFloorDivide:
      return {Operator::kMultiply, Operator::kModulo};
    case Operator::kModulo:
      return {Operator::kFloorDivide};
    case Operator::kEqual:
      return {Operator::kNotEqual};
    case Operator::kNotEqual:
      return {Operator::kEqual};
    case Operator::kLess:
      return {Operator::kLessEqual, Operator::kGreaterEqual};
    case Operator::kLessEqual:
      return {Operator::kLess, Operator::kGreater};
    case Operator::kGreater:
      return {Operator::kGreaterEqual, Operator::kLessEqual};
    case Operator::kGreaterEqual:
      return {Operator::kGreater, Operator::kLess};
    case Operator::kIn:
      return {Operator::kNotIn};
    case Operator::kNotIn:
      return {Operator::kIn};
    case Operator::kAnd:
      return {Operator::kOr};
    case Operator::kOr:
      return {Operator::kAnd};
    default:
      return {};
  }
}

bool StandsAt(const Place& place, std::string_view word) {
  return place.file != nullptr && place.file->text.compare(OffsetOf(place), word.size(), word) == 0;
}

// "12", "0.5", "1e-5": the number that the text has at the place.
std::string NumberAt(const Place& place) {
  if (place.file == nullptr) return "";
  const std::string& text = place.file->text;
  const size_t begin = OffsetOf(place);
  size_t end = begin;
  const auto is_part = [&](char c) {
    const bool exponent_sign = (c == '-' || c == '+') && end > begin && (text[end - 1] == 'e' || text[end - 1] == 'E');
    return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || exponent_sign ||
           (end > begin && (c == 'e' || c == 'E'));
  };
  while (end < text.size() && is_part(text[end])) ++end;
  return text.substr(begin, end - begin);
}

std::vector<std::string> OtherInts(int64_t value) {
  std::vector<std::string> others{std::to_string(value + 1)};
  if (value > 0) others.push_back(std::to_string(value - 1));
  return others;
}

// A coefficient with another digit: its fifth that counts, which tests of float64 see, or the last of fewer. Nothing
// for numbers of one or two digits.
std::optional<std::string> WithOtherDigit(std::string number) {
  size_t last = std::string::npos;
  int count = 0;
  for (size_t i = 0; i < number.size() && number[i] != 'e' && number[i] != 'E' && count < 5; ++i) {
    const bool counts = number[i] >= (count > 0 ? '0' : '1') && number[i] <= '9';
    if (counts) last = i, ++count;
  }
  if (count < 3) return std::nullopt;
  number[last] = number[last] == '9' ? '8' : static_cast<char>(number[last] + 1);
  return number;
}

std::vector<std::string> OtherFloats(double value, const std::string& was) {
  if (value == 0) return {"1.0"};
  std::vector<std::string> others{"(2.0 * " + was + ")"};
  if (const auto other = WithOtherDigit(was)) others.push_back(*other);
  return others;
}

// How a node is called: another operator that is called so may stand in its place.
using Shape = std::pair<size_t, std::set<std::string>>;

Shape ShapeOf(const Expr& node) {
  Shape shape{node.operands.size(), {}};
  for (const auto& [name, value] : node.named) shape.second.insert(name);
  return shape;
}

class Walker {
 public:
  virtual ~Walker() = default;

  void Spec(const codegen::SpecFile& spec) {
    for (const codegen::Def& def : spec.defs) Def(def);
    for (const codegen::OpEntry& entry : spec.ops) Entry(entry);
  }

  void Entry(const codegen::OpEntry& entry) {
    for (const auto& constants : entry.constants) {
      for (const auto& [name, value] : constants) Walk(value);
    }
    // Constants, which are no expressions for anybody else.
    for (const auto& [name, refine] : entry.args) {
      if (refine.kind == codegen::RefineKind::kMust) Walk(refine.value);
      for (const auto& [key, value] : refine.table) Walk(value);
    }
    ForEachWhole(entry, [&](const ExprPtr& expr) { Walk(expr); });
  }

  void Def(const codegen::Def& def) {
    ForEachWhole(def, [&](const ExprPtr& expr) { Walk(expr); });
  }

 private:
  void Walk(const ExprPtr& expr) {
    if (expr == nullptr) return;
    Visit(*expr);
    for (const ExprPtr& operand : expr->operands) Walk(operand);
    for (const auto& [name, value] : expr->named) Walk(value);
  }

  virtual void Visit(const Expr& expr) = 0;
};

class NodeNames : public Walker {
 public:
  std::map<Shape, std::set<std::string>> names;

 private:
  void Visit(const Expr& expr) override {
    if (expr.kind == ExprKind::kNode) names[ShapeOf(expr)].insert(expr.text);
  }
};

class Calls : public Walker {
 public:
  std::set<std::string> names;

 private:
  void Visit(const Expr& expr) override {
    if (expr.kind != ExprKind::kCall) return;
    names.insert(expr.text);
    // It may be a definition that is given to another one.
    for (const ExprPtr& operand : expr.operands) {
      if (operand->kind == ExprKind::kName) names.insert(operand->text);
    }
  }
};

// The definitions of the file that an entry calls, directly or not.
std::set<std::string> DefsOf(const codegen::OpEntry& entry, const codegen::SpecFile& spec) {
  Calls calls;
  calls.Entry(entry);
  for (size_t before = 0; before != calls.names.size();) {
    before = calls.names.size();
    for (const codegen::Def& def : spec.defs) {
      if (calls.names.contains(def.name)) calls.Def(def);
    }
  }
  return calls.names;
}

class SiteCollector : public Walker {
 public:
  SiteCollector(const NodeNames& nodes, std::string path) : nodes_(nodes), path_(std::move(path)) {}
  std::vector<std::string> overloads;  // of what is walked over
  std::map<std::string, std::vector<std::string>> elsewhere;
  std::vector<Site> sites;

 private:
  void Visit(const Expr& expr) override {
    switch (expr.kind) {
      case ExprKind::kInt:
        if (const std::string was = NumberAt(expr.place); was == std::to_string(expr.int_value)) {
          Add(expr, was, OtherInts(expr.int_value));
        }
        return;
      case ExprKind::kFloat:
        if (const std::string was = NumberAt(expr.place); !was.empty()) {
          Add(expr, was, OtherFloats(expr.float_value, was));
        }
        return;
      case ExprKind::kArithmetic:
      case ExprKind::kComparison:
      case ExprKind::kLogic:
        return AddOperator(expr);
      case ExprKind::kNode:
        return AddNode(expr);
      default:
        return;
    }
  }

  void AddOperator(const Expr& expr) {
    std::vector<std::string> others;
    for (const Operator other : Neighbours(expr.op)) others.emplace_back(codegen::InfoOf(other).text);
    Add(expr, std::string(codegen::InfoOf(expr.op).text), others);
  }

  void AddNode(const Expr& expr) {
    std::vector<std::string> others;
    for (const std::string& name : nodes_.names.at(ShapeOf(expr))) {
      if (name != expr.text) others.push_back(name);
    }
    Add(expr, expr.text, others);
  }

  // Leaves alone expressions that stand in another file (a definition of a library) or are not written as themselves.
  void Add(const Expr& expr, const std::string& was, const std::vector<std::string>& others) {
    if (others.empty() || !StandsAt(expr.place, was) || expr.place.file->path != path_) return;
    if (!seen_.insert({expr.place.line, expr.place.column}).second) return;
    sites.push_back({expr.place, was, others, overloads, elsewhere});
  }

  const NodeNames& nodes_;
  const std::string path_;
  std::set<std::pair<int, int>> seen_;
};

// The operators that call each definition which the file has, those of libraries among them.
std::map<std::string, std::vector<std::string>> CallersIn(const codegen::SpecFile& spec) {
  std::map<std::string, std::vector<std::string>> callers;
  for (const codegen::OpEntry& entry : spec.ops) {
    for (const std::string& def : DefsOf(entry, spec)) {
      callers[def].insert(callers[def].end(), entry.names.begin(), entry.names.end());
    }
  }
  return callers;
}

}  // namespace

std::vector<Site> SitesOf(const codegen::SpecFile& spec) {
  NodeNames nodes;
  nodes.Spec(spec);
  SiteCollector collector(nodes, spec.path);
  for (const codegen::OpEntry& entry : spec.ops) {
    collector.overloads = entry.names;
    collector.Entry(entry);
  }
  std::map<std::string, std::vector<std::string>> callers = CallersIn(spec);
  for (const codegen::Def& def : spec.defs) {
    collector.overloads = callers[def.name];
    collector.Def(def);
  }
  return std::move(collector.sites);
}

std::vector<Site> SitesOfLibrary(const codegen::SpecFile& library, const std::vector<codegen::SpecFile>& families) {
  std::map<std::string, std::map<std::string, std::vector<std::string>>> elsewhere;  // of each definition
  for (const codegen::SpecFile& family : families) {
    for (const auto& [def, overloads] : CallersIn(family)) elsewhere[def][family.path] = overloads;
  }
  NodeNames nodes;
  nodes.Spec(library);
  SiteCollector collector(nodes, library.path);
  for (const codegen::Def& def : library.defs) {
    collector.elsewhere = elsewhere[def.name];
    collector.Def(def);
  }
  return std::move(collector.sites);
}

}  // namespace onnxport::mutate
