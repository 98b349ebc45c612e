"""model_test(name, since): exports a model fixture at several opsets and compares with PyTorch in ONNX Runtime."""

load("@rules_shell//shell:sh_test.bzl", "sh_test")

# The opsets that the model tests sample; every opset from 7 on is covered by the operator tests.
OPSETS = [7, 9, 11, 13, 17, 18, 20, 21, 23, 24, 25, 26, 28]

# How often each archive of a model is exported in an ordinary run, each time at another opset. The opsets rotate from
# model to model and archive to archive, so that every opset sees many models of each format.
SAMPLES = {
    "exported": 2,
    "decomposed": 2,
    "dynamic": 3,
    "dynamic.decomposed": 2,
    "traced": 2,
    "traced.named": 3,
    "scripted": 3,
}

def _sampled(number, archives):
    cases = []
    for row, (variant, count) in enumerate(SAMPLES.items()):
        if variant not in archives:
            continue
        first = 3 * number + row
        step = len(OPSETS) // count
        opsets = sorted([OPSETS[(first + k * step) % len(OPSETS)] for k in range(count)])
        cases.append("%s:%s" % (variant, ",".join([str(opset) for opset in opsets])))
    return " ".join(cases)

def _all_cases(archives):
    return " ".join(["%s:%s" % (variant, ",".join([str(opset) for opset in OPSETS])) for variant in archives])

def model_test(name, number, since, since_dynamic = None, since_torchscript = None, run_until = 99, noise = 1, refused = "", archives = SAMPLES.keys()):
    """NAME_test for the fixture `:NAME`, and NAME_sweep, run by hand only, with every archive at every opset.

    Args:
      name: of the model in make_model.py.
      number: of the model; it decides which opsets NAME_test takes.
      since: from which opset on the model must export. Below it a report of what that opset lacks is right as well.
      since_dynamic: the same for its .pt2 archives with dynamic shapes; `since` when left out.
      since_torchscript: the same for its .pt archives; `since` when left out.
      run_until: the last opset at which ONNX Runtime has all kernels; above it, and above the newest opset that it
        takes at all, the files are checked, but not run.
      refused: what the message says when no opset can express the model, and `since` is 99.
      noise: factor on the absolute tolerance, for what rounds more than a float32 network of common depth.
      archives: of SAMPLES, what the fixture has.
    """
    for suffix, cases, tags in [("test", _sampled(number, archives), []), ("sweep", _all_cases(archives), ["manual"])]:
        sh_test(
            name = name + "_" + suffix,
            size = "medium",
            timeout = "long",
            srcs = ["//tests/models:model_test"],
            data = [
                ":" + name,
                "//:exporter",
                "//tests/models:skipped.txt",
                "//tests/ort:runner",
                "//tests/ort:runner_new",
            ],
            env = {
                "CASES": cases,
                "EXPORTER": "$(rootpath //:exporter)",
                "FIXTURE": "$(rootpath :%s)" % name,
                "MODEL": name,
                "NOISE": str(noise),
                "ORT_RUNNER": "$(rootpath //tests/ort:runner)",
                "ORT_RUNNER_NEW": "$(rootpath //tests/ort:runner_new)",
                "REFUSED": refused,
                "RUN_UNTIL": str(run_until),
                "SINCE": str(since),
                "SINCE_DYNAMIC": str(since_dynamic or since),
                "SKIPPED": "$(rootpath //tests/models:skipped.txt)",
                "SINCE_TORCHSCRIPT": str(since_torchscript or since),
            },
            tags = tags,
        )
