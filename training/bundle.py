"""Writes the manifest of a bundle that this project trains: files with hashes, and its settings."""

import hashlib
import json

from paths import BUNDLES, WEIGHTS


def write_manifest(name, family, files, settings, licence="MIT"):
    """`models/bundles/manifests/<name>.json`; the revision is a hash of the files."""
    entries, digest = [], hashlib.sha256()
    for file in files:
        data = (WEIGHTS / file).read_bytes()
        digest.update(data)
        entries.append(
            {"name": file, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        )
    manifest = {
        "name": name,
        "family": family,
        "revision": digest.hexdigest()[:12],
        "license": licence,
        "source": {"kind": "project", "card": f"models/weights/{name}.md"},
        "files": entries,
        **settings,
    }
    (BUNDLES / f"{name}.json").write_text(json.dumps(manifest, indent=2) + "\n")


def read_manifest(name):
    path = BUNDLES / f"{name}.json"
    return json.loads(path.read_text()) if path.exists() else {}
