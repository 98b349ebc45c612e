"""A detector of torchvision with non-maximum suppression in the model: pictures of any size, any number of boxes."""

import sys
import warnings

import onnxport
import torch
from recipe import path
from torchvision.models.detection import ssdlite320_mobilenet_v3_large
from torchvision.ops import box_iou

torch.manual_seed(0)
detector = ssdlite320_mobilenet_v3_large(
    weights=None, weights_backbone=None, num_classes=5, score_thresh=0.5, nms_thresh=0.4
)


@torch.no_grad()
def give_statistics():
    """A net with random weights finds nothing. With batch norms that have seen noise, its scores differ."""
    for module in detector.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.momentum = None  # the mean of all that is seen
    for _ in range(3):
        detector.head(list(detector.backbone(torch.randn(4, 3, 320, 320)).values()))
    for layer in detector.head.classification_head.module_list:
        layer[1].weight *= 2
    detector.eval()


def export(name, **options):
    axes, outputs = {"images": [{1: "height", 2: "width"}]}, ["boxes", "scores", "labels"]
    example = [torch.rand(3, 240, 320)]
    return onnxport.export(
        detector, (example,), path(name), strategy="trace", dynamic_shapes=axes, output_names=outputs, **options
    )


warnings.filterwarnings("ignore", "To copy construct", UserWarning)  # torchvision's, of its own code
give_statistics()
model, quantized = export("detection.onnx"), export("detection.int8.onnx", weights_as="int8")
print(model, *quantized.remarks, sep="\n")
total = kept = 0
for size, brightness in [((240, 320), 1), ((200, 300), 1), ((320, 90), 1), ((64, 500), 0.5)]:
    image = torch.rand(3, *size) * brightness
    differences = model.verify([image], rtol=1e-3, atol=1e-3)  # boxes are in pixels
    if not all(difference.ok for difference in differences):
        sys.exit(f"not PyTorch's: {differences}")
    boxes, _, labels = model(image)
    others, _, other_labels = quantized(image)
    same = (box_iou(boxes, others) > 0.5) & (labels[:, None] == other_labels)
    print(size, f"{len(boxes)} boxes, off by {differences[0].max_abs:.0e} pixels; {len(others)} with weights of 8 bits")
    total, kept = total + len(boxes), kept + same.any(1).sum().item()

print(f"detection.int8.onnx finds {kept} of {total} boxes, at least 85 %")
if kept < 0.85 * total:
    sys.exit("detection.int8.onnx: too many boxes are lost")
