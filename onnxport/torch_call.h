// Calls modules and callables of C++ with values that are known only at run time. Included by "onnxport/torch.h", and
// internal to that.
#ifndef ONNXPORT_TORCH_CALL_H_
#define ONNXPORT_TORCH_CALL_H_

#include <torch/torch.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "onnxport/torch_program.h"

namespace onnxport::torch_program {

using Values = std::vector<c10::IValue>;
using Runner = std::function<c10::IValue(const Values&)>;

// ---- arguments

template <typename T>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <typename T>
struct IsArrayRef : std::false_type {};
template <typename T>
struct IsArrayRef<c10::ArrayRef<T>> : std::true_type {};

template <typename T>
T ValueAs(const c10::IValue& value) {
  if constexpr (std::is_same_v<T, c10::IValue>) {
    return value;
  } else if constexpr (IsOptional<T>::value) {
    return value.isNone() ? T() : T(ValueAs<typename T::value_type>(value));
  } else if constexpr (IsArrayRef<T>::value) {
    throw DoesNotFit("it has an argument of type ArrayRef, which holds no values; wrap it in a lambda");
  } else if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
    return value.toScalar().to<T>();
  } else {
    return value.to<T>();
  }
}

template <typename T>
T ArgumentOf(const Values& values, size_t i) {
  if (i < values.size()) return ValueAs<T>(values[i]);
  if constexpr (IsOptional<T>::value || std::is_same_v<T, torch::Tensor>) return T();
  throw DoesNotFit("it has more arguments than there are examples: give one for each");
}

// ---- results

c10::IValue ResultOf(const torch::Tensor& tensor);
template <typename T>
c10::IValue ResultOf(const T& result);

template <typename... Parts>
c10::IValue TupleOf(const Parts&... parts) {
  return c10::ivalue::Tuple::create(Values{ResultOf(parts)...});
}

// Fields of a struct without constructors; up to eight.
struct AnyField {
  template <typename T>
  operator T() const;  // NOLINT: converts to any field
};
template <typename T, typename... Fields>
constexpr size_t CountFields() {
  if constexpr (sizeof...(Fields) < 8 && requires { T{Fields{}..., AnyField{}}; }) {
    return CountFields<T, Fields..., AnyField>();
  } else {
    return sizeof...(Fields);
  }
}
template <typename T>
c10::IValue FieldsOf(const T& result) {
  constexpr size_t kCount = CountFields<T>();
  if constexpr (kCount == 1) {
    const auto& [a] = result;
    return TupleOf(a);
  } else if constexpr (kCount == 2) {
    const auto& [a, b] = result;
    return TupleOf(a, b);
  } else if constexpr (kCount == 3) {
    const auto& [a, b, c] = result;
    return TupleOf(a, b, c);
  } else if constexpr (kCount == 4) {
    const auto& [a, b, c, d] = result;
    return TupleOf(a, b, c, d);
  } else if constexpr (kCount == 5) {
    const auto& [a, b, c, d, e] = result;
    return TupleOf(a, b, c, d, e);
  } else if constexpr (kCount == 6) {
    const auto& [a, b, c, d, e, f] = result;
    return TupleOf(a, b, c, d, e, f);
  } else if constexpr (kCount == 7) {
    const auto& [a, b, c, d, e, f, g] = result;
    return TupleOf(a, b, c, d, e, f, g);
  } else {
    static_assert(kCount == 8, "a result is a tensor, a container of results, or a struct of one to eight of them");
    const auto& [a, b, c, d, e, f, g, h] = result;
    return TupleOf(a, b, c, d, e, f, g, h);
  }
}

template <typename T>
concept IsMap = requires { typename T::mapped_type; };
template <typename T>
concept IsRange = requires(const T& range) { range.begin() != range.end(); };
template <typename T>
concept IsTuple = requires { std::tuple_size<T>::value; };

inline c10::IValue ResultOf(const torch::Tensor& tensor) { return tensor; }
template <typename T>
c10::IValue ResultOf(const T& result) {
  if constexpr (std::is_same_v<T, c10::IValue> || std::is_arithmetic_v<T>) {
    return result;
  } else if constexpr (IsOptional<T>::value) {
    return result ? ResultOf(*result) : c10::IValue();
  } else if constexpr (IsMap<T>) {
    c10::impl::GenericDict dict(c10::StringType::get(), c10::AnyType::get());
    const std::map<std::string, typename T::mapped_type> sorted(result.begin(), result.end());
    for (const auto& [key, value] : sorted) dict.insert(key, ResultOf(value));
    return dict;
  } else if constexpr (requires { result.items(); }) {  // torch::OrderedDict
    c10::impl::GenericDict dict(c10::StringType::get(), c10::AnyType::get());
    for (const auto& item : result.items()) dict.insert(item.key(), ResultOf(item.value()));
    return dict;
  } else if constexpr (IsTuple<T>) {
    return std::apply([](const auto&... parts) { return TupleOf(parts...); }, result);
  } else if constexpr (IsRange<T>) {
    Values parts;
    for (const auto& part : result) parts.push_back(ResultOf(part));
    return c10::ivalue::Tuple::create(std::move(parts));
  } else {
    return FieldsOf(result);
  }
}

// ---- calls

// The code for a signature is compiled once for all modules and callables that have it. Each of these adds a Callee.
template <typename Result, typename... Arguments>
class Signature {
 public:
  template <typename Module>
  static Runner OfModule(Module& module) {
    return RunnerOf(&module, [](const void* object, Arguments... arguments) -> Result {
      return AsGiven<Module>(object).forward(std::forward<Arguments>(arguments)...);
    });
  }
  template <typename Callable>
  static Runner OfCallable(Callable& callable) {
    return RunnerOf(&callable, [](const void* object, Arguments... arguments) -> Result {
      return AsGiven<Callable>(object)(std::forward<Arguments>(arguments)...);
    });
  }
  static Runner OfFunction(Result (*function)(Arguments...)) {
    return [function](const Values& values) { return Call(values, function); };
  }

 private:
  using Callee = Result (*)(const void* object, Arguments... arguments);

  template <typename T>
  static T& AsGiven(const void* object) {
    return *const_cast<T*>(static_cast<const T*>(object));
  }

  static Runner RunnerOf(const void* object, Callee callee) {
    return [object, callee](const Values& values) { return Call(values, callee, object); };
  }

  template <typename Function, typename... Object>
  static c10::IValue Call(const Values& values, Function function, Object... object) {
    if (values.size() > sizeof...(Arguments)) throw DoesNotFit("it has fewer arguments than there are examples");
    return [&]<size_t... I>(std::index_sequence<I...>) {
      // Braces: in order.
      std::tuple<std::remove_cvref_t<Arguments>...> arguments{ArgumentOf<std::remove_cvref_t<Arguments>>(values, I)...};
      return ResultOf(function(object..., std::get<I>(arguments)...));
    }(std::index_sequence_for<Arguments...>());
  }
};

template <typename Function>
struct SignatureOf;
template <typename R, typename... A>
struct SignatureOf<R (*)(A...)> : Signature<R, A...> {};
template <typename R, typename C, typename... A>
struct SignatureOf<R (C::*)(A...)> : Signature<R, A...> {};
template <typename R, typename C, typename... A>
struct SignatureOf<R (C::*)(A...) const> : Signature<R, A...> {};
template <typename R, typename C, typename... A>
struct SignatureOf<R (C::*)(A...) noexcept> : Signature<R, A...> {};
template <typename R, typename C, typename... A>
struct SignatureOf<R (C::*)(A...) const noexcept> : Signature<R, A...> {};

// Calls a function with several signatures, or a template, with as many tensors as there are examples.
template <size_t kCount = 1, typename Function>
c10::IValue CallWithTensors(const Function& function, const Values& values) {
  if constexpr (kCount > 8) {
    throw DoesNotFit("it cannot be called with that many tensors; wrap it in a lambda with types");
  } else {
    if (values.size() != kCount) return CallWithTensors<kCount + 1>(function, values);
    return [&]<size_t... I>(std::index_sequence<I...>) -> c10::IValue {
      if constexpr (requires { function(values[I].toTensor()...); }) {
        return ResultOf(function(values[I].toTensor()...));
      } else {
        throw DoesNotFit("it cannot be called with that many tensors; wrap it in a lambda with types");
      }
    }(std::make_index_sequence<kCount>());
  }
}

// ---- modules

template <typename T>
concept IsModule = std::derived_from<T, torch::nn::Module>;
template <typename T>
concept IsHolder = requires(const T& holder) {
  { *holder.ptr() } -> std::convertible_to<const torch::nn::Module&>;
};
template <typename T>
concept IsPointer = requires(const T& pointer) {
  { *pointer } -> std::convertible_to<const torch::nn::Module&>;
} && !IsHolder<T>;
template <typename T>
concept HasModule = IsModule<T> || IsHolder<T> || IsPointer<T>;

template <typename Net>
auto& ModuleOf(Net& net) {
  using Type = std::remove_cvref_t<Net>;
  if constexpr (IsModule<Type>) {
    return net;
  } else if constexpr (IsHolder<Type>) {
    return *net.ptr();
  } else {
    return *net;
  }
}

// The result of an AnyModule, when it is one of these types.
template <typename First, typename... Rest>
c10::IValue AnyResultOf(torch::nn::AnyValue& value) {
  if (const auto* result = value.try_get<First>()) return ResultOf(*result);
  if constexpr (sizeof...(Rest) > 0) {
    return AnyResultOf<Rest...>(value);
  } else {
    throw DoesNotFit("the AnyModule gives a type that is not known here; export the module itself");
  }
}

inline Runner RunnerOf(torch::nn::AnyModule& module) {
  return [&module](const Values& values) {
    using torch::Tensor;
    const auto call = [&module](const auto&... tensors) {
      torch::nn::AnyValue value = module.any_forward(tensors...);
      return AnyResultOf<Tensor, std::vector<Tensor>, std::tuple<Tensor, Tensor>,
                         std::tuple<Tensor, std::tuple<Tensor, Tensor>>, std::tuple<Tensor, Tensor, Tensor>>(value);
    };
    return CallWithTensors(call, values);
  };
}

template <typename Net>
Runner RunnerOf(Net& net) {
  if constexpr (HasModule<std::remove_cvref_t<Net>>) {
    auto& module = ModuleOf(net);
    using Module = std::remove_reference_t<decltype(module)>;
    if constexpr (requires { &Module::forward; }) {
      return SignatureOf<decltype(&Module::forward)>::OfModule(module);
    } else {
      return [&module](const Values& values) {
        return CallWithTensors([&module](auto&... arguments) { return module.forward(arguments...); }, values);
      };
    }
  } else {
    using Function = std::decay_t<Net>;
    if constexpr (std::is_pointer_v<Function>) {
      return SignatureOf<Function>::OfFunction(net);
    } else if constexpr (requires { &Function::operator(); }) {
      return SignatureOf<decltype(&Function::operator())>::OfCallable(net);
    } else {
      return [&net](const Values& values) {
        return CallWithTensors([&net](auto&... arguments) { return net(arguments...); }, values);
      };
    }
  }
}

}  // namespace onnxport::torch_program

#endif  // ONNXPORT_TORCH_CALL_H_
