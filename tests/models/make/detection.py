"""torchvision's detectors with their post-processing."""

import torch
from case import Case, calibrate, model
from torch import nn
from torch.export import Dim
from torchvision.models import detection as zoo
from torchvision.models.detection.backbone_utils import resnet_fpn_backbone
from torchvision.models.detection.faster_rcnn import TwoMLPHead
from torchvision.models.detection.keypoint_rcnn import KeypointRCNNHeads, KeypointRCNNPredictor
from torchvision.models.detection.mask_rcnn import MaskRCNNHeads, MaskRCNNPredictor


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
    return detection("MaskRCNN", mask_head=MaskRCNNHeads(256, (32, 32), 1), mask_predictor=MaskRCNNPredictor(32, 16, 4))


@model
def keypoint_rcnn():
    return detection(
        "KeypointRCNN",
        keypoint_head=KeypointRCNNHeads(256, (32, 32)),
        keypoint_predictor=KeypointRCNNPredictor(32, 5),
    )
