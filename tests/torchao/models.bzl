"""The models of make_torchao.py, and what their tests expect."""

load("//tests/models:model_fixture.bzl", "model_fixtures")
load("//tests/models:model_test.bzl", "model_test")

# Each with the arguments of model_test. Models by torchao's quantizer for X86 have grids on both sides of an operator.
# A value between two steps may go to either, as it does in PyTorch with oneDNN and without (by 0.021 in ResNet-18,
# 0.002 in MobileNet).
_UNTIL_27 = 27  # ONNX Runtime 1.32 lacks DequantizeLinear 28
_MODELS = {
    "dynamic_linear": {
        "run_until": _UNTIL_27,
        "since": 13,
    },
    "float8_weights": {"since": 21},
    "int4_weights": {
        "run_until": _UNTIL_27,
        "since": 13,
    },
    "int8_weights": {"since": 13},
    "int8_weights_and_activations": {"since": 13},
    "x86_mobilenet_v2": {
        "noise": 500,
        "run_until": _UNTIL_27,
        "since": 11,
    },
    "x86_resnet18": {
        "noise": 7000,
        "run_until": _UNTIL_27,
        "since": 11,
    },
    "x86_transformer": {
        "run_until": _UNTIL_27,
        "since": 13,
    },
}

def models_and_tests():
    """For each model its folder, NAME_test and NAME_sweep; without torchao they are skipped."""
    model_fixtures(
        name = "make_torchao",
        models = _MODELS.keys(),
        packages = ["@torchao//:files"],
        script = "make_torchao.py",
        srcs = ["//tests/models:make"],
    )
    for number, (name, arguments) in enumerate(_MODELS.items()):
        model_test(
            name = name,
            archives = ["exported"],
            number = number,
            **arguments
        )

    # Every model at every opset: TORCHAO_ROOT=... ./bazelw test //tests/torchao:sweep
    native.test_suite(
        name = "sweep",
        tags = ["manual"],
        tests = [name + "_sweep" for name in _MODELS],
    )
