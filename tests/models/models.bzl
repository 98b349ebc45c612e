"""The models of make/make_model.py, and what their tests expect."""

load(":model_fixture.bzl", "model_fixtures")
load(":model_test.bzl", "model_test")

# Each model with the arguments of model_test: above all the lowest opset that can express it.
MODELS = {
    "alexnet": {"since": 7},
    "argument_kinds": {"since": 13},
    "associative_scan": {"since": 7},
    "autocast": {
        "noise": 800,  # float16 keeps 11 bits, through six layers
        "since": 9,
    },
    "bert": {"since": 9},
    "bert_eager": {"since": 9},
    "buffer_mutation": {"since": 9},
    "constants": {"since": 13},
    "control_flow": {"since": 11},
    "conv": {"since": 7},
    "convnext_tiny": {"since": 9},
    "data_dependent": {"since": 9},
    "dcgan_discriminator": {"since": 7},
    "dcgan_generator": {"since": 7},
    "deeplabv3_resnet50": {
        "noise": 30,  # 60 layers of float32: PyTorch's own result is off by as much from that of float64
        "since": 11,  # bilinear resizing
    },
    "densenet121": {"since": 7},
    "distilbert": {"since": 9},
    "distilbert_eager": {"since": 9},
    "efficientnet_b0": {"since": 7},
    "fast_neural_style": {"since": 9},
    "faster_rcnn": {
        "run_until": 21,  # ONNX Runtime lacks RoiAlign 22
        "since": 11,
    },
    "fcn_resnet50": {
        "noise": 20,
        "since": 11,
    },
    "free_attention": {
        "since": 9,
        "since_dynamic": 11,  # a range that starts at a free size
    },
    "free_kernels": {
        "since": 9,
        "since_dynamic": 11,  # a pad by a free size
    },
    "free_pictures": {"since": 11},
    "free_views": {
        "since": 7,
        "since_dynamic": 11,  # a pad by a free size
    },
    "free_windows": {
        "since": 7,
        "since_dynamic": 11,
    },
    "googlenet": {"since": 7},
    "gpt2": {"since": 9},
    "gpt2_cache": {"since": 9},
    "gpt2_eager": {"since": 9},
    "graphs_in_line": {"since": 7},
    "guarded_sizes": {"since": 7},
    "half_precision": {
        "noise": 200,  # float16 keeps 11 bits
        "since": 13,
    },
    "inception_v3": {
        "noise": 3,
        "since": 7,
    },
    "inplace_views": {"since": 11},
    "input_mutation": {"since": 9},
    "integer_input": {"since": 7},
    "keypoint_rcnn": {
        "run_until": 21,  # ONNX Runtime lacks RoiAlign 22
        "since": 11,
    },
    "linear_algebra": {"since": 11},
    "loops": {
        "since": 7,
        "since_dynamic": 10,  # flip of a free axis
    },
    "mamba": {"since": 9},
    "mamba_steps": {"since": 9},
    "mask_rcnn": {
        "run_until": 21,  # ONNX Runtime lacks RoiAlign 22
        "since": 11,
    },
    "mlp": {"since": 7},
    "mnasnet": {"since": 7},
    "mnist": {"since": 7},
    "mobilenet_v2": {"since": 7},
    "mobilenet_v3_large": {"since": 7},
    "mobilenet_v3_small": {"since": 7},
    "nested_cond": {"since": 11},
    "nested_outputs": {"since": 7},
    "nothing_chosen": {"since": 11},
    "r2plus1d_18": {
        "since": 7,
        "noise": 3,  # 37 convolutions that have their batch norms in them
    },
    "reshaped_in_place": {"since": 7},
    "resized_in_place": {"since": 9},
    "resnet18": {"since": 7},
    "resnet18_picture": {"since": 7},
    "resnet50": {
        "noise": 3,  # 50 layers of float32
        "since": 7,
    },
    "rnn_zoo": {"since": 9},
    "shufflenet_v2": {"since": 7},
    "sizes_of_data": {
        "since": 16,  # index_add
    },
    "squeezenet1_1": {"since": 7},
    "super_resolution": {"since": 7},
    "swin_t": {"since": 9},
    "symbolic_math": {
        "since": 7,
        "since_dynamic": 11,
    },
    "transformer_encoder": {"since": 9},
    "transformer_encoder_mask": {"since": 9},
    "transformer_encoder_norm_first": {"since": 9},
    "transformer_encoder_norm_first_mask": {"since": 9},
    "vgg16_bn": {"since": 7},
    "vit_b_16": {"since": 9},
    "vmap": {"since": 7},
    "word_language_model_gru": {"since": 7},
    "word_language_model_lstm": {"since": 7},
    "word_language_model_rnn_relu": {"since": 7},
    "word_language_model_rnn_tanh": {"since": 7},
    "word_language_model_transformer": {
        "since": 9,
        "since_torchscript": 11,  # scripted: If with shapes that are not equal on its two sides
    },
}

# How many runs of make_model.py make the models: enough that a machine with several cores has work for them. Each run
# imports PyTorch, which takes as long as two small models.
_RUNS = 12

def models_and_tests():
    """For each model NAME, the fixture's folder (bazel-bin/tests/models/NAME/), NAME_test and NAME_sweep."""
    for number, (name, arguments) in enumerate(MODELS.items()):
        model_test(name = name, number = number, **arguments)

    for run in range(_RUNS):
        model_fixtures(
            name = "make_model_%d" % run,
            models = MODELS.keys()[run::_RUNS],
            srcs = [":make"],
        )

    # Every archive at 13 opsets, about 3,500 exports: ./bazelw test //tests/models:sweep
    native.test_suite(
        name = "sweep",
        tags = ["manual"],
        tests = [name + "_sweep" for name in MODELS],
    )
