"""model_test(name, since): exports a model fixture at several opsets and compares with PyTorch in ONNX Runtime."""

# The opsets that the model tests sample; every opset from 7 on is covered by the operator tests.
OPSETS = [9, 11, 13, 17, 18, 21, 23]

def model_test(name, since, since_dynamic = None, noise = 1, opsets = OPSETS):
    """One test for the fixture `:NAME`; a test case is one archive at one opset.

    Args:
      name: of the model in make_model.py; the test is NAME_test.
      since: from which opset on the model must export. Below it a report of what that opset lacks is right as well.
      since_dynamic: the same for its archives with dynamic shapes; `since` when left out.
      noise: factor on the absolute tolerance, for what rounds more than a float32 network of common depth.
      opsets: at which to export.
    """
    native.sh_test(
        name = name + "_test",
        size = "medium",
        timeout = "long",
        srcs = [":model_test"],
        data = [
            ":" + name,
            "//:exporter",
            "//tests/ort:runner",
            "//tests/ort:runner_new",
        ],
        env = {
            "EXPORTER": "$(rootpath //:exporter)",
            "FIXTURE": "$(rootpath :%s)" % name,
            "MODEL": name,
            "NOISE": str(noise),
            "OPSETS": " ".join([str(opset) for opset in opsets]),
            "ORT_RUNNER": "$(rootpath //tests/ort:runner)",
            "ORT_RUNNER_NEW": "$(rootpath //tests/ort:runner_new)",
            "SINCE": str(since),
            "SINCE_DYNAMIC": str(since_dynamic or since),
        },
    )
