"""The ONNX graphs of Moonshine over the published weights.

    python moonshine_graph.py

Writes models/graphs/moonshine-*.onnx and product-probe.onnx. Every weight stays in the published
file: the graphs name its bytes by offset.
"""

import numpy as np

from moonshine_decoder import Size, cross, step
from moonshine_encoder import BASE as BASE_ENCODER
from moonshine_encoder import TINY as TINY_ENCODER
from moonshine_encoder import encoder
from paths import pulled
from published_moonshine import OnnxFile, OrtFile
from quantised_graph import Graph

TINY = Size("moonshine-decoder", layers=6, width=288)
BASE = Size("moonshine-base-decoder", layers=8, width=416, byte_caches=True)


def product_probe():
    """A product whose sums of two terms do not fit into 16 bits (models/onnx/exact-products.ts)."""
    graph = Graph("product-probe", None)
    weight = graph.constant("weight", np.full((64, 16), 127, "int8"))
    scale = graph.constant("scale", np.float32(1))
    graph.add("DynamicQuantizeMatMul", ["bytes", weight, scale], ["product"])
    graph.inputs = [graph.value("bytes", [1, 64])]
    graph.outputs = [graph.value("product", [1, 16])]
    graph.save()


def main():
    for size, published in (
        (TINY, OrtFile(pulled("moonshine-tiny-en", "decoder_model_merged.ort"))),
        (BASE, OnnxFile(pulled("moonshine-base-en", "decoder_model_merged.onnx"))),
    ):
        cross(published, size)
        step(published, size)
    encoder(OrtFile(pulled("moonshine-tiny-en", "encoder_model.ort")), TINY_ENCODER)
    encoder(OnnxFile(pulled("moonshine-base-en", "encoder_model.onnx")), BASE_ENCODER)
    product_probe()


if __name__ == "__main__":
    main()
