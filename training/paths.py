"""Paths of what the scripts write in the repository and of the pulled models that they read."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEIGHTS = ROOT / "models/weights"
GRAPHS = ROOT / "models/graphs"
BUNDLES = ROOT / "models/bundles/manifests"


def pulled(bundle, file):
    """The path of a pulled model's file: in SVC_MODELS_DIR, or where set-up puts it."""
    directory = os.environ.get("SVC_MODELS_DIR") or Path.home() / ".cache/svc-speech/models"
    return Path(directory) / bundle / file
