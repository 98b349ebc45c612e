"""Measures how exact the models of special functions and of linear algebra are, and eager PyTorch.

usage: accuracy.py --exporter PATH [--points N] [--opset N] [NAME...]

Prints two tables in Markdown. The first has each function at N points of each of its ranges, as float32 and as float64,
compared with mpmath with 80 digits. An error is in units in the last place of the exact result. For a function with
zeros, the unit is that of an amplitude if it is larger: near a zero the result is the difference of larger numbers. A
result that is no normal number of the dtype is left out; the conformance tests compare such results.

The second has matrices of 3, 16 and 64 rows in float32 with normal random elements, compared with PyTorch in float64.
An error is the largest of all unique results (values, products of factors, orthogonal factors), each in epsilon of its
largest element. Times are medians with one thread. Names choose rows. Needs Python with torch, mpmath, onnxruntime.
"""

import argparse
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

import mpmath
import numpy
import torch

from models import OnnxRuntime, nodes_of

mpmath.mp.dps = 80  # zeta is exact to this many digits after the point, not to this many digits of the result
special = torch.special
SIZES = [3, 16, 64]
RUNS = 15


def spread(low, high):
    """Returns points at equal distances of their logarithms."""
    return lambda random, n: numpy.exp(random.uniform(numpy.log(low), numpy.log(high), n))


def even(low, high):
    return lambda random, n: random.uniform(low, high, n)


def negative(of):
    return lambda random, n: -of(random, n)


def both(of):
    return [of, negative(of)]


def unit(x):
    return 1.0


def wave(x):
    """Returns the amplitude of Bessel functions of the first and second kind."""
    return min(1.0, math.sqrt(2 / (math.pi * abs(x))))


def spherical_wave(x):
    return min(1.0, 1 / abs(x))


def airy_wave(x):
    return 0.0 if x > -2 else (math.pi**2 * -x) ** -0.25


def log_gamma(x):
    return mpmath.log(abs(mpmath.gamma(x)))


def log_gamma_3(x):
    """Computes the function in three dimensions."""
    return 3 * mpmath.log(mpmath.pi) / 2 + sum(log_gamma(x - mpmath.mpf(j) / 2) for j in range(3))


def polygamma(n, *ranges):
    return (lambda x: torch.polygamma(n, x), lambda x: mpmath.psi(n, x), ranges, None)


def polynomial(name, exact, n, amplitude):
    return (lambda x: getattr(special, name)(x, n), lambda x: exact(n, x), [even(-1, 1)], amplitude)


def bessel(function, exact, order, ranges, amplitude=None):
    return (function, lambda x: exact(order, x), ranges, amplitude)


def scaled(function, exact, order, sign, ranges):
    return (function, lambda x: exact(order, x) * mpmath.exp(sign * abs(x)), ranges, None)


GROWING = both(spread(1e-3, 85))
LONG = both(spread(1e-3, 1e4))
WAVES = spread(1e-3, 1e3)
GAMMA = [*both(spread(1e-6, 30)), spread(30, 1e30)]

# PyTorch's function, the exact function, the ranges of x, and the amplitude of a function with zeros.
FUNCTIONS = {
    "lgamma": (torch.lgamma, log_gamma, GAMMA, unit),
    "digamma": (torch.digamma, mpmath.digamma, GAMMA, unit),
    "polygamma 1": polygamma(1, spread(1e-6, 1e6)),
    "polygamma 1, x < 0": polygamma(1, even(-9, 0)),
    "polygamma 2": polygamma(2, spread(1e-6, 1e6)),
    "polygamma 4": polygamma(4, spread(1e-5, 1e5)),
    "mvlgamma, p = 3": (lambda x: torch.mvlgamma(x, 3), log_gamma_3, [spread(1.01, 1e6)], unit),
    "erfinv": (torch.erfinv, mpmath.erfinv, [*both(even(0, 1)), spread(1e-20, 1)], None),
    "erfc": (torch.erfc, mpmath.erfc, [even(-4, 9)], None),
    "erfcx": (special.erfcx, lambda x: mpmath.exp(x * x) * mpmath.erfc(x), [even(-5, 10), spread(10, 1e20)], None),
    "ndtri": (
        special.ndtri, lambda p: mpmath.sqrt(2) * mpmath.erfinv(2 * p - 1), [even(0, 1), spread(1e-12, 0.5)], unit
    ),
    "log_ndtr": (special.log_ndtr, lambda x: mpmath.log(mpmath.erfc(-x / mpmath.sqrt(2)) / 2), [even(-40, 8)], None),
    "expm1": (torch.expm1, mpmath.expm1, both(spread(1e-20, 30)), None),
    "log1p": (torch.log1p, mpmath.log1p, [spread(1e-20, 1e20), negative(spread(1e-20, 1))], None),
    "sinc": (torch.sinc, lambda x: mpmath.sin(mpmath.pi * x) / (mpmath.pi * x), [even(-10, 10)], unit),
    "i0": bessel(torch.i0, mpmath.besseli, 0, GROWING),
    "i0e": scaled(special.i0e, mpmath.besseli, 0, -1, LONG),
    "i1": bessel(special.i1, mpmath.besseli, 1, GROWING),
    "i1e": scaled(special.i1e, mpmath.besseli, 1, -1, LONG),
    "bessel_j0": bessel(special.bessel_j0, mpmath.besselj, 0, both(WAVES), wave),
    "bessel_j1": bessel(special.bessel_j1, mpmath.besselj, 1, both(WAVES), wave),
    "bessel_y0": bessel(special.bessel_y0, mpmath.bessely, 0, [WAVES], wave),
    "bessel_y1": bessel(special.bessel_y1, mpmath.bessely, 1, [WAVES], wave),
    "modified_bessel_i0": bessel(special.modified_bessel_i0, mpmath.besseli, 0, GROWING),
    "modified_bessel_i1": bessel(special.modified_bessel_i1, mpmath.besseli, 1, GROWING),
    "modified_bessel_k0": bessel(special.modified_bessel_k0, mpmath.besselk, 0, GROWING[:1]),
    "modified_bessel_k1": bessel(special.modified_bessel_k1, mpmath.besselk, 1, GROWING[:1]),
    "scaled_modified_bessel_k0": scaled(special.scaled_modified_bessel_k0, mpmath.besselk, 0, 1, LONG[:1]),
    "scaled_modified_bessel_k1": scaled(special.scaled_modified_bessel_k1, mpmath.besselk, 1, 1, LONG[:1]),
    "spherical_bessel_j0": (
        special.spherical_bessel_j0, lambda x: mpmath.sin(x) / x, both(spread(1e-3, 1e2)), spherical_wave
    ),
    "airy_ai": (special.airy_ai, mpmath.airyai, [even(-10, 10)], airy_wave),
    "chebyshev_polynomial_t, n = 9": polynomial("chebyshev_polynomial_t", mpmath.chebyt, 9, unit),
    "chebyshev_polynomial_u, n = 9": polynomial("chebyshev_polynomial_u", mpmath.chebyu, 9, unit),
    "hermite_polynomial_h, n = 6": polynomial("hermite_polynomial_h", mpmath.hermite, 6, lambda x: 100.0),
    "laguerre_polynomial_l, n = 6": polynomial(
        "laguerre_polynomial_l", lambda n, x: mpmath.laguerre(n, 0, x), 6, unit
    ),
    "legendre_polynomial_p, n = 9": polynomial("legendre_polynomial_p", mpmath.legendre, 9, unit),
}


def around(random, n):
    """Returns pairs for igamma: x is near a, where the function goes from 0 to 1."""
    a = spread(0.1, 300)(random, n)
    return a, a * numpy.exp(random.uniform(-3, 3, n) / numpy.sqrt(a + 1))


def free(random, n):
    return spread(1.05, 20)(random, n), spread(0.1, 100)(random, n)


# Functions of two arguments: PyTorch's function, the exact function, the pairs.
PAIRS = {
    "igamma": (special.gammainc, lambda a, x: mpmath.gammainc(a, 0, x, regularized=True), around),
    "igammac": (special.gammaincc, lambda a, x: mpmath.gammainc(a, x, regularized=True), around),
    "zeta": (special.zeta, mpmath.zeta, free),
}


def symmetric(a):
    return a + a.mT


def identity(a):
    return torch.eye(a.shape[-1], dtype=a.dtype)


def positive(a):
    return a @ a.mT + a.shape[-1] * identity(a)


def rebuilt(values, vectors):
    return vectors @ torch.diag_embed(values) @ vectors.mT


def solve_triangular(a):
    return torch.linalg.solve_triangular(a + 9 * identity(a), a[..., :2], upper=False)


# A function that makes the matrix from a random one, the call, and the unique parts of its results.
MATRICES = {
    "cholesky": (positive, torch.linalg.cholesky, lambda l: [l]),
    "cholesky_inverse": (lambda a: torch.linalg.cholesky(positive(a)), torch.cholesky_inverse, lambda x: [x]),
    "lu_factor": (torch.clone, torch.linalg.lu_factor, lambda lu, pivots: [lu, pivots]),
    "solve": (torch.clone, lambda a: torch.linalg.solve(a, a[..., :2] + 1), lambda x: [x]),
    "inv": (torch.clone, torch.linalg.inv, lambda x: [x]),
    "slogdet": (torch.clone, torch.linalg.slogdet, lambda sign, size: [sign, size]),
    "solve_triangular": (torch.tril, solve_triangular, lambda x: [x]),
    "qr": (torch.clone, torch.linalg.qr, lambda q, r: [q @ r, q.mT @ q, r.abs()]),
    "ldl_factor": (symmetric, torch.linalg.ldl_factor, lambda ld, pivots: [ld, pivots]),
    "eigvalsh": (symmetric, torch.linalg.eigvalsh, lambda w: [w]),
    "eigh": (symmetric, torch.linalg.eigh, lambda w, v: [w, rebuilt(w, v), v.mT @ v]),
    "svdvals": (torch.clone, torch.linalg.svdvals, lambda s: [s]),
    "svd": (
        torch.clone, torch.linalg.svd, lambda u, s, v: [s, u @ torch.diag_embed(s) @ v, u.mT @ u, v @ v.mT]
    ),
    "pinv": (torch.clone, torch.linalg.pinv, lambda x: [x]),
    "matrix_exp": (lambda a: a / a.shape[-1] ** 0.5, torch.linalg.matrix_exp, lambda x: [x]),
}


def tensors_of(results):
    return [results] if isinstance(results, torch.Tensor) else list(results)


class Call(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return tuple(tensors_of(self.function(*inputs)))


class Exported:
    """Exports a call of PyTorch and loads it in ONNX Runtime with one thread."""

    def __init__(self, options, function, inputs):
        with tempfile.TemporaryDirectory(prefix="onnxport-bench-") as folder:
            source, path = os.path.join(folder, "call.pt2"), os.path.join(folder, "call.onnx")
            torch.export.save(torch.export.export(Call(function), tuple(inputs)), source)
            command = [options.exporter, "export", source, "-o", path, "--opset", str(options.opset)]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            self.nodes = nodes_of(path)
            self.run = OnnxRuntime(path, 1)

    def __call__(self, *inputs):
        return [torch.from_numpy(output) for output in self.run([tensor.numpy() for tensor in inputs])]


def last_places(got, exact, amplitudes, dtype):
    """Returns the errors of `got` in units in the last place, without results that `dtype` has no normal number for."""
    near = numpy.array([float(value) for value in exact])
    rest = numpy.array([float(value - mpmath.mpf(float(value))) for value in exact])
    limits = numpy.finfo(dtype)
    kept = (numpy.abs(near) >= limits.tiny) & (numpy.abs(near) <= limits.max)
    places = numpy.spacing(numpy.maximum(numpy.abs(near[kept]), amplitudes[kept]).astype(dtype)).astype(numpy.float64)
    return numpy.abs((got.astype(numpy.float64)[kept] - near[kept]) - rest[kept]) / places


def show_number(number):
    return f"{number:.1f}" if number < 1e4 else f"{number:.0e}"


def errors(options, function, exact, columns, amplitude):
    """Returns cells of a dtype: the largest and the median error of the model, the largest of eager PyTorch."""
    dtype = columns[0].dtype
    tensors = [torch.from_numpy(column) for column in columns]
    wanted = [exact(*map(mpmath.mpf, map(float, row))) for row in zip(*columns)]
    amplitudes = numpy.array([amplitude(float(x)) if amplitude else 0.0 for x in columns[0]])
    ours = last_places(Exported(options, function, tensors)(*tensors)[0].numpy(), wanted, amplitudes, dtype)
    theirs = last_places(function(*tensors).numpy(), wanted, amplitudes, dtype)
    return [show_number(number) for number in (ours.max(), numpy.median(ours), theirs.max())]


def show(cells):
    print(f"| {' | '.join(cells)} |", flush=True)


def show_function(options, title):
    """Returns a row of the first table. Each dtype gets the same points, rounded."""
    random = numpy.random.default_rng(0)
    if title in PAIRS:
        function, exact, pairs = PAIRS[title]
        columns, amplitude = pairs(random, options.points), None
    else:
        function, exact, ranges, amplitude = FUNCTIONS[title]
        columns = [numpy.concatenate([of(random, options.points) for of in ranges])]
    cells = [title]
    for dtype in (numpy.float32, numpy.float64):
        cells += errors(options, function, exact, [column.astype(dtype) for column in columns], amplitude)
    show(cells)


def milliseconds(function, matrix):
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        function(matrix)
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def epsilons(got, want):
    """Returns the largest error of any result, in epsilon of float32 times its largest element."""
    return max(
        float((a.double() - b.double()).abs().max() / b.double().abs().max()) / torch.finfo(torch.float32).eps
        for a, b in zip(got, want, strict=True)
    )


def matrix_cells(options, made, function, unique, n):
    random = torch.Generator().manual_seed(n)
    matrix = made(torch.randn(n, n, dtype=torch.float64, generator=random)).float()
    want = unique(*tensors_of(function(matrix.double())))
    model = Exported(options, function, [matrix])
    results = [model(matrix), tensors_of(function(matrix))]
    times = [f"{milliseconds(call, matrix):.2f}" for call in (model, function)]
    return [str(model.nodes), *times, *(f"{epsilons(unique(*one), want):.0f}" for one in results)]


def show_matrix(options, title):
    cells = [title]
    for n in SIZES:
        cells += matrix_cells(options, *MATRICES[title], n)
    show(cells)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--exporter", required=True)
    parser.add_argument("--points", type=int, default=1000, help="of each range of a function")
    parser.add_argument("--opset", type=int, default=20)
    parser.add_argument("names", nargs="*", help="rows (default: all)")
    options = parser.parse_args()
    torch.set_num_threads(1)

    titles = [*FUNCTIONS, *PAIRS, *MATRICES]
    names = options.names or titles
    unknown = [name for name in names if name not in titles]
    if unknown:
        sys.exit(f"no row is named {', '.join(unknown)}; there are: {'; '.join(titles)}")
    matrices = [name for name in names if name in MATRICES]
    functions = [name for name in names if name not in MATRICES]

    if functions:
        show(["function", "f32: largest", "median", "PyTorch", "f64: largest", "median", "PyTorch"])
        show(["---", *["---:"] * 6])
    for title in functions:
        show_function(options, title)
    if matrices:
        print()
        show(["call", *(f"n = {n}: nodes | ms | PyTorch | error | PyTorch" for n in SIZES)])
        show(["---", *["---:"] * 5 * len(SIZES)])
    for title in matrices:
        show_matrix(options, title)


if __name__ == "__main__":
    main()
