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
static Val cosines(Context& c, const Val& n, const Val& whole, const Val& a, const Val& b, const Val& c_,
                   const Val& t) {
  Lazy periodic = c.lazy([&] { return present(whole) ? whole : true; });
  Lazy window = c.lazy([&] {
    return Map(turns(c, n, periodic()), [&](const Val& k) { return window_at(c, cosine_of_turn(c, k), a, b, c_); });
  });
  return c.constant(n < 2 ? Vals{1.0} * n : window(), t);
}

// spec/aten/windows.yaml:95
static Val tents(Context& c, const Val& n, const Val& periodic) {
  return n > 1 ? Map(turns(c, n, periodic), [&](const Val& x) { return 1.0 - abs(2.0 * x - 1.0); }) : Vals{1.0} * n;
}

// spec/aten/windows.yaml:122
static Val column(Context& c, const Val& theta, const Val& k, const Val& room) {
  return c.op("Unsqueeze", {c.op("Gather", {theta, k}, {{"axis", 2}})}, {{"axes", range(1, 1 + room)}});
}

// spec/lib/factories.yaml:7
static Val arange(Context& c, const Val& n) {
  return is_static(n) ? c.shape_tensor(range(n))
         : c.opset() >= 11 ? c.op("Range", {0, n, 1})
         : c.opset() >= 9 ? c.op("Reshape",
                                 {c.op("NonZero", {c.op("Expand", {c.constant(1, DType::kInt64), Vals{n}})}), Vals{-1}})
         : refuse("an unknown size needs opset 9 here");
}

// spec/aten/windows.yaml:116
static Val affine_grid_line(Context& c, const Val& n, const Val& corners, const Val& like) {
  const Val places = cast(arange(c, n) * 2 + (1 - n), like);
  const Val last = corners ? max(n - 1, 1) : n;
  return places / (is_static(last) ? to_float(last) : cast(last, like));
}

// spec/aten/windows.yaml:125
static Val part(Context& c, const Val& theta, const Val& k, const Val& n, const Val& room, const Val& corners) {
  return column(c, theta, k, room) * c.op("Reshape",
                                          {affine_grid_line(c, n, corners, theta),
                                           Map(range(room + 2), [&](const Val& i) { return i == room - k ? -1 : 1; })});
}

// aten::hann_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool?
//     pin_memory=None) -> Tensor
// spec/aten/windows.yaml:44, opset 7 to 28
Vals aten_hann_window(Context& c) {
  const auto [window_length, dtype] = c.args<2>();
  return {cosines(c, window_length, Val(), 0.5, 0.5, 0.0, Or(dtype, [&] { return DType::kFloat32; }))};
}

// aten::hann_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None, Device?
//     device=None, bool? pin_memory=None) -> Tensor
// spec/aten/windows.yaml:44, opset 7 to 28
Vals aten_hann_window_periodic(Context& c) {
  const auto [window_length, periodic, dtype] = c.args<3>();
  return {cosines(c, window_length, periodic, 0.5, 0.5, 0.0, Or(dtype, [&] { return DType::kFloat32; }))};
}

// aten::hamming_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool?
//     pin_memory=None) -> Tensor
// spec/aten/windows.yaml:65, opset 7 to 28
Vals aten_hamming_window(Context& c) {
  const auto [window_length, dtype] = c.args<2>();
  return {cosines(c, window_length, Val(), 0.54, 0.46, 0.0, Or(dtype, [&] { return DType::kFloat32; }))};
}

// aten::hamming_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None,
//     Device? device=None, bool? pin_memory=None) -> Tensor
// spec/aten/windows.yaml:65, opset 7 to 28
Vals aten_hamming_window_periodic(Context& c) {
  const auto [window_length, periodic, dtype] = c.args<3>();
  return {cosines(c, window_length, periodic, 0.54, 0.46, 0.0, Or(dtype, [&] { return DType::kFloat32; }))};
}

// aten::hamming_window.periodic_alpha(int window_length, bool periodic, float alpha, *, ScalarType? dtype=None, Layout?
//     layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
// spec/aten/windows.yaml:65, opset 7 to 28
Vals aten_hamming_window_periodic_alpha(Context& c) {
  const auto [window_length, periodic, alpha, dtype] = c.args<4>();
  return {cosines(c, window_length, periodic, alpha, 0.46, 0.0, Or(dtype, [&] { return DType::kFloat32; }))};
}

// aten::hamming_window.periodic_alpha_beta(int window_length, bool periodic, float alpha, float beta, *, ScalarType?
//     dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
// spec/aten/windows.yaml:65, opset 7 to 28
Vals aten_hamming_window_periodic_alpha_beta(Context& c) {
  const auto [window_length, periodic, alpha, beta, dtype] = c.args<5>();
  return {cosines(c, window_length, periodic, alpha, beta, 0.0, Or(dtype, [&] { return DType::kFloat32; }))};
}

// aten::blackman_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool?
//     pin_memory=None) -> Tensor
// spec/aten/windows.yaml:84, opset 7 to 28
Vals aten_blackman_window(Context& c) {
  const auto [window_length, dtype] = c.args<2>();
  return {cosines(c, window_length, Val(), 0.42, 0.5, 0.08, Or(dtype, [&] { return DType::kFloat32; }))};
}

// aten::blackman_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None,
//     Device? device=None, bool? pin_memory=None) -> Tensor
// spec/aten/windows.yaml:84, opset 7 to 28
Vals aten_blackman_window_periodic(Context& c) {
  const auto [window_length, periodic, dtype] = c.args<3>();
  return {cosines(c, window_length, periodic, 0.42, 0.5, 0.08, Or(dtype, [&] { return DType::kFloat32; }))};
}

// aten::bartlett_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool?
//     pin_memory=None) -> Tensor
// spec/aten/windows.yaml:102, opset 7 to 28
Vals aten_bartlett_window(Context& c) {
  const auto [window_length, dtype] = c.args<2>();
  return {c.constant(tents(c, window_length, true), Or(dtype, [&] { return DType::kFloat32; }))};
}

// aten::bartlett_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None,
//     Device? device=None, bool? pin_memory=None) -> Tensor
// spec/aten/windows.yaml:102, opset 7 to 28
Vals aten_bartlett_window_periodic(Context& c) {
  const auto [window_length, periodic, dtype] = c.args<3>();
  return {c.constant(tents(c, window_length, periodic), Or(dtype, [&] { return DType::kFloat32; }))};
}

// aten::affine_grid_generator(Tensor theta, SymInt[] size, bool align_corners) -> Tensor
// spec/aten/windows.yaml:131, opset 7 to 28
Vals aten_affine_grid_generator(Context& c) {
  const auto [theta, size, align_corners] = c.args<3>();
  c.require(!any(Map(size, [&](const Val& n) { return statically_true([&] { return n == 0; }); })),
            "not any([statically_true(n == 0) for n in size])");
  const Val room = len(size) - 2;
  const Val parts = Map(range(room), [&](const Val& k) {
    return part(c, theta, k, size[room + 1 - k], room, align_corners);
  });
  return {sum(parts) + column(c, theta, room, room)};
}

}  // namespace onnxport::generated::windows_operators
