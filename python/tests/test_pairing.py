"""Which input of a model each argument of a call is: what the exported signature says, or a refusal."""

from __future__ import annotations

import os
import tempfile
import unittest
from typing import Any

import torch
from torch import nn

import onnxport

X, Y, Z = torch.tensor([1.0, 2.0]), torch.tensor([10.0, 20.0]), torch.tensor([100.0, 200.0])


class Constants(nn.Module):
    def forward(self, x, flag: bool, y, scale=2.0):
        return (x - y) * scale if flag else x + y


class Optional(nn.Module):
    def forward(self, x, mask=None, y=None):
        for factor, value in ((3, mask), (5, y)):
            x = x if value is None else x + value * factor
        return x


class Nested(nn.Module):
    def forward(self, named, listed):
        return named["a"] * 2 + named["b"] * 3 + listed[0][0] * 5 + listed[1] * 7


class Two(nn.Module):
    def forward(self, x, y):
        return x - y


class Keywords(nn.Module):
    def forward(self, x, **more):
        return x - more["y"] * 3 + more["z"] * 5


class Starred(nn.Module):
    def forward(self, *tensors, bias=None):
        return tensors[0] - tensors[1] + (0 if bias is None else bias * 3)


class Total(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(2))

    def forward(self, x, mask=None):
        self.total += x if mask is None else x * mask
        return self.total * 1


def call(*args: Any, **kwargs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    return args, kwargs


# The module, the call that is exported, calls that give what the module gives for them, and calls that are refused,
# with a part of the message.
CASES: list[tuple[nn.Module, Any, list[Any], list[tuple[Any, str]]]] = [
    (Constants(), call(X, True, Y),
     [call(Y, True, X), call(Y, flag=True, y=X), call(y=X, flag=True, x=Y), call(X, True, y=Z, scale=2.0)],
     [(call(X, False, Y), "`flag` is part of the model, as it was exported: True, not False"),
      (call(X, None, Y), "`flag` is part of the model"),
      (call(X, True, Y, 3.0), "no argument `scale`"),
      (call(X, True, Y, scale=Z), "no argument `scale`"),
      (call(X, True), "not given: y"),
      (call(X, True, Y, 2.0, Z), "2 inputs")]),
    (Optional(), call(X, None, Y),
     [call(Y, None, X), call(X, y=Z), call(y=Z, x=X)],
     [(call(X, Z, Y), "`mask` is part of the model, as it was exported: None"),
      (call(X, y=Y, mask=Z), "`mask` is part of the model"),
      (call(X, mask=Z), "not given: y")]),
    (Optional(), call(X, y=Y),
     [call(Y, y=X), call(y=X, x=Y), call(X, None, Y), call(X, y=Y, mask=None)],
     [(call(X, Z), "not given: y"),
      (call(X, mask=Z), "not given: y"),
      (call(X, y=Y, mask=Z), "no argument `mask`"),
      (call(X, Z, Y), "2 inputs"),
      (call(X, y=None), "not given: y")]),
    (Nested(), call({"a": X, "b": Y}, ((Z,), X + 1)),
     [call({"b": X, "a": Y}, [[X], Z]), call(listed=((Z,), Y), named={"b": X, "a": Y})],
     [(call({"a": X}, ((Z,), X)), "not given: named.b"),
      (call({"a": X, "b": Y, "c": Z}, ((Z,), X)), "4 inputs"),
      (call({"a": X, "b": 3.0}, ((Z,), X)), "")]),
    (Two(), call(y=Y, x=X), [call(X, Z), call(Z, y=X), call(x=Z, y=Y)],
     [(call(X), "not given: y"), (call(X, Y, Z), "2 inputs")]),
    (Keywords(), call(X, z=Z, y=Y), [call(X, y=Z, z=Y), call(z=X, x=Y, y=Z)],
     [(call(X, y=Y), "not given: z"), (call(X, y=Y, z=Z, w=X), "no argument `w`")]),
    (Starred(), call(X, Y, bias=Z), [call(Y, X, bias=Z)],
     [(call(X, Y), "not given: bias"), (call(X, Y, Z), "not given: bias"), (call(X, Y, Z, bias=Z), "3 inputs")]),
]  # fmt: skip


class Calls(unittest.TestCase):
    def refused(self, message: str, function: Any, *args: Any, **kwargs: Any) -> None:
        with self.assertRaises(Exception) as raised:
            function(*args, **kwargs)
        self.assertIn(message, str(raised.exception))

    def test_follow_the_signature(self) -> None:
        for module, (args, kwargs), right, wrong in CASES:
            for strategy in ("auto", "trace"):
                model = onnxport.export(module, args, kwargs=kwargs, strategy=strategy)
                for more, named in right:
                    with self.subTest(f"{type(module).__name__} {strategy} {more} {named}"):
                        torch.testing.assert_close(model(*more, **named), (module(*more, **named),))
                        self.assertTrue(all(one.ok for one in model.verify(*more, kwargs=named)))
                for (more, named), message in wrong:
                    with self.subTest(f"{type(module).__name__} {strategy} {more} {named}, not"):
                        self.refused(message, model, *more, **named)
                        with self.assertRaises(Exception):
                            model.verify(*more, kwargs=named)

    def test_by_the_places_of_inputs(self) -> None:
        """As `ONNXProgram` is called; the module could not be."""
        model = onnxport.export(Constants(), (X, True, Y))
        torch.testing.assert_close(model(Y, X), (Constants()(Y, True, X),))
        with self.assertRaises(Exception):
            model.verify(Y, X)
        model = onnxport.export(Nested(), ({"a": X, "b": Y}, ((Z,), X + 1)))
        torch.testing.assert_close(model(Y, X, X, Z), (Nested()({"a": Y, "b": X}, ((X,), Z)),))

    def test_with_state(self) -> None:
        model = onnxport.export(Total(), (X,), state_as_io=True)
        torch.testing.assert_close(model(X, Y), (X + Y, X + Y))
        self.refused("no argument `mask`", model, X, mask=Y)
        self.refused("2 inputs", model, X)
        self.assertTrue(all(one.ok for one in model.verify()))
        self.refused("no argument `mask`", model.verify, X, kwargs={"mask": Y})

    def test_of_numbers(self) -> None:
        class Power(nn.Module):
            def forward(self, x, n):
                return x * n

        sizes = ({}, torch.export.Dim.DYNAMIC)
        model = onnxport.export(torch.export.export(Power(), (X, 3), dynamic_shapes=sizes))
        torch.testing.assert_close(model(n=5, x=X), (X * 5,))
        self.refused("`n` is part of the model, as it was exported: 3, not 5", onnxport.export(Power(), (X, 3)), X, 5)


class Files(unittest.TestCase):
    """Nothing is known of the module but the names of inputs."""

    def of(self, module: nn.Module, *args: Any, **kwargs: Any) -> onnxport.Model:
        folder = self.enterContext(tempfile.TemporaryDirectory())
        path = os.path.join(folder, "model.pt2")
        torch.export.save(torch.export.export(module, args, kwargs), path)
        return onnxport.export(path)

    def test_keywords_name_inputs(self) -> None:
        model = self.of(Two(), X, Y)
        for args, kwargs in (call(X, Z), call(x=X, y=Z), call(y=Z, x=X), call(X, y=Z), call(Z, x=X)):
            torch.testing.assert_close(model(*args, **kwargs), (X - Z,), msg=f"{args} {kwargs}")
        for args, kwargs in (call(a=X, b=Y), call(X, b=Y), call(X, Y, y=Z)):
            with self.assertRaises(onnxport.ExportError):
                model(*args, **kwargs)

    def test_keywords_that_hold_tensors(self) -> None:
        model = self.of(Nested(), named={"a": X, "b": Y}, listed=((Z,), X + 1))
        wanted = Nested()({"a": X, "b": Z}, ((Y,), Z))
        torch.testing.assert_close(model(listed=[[Y], Z], named={"b": Z, "a": X}), (wanted,))

    def test_constants_are_left_out(self) -> None:
        model = self.of(Constants(), X, True, Y)
        for args, kwargs in (call(X, Z), call(X, True, Z), call(y=Z, flag=True, x=X)):
            torch.testing.assert_close(model(*args, **kwargs), (Constants()(X, True, Z),))


if __name__ == "__main__":
    unittest.main()
