#include "runtime/lowering/build/val.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/base/host_value.h"
#include "runtime/lowering/build/emitter.h"
#include "runtime/lowering/build/tensor.h"
#include "runtime/onnx/size_refusals.h"

namespace onnxport::lowering {
namespace {

[[noreturn]] void WrongKind(const Val& value, const char* wanted) {
  const std::string text = fmt::format("{} is {}", value.ToString(), wanted);
  // A tensor is a value known only at run time.
  if (value.is_tensor()) throw Refusal(Code::kArgumentIsNotKnown, fmt::format("{}; {}", text, onnx_ops::kGiveTheValue));
  throw Refusal(text);
}

// Python's index into a list of `size`; negative ones count from the end.
int64_t ListIndex(int64_t index, size_t size) {
  const auto n = static_cast<int64_t>(size);
  if (index < -n || index >= n) {
    throw Refusal(Code::kIndexIsOutside, fmt::format("index {} is outside a list of {}", index, n));
  }
  return index < 0 ? index + n : index;
}

// Python's slice bound: clamped, negative ones count from the end.
int64_t SliceBound(const Val& bound, size_t size, int64_t open) {
  const auto n = static_cast<int64_t>(size);
  if (bound.is_none()) return open;
  const int64_t i = bound.AsInt();
  return std::clamp<int64_t>(i < 0 ? i + n : i, 0, n);
}

struct Truth {
  bool operator()(const auto& host_value) const { return host::Truth(host_value); }
  bool operator()(DType) const { return true; }
  bool operator()(const ir::Word&) const { return true; }
  // A tensor is true because it is present. A number has its own truth.
  bool operator()(const Tensor& t) const {
    if (t.emitter->facts().IsNumber(t.id))
      throw Refusal::NotDecided(fmt::format("whether {} is 0 is not known before the model runs", Val(t).ToString()));
    return true;
  }
  bool operator()(const Vals& list) const { return !list.empty(); }
};

struct Text {
  std::string operator()(const auto& host_value) const { return host::ToText(host_value); }
  std::string operator()(DType d) const { return std::string(ir::Name(d)); }
  std::string operator()(const ir::Word& w) const { return w.text; }
  std::string operator()(const Tensor& t) const { return Describe(t); }
  std::string operator()(const Vals& list) const {
    std::string text = "[";
    for (const Val& element : list) {
      if (text.size() > 1) text += ", ";
      text += element.ToString();
    }
    return text + "]";
  }
};

}  // namespace

Val::Val(const char* text) : Val(std::string(text)) {}
Val::Val(std::string text) : shared_(std::make_shared<const Shared>(std::move(text))) {}
Val::Val(ir::Word word) : shared_(std::make_shared<const Shared>(std::move(word))) {}
Val::Val(Vals list) : shared_(std::make_shared<const Shared>(std::move(list))) {}

bool Val::AsBool() const {
  if (const bool* b = std::get_if<bool>(&v_)) return *b;
  if (const int64_t* i = std::get_if<int64_t>(&v_)) return *i != 0;
  WrongKind(*this, "not a bool");
}

int64_t Val::AsInt() const {
  if (const int64_t* i = std::get_if<int64_t>(&v_)) return *i;
  if (const bool* b = std::get_if<bool>(&v_)) return *b;
  if (const double* d = std::get_if<double>(&v_)) {
    if (std::trunc(*d) == *d && std::abs(*d) < 0x1p63) return static_cast<int64_t>(*d);
  }
  if (is_tensor()) WrongKind(*this, "a value known only at run time, where a number is needed");
  WrongKind(*this, "not an int");
}

double Val::AsFloat() const {
  if (const double* d = std::get_if<double>(&v_)) return *d;
  if (const int64_t* i = std::get_if<int64_t>(&v_)) return static_cast<double>(*i);
  if (const bool* b = std::get_if<bool>(&v_)) return *b;
  if (is_tensor()) WrongKind(*this, "a value known only at run time, where a number is needed");
  WrongKind(*this, "not a number");
}

const std::string& Val::AsText() const {
  if (const std::string* s = std::get_if<std::string>(shared_.get())) return *s;
  if (const ir::Word* w = std::get_if<ir::Word>(shared_.get())) return w->text;
  WrongKind(*this, "not a text");
}

DType Val::AsDType() const {
  if (const DType* d = std::get_if<DType>(&v_)) return *d;
  WrongKind(*this, "not a dtype");
}

Vals Val::AsList() && { return std::as_const(*this).AsList(); }

const Vals& Val::AsList() const& {
  if (const Vals* list = std::get_if<Vals>(shared_.get())) return *list;
  WrongKind(*this, "not a list");
}

Tensor Val::AsTensor() const {
  if (const Tensor* t = std::get_if<Tensor>(&v_)) return *t;
  WrongKind(*this, "not a tensor");
}

Val::operator bool() const { return shared_ != nullptr ? std::visit(Truth{}, *shared_) : std::visit(Truth{}, v_); }

Val Val::operator[](const Val& index) const {
  const Vals& list = AsList();
  return list[ListIndex(index.AsInt(), list.size())];
}

Val Val::Slice(const Val& begin, const Val& end) const {
  const Vals& list = AsList();
  const int64_t first = SliceBound(begin, list.size(), 0);
  const int64_t last = SliceBound(end, list.size(), static_cast<int64_t>(list.size()));
  if (first >= last) return Vals{};
  return Vals(list.begin() + first, list.begin() + last);
}

std::string Val::ToString() const { return shared_ != nullptr ? std::visit(Text{}, *shared_) : std::visit(Text{}, v_); }

}  // namespace onnxport::lowering
