"""Operators of torchvision, and what detectors do with boxes of which there may be none."""

import torch
import torchvision
from torch import nn
from torchvision import ops

from program import rand, script

BOXES = "boxes=f32[n,4]"
SCORES = "scores=f32[n]"
# ONNX Runtime has no kernel for RoiAlign of opset 22.
ROI_OPSETS = (11, 13, 17, 21)


def boxes(count):
    corner = torch.rand(count, 2) * 8
    return torch.cat([corner, corner + 1 + torch.rand(count, 2) * 7], 1)


def found(count):
    return boxes(count), torch.rand(count)


@script(BOXES, SCORES, runs=[found(9), found(30), found(1)], since=11, has=["NonMaxSuppression"])
class Nms(nn.Module):
    def forward(self, boxes, scores):
        return ops.nms(boxes, scores, 0.3)


@script("x=f32[2,3,16,16]", BOXES, runs=[(rand(2, 3, 16, 16), boxes(4)), (rand(2, 3, 16, 16), boxes(7))], since=11,
        opsets=ROI_OPSETS, has=["RoiAlign"])
class RoiAlignOfARunsScale(nn.Module):
    """The scale comes from a size known only at run time: it is multiplied into the boxes."""

    def forward(self, x, boxes):
        scale = float(boxes.size(0)) / 16
        rois = torch.cat([torch.zeros_like(boxes[:, :1]), boxes], 1)
        return ops.roi_align(x, rois, (2, 3), scale, 2, False), ops.roi_align(x, rois, (3, 2), 0.5, 2, False)


@script(BOXES, SCORES, runs=[found(6), (boxes(3), torch.zeros(3))], since=11, has=["If"],
        remarks=["leaves an empty tensor of 2 dimensions"])
class NothingFound(nn.Module):
    """As torchvision's BoxCoder: without boxes the tensor keeps its rank."""

    def forward(self, boxes, scores):
        kept = boxes[torch.where(scores > 0)[0]].repeat(1, 3)
        count = kept.size(0)
        if count > 0:
            kept = kept.reshape(count, -1, 4)
        return kept[:, 1:].reshape(-1, 4) * 2
