"""Dicts: their keys are known, so they flatten."""

from collections import OrderedDict
from typing import Dict, List

import torch
from torch import nn

from program import num, rand, script, trace

X = "x=f32[n,4]"
SIZES = [(rand(3, 4),), (rand(5, 4),)]
SIGNS = [(rand(3, 4).abs(),), (-rand(5, 4).abs(),)]


@script(X, runs=SIZES)
class DictLiteral(nn.Module):
    def forward(self, x):
        d = {"a": x, "b": x + 1}
        d["c"] = d["a"] * d["b"]
        return d["c"], len(d)


@script(X, runs=SIZES)
class DictLiteralWithOneKeyTwice(nn.Module):
    def forward(self, x):
        keys = ["b", "a"]
        d = {"a": x, keys[0]: x + 1, keys[1]: x * 2}
        return d["a"], d["b"], len(d), list(d.keys())[0] == "a"


@script(
    "d.left=f32[n]",
    "d.right=f32[n]",
    runs=[({"left": rand(3), "right": rand(3)},), ({"left": rand(5), "right": rand(5)},)],
)
class DictInput(nn.Module):
    def forward(self, d: Dict[str, torch.Tensor]):
        return d["left"] - d["right"] * 2


POLICY = [({"observation.state": rand(n), "observation.images.top": rand(n, 3), "": rand(n), "0 a": rand(n)},) for n in (3, 5)]


# Policies of robots have such keys.
@script(
    "d.observation.state=f32[n]",
    "d.observation.images.top=f32[n,3]",
    "d.=f32[n]",
    "d.0 a=f32[n]",
    runs=POLICY,
)
class DictInputWithDots(nn.Module):
    def forward(self, d: Dict[str, torch.Tensor]):
        return d["observation.state"] - d["observation.images.top"].sum(1) + d[""] * d["0 a"]


@trace(runs=POLICY[:1])
class DictInputOfATrace(nn.Module):
    def forward(self, d: Dict[str, torch.Tensor]):
        return d["observation.state"] - d["observation.images.top"].sum(1) + d[""] * d["0 a"]


LISTS = [({"a.b": [rand(n), rand(n)], "a": [rand(n)]},) for n in (3, 5)]


@script("d.a.b.0=f32[n]", "d.a.b.1=f32[n]", "d.a.0=f32[n]", runs=LISTS)
class DictOfListsInput(nn.Module):
    def forward(self, d: Dict[str, List[torch.Tensor]]):
        return d["a.b"][0] - d["a.b"][1] * 2 + d["a"][0]


@script(X, runs=SIZES)
class DictOutput(nn.Module):
    def forward(self, x):
        return {"out": x + 1, "aux": x.sum(1)}


@script(X, runs=SIZES)
class DictItems(nn.Module):
    def forward(self, x):
        d = {"a": x, "b": x + 1}
        total = x
        for k, v in d.items():
            if k == "b":
                total = total * 2
            total = total + v
        return total


@script(X, runs=SIZES)
class DictKeysValues(nn.Module):
    def forward(self, x):
        d = {"a": x, "bcd": x + 1}
        count = 0
        for k in d.keys():
            count += len(k)
        return torch.cat(list(d.values())) * count


@script(X, runs=SIZES)
class DictIn(nn.Module):
    def forward(self, x):
        d = {"a": x}
        if "a" in d:
            x = x + 1
        if "b" not in d:
            x = x * 2
        return x


@script(X, runs=SIZES)
class DictGet(nn.Module):
    def forward(self, x):
        d = {"a": x}
        y = d.get("a")
        z = d.get("b")
        assert y is not None
        if z is None:
            return y + 1
        return z


@script(X, runs=SIZES)
class DictGetDefault(nn.Module):
    def forward(self, x):
        d = {"a": 2}
        return x * d.get("a", 5) + d.get("b", 7)


@script(X, runs=SIZES)
class DictMethods(nn.Module):
    def forward(self, x):
        d = {"a": x, "b": x + 1}
        d.update({"c": x + 2, "a": x * 5})
        b = d.pop("b")
        e = d.setdefault("e", x - 1)
        copy = d.copy()
        d.clear()
        return copy["a"] + b, e, len(copy), len(d)


@script(X, runs=SIZES)
class DictIntKeys(nn.Module):
    def forward(self, x):
        d: Dict[int, torch.Tensor] = {}
        for k in range(3):
            d[k * k] = x + k
        return d[4] * d[1]


@script(X, runs=SIZES)
class DictComprehension(nn.Module):
    def forward(self, x):
        d = {k: x * k for k in [1, 2, 3]}
        return d[3] - d[1]


@script(X, runs=SIGNS, has=["If"])
class DictInBranch(nn.Module):
    """Both branches write the same key."""

    def forward(self, x):
        d = {"a": x}
        if x.sum() > 0:
            d["a"] = x + 1
        else:
            d["a"] = x * 2
        return d["a"]


@script(X, runs=SIGNS, has=["If"])
class DictInOneBranch(nn.Module):
    def forward(self, x):
        d = {"a": x, "b": x + 3}
        if x.sum() > 0:
            d["a"] = d["b"] + 1
        return d


@script(X, runs=SIZES)
class DictOfLists(nn.Module):
    def forward(self, x):
        d: Dict[str, List[torch.Tensor]] = {"a": []}
        d["a"].append(x)
        d["a"].append(x + 1)
        return torch.cat(d["a"])


@script(X, runs=SIZES)
class DictDelete(nn.Module):
    def forward(self, x):
        d = {"a": x, "b": x + 1}
        del d["a"]
        return d


@script(X, runs=SIZES, weights=["layers.second.weight"])
class ModuleDict(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleDict(OrderedDict(first=nn.Linear(4, 4), second=nn.Linear(4, 3)))

    def forward(self, x):
        for name, layer in self.layers.items():
            x = layer(x)
            if name == "first":
                x = x.relu()
        return x


@script(X, runs=SIZES, has=["Loop"])
class DictInLoop(nn.Module):
    """A value of a dict is carried by a loop."""

    def forward(self, x):
        d = {"sum": torch.zeros(4), "last": torch.zeros(4)}
        for k in range(x.size(0)):
            d["sum"] = d["sum"] + x[k]
            d["last"] = x[k]
        return d


@script(X, runs=SIZES)
class DictAttribute(nn.Module):
    scale: Dict[str, float]

    def __init__(self):
        super().__init__()
        self.scale = {"in": 0.5, "out": 4.0}

    def forward(self, x):
        return x * self.scale["in"] + self.scale["out"]


def lenient(module, args):
    return torch.jit.trace(module, args, strict=False, check_trace=False)


@trace(X, runs=SIZES, build=lenient)
class DictOutputTraced(nn.Module):
    def forward(self, x):
        return {"out": x + 1, "aux": x.sum(1)}


@script(X, runs=SIZES)
class BuiltKeys(nn.Module):
    """Keys that are computed."""

    def forward(self, x):
        d: Dict[str, torch.Tensor] = {}
        for k in range(3):
            d["part_" + str(k)] = x + k
        return d["part_0"] * d[f"part_{2}"]


FLAG = "flag=bool[]"
K = "k=i64[]"
EACH = [(rand(3, 4), num(flag, torch.bool), num(k)) for flag in (True, False) for k in (0, 1, 3)]
FLAGS = [(rand(3, 4), num(flag, torch.bool)) for flag in (True, False)]


@script(X, FLAG, K, runs=EACH)
class KeysOfOneSideInALoop(nn.Module):
    """Nothing after the `if` can be made twice, so the dict says of each key if it has it."""

    def forward(self, x, flag: bool, k: int):
        d = {"a": 1, "b": k}
        total = 0
        for i in range(2):
            if flag:
                d["c"] = k + i
            if "c" in d:
                total += d["c"]
            total += len(d)
        return total, len(d), "c" in d, "a" in d, d["b"]


@script(X, FLAG, K, runs=EACH)
class KeysOfEachSide(nn.Module):
    def forward(self, x, flag: bool, k: int):
        d = {"a": x, "b": x + k}
        for i in range(1):
            if flag:
                d["up"] = x * 2
            else:
                d["down"] = x * 3
        y = x
        if "up" in d:
            y = d["up"]
        if "down" in d:
            y = y + d["down"]
        d["down"] = x + 5
        return y, len(d), d["down"], "up" in d


@script(X, FLAG, K, runs=EACH)
class KeysThatIterationsAdd(nn.Module):
    def forward(self, x, flag: bool, k: int):
        d = {"a": 1, "b": 2}
        seen = 0
        for i in range(k):
            if "c" in d:
                seen += d["c"]
            if flag:
                d["c"] = i + 3
            d["d"] = i
            seen += len(d)
        return seen, len(d), "c" in d, "d" in d, d["a"]


@script(X, FLAG, K, runs=EACH)
class ReplacedByADictOfOtherKeys(nn.Module):
    def forward(self, x, flag: bool, k: int):
        d = {"a": 1, "b": 2}
        for i in range(k):
            d = {"a": d["a"] + 1, "b": 5, "c": i}
        return len(d), d["b"], "c" in d, d["a"]


@script(X, FLAG, K, runs=EACH)
class CopyOfADictOfOtherKeys(nn.Module):
    def forward(self, x, flag: bool, k: int):
        d = {"a": 1}
        n = 0
        for i in range(2):
            if flag:
                d["b"] = k
            e = d.copy()
            e["z"] = i
            n += len(e) * 10 + len(d)
            if "b" in d:
                d.pop("a")
                d["a"] = k
                d.clear()
                d["a"] = 2
        return n, len(d), "b" in d


@script(X, FLAG, K, runs=EACH, refused=["[E0102]", "which keys a dict has is known only at run time", "dicts.py"])
class IteratesOverOtherKeys(nn.Module):
    """A loop over the keys would have another length, and another order, in each run."""

    def forward(self, x, flag: bool, k: int):
        d = {"a": 1}
        n = 0
        for i in range(2):
            if flag:
                d["b"] = k
            for key in d.keys():
                n += d[key]
        return n


@script(X, FLAG, K, runs=EACH, refused=["is a dictionary whose keys are known only at run time"])
class ReturnsADictOfOtherKeys(nn.Module):
    def forward(self, x, flag: bool, k: int):
        d = {"a": x}
        for i in range(2):
            if flag:
                d["b"] = x + k
        return d
