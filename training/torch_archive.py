"""Where the tensors of a torch checkpoint lie in its file; read without torch.

The file is a zip archive with stored members: a pickle that names storages, and a member per
storage.
"""

import pickle
import struct
import zipfile
from collections import OrderedDict
from pathlib import Path

import numpy as np

# A stored member's data follows its local header of this many bytes, whose last two fields are the
# lengths of the name and of the extra field that come before it (APPNOTE 4.3.7).
_LOCAL_HEADER_BYTES, _LENGTHS_AT = 30, 26
_FLOAT_BYTES = 4


class _Empty:
    """Takes whatever a pickle makes it of or sets on it."""

    def __init__(self, *_values, **_named):
        pass

    def __setstate__(self, _state):
        pass


class _Tensors(pickle.Unpickler):
    """Tensors as (storage key, first value, shape); everything else is empty."""

    def persistent_load(self, saved):
        return saved[2]

    def find_class(self, _module, name):
        """A stand-in for every class but a dictionary: nothing of the file's choosing runs."""
        if name == "OrderedDict":
            return OrderedDict
        if name.startswith("_rebuild_tensor"):
            return lambda storage, offset, shape, *_rest: (storage, offset, shape)
        return _Empty


def tensor_places(path):
    """Name -> (byte offset in the file, shape) of every float tensor of the state."""
    archive = zipfile.ZipFile(path)
    index = next(name for name in archive.namelist() if name.endswith("/data.pkl"))
    state = _Tensors(archive.open(index)).load()
    state = state.get("state_dict", state)
    root = index.removesuffix("data.pkl") + "data/"
    with Path(path).open("rb") as file:
        return {
            name: (
                _first_byte(file, archive.getinfo(root + storage)) + _FLOAT_BYTES * first,
                tuple(shape),
            )
            for name, (storage, first, shape) in state.items()
            if not name.endswith("num_batches_tracked")
        }


def read_tensors(path):
    """Name -> values of every float tensor of the checkpoint."""
    data = Path(path).read_bytes()
    return {
        name: np.frombuffer(data, "<f4", int(np.prod(shape)), offset).reshape(shape)
        for name, (offset, shape) in tensor_places(path).items()
    }


def _first_byte(file, entry):
    """Where the data of a member without compression begins."""
    file.seek(entry.header_offset + _LENGTHS_AT)
    name, extra = struct.unpack("<HH", file.read(4))
    return entry.header_offset + _LOCAL_HEADER_BYTES + name + extra
