// The members of a plain struct one by one, so that what is true of all of them needs no list of their names.
#ifndef ONNXPORT_CODEGEN_MODEL_MEMBERS_H_
#define ONNXPORT_CODEGEN_MODEL_MEMBERS_H_

#include <cstddef>
#include <tuple>
#include <type_traits>

namespace onnxport::codegen {
namespace members {

struct Anything {
  template <typename T>
  operator T() const;  // declared only: for asking what a struct can be made of
};

// The most values that T can be made of.
template <typename T, typename... Given>
consteval size_t Count() {
  if constexpr (requires { T{Given{}..., Anything{}}; })
    return Count<T, Given..., Anything>();
  else
    return sizeof...(Given);
}

}  // namespace members

// A struct without constructors, base classes and private members.
template <typename T>
concept PlainStruct = std::is_class_v<T> && std::is_aggregate_v<T>;

template <PlainStruct T>
inline constexpr size_t kMemberCount = members::Count<T>();

// References to the members of `x`, in their order.
template <typename T>
auto Members(T& x) {
  constexpr size_t count = kMemberCount<std::remove_const_t<T>>;
  static_assert(count >= 2 && count <= 13, "another number of members: add its line below");
  // C++20 has no other way to name members whose number is not known.
  if constexpr (count == 2) {
    auto& [a, b] = x;
    return std::tie(a, b);
  } else if constexpr (count == 3) {
    auto& [a, b, c] = x;
    return std::tie(a, b, c);
  } else if constexpr (count == 4) {
    auto& [a, b, c, d] = x;
    return std::tie(a, b, c, d);
  } else if constexpr (count == 5) {
    auto& [a, b, c, d, e] = x;
    return std::tie(a, b, c, d, e);
  } else if constexpr (count == 6) {
    auto& [a, b, c, d, e, f] = x;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (count == 7) {
    auto& [a, b, c, d, e, f, g] = x;
    return std::tie(a, b, c, d, e, f, g);
  } else if constexpr (count == 8) {
    auto& [a, b, c, d, e, f, g, h] = x;
    return std::tie(a, b, c, d, e, f, g, h);
  } else if constexpr (count == 9) {
    auto& [a, b, c, d, e, f, g, h, i] = x;
    return std::tie(a, b, c, d, e, f, g, h, i);
  } else if constexpr (count == 10) {
    auto& [a, b, c, d, e, f, g, h, i, j] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (count == 11) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k);
  } else if constexpr (count == 12) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
  } else {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = x;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m);
  }
}

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_MODEL_MEMBERS_H_
