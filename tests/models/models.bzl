"""The models of make_model.py and what their tests expect."""

load(":model_fixture.bzl", "model_fixture")
load(":model_test.bzl", "model_test")

# Each model with the arguments of model_test: above all the lowest opset that can express it.
MODELS = {
    "argument_kinds": {"since": 13},
    "bert": {"since": 9},
    "bert_eager": {"since": 9},
    "buffer_mutation": {"since": 7},
    "constants": {"since": 13},
    "control_flow": {"since": 99},  # torch.cond: refused
    "conv": {"since": 7},
    "convnext_tiny": {"since": 7},
    "data_dependent": {"since": 9},
    "dcgan_generator": {"since": 7},
    "densenet121": {"since": 7},
    "distilbert": {"since": 9},
    "distilbert_eager": {"since": 9},
    "efficientnet_b0": {"since": 7},
    "gpt2": {"since": 7},
    "gpt2_cache": {"since": 7},
    "gpt2_eager": {"since": 7},
    "half_precision": {
        "noise": 200,  # float16 keeps 11 bits
        "since": 13,
    },
    "inplace_views": {"since": 11},
    "input_mutation": {"since": 7},
    "integer_input": {"since": 7},
    "mlp": {"since": 7},
    "mnist": {"since": 7},
    "mobilenet_v3_large": {"since": 7},
    "mobilenet_v3_small": {"since": 7},
    "nested_outputs": {"since": 7},
    "resnet18": {"since": 7},
    "resnet18_picture": {"since": 7},
    "resnet50": {
        "noise": 3,  # 50 layers of float32
        "since": 7,
    },
    "rnn_zoo": {"since": 9},
    "super_resolution": {"since": 7},
    "swin_t": {"since": 7},
    "symbolic_math": {
        "since": 7,
        "since_dynamic": 10,
    },
    "transformer_encoder": {"since": 7},
    "transformer_encoder_mask": {"since": 7},
    "transformer_encoder_norm_first": {"since": 7},
    "transformer_encoder_norm_first_mask": {"since": 7},
    "vgg16_bn": {"since": 7},
    "vit_b_16": {"since": 7},
    "word_language_model_gru": {"since": 7},
    "word_language_model_lstm": {"since": 7},
}

def models_and_tests():
    """For each model NAME, the fixture's folder (bazel-bin/tests/models/NAME/), and NAME_test that exports and runs it."""
    for name, arguments in MODELS.items():
        model_fixture(name = name)
        model_test(name = name, **arguments)
