"""The readers of the second-language set, and who of them is kept for evaluations only."""

from recordings import data_directory

# Of the speakers in order every one at this distance is kept.
EVALUATION_STRIDE = 5


def second_language_folder():
    return data_directory() / "l2-english"


def readers():
    """Speaker -> paths of the recordings."""
    folder = second_language_folder()
    paths = {}
    for line in (folder / "utt2spk").read_text().splitlines():
        name, speaker = line.split()
        paths.setdefault(speaker, []).append(folder / "audio" / f"{name}.opus")
    return paths


def evaluation_speakers():
    """Never used in training; test/eval/dialogues.ts joins dialogues from them: every fifth."""
    return set(sorted(readers())[::EVALUATION_STRIDE])


def sentences():
    """The texts that were read, in order, each once and in small letters."""
    lines = (second_language_folder() / "text").read_text().splitlines()
    return sorted({line.split(None, 1)[1].lower() for line in lines})
