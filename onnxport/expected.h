// A value, or the reason why there is none. Every function of this library that can fail returns one.
//
//   onnxport::Result<onnxport::Model> model = onnxport::Export(source);
//   if (!model) std::cerr << model.error().Text();
//
// It has the interface of C++23's std::expected, and converts to it where the standard library has it. It is its own
// type in every mode of the language, because the library is compiled as C++20 and a program may be compiled as C++23.
// A name that meant two types in the two would break the one definition rule.
#ifndef ONNXPORT_EXPECTED_H_
#define ONNXPORT_EXPECTED_H_

#include <concepts>
#include <stdexcept>
#include <utility>
#include <variant>

namespace onnxport {

class Report;

// An error on its way into an Expected: `return Unexpected(report);`
template <typename E>
class Unexpected {
 public:
  explicit Unexpected(E error) : error_(std::move(error)) {}
  E& error() & { return error_; }
  const E& error() const& { return error_; }
  E&& error() && { return std::move(error_); }

 private:
  E error_;
};

// value() throws this when there is none.
class BadExpectedAccess : public std::logic_error {
 public:
  BadExpectedAccess() : std::logic_error("onnxport::Expected has an error, no value") {}
};

template <typename T, typename E>
class [[nodiscard]] Expected {
 public:
  using value_type = T;
  using error_type = E;

  Expected(T value) : held_(std::in_place_index<0>, std::move(value)) {}                      // NOLINT: converts
  Expected(Unexpected<E> error) : held_(std::in_place_index<1>, std::move(error).error()) {}  // NOLINT: converts

  bool has_value() const noexcept { return held_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  // Only when there is a value.
  T& operator*() & noexcept { return *std::get_if<0>(&held_); }
  const T& operator*() const& noexcept { return *std::get_if<0>(&held_); }
  T&& operator*() && noexcept { return std::move(*std::get_if<0>(&held_)); }
  T* operator->() noexcept { return std::get_if<0>(&held_); }
  const T* operator->() const noexcept { return std::get_if<0>(&held_); }

  // Throws BadExpectedAccess when there is none.
  T& value() & { return Checked(), **this; }
  const T& value() const& { return Checked(), **this; }
  T&& value() && { return Checked(), *std::move(*this); }
  template <typename U>
  T value_or(U&& other) const& {
    return has_value() ? **this : static_cast<T>(std::forward<U>(other));
  }
  template <typename U>
  T value_or(U&& other) && {
    return has_value() ? *std::move(*this) : static_cast<T>(std::forward<U>(other));
  }

  // Only when there is no value.
  E& error() & noexcept { return *std::get_if<1>(&held_); }
  const E& error() const& noexcept { return *std::get_if<1>(&held_); }
  E&& error() && noexcept { return std::move(*std::get_if<1>(&held_)); }

  // Converts to std::expected<T, E>. It is a template over any type with these members, so this class has one
  // definition even where the standard library has no such type.
  template <typename Standard>
    requires std::same_as<typename Standard::value_type, T> && std::same_as<typename Standard::error_type, E> &&
             std::constructible_from<Standard, typename Standard::unexpected_type>
  operator Standard() && {  // NOLINT: converts
    if (has_value()) return Standard(std::in_place, *std::move(*this));
    return Standard(typename Standard::unexpected_type(std::move(*this).error()));
  }

 private:
  void Checked() const {
    if (!has_value()) throw BadExpectedAccess();
  }

  std::variant<T, E> held_;
};

// The library's functions return this.
template <typename T>
using Result = Expected<T, Report>;

}  // namespace onnxport

#endif  // ONNXPORT_EXPECTED_H_
