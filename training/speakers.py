"""The readers of the second-language set, and those held out for evaluations."""

from recordings import data_directory

# One of this many speakers, in order, is held out.
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
    """The distinct texts that were read, sorted, in lower case."""
    lines = (second_language_folder() / "text").read_text().splitlines()
    return sorted({line.split(None, 1)[1].lower() for line in lines})
