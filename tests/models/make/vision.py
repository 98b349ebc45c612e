"""torchvision's architectures. Pictures are smaller than 224 where the architecture allows."""

import torch
import torchvision
from case import BIG, Case, calibrate, model, randomise
from torch import nn
from torch.export import Dim


def vision(name, size=64, **options):
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
