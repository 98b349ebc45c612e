"""Strings, asserts, prints and warnings: all of them known at export, or dropped with a remark."""

import warnings

import torch
from torch import nn

from program import rand, script

X = "x=f32[n,4]"
SIZES = [(rand(3, 4),), (rand(5, 4),)]


@script(X, runs=SIZES, has_not=["If"])
class AssertKnown(nn.Module):
    def forward(self, x):
        assert x.dim() == 2, f"two axes expected, not {x.dim()}"
        return x + 1


@script(X, runs=[(rand(3, 4).abs(),), (rand(5, 4).abs(),)], has_not=["If"], remarks=["a check that can only be made"])
class AssertUnknown(nn.Module):
    def forward(self, x):
        assert bool(x.sum() > 0), "positive sum expected"
        return x.sqrt()


@script(X, runs=SIZES, has_not=["If"], remarks=["print"])
class Print(nn.Module):
    def forward(self, x):
        print("shape", x.shape, x.sum())
        return x + 1


@script(X, runs=SIZES, remarks=["warn"])
class Warn(nn.Module):
    def forward(self, x):
        warnings.warn("careful")
        return x + 1


@script(X, "mode=sum", runs=[(rand(3, 4), "sum"), (rand(5, 4), "sum")], has_not=["If"])
class StringInput(nn.Module):
    def forward(self, x, mode: str = "mean"):
        if mode == "sum":
            return x.sum(0)
        elif mode == "mean":
            return x.mean(0)
        raise ValueError("unknown mode " + mode)


@script(X, runs=SIZES, has_not=["If"])
class StringAttribute(nn.Module):
    def __init__(self):
        super().__init__()
        self.mode = "reflect"

    def forward(self, x):
        if self.mode in ["reflect", "replicate"]:
            x = torch.nn.functional.pad(x.unsqueeze(0), [1, 1], self.mode)
        return x


@script(X, runs=SIZES)
class StringMethods(nn.Module):
    def forward(self, x):
        s = " Ab,cd ".strip().lower()
        parts = s.split(",")
        k = len(parts) + len("-".join(parts)) + s.find("c") + s.count("b")
        if s.startswith("ab") and s.endswith("d") and "b,c" in s and parts[0].upper() == "AB":
            x = x * k
        return x + len(s.replace("a", "xyz")) + ord(s[0])


@script(X, runs=SIZES)
class Format(nn.Module):
    def forward(self, x):
        name = "layer_{}_{}".format(3, "a") + "%d" % 5
        if name == "layer_3_a5":
            x = x + 1
        if f"{1 + 2}:{'z'}" == "3:z":
            x = x * 2
        return x


@script(X, runs=SIZES)
class StringToNumber(nn.Module):
    def forward(self, x):
        return x * int("12") + float("0.5") + len(str(1000))


@script(X, runs=SIZES)
class StringLoop(nn.Module):
    def forward(self, x):
        for c in "abca":
            if c == "a":
                x = x + 1
            elif c < "c":
                x = x * 2
        return x


@script(X, runs=SIZES)
class StringSearch(nn.Module):
    """Places that overlap, at the ends, and none."""

    def forward(self, x):
        s = "aabaabaa"
        x = x * 10 + s.find("aabaa") + s.rfind("aabaa") * 2 + s.find("aa", 1) * 3 + s.count("aa") * 5
        if s.replace("aa", "x", 2) == "xbxbaa" and "|".join(s.split("aba")) == "a|abaa":
            x = x + 0.25
        if "|".join(s.rsplit("aba", 1)) == "aaba|a" and s.rpartition("aba")[0] == "aaba":
            x = x + 0.5
        if " aab ".strip("a ") == "b" and "aab".lstrip("ba") == "" and "baa".rstrip("a") == "b":
            x = x + 0.125
        return x


@script(X, runs=SIZES)
class StringGrows(nn.Module):
    """A text that is made longer twice, and shorter ones that stay."""

    def forward(self, x):
        s = "a"
        t = s
        for i in range(5):
            t = s
            u = s + "?"
            s = s + str(i)
            x = x + len(u) * 2 + len(t)
            if u == t + "?" and s == t + str(i):
                x = x * 2
        return x + (100 if s + s == "a01234a01234" else 0)


@script(X, runs=SIZES, remarks=["record_function"])
class Profiling(nn.Module):
    def forward(self, x):
        with torch.profiler.record_function("part"):
            x = x + 1
        return x * 2


@script(X, runs=SIZES, has_not=["If"])
class NoGrad(nn.Module):
    def forward(self, x):
        with torch.no_grad():
            x = x + 1
        if torch.is_grad_enabled():
            return x * 2
        return x * 2


@script(X, runs=SIZES, has_not=["If"])
class ScriptingQuestions(nn.Module):
    """The compiler itself answers these conditions."""

    def forward(self, x):
        if torch.jit.is_scripting():
            x = x + 1
        if not torch.jit.is_tracing():
            x = x * 2
        return x
