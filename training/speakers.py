"""The readers of the second-language set, and who of them is kept for evaluations only."""

from recordings import data_directory

EVALUATION_SPEAKERS = 25


def readers():
    """Speaker -> paths of the recordings."""
    folder = data_directory() / "l2-english"
    paths = {}
    for line in (folder / "utt2spk").read_text().splitlines():
        name, speaker = line.split()
        paths.setdefault(speaker, []).append(folder / "audio" / f"{name}.opus")
    return paths


def evaluation_speakers():
    """Never used in training; test/eval/dialogues.ts joins dialogues from them: every fifth."""
    return set(sorted(readers())[::5])
