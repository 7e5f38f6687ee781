"""Adds outputs to an ORT-format model (a flatbuffer) without rebuilding it.

The public encoder gives its last layer only; the heads also read earlier ones. The file is not
changed: a longer vector of output names is appended and the graph's `outputs` field points to it.
"""

import struct

# Field numbers in onnxruntime's ort.fbs.
_SESSION_MODEL, _MODEL_GRAPH, _GRAPH_OUTPUTS = 1, 7, 6


def _u32(data, at):
    return struct.unpack_from("<I", data, at)[0]


def _field(data, table, number):
    """Position of a table's field."""
    vtable = table - struct.unpack_from("<i", data, table)[0]
    offset = struct.unpack_from("<H", data, vtable + 4 + 2 * number)[0]
    if offset == 0:
        raise ValueError(f"the model has no field {number}")
    return table + offset


def _follow(data, at):
    return at + _u32(data, at)


def expose_outputs(model, names):
    """The bytes of `model` with `names` (values inside the graph) as additional outputs."""
    data = bytearray(model)
    session = _u32(data, 0)
    graph = _follow(
        data, _field(data, _follow(data, _field(data, session, _SESSION_MODEL)), _MODEL_GRAPH)
    )
    field = _field(data, graph, _GRAPH_OUTPUTS)
    old = _follow(data, field)
    strings = []
    for i in range(_u32(data, old)):
        text = _follow(data, old + 4 + 4 * i)
        strings.append(bytes(data[text + 4 : text + 4 + _u32(data, text)]))
    strings += [name.encode() for name in names]
    data += b"\0" * (-len(data) % 4)
    vector = len(data)
    struct.pack_into("<I", data, field, vector - field)
    data += struct.pack("<I", len(strings)) + b"\0" * (4 * len(strings))
    for i, text in enumerate(strings):
        slot = vector + 4 + 4 * i
        struct.pack_into("<I", data, slot, len(data) - slot)
        data += struct.pack("<I", len(text)) + text + b"\0"
        data += b"\0" * (-len(data) % 4)
    return bytes(data)
