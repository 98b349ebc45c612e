"""Makes the model fixtures of tests and benches: random weights from a fixed seed, eval mode.

usage: make_model.py NAME OUTDIR [NAME OUTDIR ...]
       make_model.py --list

OUTDIR gets

    NAME.pt2                      torch.export.save of torch.export.export, as it comes
    NAME.decomposed.pt2           the same after run_decompositions()
    NAME.dynamic.pt2              exported with dynamic shapes
    NAME.dynamic.decomposed.pt2   the same after run_decompositions()
    NAME.data/                    input_I.pb and output_J.pb: what eager PyTorch says, for the static variants
    NAME.dynamic.data/            the same for the dynamic variants, at sizes other than the example's
    NAME.torchscript.traced.pt    torch.jit.trace with the example
    NAME.torchscript.scripted.pt  torch.jit.script
    NAME.torchscript.inputs       `--input` texts for these two, one a line, with the free axes named
    NAME.torchscript.data/        as above, at the example's sizes
    NAME.torchscript.named.data/  and at other sizes of the named axes
    FILE.why                      instead of an archive: why there is none

The .pb files are ONNX TensorProto messages, laid out as in ONNX's own backend tests. Inputs and outputs stand in the
flattened order of the exported program; a None has no file and no number, an int or float is a 0-d tensor.

To add a model write a function that returns a Case, put `@model` above it, and its name into models.bzl.
"""

import dataclasses
import gc
import inspect
import itertools
import math
import os
import re
import sys
import traceback
import warnings
import zlib
from typing import List, Tuple

if __name__ == "__main__" and "MAKE_MODEL_PLAIN" not in globals():
    # Stack traces go into the archive. Run under the relative path, or the fixtures differ from sandbox to sandbox.
    path = os.path.relpath(__file__)
    with open(path, encoding="utf-8") as source:
        code = compile(source.read(), path, "exec")
    exec(code, {"__name__": "__main__", "__file__": path, "MAKE_MODEL_PLAIN": True})
    sys.exit(0)

warnings.simplefilter("ignore")

import onnx
import torch
from torch import nn
from torch.export import Dim
from torch.nn import functional as F
from torch.utils import _pytree as pytree

MODELS = {}


def model(build):
    MODELS[build.__name__] = build
    return build


def pt2_model(build):
    """One that is made to strain the .pt2 format; tests/script has such programs for TorchScript."""

    def without_torchscript():
        return dataclasses.replace(build(), no_traced=PT2_ONLY, no_scripted=PT2_ONLY)

    MODELS[build.__name__] = without_torchscript
    return build


@dataclasses.dataclass
class Case:
    """A model and how to call it. `dynamic_shapes` is torch.export's; `other` holds args at other sizes."""

    module: nn.Module
    args: tuple = ()
    kwargs: dict = dataclasses.field(default_factory=dict)
    dynamic_shapes: object = None
    other: tuple = ()
    other_kwargs: dict = dataclasses.field(default_factory=dict)
    no_exported: str = ""  # why there is no NAME.pt2
    no_decomposed: str = ""  # why there is no NAME.decomposed.pt2
    no_dynamic: str = ""  # why there is no NAME.dynamic.pt2
    no_dynamic_decomposed: str = ""  # why there is no NAME.dynamic.decomposed.pt2
    no_traced: str = ""  # why there is no NAME.traced.pt
    no_scripted: str = ""  # why there is no NAME.scripted.pt
    # The TorchScript archives, where they differ: another module, and more free axes with data to match.
    torchscript: object = None
    torchscript_shapes: object = None
    torchscript_other: tuple = ()


BIG = "weights are big and nothing new would be tested"
PT2_ONLY = "made for the .pt2 format"


# ---------------------------------------------------------------------------------------------------------------------
# Weights


def randomise(module):
    """A parameter that starts constant (ones, zeros, ConvNeXt's 1e-6, ViT's zero head) hides errors: fill it."""
    with torch.no_grad():
        for name, p in module.named_parameters():
            if p.numel() > 1 and p.min() == p.max():
                if p.dim() > 1 and p.shape[-1] > 1 and p.max() == 0:
                    p.normal_(0, 1 / math.sqrt(p.shape[-1]))
                elif name.endswith("bias") or p.max() == 0:
                    p.normal_(0, 0.1)
                else:
                    p.uniform_(0.5, 1.5)
    return module


def calibrate(module, *args):
    """Running statistics that are not 0 and 1 and keep activations in scale: one pass in train mode, then a jitter."""
    randomise(module)
    norms = [m for m in module.modules() if isinstance(m, nn.modules.batchnorm._BatchNorm)]
    momenta = [m.momentum for m in norms]
    for m in norms:
        m.momentum = 1.0
    module.train()
    with torch.no_grad():
        module(*args)
        for m, momentum in zip(norms, momenta):
            m.momentum = momentum
            m.running_mean += 0.1 * m.running_var.sqrt() * torch.randn_like(m.running_mean)
            m.running_var *= torch.empty_like(m.running_var).uniform_(0.8, 1.25)
    return module


# ---------------------------------------------------------------------------------------------------------------------
# torchvision: the real architectures. Pictures smaller than 224 where the architecture allows.


def vision(name, size=64, **options):
    import torchvision

    extra = {k: options.pop(k) for k in list(options) if k.startswith("no_")}
    net = calibrate(getattr(torchvision.models, name)(**options), torch.randn(4, 3, size, size))
    return Case(
        net,
        (torch.randn(2, 3, size, size),),
        dynamic_shapes=({0: Dim("batch")},),
        other=(torch.randn(3, 3, size, size),),
        **extra,
    )


@model
def resnet18():
    return vision("resnet18")


@model
def resnet50():
    return vision("resnet50", no_dynamic_decomposed=BIG)


@model
def resnet18_picture():
    """Height and width free too; one block a stage keeps it small."""
    import torchvision

    net = torchvision.models.ResNet(torchvision.models.resnet.BasicBlock, [1, 1, 1, 1], num_classes=10)
    net = calibrate(net, torch.randn(4, 3, 64, 64))
    return Case(
        net,
        (torch.randn(2, 3, 64, 72),),
        dynamic_shapes=({0: Dim("batch"), 2: Dim("height", min=33), 3: Dim("width", min=33)},),
        other=(torch.randn(1, 3, 80, 50),),
    )


@model
def vgg16_bn():
    # The classifier's hidden layers hold 4096 units in the original, which alone are 480 MB.
    # 224, since only there the adaptive pooling to 7x7 divides evenly.
    import torchvision

    net = torchvision.models.vgg16_bn()
    net.classifier = nn.Sequential(
        nn.Linear(512 * 7 * 7, 64),
        nn.ReLU(True),
        nn.Dropout(),
        nn.Linear(64, 64),
        nn.ReLU(True),
        nn.Dropout(),
        nn.Linear(64, 1000),
    )
    net = calibrate(net, torch.randn(2, 3, 224, 224))
    return Case(
        net,
        (torch.randn(2, 3, 224, 224),),
        dynamic_shapes=({0: Dim("batch")},),
        other=(torch.randn(1, 3, 224, 224),),
        no_dynamic_decomposed=BIG,
    )


@model
def densenet121():
    return vision("densenet121")


@model
def mobilenet_v3_small():
    return vision("mobilenet_v3_small")


@model
def mobilenet_v3_large():
    return vision("mobilenet_v3_large")


@model
def efficientnet_b0():
    return vision("efficientnet_b0")


@model
def convnext_tiny():
    return vision("convnext_tiny", no_dynamic_decomposed=BIG)


@model
def vit_b_16():
    # 3 of the 12 encoder layers, which are all alike; each is 28 MB.
    import torchvision

    net = torchvision.models.VisionTransformer(
        image_size=64, patch_size=16, num_layers=3, num_heads=12, hidden_dim=768, mlp_dim=3072
    )
    return Case(
        randomise(net),
        (torch.randn(2, 3, 64, 64),),
        dynamic_shapes=({0: Dim("batch")},),
        other=(torch.randn(3, 3, 64, 64),),
        no_dynamic_decomposed=BIG,
    )


@model
def swin_t():
    return vision("swin_t", no_dynamic_decomposed=BIG)


@model
def alexnet():
    # The classifier's hidden layers hold 4096 units in the original, which alone are 220 MB.
    import torchvision

    net = torchvision.models.alexnet()
    net.classifier = nn.Sequential(
        nn.Dropout(), nn.Linear(256 * 6 * 6, 64), nn.ReLU(True), nn.Dropout(), nn.Linear(64, 64), nn.ReLU(True)
    )
    return Case(
        randomise(net),
        (torch.randn(2, 3, 224, 224),),
        dynamic_shapes=({0: Dim("batch")},),
        other=(torch.randn(3, 3, 224, 224),),
    )


@model
def squeezenet1_1():
    return vision("squeezenet1_1")


@model
def inception_v3():
    return vision("inception_v3", 75, init_weights=False, aux_logits=False, no_exported=BIG, no_decomposed=BIG)


@model
def googlenet():
    return vision("googlenet", init_weights=False, aux_logits=False, no_decomposed=BIG)


@model
def mobilenet_v2():
    return vision("mobilenet_v2")


@model
def shufflenet_v2():
    return vision("shufflenet_v2_x1_0")


@model
def mnasnet():
    return vision("mnasnet1_0")


def segmentation(name):
    """ResNet-50 below, five classes; pictures of any size, whose result is a dict."""
    import torchvision

    build = getattr(torchvision.models.segmentation, name)
    net = build(weights=None, weights_backbone=None, num_classes=5)
    net = calibrate(net, torch.randn(2, 3, 64, 64))
    return Case(
        net,
        (torch.randn(2, 3, 64, 64),),
        dynamic_shapes=({0: Dim("batch")},),
        other=(torch.randn(3, 3, 64, 64),),
        torchscript_shapes=({0: Dim("batch"), 2: Dim("height"), 3: Dim("width")},),
        torchscript_other=(torch.randn(2, 3, 48, 80),),
        no_exported=BIG,
        no_decomposed=BIG,
        no_dynamic_decomposed=BIG,
    )


@model
def fcn_resnet50():
    return segmentation("fcn_resnet50")


@model
def deeplabv3_resnet50():
    return segmentation("deeplabv3_resnet50")


@model
def r2plus1d_18():
    import torchvision

    net = calibrate(torchvision.models.video.r2plus1d_18(), torch.randn(2, 3, 8, 32, 32))
    return Case(
        net,
        (torch.randn(2, 3, 8, 32, 32),),
        dynamic_shapes=({0: Dim("batch")},),
        other=(torch.randn(1, 3, 8, 32, 32),),
        no_exported=BIG,
        no_decomposed=BIG,
        no_dynamic_decomposed=BIG,
    )


class Detector(nn.Module):
    """One picture in, the tensors of its detections out. Pictures come without a batch axis, in a list."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x):
        result = self.net([x])
        # Scripted, a detector gives its losses too.
        found = result[1][0] if torch.jit.is_scripting() else result[0]
        return list(found.values())


def detection(kind, **options):
    """The real detectors with their post-processing, on a small backbone and with narrow heads."""
    from torchvision.models import detection as zoo
    from torchvision.models.detection.backbone_utils import resnet_fpn_backbone
    from torchvision.models.detection.faster_rcnn import TwoMLPHead

    backbone = resnet_fpn_backbone(backbone_name="resnet18", weights=None, norm_layer=nn.BatchNorm2d)
    net = getattr(zoo, kind)(
        backbone,
        num_classes=None,
        min_size=64,
        max_size=96,
        box_head=TwoMLPHead(256 * 7 * 7, 64),
        box_predictor=zoo.faster_rcnn.FastRCNNPredictor(64, 4),
        rpn_pre_nms_top_n_test=60,
        rpn_post_nms_top_n_test=20,
        box_detections_per_img=8,
        **options,
    )
    calibrate_backbone(net.backbone, torch.randn(2, 3, 64, 96))
    with torch.no_grad():
        # Untrained scores lie so near to one another that rounding would decide which boxes stay.
        net.rpn.head.cls_logits.weight.mul_(5)
        net.roi_heads.box_predictor.cls_score.weight.mul_(8)
        net.roi_heads.box_predictor.bbox_pred.weight.mul_(3)
    return Case(
        Detector(net.eval()),
        (torch.rand(3, 64, 80),),
        dynamic_shapes=({1: Dim("height"), 2: Dim("width")},),
        other=(torch.rand(3, 70, 60),),
        no_exported=DETECTION,
        no_decomposed=DETECTION,
        no_dynamic=DETECTION,
        no_dynamic_decomposed=DETECTION,
    )


DETECTION = "torch.export refuses it: how many boxes there are depends on the data"


def calibrate_backbone(backbone, x):
    calibrate(backbone, x)
    backbone.eval()


@model
def faster_rcnn():
    return detection("FasterRCNN")


@model
def mask_rcnn():
    from torchvision.models.detection.mask_rcnn import MaskRCNNHeads, MaskRCNNPredictor

    return detection(
        "MaskRCNN", mask_head=MaskRCNNHeads(256, (32, 32), 1), mask_predictor=MaskRCNNPredictor(32, 16, 4)
    )


@model
def keypoint_rcnn():
    from torchvision.models.detection.keypoint_rcnn import KeypointRCNNHeads, KeypointRCNNPredictor

    return detection(
        "KeypointRCNN",
        keypoint_head=KeypointRCNNHeads(256, (32, 32)),
        keypoint_predictor=KeypointRCNNPredictor(32, 5),
    )


# ---------------------------------------------------------------------------------------------------------------------
# PyTorch's own examples and the documentation of torch.onnx


class Mnist(nn.Module):
    """The net of pytorch/examples/mnist; `widths` are its two convolutions and the hidden layer."""

    def __init__(self, widths=(32, 64, 128)):
        super().__init__()
        a, b, c = widths
        self.conv1 = nn.Conv2d(1, a, 3, 1)
        self.conv2 = nn.Conv2d(a, b, 3, 1)
        self.dropout1 = nn.Dropout(0.25)
        self.dropout2 = nn.Dropout(0.5)
        self.fc1 = nn.Linear(b * 12 * 12, c)
        self.fc2 = nn.Linear(c, 10)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.relu(self.conv2(x))
        x = F.max_pool2d(x, 2)
        x = self.dropout1(x)
        x = torch.flatten(x, 1)
        x = F.relu(self.fc1(x))
        x = self.dropout2(x)
        x = self.fc2(x)
        return F.log_softmax(x, dim=1)


@model
def mnist():
    return Case(
        Mnist(),
        (torch.randn(2, 1, 28, 28),),
        dynamic_shapes=({0: Dim("batch")},),
        other=(torch.randn(5, 1, 28, 28),),
    )


@model
def dcgan_generator():
    def up(a, b, stride, padding):
        return [nn.ConvTranspose2d(a, b, 4, stride, padding, bias=False), nn.BatchNorm2d(b), nn.ReLU(True)]

    n = 16  # 64 in the example
    net = nn.Sequential(
        *up(100, n * 8, 1, 0),
        *up(n * 8, n * 4, 2, 1),
        *up(n * 4, n * 2, 2, 1),
        *up(n * 2, n, 2, 1),
        nn.ConvTranspose2d(n, 3, 4, 2, 1, bias=False),
        nn.Tanh(),
    )
    net = calibrate(net, torch.randn(8, 100, 1, 1))
    return Case(
        net,
        (torch.randn(2, 100, 1, 1),),
        dynamic_shapes=({0: Dim("batch")},),
        other=(torch.randn(3, 100, 1, 1),),
    )


@model
def dcgan_discriminator():
    def down(a, b):
        return [nn.Conv2d(a, b, 4, 2, 1, bias=False), nn.BatchNorm2d(b), nn.LeakyReLU(0.2, inplace=True)]

    class Net(nn.Module):
        def __init__(self, n=16):  # 64 in the example
            super().__init__()
            self.main = nn.Sequential(
                nn.Conv2d(3, n, 4, 2, 1, bias=False),
                nn.LeakyReLU(0.2, inplace=True),
                *down(n, n * 2),
                *down(n * 2, n * 4),
                *down(n * 4, n * 8),
                nn.Conv2d(n * 8, 1, 4, 1, 0, bias=False),
                nn.Sigmoid(),
            )

        def forward(self, x):
            return self.main(x).view(-1, 1).squeeze(1)

    net = calibrate(Net(), torch.randn(8, 3, 64, 64))
    return Case(
        net,
        (torch.randn(2, 3, 64, 64),),
        dynamic_shapes=({0: Dim("batch")},),
        other=(torch.randn(3, 3, 64, 64),),
    )


class StyleConv(nn.Module):
    """Reflection padding, after an upsampling where asked for, and a convolution."""

    def __init__(self, a, b, size, stride=1, upsample=0):
        super().__init__()
        self.upsample = upsample
        self.pad = nn.ReflectionPad2d(size // 2)
        self.conv = nn.Conv2d(a, b, size, stride)

    def forward(self, x):
        if self.upsample > 0:
            x = F.interpolate(x, mode="nearest", scale_factor=float(self.upsample))
        return self.conv(self.pad(x))


class StyleResidual(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.conv1 = StyleConv(n, n, 3)
        self.in1 = nn.InstanceNorm2d(n, affine=True)
        self.conv2 = StyleConv(n, n, 3)
        self.in2 = nn.InstanceNorm2d(n, affine=True)

    def forward(self, x):
        return self.in2(self.conv2(torch.relu(self.in1(self.conv1(x))))) + x


@model
def fast_neural_style():
    """The transformer network of pytorch/examples/fast_neural_style, for pictures of any size."""

    def stage(conv, n):
        return [conv, nn.InstanceNorm2d(n, affine=True), nn.ReLU()]

    net = nn.Sequential(
        *stage(StyleConv(3, 32, 9), 32),
        *stage(StyleConv(32, 64, 3, 2), 64),
        *stage(StyleConv(64, 128, 3, 2), 128),
        *[StyleResidual(128) for _ in range(5)],
        *stage(StyleConv(128, 64, 3, upsample=2), 64),
        *stage(StyleConv(64, 32, 3, upsample=2), 32),
        StyleConv(32, 3, 9),
    )
    return Case(
        randomise(net),
        (torch.randn(2, 3, 32, 24),),
        dynamic_shapes=({0: Dim("batch")},),
        other=(torch.randn(3, 3, 32, 24),),
        torchscript_shapes=({0: Dim("batch"), 2: Dim("height"), 3: Dim("width")},),
        torchscript_other=(torch.randn(2, 3, 20, 36),),
    )


@model
def super_resolution():
    class Net(nn.Module):
        def __init__(self, upscale_factor):
            super().__init__()
            self.relu = nn.ReLU()
            self.conv1 = nn.Conv2d(1, 64, (5, 5), (1, 1), (2, 2))
            self.conv2 = nn.Conv2d(64, 64, (3, 3), (1, 1), (1, 1))
            self.conv3 = nn.Conv2d(64, 32, (3, 3), (1, 1), (1, 1))
            self.conv4 = nn.Conv2d(32, upscale_factor**2, (3, 3), (1, 1), (1, 1))
            self.pixel_shuffle = nn.PixelShuffle(upscale_factor)
            for conv in (self.conv1, self.conv2, self.conv3):
                nn.init.orthogonal_(conv.weight, nn.init.calculate_gain("relu"))
            nn.init.orthogonal_(self.conv4.weight)

        def forward(self, x):
            x = self.relu(self.conv1(x))
            x = self.relu(self.conv2(x))
            x = self.relu(self.conv3(x))
            return self.pixel_shuffle(self.conv4(x))

    return Case(
        Net(3),
        (torch.randn(2, 1, 32, 24),),
        dynamic_shapes=({0: Dim("batch"), 2: Dim("height"), 3: Dim("width")},),
        other=(torch.randn(1, 1, 17, 40),),
    )


class WordLanguageModel(nn.Module):
    """pytorch/examples/word_language_model, RNNModel."""

    def __init__(self, kind, tokens=100, width=32, layers=2):
        super().__init__()
        self.tokens = tokens
        self.drop = nn.Dropout(0.2)
        self.encoder = nn.Embedding(tokens, width)
        if kind in ("LSTM", "GRU"):
            self.rnn = getattr(nn, kind)(width, width, layers, dropout=0.2)
        else:
            self.rnn = nn.RNN(width, width, layers, nonlinearity=kind[4:].lower(), dropout=0.2)
        self.decoder = nn.Linear(width, tokens)

    def forward(self, input, hidden):
        emb = self.drop(self.encoder(input))
        output, hidden = self.rnn(emb, hidden)
        output = self.drop(output)
        decoded = self.decoder(output)
        decoded = decoded.view(-1, self.tokens)
        return F.log_softmax(decoded, dim=1), hidden


class WordLanguageModelLstm(WordLanguageModel):
    """The same with the annotation that scripting needs."""

    def forward(self, input, hidden: Tuple[torch.Tensor, torch.Tensor]):
        emb = self.drop(self.encoder(input))
        output, hidden = self.rnn(emb, hidden)
        decoded = self.decoder(self.drop(output)).view(-1, self.tokens)
        return F.log_softmax(decoded, dim=1), hidden


# torch.export fixes the length of a sequence that goes through an RNN: its shape function walks the steps in Python.
# So only the batch is free here.


def word_language_model(kind):
    def args(length, batch):
        state = torch.randn(2, batch, 32)
        return (torch.randint(100, (length, batch)), (state, torch.randn(2, batch, 32)) if kind == "LSTM" else state)

    batch, state = Dim("batch"), {1: Dim("batch")}
    states = (state, state) if kind == "LSTM" else state
    return Case(
        (WordLanguageModelLstm if kind == "LSTM" else WordLanguageModel)(kind),
        args(7, 3),
        dynamic_shapes=({1: batch}, states),
        other=args(7, 5),
        torchscript_shapes=({0: Dim("length"), 1: batch}, states),
        torchscript_other=args(4, 2),
    )


@model
def word_language_model_lstm():
    return word_language_model("LSTM")


@model
def word_language_model_gru():
    return word_language_model("GRU")


@model
def word_language_model_rnn_tanh():
    return word_language_model("RNN_TANH")


@model
def word_language_model_rnn_relu():
    return word_language_model("RNN_RELU")


class Positions(nn.Module):
    """Sines and cosines, added to the embedding."""

    def __init__(self, width, longest=64):
        super().__init__()
        table = torch.zeros(longest, width)
        position = torch.arange(longest, dtype=torch.float).unsqueeze(1)
        step = torch.exp(torch.arange(0, width, 2).float() * (-math.log(10000.0) / width))
        table[:, 0::2] = torch.sin(position * step)
        table[:, 1::2] = torch.cos(position * step)
        self.register_buffer("pe", table.unsqueeze(1))
        self.dropout = nn.Dropout(0.2)

    def forward(self, x):
        return self.dropout(x + self.pe[: x.size(0), :])


class WordTransformer(nn.Module):
    """pytorch/examples/word_language_model, TransformerModel: causal, the mask made anew for each length."""

    def __init__(self, tokens=100, width=32, heads=4, hidden=48, layers=2):
        super().__init__()
        self.width = width
        self.input_emb = nn.Embedding(tokens, width)
        self.pos_encoder = Positions(width)
        layer = nn.TransformerEncoderLayer(width, heads, hidden, dropout=0.2)
        self.encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.decoder = nn.Linear(width, tokens)

    def forward(self, src):
        mask = torch.log(torch.tril(torch.ones(src.size(0), src.size(0))))
        src = self.pos_encoder(self.input_emb(src) * math.sqrt(self.width))
        return F.log_softmax(self.decoder(self.encoder(src, mask=mask)), dim=-1)


CAUSAL = "torch.export refuses it: TransformerEncoder compares the mask with a causal one, which depends on data"


@model
def word_language_model_transformer():
    return Case(
        randomise(WordTransformer()),
        (torch.randint(100, (7, 3)),),
        dynamic_shapes=({0: Dim("length"), 1: Dim("batch")},),
        other=(torch.randint(100, (4, 2)),),
        no_exported=CAUSAL,
        no_decomposed=CAUSAL,
        no_dynamic=CAUSAL,
        no_dynamic_decomposed=CAUSAL,
    )


@model
def rnn_zoo():
    """Bidirectional, batch first, no initial state, no bias, relu: one call each."""

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm = nn.LSTM(6, 8, 2, batch_first=True, bidirectional=True)
            self.gru = nn.GRU(16, 4, 1, batch_first=True, bidirectional=True, bias=False)
            self.tanh = nn.RNN(8, 6, 1, batch_first=True)
            self.relu = nn.RNN(6, 3, 2, batch_first=True, nonlinearity="relu")

        def forward(self, x):
            x, (h, c) = self.lstm(x)
            x, g = self.gru(x)
            x, _ = self.tanh(x)
            x, r = self.relu(x)
            return x, h, c, g, r

    return Case(
        Net(),
        (torch.randn(3, 5, 6),),
        dynamic_shapes=({0: Dim("batch")},),
        other=(torch.randn(2, 5, 6),),
        torchscript_shapes=({0: Dim("batch"), 1: Dim("time")},),
        torchscript_other=(torch.randn(2, 8, 6),),
    )


@model
def mlp():
    class MLPModel(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc0 = nn.Linear(8, 8, bias=True)
            self.fc1 = nn.Linear(8, 4, bias=True)
            self.fc2 = nn.Linear(4, 2, bias=True)
            self.fc3 = nn.Linear(2, 2, bias=True)
            self.fc_combined = nn.Linear(8 + 8 + 8, 8, bias=True)

        def forward(self, tensor_x: torch.Tensor, input_dict: dict, input_list: list):
            dict_tensor = input_dict["tensor_x"]
            list_tensor = input_list[0]
            combined_tensor = torch.cat([tensor_x, dict_tensor, list_tensor], dim=1)
            combined_tensor = self.fc_combined(combined_tensor)
            combined_tensor = torch.sigmoid(combined_tensor)
            combined_tensor = self.fc0(combined_tensor)
            combined_tensor = torch.sigmoid(combined_tensor)
            combined_tensor = self.fc1(combined_tensor)
            combined_tensor = torch.sigmoid(combined_tensor)
            combined_tensor = self.fc2(combined_tensor)
            combined_tensor = torch.sigmoid(combined_tensor)
            return self.fc3(combined_tensor)

    def args(batch):
        return (torch.rand(batch, 8), {"tensor_x": torch.rand(batch, 8)}, [torch.rand(batch, 8)])

    batch = Dim("batch_size")
    shapes = ({0: batch}, {"tensor_x": {0: batch}}, [{0: batch}])
    untyped = "a bare `dict` and `list` are no types of TorchScript"
    return Case(MLPModel(), args(97), dynamic_shapes=shapes, other=args(5), no_scripted=untyped)


@model
def conv():
    class MyModel(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv1 = nn.Conv2d(1, 128, 5)

        def forward(self, x):
            return torch.relu(self.conv1(x))

    return Case(
        MyModel(),
        (torch.rand(1, 1, 40, 40),),
        dynamic_shapes=({2: Dim("height", min=6), 3: Dim("width", min=6)},),
        other=(torch.rand(1, 1, 20, 31),),
    )


# ---------------------------------------------------------------------------------------------------------------------
# transformers: small configurations of the real classes


def quiet_transformers():
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    import transformers

    transformers.logging.set_verbosity_error()
    return transformers


class Plain(nn.Module):
    """A model of `transformers` with tuples instead of its own classes, which a trace cannot return."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, input_ids, attention_mask):
        return self.net(input_ids=input_ids, attention_mask=attention_mask, return_dict=False)


UNSCRIPTABLE = "transformers' modules use keyword arguments and classes that TorchScript does not know"


def text(net, batch=2, length=9, other=(3, 6), **extra):
    def inputs(batch, length):
        mask = torch.ones(batch, length, dtype=torch.int64)
        mask[0, length - 2 :] = 0
        return {"input_ids": torch.randint(200, (batch, length)), "attention_mask": mask}

    dims = {0: Dim("batch"), 1: Dim("sequence", max=64)}
    return Case(
        randomise(net),
        (),
        inputs(batch, length),
        dynamic_shapes={"input_ids": dims, "attention_mask": dims},
        other_kwargs=inputs(*other),
        torchscript=Plain(net),
        no_scripted=UNSCRIPTABLE,
        **extra,
    )


def bert_like(attention):
    t = quiet_transformers()
    config = t.BertConfig(
        vocab_size=200,
        hidden_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=128,
        max_position_embeddings=64,
    )
    config._attn_implementation = attention
    return text(t.BertModel(config))


@model
def bert():
    return bert_like("sdpa")


@pt2_model
def bert_eager():
    return bert_like("eager")


def distilbert_like(attention):
    t = quiet_transformers()
    config = t.DistilBertConfig(
        vocab_size=200, dim=64, n_layers=2, n_heads=4, hidden_dim=128, max_position_embeddings=64
    )
    config._attn_implementation = attention
    return text(t.DistilBertForSequenceClassification(config))


@model
def distilbert():
    return distilbert_like("sdpa")


@pt2_model
def distilbert_eager():
    return distilbert_like("eager")


ATTENTION_STRIDES = "run_decompositions fails: its attention leaves strides that the following view cannot take"


def gpt2_net(attention):
    t = quiet_transformers()
    config = t.GPT2Config(
        vocab_size=200, n_positions=64, n_embd=64, n_layer=3, n_head=4, bos_token_id=0, eos_token_id=0
    )
    config._attn_implementation = attention
    config.use_cache = False
    return t, t.GPT2LMHeadModel(config)


@model
def gpt2():
    return text(gpt2_net("sdpa")[1], no_decomposed=ATTENTION_STRIDES, no_dynamic_decomposed=ATTENTION_STRIDES)


@pt2_model
def gpt2_eager():
    return text(gpt2_net("eager")[1])


@model
def gpt2_cache():
    """One step of decoding: the cache comes in and goes out as tensors."""
    t, net = gpt2_net("sdpa")

    class Step(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = net

        def forward(self, input_ids, attention_mask, past):
            cache = t.DynamicCache()
            for i, (k, v) in enumerate(past):
                cache.update(k, v, i)
            out = self.net(input_ids=input_ids, attention_mask=attention_mask, past_key_values=cache, use_cache=True)
            return out.logits, [(layer.keys, layer.values) for layer in out.past_key_values.layers]

    def args(batch, past, new):
        mask = torch.ones(batch, past + new, dtype=torch.int64)
        mask[0, :2] = 0
        state = [(torch.randn(batch, 4, past, 16), torch.randn(batch, 4, past, 16)) for _ in range(3)]
        return torch.randint(200, (batch, new)), mask, state

    class Flat(nn.Module):
        """A trace may not return a list of tuples."""

        def __init__(self, step):
            super().__init__()
            self.step = step

        def forward(self, input_ids, attention_mask, past: List[Tuple[torch.Tensor, torch.Tensor]]):
            return tuple(pytree.tree_leaves(self.step(input_ids, attention_mask, past)))

    step = randomise(Step())
    batch, past, new = Dim("batch"), Dim("past", max=30), Dim("new", max=30)
    state = {0: batch, 2: past}
    return Case(
        step,
        args(2, 5, 3),
        dynamic_shapes=({0: batch, 1: new}, {0: batch, 1: Dim.DYNAMIC}, [(state, state)] * 3),
        other=args(3, 4, 2),
        torchscript=Flat(step),
        torchscript_shapes=({0: batch, 1: new}, {0: batch, 1: Dim("total")}, [(state, state)] * 3),
        no_scripted=UNSCRIPTABLE,
        no_decomposed=ATTENTION_STRIDES,
        no_dynamic_decomposed=ATTENTION_STRIDES,
    )


def transformer_encoder_like(norm_first, masked):
    activation = "gelu" if norm_first else "relu"
    layer = nn.TransformerEncoderLayer(32, 4, 64, batch_first=True, norm_first=norm_first, activation=activation)
    net = nn.TransformerEncoder(layer, 2, norm=nn.LayerNorm(32) if norm_first else None, enable_nested_tensor=False)

    def call(batch, length):
        x = torch.randn(batch, length, 32)
        if not masked:
            return (x,), {}
        mask = torch.zeros(batch, length, dtype=torch.bool)
        mask[0, length - 2 :] = True
        return (x,), {"src_key_padding_mask": mask}

    dims = {0: Dim("batch"), 1: Dim("sequence")}
    args, kwargs = call(2, 9)
    other, other_kwargs = call(3, 6)
    shapes = {"src": dims, "src_key_padding_mask": dims} if masked else {"src": dims}
    return Case(randomise(net), args, kwargs, shapes, other, other_kwargs)


@model
def transformer_encoder():
    return transformer_encoder_like(False, False)


@pt2_model
def transformer_encoder_mask():
    return transformer_encoder_like(False, True)


@pt2_model
def transformer_encoder_norm_first():
    return transformer_encoder_like(True, False)


@model
def transformer_encoder_norm_first_mask():
    return transformer_encoder_like(True, True)


# ---------------------------------------------------------------------------------------------------------------------
# Calls that a decomposition replaces by operators of their own: values alone of a factorization that has vectors, too


@model
def linear_algebra():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.bilinear = nn.Bilinear(4, 4, 6)

        def forward(self, x):
            product = x @ x.transpose(-2, -1) + torch.eye(4)
            mixed = self.bilinear(x, x)
            left, right = torch.tensor_split(mixed, 2, dim=2)
            solved = torch.linalg.solve(product, left)
            return (
                torch.linalg.svdvals(x),
                torch.linalg.eigvalsh(product),
                torch.linalg.matrix_rank(x),
                torch.linalg.cond(x),
                torch.linalg.matrix_norm(x, "nuc"),
                torch.linalg.slogdet(product)[1],
                torch.renorm(right, 2.0, 0, 1.0),
                torch.trace(solved.sum(0)),
            )

    net = randomise(Net())
    return Case(
        net, (torch.randn(3, 4, 4),), dynamic_shapes=({0: Dim("batch")},), other=(torch.randn(5, 4, 4),)
    )


# ---------------------------------------------------------------------------------------------------------------------
# Small programs, each made to strain one side of the file format


@pt2_model
def inplace_views():
    class Net(nn.Module):
        def forward(self, x, y, i):
            x = x.clone()
            x[1] = y  # select + copy_
            x[:, 1:3] = 0.5  # slice + fill_
            x[..., ::2, -1] += 1  # slice + select + add_
            x[i] = -2.0  # index_put_
            x.relu_().add_(0.25)
            v = x.view(x.size(0), -1)[:, 2:]  # a chain of views
            v.mul_(2)
            w = x.transpose(1, 2)
            w.add_(1)
            w[0].masked_fill_(w[0] > 3, 3.0)
            u = x.unsqueeze(0).expand(2, -1, -1, -1).reshape(2, -1)  # a copy: later writes do not reach it
            early = x.select(0, 0) * 1
            x.permute(2, 0, 1).diagonal(dim1=1, dim2=2).zero_()
            a, b = x.split([2, 2], dim=1)
            a.sub_(b)
            torch.add(a, b, out=b)
            x[0].flatten().clamp_(max=5)
            return x, v, w.contiguous(), u, early, a + b

    def args(n):
        return torch.randn(n, 4, 3), torch.randn(4, 3), torch.tensor([0, 2])

    strides = "run_decompositions fails: the write through a transpose changes the strides under an earlier view"
    return Case(
        Net(),
        args(3),
        dynamic_shapes=({0: Dim("batch", min=3)}, None, None),
        other=args(5),
        no_decomposed=strides,
        no_dynamic_decomposed=strides,
    )


@pt2_model
def input_mutation():
    """Writes to its inputs: the archive's signature says user_input_mutation."""

    class Net(nn.Module):
        def forward(self, x, y):
            x.add_(1)
            y[:, 0] = x.sum(1)
            return x * 2, y.view(-1)

    return Case(
        Net(),
        (torch.randn(3, 4), torch.randn(3, 2)),
        dynamic_shapes=({0: (batch := Dim("batch"))}, {0: batch}),
        other=(torch.randn(5, 4), torch.randn(5, 2)),
    )


@pt2_model
def buffer_mutation():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("count", torch.tensor(3))
            self.register_buffer("mean", torch.randn(4))
            self.register_buffer("ring", torch.randn(3, 4))

        def forward(self, x):
            self.count += 1
            self.mean.mul_(0.9).add_(x.mean(0), alpha=0.1)
            self.ring[1] = self.mean
            return x - self.mean + self.count, self.ring.sum(0)

    return Case(Net(), (torch.randn(3, 4),), dynamic_shapes=({0: Dim("batch")},), other=(torch.randn(5, 4),))


@pt2_model
def symbolic_math():
    class Net(nn.Module):
        def forward(self, x, y):
            n, m = x.shape
            k = y.size(0)
            double = torch.cat([x, x])
            odd = torch.cat([double, x.new_ones(1, m)])  # 2 * n + 1 rows
            half = x.new_full((n // 2, m), 0.5)
            scaled = x / n**0.5 + m * 0.25
            rows = torch.arange(m, device=x.device)
            table = torch.full((n, k), 3)
            flat = x.reshape(n, -1, 2).reshape(-1)
            mean = x.sum() / max(1, n)
            windows = F.pad(y, (0, n - 1)).unfold(0, 2, 1)
            tail = x[n - 2 :, : m - 1]
            grid = torch.zeros(n + k, m % 3 + 2, dtype=torch.float64)
            resized = F.interpolate(x[None, None], scale_factor=2.0)
            both = x.view(n * m)
            stepped = x[::2]
            return odd, half, stepped, scaled, rows, table, flat, mean, windows, tail, grid, resized, both, n * k + 1

    def args(n, m, k):
        return torch.randn(n, 2 * m), torch.randn(k)

    m = Dim("m", min=2, max=100)
    return Case(
        Net(),
        args(4, 3, 5),
        dynamic_shapes=({0: Dim("n", min=4, max=1000), 1: 2 * m}, {0: Dim("k")}),
        other=args(7, 5, 3),
    )


@pt2_model
def argument_kinds():
    """Calls whose arguments the other models do not have, and results that are lists and tuples."""

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.same = nn.Conv2d(4, 4, (3, 2), padding="same")

        def forward(self, x, i):
            a = x[:, i]  # an optional tensor list that begins with None
            b = x[i, :, None, i]
            c = self.same(x)
            d = torch.einsum("bchw,bkhw->bck", x, c)
            values, indices = x.topk(2, dim=-1)
            largest = x.max(dim=1)
            ordered = x.sort(dim=2, descending=True)
            parts = x.chunk(3, dim=1)
            rows = x.unbind(1)
            gy, gx = torch.meshgrid(i, i.flip(0), indexing="ij")
            e = F.interpolate(x, size=(9, 11), mode="bilinear", align_corners=False)
            f = F.interpolate(x, scale_factor=(1.5, 2.0), mode="nearest")
            g = F.avg_pool2d(x, (2, 3), stride=(1, 2), padding=(1, 0), ceil_mode=True, count_include_pad=False)
            h = F.pad(x, (1, 2, 0, 1), mode="constant", value=-1.5)
            k = F.pad(x, (1, 2, 1, 1), mode="reflect")
            l = torch.linalg.vector_norm(x, ord=math.inf, dim=(1, 2), keepdim=True)
            m = x.sum(dim=(-1, -2), dtype=torch.float64)
            n = torch.stack([rows[0], rows[1]], dim=-1).roll((1, -1), dims=(0, 1))
            o = torch.where(x > 0, x, 2.0).clamp(min=None, max=1)
            p = x.to(torch.int32, memory_format=torch.preserve_format) // 2
            q = x.std(dim=1, correction=0), x.argmax(), x.any(), x.tril(-1), x.cumsum(1), (x**2).prod(1)
            r = torch.linspace(0, 1, 5), torch.eye(3), F.one_hot(i, 5), F.gelu(x, approximate="tanh")
            s = F.group_norm(x, 2), F.layer_norm(x, x.shape[-2:]), F.instance_norm(x)
            first = a, b, c, d, values, indices, *largest, *ordered, parts, rows[3], gy, gx
            return first, e, f, g, h, k, l, m, n, o, p, q, r, s

    def args(n):
        return torch.randn(n, 4, 5, 6), torch.tensor([0, 2, 1])

    return Case(Net(), args(3), dynamic_shapes=({0: Dim("batch", min=3)}, None), other=args(5))


@pt2_model
def integer_input():
    """A Python int, float, bool, None and string as inputs; the int is free in the dynamic variant."""

    class Net(nn.Module):
        def forward(self, x, n, scale, flag, nothing, mode):
            y = x.repeat(n, 1) if flag else x
            y = y * scale if nothing is None else y
            return y.sum(0) if mode == "sum" else y.mean(0), y

    return Case(
        Net(),
        (torch.randn(3, 4), 2, 1.5, True, None, "sum"),
        dynamic_shapes=({0: Dim("batch")}, Dim.DYNAMIC, None, None, None, None),
        other=(torch.randn(5, 4), 3, 1.5, True, None, "sum"),
    )


@pt2_model
def nested_outputs():
    class Net(nn.Module):
        def forward(self, x, pair, named):
            a, (b, c) = pair
            s = x + a
            return {
                "sum": s,
                "again": s,
                "input": x,
                "list": [b * 2, None, (c, s.mean())],
                "nothing": None,
                "number": 7,
                "named": {"z": named["z"] - 1, "a": named["a"] * 3},
            }

    def args(n):
        z = torch.randn(n, 2)
        named = {"z": torch.randn(n, 2), "a": torch.randn(2)}
        return torch.randn(n, 2), (z, [torch.randn(n, 2), torch.randn(2)]), named

    rows = {0: Dim("batch")}
    return Case(
        Net(),
        args(3),
        dynamic_shapes=(rows, (rows, [rows, None]), {"z": rows, "a": None}),
        other=args(5),
    )


@pt2_model
def constants():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed = nn.Embedding(10, 6)
            self.head = nn.Linear(6, 10)
            self.head.weight = self.embed.weight  # tied
            self.register_buffer("scale", torch.tensor(1.25))
            self.register_buffer("kept_out", torch.randn(6), persistent=False)
            self.register_buffer("ints", torch.tensor([3, -1, 2, 0, 1, 5]))
            self.register_buffer("bytes", torch.tensor([200, 0, 7, 255, 1, 9], dtype=torch.uint8))
            self.register_buffer("small", torch.tensor([-100, 0, 7, 127, 1, 9], dtype=torch.int8))
            self.register_buffer("shorts", torch.tensor([-300, 0, 7, 127, 1, 9], dtype=torch.int16))
            self.register_buffer("int32", torch.tensor([1, 2, 3, 4, 5, 6], dtype=torch.int32))
            self.register_buffer("flags", torch.tensor([True, False, True, True, False, True]))
            self.register_buffer("half_buffer", torch.randn(6).half())
            self.register_buffer("brain_buffer", torch.randn(6).bfloat16())
            self.register_buffer("double_buffer", torch.randn(6, dtype=torch.float64))
            self.register_buffer("empty", torch.empty(0, 6))
            self.register_buffer("view", torch.randn(6, 6).t()[1:5, ::2])  # strides and an offset of its own
            self.register_buffer("base", torch.arange(12.0))
            self.register_buffer("slice", self.base[3:9])  # shares storage with base
            self.unused = nn.Parameter(torch.randn(3))
            self.plain = torch.randn(6)  # neither parameter nor buffer
            self.frozen = nn.Parameter(torch.randn(6), requires_grad=False)

        def forward(self, tokens):
            x = self.embed(tokens) * self.scale + self.kept_out + self.plain + self.frozen
            x = x + torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]) - torch.tensor(0.5)
            x = x + self.ints + self.bytes.float() + self.small + self.shorts + self.int32 + self.slice
            x = torch.where(self.flags, x, self.half_buffer.float() + self.brain_buffer.float())
            wide = x.double() * self.double_buffer
            y = torch.cat([x.reshape(-1, 6), self.empty])
            logits = self.head(x)
            buffers = self.half_buffer, self.brain_buffer, self.flags, self.ints
            return logits, wide, y, self.view @ torch.ones(3), self.base.sum(), *buffers

    return Case(
        Net(),
        (torch.randint(10, (3, 4)),),
        dynamic_shapes=({0: Dim("batch"), 1: Dim("length")},),
        other=(torch.randint(10, (2, 7)),),
    )


@pt2_model
def half_precision():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.fp16 = nn.Linear(8, 8).half()

        def forward(self, x):
            y = F.gelu(self.fp16(x.half()))
            # bfloat16 is only converted: ONNX Runtime has no arithmetic for it on a CPU
            z = F.softmax(y.to(torch.bfloat16), -1, dtype=torch.float32)
            return y, z

    return Case(Net(), (torch.randn(3, 8),), dynamic_shapes=({0: Dim("batch")},), other=(torch.randn(5, 8),))


@pt2_model
def control_flow():
    """torch.cond: a subgraph in the archive."""

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.up = nn.Linear(4, 4)

        def forward(self, x, y):
            return torch.cond(x.sum() > 0, lambda x, y: (self.up(x) + y,), lambda x, y: (x.sin() * y - 1,), (x, y))

    def args(n, sign):
        return sign * (torch.rand(n, 4) + 0.1), torch.randn(n, 4)

    batch = Dim("batch")
    return Case(Net(), args(3, 1), dynamic_shapes=({0: batch}, {0: batch}), other=args(5, -1))


@pt2_model
def data_dependent():
    """Sizes that the data decide: unbacked symbols u0, u1, and the asserts about them."""

    class Net(nn.Module):
        def forward(self, x, n):
            found = x[x > 0]
            where = torch.nonzero(x)
            count = n.item()
            torch._check(count >= 1)
            torch._check(count <= x.size(0))
            return found * 2, where, x[:count], torch.ones(count, 2)

    return Case(
        Net(),
        (torch.randn(4, 3), torch.tensor(2)),
        dynamic_shapes=({0: Dim("batch")}, None),
        other=(torch.randn(6, 3), torch.tensor(5)),
    )


# ---------------------------------------------------------------------------------------------------------------------
# Writing

ONNX_TYPES = {
    torch.float32: onnx.TensorProto.FLOAT,
    torch.uint8: onnx.TensorProto.UINT8,
    torch.int8: onnx.TensorProto.INT8,
    torch.int16: onnx.TensorProto.INT16,
    torch.int32: onnx.TensorProto.INT32,
    torch.int64: onnx.TensorProto.INT64,
    torch.bool: onnx.TensorProto.BOOL,
    torch.float16: onnx.TensorProto.FLOAT16,
    torch.float64: onnx.TensorProto.DOUBLE,
    torch.bfloat16: onnx.TensorProto.BFLOAT16,
    torch.complex64: onnx.TensorProto.COMPLEX64,
}


def as_tensor(value):
    return value.detach() if isinstance(value, torch.Tensor) else torch.tensor(value)


def write_tensors(folder, kind, names_and_values):
    for i, (name, value) in enumerate(names_and_values):
        t = as_tensor(value).contiguous()
        proto = onnx.TensorProto(name=name, data_type=ONNX_TYPES[t.dtype], dims=list(t.shape))
        proto.raw_data = bytes(t.reshape(-1).view(torch.uint8).numpy().tobytes()) if t.numel() else b""
        with open(os.path.join(folder, f"{kind}_{i}.pb"), "wb") as out:
            out.write(proto.SerializeToString(deterministic=True))


def copied(values):
    """Some models write to their inputs or buffers."""
    return pytree.tree_map(lambda v: v.clone() if isinstance(v, torch.Tensor) else v, values)


def call(module, args, kwargs):
    """What eager PyTorch gives, as a flat list."""
    args, kwargs = copied((args, kwargs))
    state = [(v, v.clone()) for v in itertools.chain(module.parameters(), module.buffers())]
    with torch.no_grad():
        results = pytree.tree_leaves(module(*args, **kwargs))
        for value, before in state:
            value.copy_(before)
    for value in results:
        if value is not None and torch.is_floating_point(as_tensor(value)):
            assert as_tensor(value).isfinite().all(), "not finite"
    return results


def write_program_data(folder, program, module, args, kwargs):
    """What `program`, made by torch.export, takes and gives."""
    os.makedirs(folder)
    kinds = torch.export.graph_signature
    specs = [s for s in program.graph_signature.input_specs if s.kind == kinds.InputKind.USER_INPUT]
    leaves = pytree.tree_leaves((args, kwargs))
    assert len(specs) == len(leaves), (len(specs), len(leaves))
    # An int, float, bool, None or string fixed by the export is no input of the program any more.
    kept = [(s.arg.name, v) for s, v in zip(specs, leaves) if not isinstance(s.arg, kinds.ConstantArgument)]
    write_tensors(folder, "input", kept)
    results = call(module, args, kwargs)
    outputs = [s.arg for s in program.graph_signature.output_specs if s.kind == kinds.OutputKind.USER_OUTPUT]
    assert len(outputs) == len(results), (outputs, len(results))
    write_tensors(
        folder, "output", [(str(getattr(a, "name", "")), r) for a, r in zip(outputs, results) if r is not None]
    )


def write_plain_data(folder, module, args, kwargs):
    os.makedirs(folder)
    write_tensors(folder, "input", [("", v) for v in pytree.tree_leaves((args, kwargs)) if v is not None])
    write_tensors(folder, "output", [("", v) for v in call(module, args, kwargs) if v is not None])


def input_texts(name, value, shape):
    """The `--input` texts of a parameter: free axes by name, the others as numbers."""
    if isinstance(value, torch.Tensor):
        free = {axis: dim.__name__ for axis, dim in (shape or {}).items()}
        dims = ",".join(free.get(axis, str(size)) for axis, size in enumerate(value.shape))
        kind = {torch.float32: "f32", torch.int64: "i64", torch.bool: "bool"}[value.dtype]
        return [f"{name}={kind}[{dims}]"]
    keys = value.keys() if isinstance(value, dict) else range(len(value))
    return [text for k in keys for text in input_texts(f"{name}.{k}", value[k], shape and shape[k])]


def write_torchscript(stem, case):
    """The two archives, their `--input` texts, and what the module gives at the sizes of `torchscript_other`."""
    module = (case.torchscript or case.module).eval()
    args, other = case.args, case.torchscript_other or case.other
    names = list(inspect.signature(module.forward).parameters)[: len(args)] + list(case.kwargs)
    shapes = case.torchscript_shapes or case.dynamic_shapes
    shapes = list(shapes.values()) if isinstance(shapes, dict) else list(shapes)
    with open(stem + ".inputs", "w", encoding="utf-8") as out:
        for name, value, shape in zip(names, args + tuple(case.kwargs.values()), shapes):
            out.writelines(text + "\n" for text in input_texts(name, value, shape))
    write_plain_data(stem + ".data", module, args, case.kwargs)
    write_plain_data(stem + ".named.data", module, other, case.other_kwargs)
    save_or_say(stem, "scripted.pt", case.no_scripted, lambda: torch.jit.script(module), torch.jit.save)
    named = {**dict(zip(names, args)), **case.kwargs} if case.kwargs else None
    save_or_say(stem, "traced.pt", case.no_traced, lambda: traced(module, args, named), torch.jit.save)


def traced(module, args, named):
    with torch.no_grad():
        args = None if named else copied(args)
        return torch.jit.trace(module, args, check_trace=False, strict=False, example_kwarg_inputs=named)


def save_or_say(stem, suffix, why, build, save):
    if why:
        with open(f"{stem}.{suffix}.why", "w", encoding="utf-8") as out:
            out.write(why + "\n")
    else:
        save(build(), f"{stem}.{suffix}")


def keep_addresses_out():
    """Decomposed archives say of each node which graph it came from, by its address, and print functions. Not here."""
    numbers = itertools.count()
    torch.fx.traceback.id = lambda graph: graph.__dict__.setdefault("_fixture_number", next(numbers))
    source = torch.fx.traceback.NodeSource
    info = source.NodeInfo
    source.NodeInfo = staticmethod(
        lambda name, target, graph_id: info(name, re.sub(" at 0x[0-9a-f]+", "", target), graph_id)
    )


def write(name, outdir):
    keep_addresses_out()
    torch.manual_seed(zlib.crc32(name.encode()))
    torch.set_num_threads(1)
    case = MODELS[name]()
    case.module.eval()
    os.makedirs(outdir, exist_ok=True)
    stem = os.path.join(outdir, name)

    write_exported(stem, case, None, case.no_exported, case.no_decomposed)
    write_exported(stem + ".dynamic", case, case.dynamic_shapes, case.no_dynamic, case.no_dynamic_decomposed)
    if not (case.no_traced and case.no_scripted):
        write_torchscript(stem + ".torchscript", case)
    else:
        save_or_say(stem + ".torchscript", "traced.pt", case.no_traced, None, None)
        save_or_say(stem + ".torchscript", "scripted.pt", case.no_scripted, None, None)


def write_exported(stem, case, shapes, why, why_not_decomposed):
    program = None if why else torch.export.export(case.module, case.args, case.kwargs, dynamic_shapes=shapes)
    save_or_say(stem, "pt2", why, lambda: program, torch.export.save)
    why_not = why or why_not_decomposed
    save_or_say(stem, "decomposed.pt2", why_not, lambda: program.run_decompositions(), torch.export.save)
    if program:
        args = case.other if shapes else case.args
        kwargs = (case.other_kwargs if shapes else None) or case.kwargs
        write_program_data(stem + ".data", program, case.module, args, kwargs)


def main(argv):
    if argv == ["--list"]:
        print("\n".join(MODELS))
    elif argv and len(argv) % 2 == 0 and set(argv[::2]) <= MODELS.keys():
        warm_up()
        for name, outdir in zip(argv[::2], argv[1::2]):
            in_child(lambda: write(name, outdir))
    else:
        sys.exit(__doc__)


def warm_up():
    """What the first export imports and builds, once for all models."""

    class Nothing(nn.Module):
        def forward(self, x):
            return x

    torch.set_num_threads(1)
    torch.export.export(Nothing(), (torch.ones(1),)).run_decompositions()
    gc.disable()  # a tenth of the time of an export; each model has a process of its own


def in_child(work):
    """No model sees what the one before it left behind."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    if os.waitpid(child, 0)[1] != 0:
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
