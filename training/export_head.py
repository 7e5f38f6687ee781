"""Writes the trained heads as ONNX graphs with their weights inside."""

import numpy as np
import onnx
from onnx import helper, numpy_helper

from paths import WEIGHTS

OPSET = 17


def constant(name, values, kind="float32"):
    return numpy_helper.from_array(np.asarray(values, kind), name)


def save(name, graph):
    """Checks and writes `models/weights/<name>.onnx`."""
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
    onnx.checker.check_model(model, full_check=True)
    path = WEIGHTS / f"{name}.onnx"
    path.write_bytes(model.SerializeToString())
    print(f"{path.name}: {path.stat().st_size} bytes")
