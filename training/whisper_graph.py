"""Writes the graphs of Whisper's encoder and decoder and the layout of their weights.

The weights stay in the published CTranslate2 file; set-up (bin/setup/lay-out-weights.mjs) quantises
them to int8 by row and writes each tensor where the layout says.
"""

import json
import re

from paths import GRAPHS
from whisper_decoder import build_decoder
from whisper_encoder import build_encoder


def main():
    layout = {
        "format": "CTranslate2 binary, version 6, WhisperSpec revision 3",
        "outputs": [build_encoder(), build_decoder()],
    }
    (GRAPHS / "whisper-layout.json").write_text(text_of(layout) + "\n")


def text_of(layout):
    """JSON with one tensor a line."""
    text = json.dumps(layout, indent=2)
    return re.sub(
        r'\{\s+("variable"[^}]*?)\s+\}', lambda m: f"{{ {' '.join(m[1].split())} }}", text
    )


if __name__ == "__main__":
    main()
