// Generated from spec/aten/windows.yaml. Do not edit: change the spec and build again.
#include <cmath>

#include "runtime/lowering/dsl/context.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/lowering/dsl/hooks.h"
#include "runtime/lowering/dsl/builtins.h"

namespace onnxport::generated::windows_operators {

using namespace lowering;  // NOLINT: generated code reads like the spec

// spec/aten/windows.yaml:12
static Val cosine_series(Context&, const Val& q) {
  const Val far = 1.0 - q / 182.0 * (1.0 - q / 240.0 * (1.0 - q / 306.0 * (1.0 - q / 380.0)));
  return 1.0 -
         q / 2.0 * (1.0 - q / 12.0 * (1.0 - q / 30.0 * (1.0 - q / 56.0 * (1.0 - q / 90.0 * (1.0 - q / 132.0 * far)))));
}

// spec/aten/windows.yaml:23
static Val cosine_of_turn(Context& c, const Val& k) {
  const Val half = 0.5 - abs(k - 0.5);
  const Val quarter = (0.25 - abs(half - 0.25)) * 2.0 * 3.141592653589793;
  return half <= 0.25 ? cosine_series(c, quarter * quarter) : -cosine_series(c, quarter * quarter);
}

// spec/aten/windows.yaml:8
static Val turns(Context&, const Val& n, const Val& periodic) {
  return Map(range(n), [&](const Val& k) { return k / (periodic ? n : max(n - 1, 1)); });
}

// spec/aten/windows.yaml:30
static Val window_at(Context&, const Val& cosine, const Val& a, const Val& b, const Val& c_) {
  return a - b * cosine + c_ * (2.0 * cosine * cosine - 1.0);
}

// spec/aten/windows.yaml:34
static Val cosines(Context& c, const Val& n, const Val& periodic, const Val& a, const Val& b, const Val& c_,
                   const Val& t) {
  Lazy window = c.lazy([&] {
    return Map(turns(c, n, periodic), [&](const Val& k) { return window_at(c, cosine_of_turn(c, k), a, b, c_); });
  });
  return c.constant(n < 2 ? Vals{1.0} * n : window(), t);
}

// spec/aten/windows.yaml:40
static Val one_alone(Context& c, const Val& n, const Val& window) {
  if (c.opset() < 9) {
    refuse("windows whose length is known only at run time need opset 9");
  }
  return c.statically_true([&] { return n > 1; }) ? window
         : c.op("Where", {c.op("Equal", {n, 1}), c.constant(1.0, window), window});
}

// spec/lib/factories.yaml:7
static Val arange(Context& c, const Val& n) {
  return is_static(n) ? c.shape_tensor(range(n))
         : c.opset() >= 11 ? c.op("Range", {0, n, 1})
         : c.opset() >= 9 ? c.op("Reshape",
                                 {c.op("NonZero", {c.op("Expand", {c.constant(1, DType::kInt64), Vals{n}})}), Vals{-1}})
         : refuse("an unknown size needs opset 9 here");
}

// spec/aten/windows.yaml:45
static Val computed_as(Context&, const Val& t) {
  return t == DType::kFloat64 ? DType::kFloat64 : DType::kFloat32;
}

// spec/aten/windows.yaml:49
static Val turns_of_run(Context& c, const Val& n, const Val& whole, const Val& t) {
  const Val computed = computed_as(c, t);
  return cast(arange(c, n), computed) / cast(whole ? n : max(n - 1, 1), computed);
}

// spec/aten/windows.yaml:54
static Val cosines_of_run(Context& c, const Val& n, const Val& whole, const Val& a, const Val& b, const Val& c_,
                          const Val& t) {
  const Val cosine = c.op("Cos", {turns_of_run(c, n, whole, t) * (Val(2.0) * 3.141592653589793)});
  const Val two_terms = c.constant(a, cosine) - cosine * b;
  const Val window = c_ == 0 ? two_terms : two_terms + (cosine * cosine * 2.0 - 1.0) * c_;
  return cast(one_alone(c, n, window), t);
}

// spec/aten/windows.yaml:61
static Val cosine_window(Context& c, const Val& n, const Val& whole, const Val& a, const Val& b, const Val& c_,
                         const Val& t) {
  const Val periodic = present(whole) ? whole : true;
  return is_static(n) ? cosines(c, n, periodic, a, b, c_, t) : cosines_of_run(c, n, periodic, a, b, c_, t);
}

// spec/lib/checks.yaml:10
static Val is_at_least(Context& c, const Val& number, const Val& least) {
  return !c.statically_true([&] { return number < least; });
}

// spec/aten/windows.yaml:71
static Val is_window(Context& c, const Val& n, const Val& t) {
  return And(is_at_least(c, n, 0), [&] { return !present(t) || is_float(t); });
}

// spec/aten/windows.yaml:132
static Val tents(Context& c, const Val& n, const Val& periodic) {
  return n > 1 ? Map(turns(c, n, periodic), [&](const Val& x) { return 1.0 - abs(2.0 * x - 1.0); }) : Vals{1.0} * n;
}

// spec/aten/windows.yaml:67
static Val tents_of_run(Context& c, const Val& n, const Val& whole, const Val& t) {
  return cast(one_alone(c, n,
                        c.constant(1.0, computed_as(c, t)) - c.op("Abs", {turns_of_run(c, n, whole, t) * 2.0 - 1.0})),
              t);
}

// spec/lib/series.yaml:21
static Val horner(Context& c, const Val& x, const Val& c_) {
  Val y = c.constant(c_[-1], x);
  for (const Val& k : reversed(c_.Slice(Val(), -1)).AsList()) {
    y = y * x + k;
  }
  return y;
}

// spec/lib/bessel_i0.yaml:19
static Val i0_large(Context& c, const Val& u) {
  return horner(c, u,
                Vals{0.39894228040143265, 0.04986778505020781, 0.028050629053023173, 0.029219424839947824,
                     0.044736893818414655, 0.09148167136356972, 0.13264962884204326, 7.953650646884088,
                     -395.2635226462718, 16089.623424355103, -487020.02285659546, 11124709.94654731,
                     -191440179.09399304, 2460826297.04701, -23190286243.04878, 154986412850.36484, -692975388722.666,
                     1852976844995.733, -2235121873155.5923});
}

// spec/lib/bessel_i0.yaml:9
static Val i0_small(Context& c, const Val& z) {
  return horner(c, z,
                Vals{1.0, 0.24999999999999992, 0.01562500000000008, 0.00043402777777774604, 6.781684027784362e-06,
                     6.781684027694489e-08, 4.709502797767121e-10, 2.4028075454089817e-12, 9.385967166541038e-15,
                     2.8969028292857584e-17, 7.242272110447583e-20, 1.4963091249001077e-22, 2.5981626603400813e-25,
                     3.83897941972524e-28, 4.934075085091087e-31, 5.247699773982667e-34, 6.1880093539605465e-37,
                     2.0633823898327545e-40, 7.806268938624377e-43});
}

// spec/lib/bessel_i0.yaml:30
static Val i0_of(Context& c, const Val& x) {
  const Val a = c.op("Abs", {x});
  return c.op("Where",
              {c.op("Greater", {a, 11.0}),
               c.op("Exp", {a}) * (i0_large(c, c.op("Reciprocal", {a})) / c.op("Sqrt", {a})), i0_small(c, a * a)});
}

// spec/lib/real.yaml:97
static Val mul_scalar(Context&, const Val& x, const Val& k) {
  return !is_static(k) ? x * cast(k, x) : k == 1 ? x : x * k;
}

// spec/aten/windows.yaml:200
static Val column(Context& c, const Val& theta, const Val& k, const Val& room) {
  return c.op("Unsqueeze", {c.op("Gather", {theta, k}, {{"axis", 2}})}, {{"axes", range(1, 1 + room)}});
}

// spec/lib/checks.yaml:17
static Val same_sizes(Context& c, const Val& a, const Val& b) {
  return len(a) == len(b) && all(Map(zip(a, b), [&](const Val& n_m) {
    return !c.statically_true([&] { return n_m[0] != n_m[1]; });
  }));
}

// spec/lib/checks.yaml:20
static Val has_sizes(Context& c, const Val& t, const Val& sizes) {
  return Or(!present(t), [&] { return same_sizes(c, dims(t), sizes); });
}

// spec/lib/checks.yaml:7
static Val none_below(Context& c, const Val& numbers, const Val& least) {
  return all(Map(numbers, [&](const Val& n) { return !c.statically_true([&] { return n < least; }); }));
}

// spec/aten/windows.yaml:194
static Val affine_grid_line(Context& c, const Val& n, const Val& corners, const Val& like) {
  const Val places = cast(arange(c, n) * 2 + (1 - n), like);
  const Val last = corners ? max(n - 1, 1) : n;
  return places / (is_static(last) ? to_float(last) : cast(last, like));
}

// spec/aten/windows.yaml:203
static Val part(Context& c, const Val& theta, const Val& k, const Val& n, const Val& room, const Val& corners) {
  return column(c, theta, k, room) * c.op("Reshape",
                                          {affine_grid_line(c, n, corners, theta),
                                           Map(range(room + 2), [&](const Val& i) { return i == room - k ? -1 : 1; })});
}

// aten::hann_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool?
//     pin_memory=None) -> Tensor
// spec/aten/windows.yaml:78, opset 7 to 28
Vals aten_hann_window(Context& c) {
  const auto [window_length, dtype] = c.args<2>();
  require(bool(is_window(c, window_length, dtype)), "is_window(window_length, dtype)");
  return {cosine_window(c, window_length, Val(), 0.5, 0.5, 0.0, Or(dtype, [&] { return DType::kFloat32; }))};
}

// aten::hann_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None, Device?
//     device=None, bool? pin_memory=None) -> Tensor
// spec/aten/windows.yaml:78, opset 7 to 28
Vals aten_hann_window_periodic(Context& c) {
  const auto [window_length, periodic, dtype] = c.args<3>();
  require(bool(is_window(c, window_length, dtype)), "is_window(window_length, dtype)");
  return {cosine_window(c, window_length, periodic, 0.5, 0.5, 0.0, Or(dtype, [&] { return DType::kFloat32; }))};
}

// aten::hamming_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool?
//     pin_memory=None) -> Tensor
// spec/aten/windows.yaml:100, opset 7 to 28
Vals aten_hamming_window(Context& c) {
  const auto [window_length, dtype] = c.args<2>();
  require(bool(is_window(c, window_length, dtype)), "is_window(window_length, dtype)");
  return {cosine_window(c, window_length, Val(), 0.54, 0.46, 0.0, Or(dtype, [&] { return DType::kFloat32; }))};
}

// aten::hamming_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None,
//     Device? device=None, bool? pin_memory=None) -> Tensor
// spec/aten/windows.yaml:100, opset 7 to 28
Vals aten_hamming_window_periodic(Context& c) {
  const auto [window_length, periodic, dtype] = c.args<3>();
  require(bool(is_window(c, window_length, dtype)), "is_window(window_length, dtype)");
  return {cosine_window(c, window_length, periodic, 0.54, 0.46, 0.0, Or(dtype, [&] { return DType::kFloat32; }))};
}

// aten::hamming_window.periodic_alpha(int window_length, bool periodic, float alpha, *, ScalarType? dtype=None, Layout?
//     layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
// spec/aten/windows.yaml:100, opset 7 to 28
Vals aten_hamming_window_periodic_alpha(Context& c) {
  const auto [window_length, periodic, alpha, dtype] = c.args<4>();
  require(bool(is_window(c, window_length, dtype)), "is_window(window_length, dtype)");
  return {cosine_window(c, window_length, periodic, alpha, 0.46, 0.0, Or(dtype, [&] { return DType::kFloat32; }))};
}

// aten::hamming_window.periodic_alpha_beta(int window_length, bool periodic, float alpha, float beta, *, ScalarType?
//     dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
// spec/aten/windows.yaml:100, opset 7 to 28
Vals aten_hamming_window_periodic_alpha_beta(Context& c) {
  const auto [window_length, periodic, alpha, beta, dtype] = c.args<5>();
  require(bool(is_window(c, window_length, dtype)), "is_window(window_length, dtype)");
  return {cosine_window(c, window_length, periodic, alpha, beta, 0.0, Or(dtype, [&] { return DType::kFloat32; }))};
}

// aten::blackman_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool?
//     pin_memory=None) -> Tensor
// spec/aten/windows.yaml:120, opset 7 to 28
Vals aten_blackman_window(Context& c) {
  const auto [window_length, dtype] = c.args<2>();
  require(bool(is_window(c, window_length, dtype)), "is_window(window_length, dtype)");
  return {cosine_window(c, window_length, Val(), 0.42, 0.5, 0.08, Or(dtype, [&] { return DType::kFloat32; }))};
}

// aten::blackman_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None,
//     Device? device=None, bool? pin_memory=None) -> Tensor
// spec/aten/windows.yaml:120, opset 7 to 28
Vals aten_blackman_window_periodic(Context& c) {
  const auto [window_length, periodic, dtype] = c.args<3>();
  require(bool(is_window(c, window_length, dtype)), "is_window(window_length, dtype)");
  return {cosine_window(c, window_length, periodic, 0.42, 0.5, 0.08, Or(dtype, [&] { return DType::kFloat32; }))};
}

// aten::bartlett_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool?
//     pin_memory=None) -> Tensor
// spec/aten/windows.yaml:139, opset 7 to 28
Vals aten_bartlett_window(Context& c) {
  const auto [window_length, dtype] = c.args<2>();
  require(bool(is_window(c, window_length, dtype)), "is_window(window_length, dtype)");
  return {is_static(window_length) ? c.constant(tents(c, window_length, true),
                                                Or(dtype, [&] { return DType::kFloat32; }))
          : tents_of_run(c, window_length, true, Or(dtype, [&] { return DType::kFloat32; }))};
}

// aten::bartlett_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None,
//     Device? device=None, bool? pin_memory=None) -> Tensor
// spec/aten/windows.yaml:139, opset 7 to 28
Vals aten_bartlett_window_periodic(Context& c) {
  const auto [window_length, periodic, dtype] = c.args<3>();
  require(bool(is_window(c, window_length, dtype)), "is_window(window_length, dtype)");
  const Val whole = periodic;
  return {is_static(window_length) ? c.constant(tents(c, window_length, whole),
                                                Or(dtype, [&] { return DType::kFloat32; }))
          : tents_of_run(c, window_length, whole, Or(dtype, [&] { return DType::kFloat32; }))};
}

// aten::kaiser_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool?
//     pin_memory=None) -> Tensor
// spec/aten/windows.yaml:160, opset 9 to 28
Vals aten_kaiser_window(Context& c) {
  const auto [window_length, dtype] = c.args<2>();
  require(bool(is_window(c, window_length, dtype)), "is_window(window_length, dtype)");
  const Val n = window_length;
  const Val t = Or(dtype, [&] { return DType::kFloat32; });
  Lazy computed = c.lazy([&] { return computed_as(c, t); });
  if (!is_static(Vals{n, 12.0})) {
    const Val x = turns_of_run(c, n, true, t) * 2.0 - 1.0;
    const Val height = mul_scalar(c, c.op("Sqrt", {c.op("Relu", {c.constant(1.0, computed()) - x * x})}), 12.0);
    const Val top = is_static(12.0) ? c.constant(12.0, computed()) : cast(12.0, computed());
    return {cast(one_alone(c, n, i0_of(c, height) / i0_of(c, top)), t)};
  }
  Lazy period = c.lazy([&] { return n; });
  Lazy places = c.lazy([&] { return Map(range(n), [&](const Val& k) { return 2.0 * k / period() - 1.0; }); });
  Lazy heights = c.lazy([&] {
    return Map(places(), [&](const Val& x) { return 12.0 * sqrt(max(1.0 - x * x, 0.0)); });
  });
  Lazy window = c.lazy([&] {
    return i0_of(c, c.constant(heights(), computed())) / i0_of(c, c.constant(12.0, computed()));
  });
  return {n < 2 ? c.constant(Vals{1.0} * n, t) : cast(window(), t)};
}

// aten::kaiser_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None,
//     Device? device=None, bool? pin_memory=None) -> Tensor
// spec/aten/windows.yaml:160, opset 9 to 28
Vals aten_kaiser_window_periodic(Context& c) {
  const auto [window_length, periodic, dtype] = c.args<3>();
  require(bool(is_window(c, window_length, dtype)), "is_window(window_length, dtype)");
  const Val n = window_length;
  const Val t = Or(dtype, [&] { return DType::kFloat32; });
  Lazy computed = c.lazy([&] { return computed_as(c, t); });
  const Val whole = periodic;
  if (!is_static(Vals{n, 12.0})) {
    const Val x = turns_of_run(c, n, whole, t) * 2.0 - 1.0;
    const Val height = mul_scalar(c, c.op("Sqrt", {c.op("Relu", {c.constant(1.0, computed()) - x * x})}), 12.0);
    const Val top = is_static(12.0) ? c.constant(12.0, computed()) : cast(12.0, computed());
    return {cast(one_alone(c, n, i0_of(c, height) / i0_of(c, top)), t)};
  }
  Lazy period = c.lazy([&] { return whole ? n : max(n - 1, 1); });
  Lazy places = c.lazy([&] { return Map(range(n), [&](const Val& k) { return 2.0 * k / period() - 1.0; }); });
  Lazy heights = c.lazy([&] {
    return Map(places(), [&](const Val& x) { return 12.0 * sqrt(max(1.0 - x * x, 0.0)); });
  });
  Lazy window = c.lazy([&] {
    return i0_of(c, c.constant(heights(), computed())) / i0_of(c, c.constant(12.0, computed()));
  });
  return {n < 2 ? c.constant(Vals{1.0} * n, t) : cast(window(), t)};
}

// aten::kaiser_window.beta(int window_length, bool periodic, float beta, *, ScalarType? dtype=None, Layout?
//     layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
// spec/aten/windows.yaml:160, opset 9 to 28
Vals aten_kaiser_window_beta(Context& c) {
  const auto [window_length, periodic, beta, dtype] = c.args<4>();
  require(bool(is_window(c, window_length, dtype)), "is_window(window_length, dtype)");
  const Val n = window_length;
  const Val t = Or(dtype, [&] { return DType::kFloat32; });
  Lazy computed = c.lazy([&] { return computed_as(c, t); });
  const Val shape = beta;
  const Val whole = periodic;
  if (!is_static(Vals{n, shape})) {
    const Val x = turns_of_run(c, n, whole, t) * 2.0 - 1.0;
    const Val height = mul_scalar(c, c.op("Sqrt", {c.op("Relu", {c.constant(1.0, computed()) - x * x})}), shape);
    const Val top = is_static(shape) ? c.constant(shape, computed()) : cast(shape, computed());
    return {cast(one_alone(c, n, i0_of(c, height) / i0_of(c, top)), t)};
  }
  Lazy period = c.lazy([&] { return whole ? n : max(n - 1, 1); });
  Lazy places = c.lazy([&] { return Map(range(n), [&](const Val& k) { return 2.0 * k / period() - 1.0; }); });
  Lazy heights = c.lazy([&] {
    return Map(places(), [&](const Val& x) { return shape * sqrt(max(1.0 - x * x, 0.0)); });
  });
  Lazy window = c.lazy([&] {
    return i0_of(c, c.constant(heights(), computed())) / i0_of(c, c.constant(shape, computed()));
  });
  return {n < 2 ? c.constant(Vals{1.0} * n, t) : cast(window(), t)};
}

// aten::affine_grid_generator(Tensor theta, SymInt[] size, bool align_corners) -> Tensor
// spec/aten/windows.yaml:209, opset 7 to 28
Vals aten_affine_grid_generator(Context& c) {
  const auto [theta, size, align_corners] = c.args<3>();

      require(
      !any(Map(size, [&](const Val& n) { return c.statically_true([&] { return n == 0; }); })) && none_below(
      c, size.Slice(2, Val()), 1) && has_sizes(c, theta, Vals{size[0], len(size) - 2, len(size) - 1}),
      "not any([statically_true(n == 0) for n in size]) and none_below(size[2:], 1) and has_sizes(theta, [size[0], "
      "len(size) - 2, len(size) - 1])");
  const Val room = len(size) - 2;
  const Val parts = Map(range(room), [&](const Val& k) {
    return part(c, theta, k, size[room + 1 - k], room, align_corners);
  });
  return {sum(parts) + column(c, theta, room, room)};
}

}  // namespace onnxport::generated::windows_operators
