"""Where the tensors of a torch checkpoint lie in its file; read without torch.

The file is a zip archive with stored members: a pickle that names storages, and a member per storage.
"""
import pickle
import struct
import zipfile
from collections import OrderedDict


class _Tensors(pickle.Unpickler):
    """Tensors as (storage key, first value, shape); everything else is empty."""

    def persistent_load(self, saved):
        return saved[2]

    def find_class(self, module, name):
        if name == "OrderedDict":
            return OrderedDict
        if name.startswith("_rebuild_tensor"):
            return lambda storage, offset, shape, *rest: (storage, offset, shape)
        return type(name, (), {"__init__": lambda self, *values, **named: None,
                               "__setstate__": lambda self, state: None})


def tensor_places(path):
    """Name -> (byte offset in the file, shape) of every float tensor of the state."""
    archive = zipfile.ZipFile(path)
    index = next(name for name in archive.namelist() if name.endswith("/data.pkl"))
    state = _Tensors(archive.open(index)).load()
    state = state.get("state_dict", state)
    root = index.removesuffix("data.pkl") + "data/"
    with open(path, "rb") as file:
        def first_byte(storage):
            entry = archive.getinfo(root + storage)
            file.seek(entry.header_offset + 26)
            name, extra = struct.unpack("<HH", file.read(4))
            return entry.header_offset + 30 + name + extra
        return {name: (first_byte(storage) + 4 * first, tuple(shape))
                for name, (storage, first, shape) in state.items()
                if not name.endswith("num_batches_tracked")}
