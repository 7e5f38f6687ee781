"""The steps of a rebuild: what each reads, needs and writes, and how its output is checked."""

from dataclasses import dataclass

READERS, ACTED, MEETINGS = "l2-english", "emodb", "diarization"
ENCODER, RECOGNISER = "moonshine-tiny-en", "moonshine-base-en"
# Studio voices of Debian's asterisk-core-sounds-{en,es,fr,it,ru}-{wav,g722}: one person in two
# languages, and three others.
ALLISON = ("en_US_f_Allison", "es_MX_f_Allison")
PROMPTS = ("fr_CA_f_June", "it_IT_m_Carlo", "ru_RU_f_IvrvoiceRU")
# Of asterisk-prompt-it-menardi-wav, in telephone band alone.
MENARDI = "it_IT_f_Menardi"
# Festival's voices in other languages, with the language of the prompts that each reads: diphones
# of an Italian, a Czech and a Finn, a hidden Markov model of a Catalan, units of a Russian.
FOREIGN_VOICES = {
    "lp_diphone": "it",
    "czech_dita": "it",
    "hy_fi_mv_diphone": "it",
    "upc_ca_ona_hts": "es",
    "msu_ru_nsh_clunits": "ru",
}


@dataclass(frozen=True)
class Step:
    """One script of this folder, and the graphs, weights and figures that it writes."""

    script: str
    # Files in models/, by name or pattern, and among them the one that holds the figures.
    writes: tuple[str, ...]
    figures: str | None
    # To plan by: on two cores.
    minutes: float
    gigabytes: float
    # Pulled bundles, folders of SPEECH_DATA_DIR, studio voices, programs, and voices of festival.
    bundles: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    prompts: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    voices: tuple[str, ...] = ()
    # True where every sum is made in one order: the files come out as they are committed, to the
    # byte. Else the figures come out within the tolerance.
    same_bytes: bool = False
    tolerance: float = 0.0
    # Figures of few clips, by a part of their names: two standard errors of that many clips.
    few_clips: tuple[tuple[str, float], ...] = ()
    # Share of the figures that may be out of their tolerance: beyond two standard errors is 5 % by
    # chance alone.
    outliers: float = 0.0


STEPS = (
    Step(
        script="moonshine_graph",
        bundles=(ENCODER, RECOGNISER),
        writes=("graphs/moonshine-*", "graphs/product-probe.onnx"),
        figures=None,
        same_bytes=True,
        minutes=0.1,
        gigabytes=0.3,
    ),
    Step(
        script="silero_graph",
        bundles=("silero-vad",),
        writes=("graphs/silero-*",),
        figures=None,
        same_bytes=True,
        minutes=0.1,
        gigabytes=0.2,
    ),
    Step(
        script="sound_classes_graph",
        bundles=("sound-classes",),
        writes=("graphs/sound-classes.onnx",),
        figures=None,
        same_bytes=True,
        minutes=0.1,
        gigabytes=0.2,
    ),
    Step(
        script="letter_to_phone",
        bundles=("cmudict",),
        writes=("weights/letter-to-phone.json", "weights/letter-to-phone-figures.json"),
        figures="weights/letter-to-phone-figures.json",
        same_bytes=True,
        minutes=1,
        gigabytes=0.3,
    ),
    Step(
        script="speaker_embedding",
        bundles=("campplus",),
        data=(READERS,),
        writes=("graphs/campplus.onnx", "weights/campplus-figures.json"),
        figures="weights/campplus-figures.json",
        tolerance=0.005,
        minutes=6,
        gigabytes=1.5,
    ),
    Step(
        script="speaker_count",
        bundles=(ENCODER,),
        data=(READERS, ACTED, MEETINGS),
        writes=(
            "weights/speaker-count.onnx",
            "weights/speaker-count-figures.json",
            "bundles/manifests/speaker-count.json",
        ),
        figures="weights/speaker-count-figures.json",
        tolerance=0.1,
        minutes=30,
        gigabytes=12,
    ),
    Step(
        script="english_head",
        bundles=(ENCODER,),
        data=(READERS, ACTED, MEETINGS, "prompts"),
        prompts=(*ALLISON, *PROMPTS),
        programs=("espeak-ng",),
        writes=(
            "weights/english-head.json",
            "weights/english-head-figures.json",
            "bundles/manifests/english-head.json",
        ),
        figures="weights/english-head-figures.json",
        tolerance=0.06,
        minutes=4,
        gigabytes=1,
    ),
    Step(
        script="english_head_base",
        bundles=(RECOGNISER,),
        data=(READERS, ACTED, MEETINGS, "prompts"),
        prompts=(*ALLISON, *PROMPTS),
        programs=("espeak-ng",),
        writes=(
            "weights/english-head-base.json",
            "weights/english-head-base-figures.json",
            "bundles/manifests/english-head-base.json",
        ),
        figures="weights/english-head-base-figures.json",
        tolerance=0.06,
        minutes=3,
        gigabytes=1,
    ),
    Step(
        script="phone_aligner",
        bundles=(ENCODER,),
        data=(READERS,),
        programs=("flite",),
        writes=(
            "weights/phone-aligner.onnx",
            "weights/phone-aligner-figures.json",
            "bundles/manifests/phone-aligner.json",
        ),
        figures="weights/phone-aligner-figures.json",
        tolerance=0.02,
        minutes=13,
        gigabytes=6,
    ),
    Step(
        script="phone_aligner_base",
        bundles=(ENCODER, RECOGNISER),
        data=(READERS,),
        programs=("flite",),
        writes=(
            "weights/phone-aligner-base.onnx",
            "weights/phone-aligner-base-figures.json",
            "bundles/manifests/phone-aligner-base.json",
        ),
        figures="weights/phone-aligner-base-figures.json",
        tolerance=0.02,
        minutes=12,
        gigabytes=9,
    ),
    Step(
        script="affect_head",
        bundles=(ENCODER,),
        data=(READERS, ACTED, MEETINGS),
        prompts=PROMPTS,
        writes=(
            "weights/affect-resonance.onnx",
            "weights/affect-resonance.json",
            "weights/affect-fourier.onnx",
            "weights/affect-fourier.json",
            "weights/affect-figures.json",
            "weights/resonance-2-calibration.json",
            "bundles/manifests/affect-resonance.json",
            "bundles/manifests/affect-fourier.json",
            "bundles/manifests/resonance-2-calibration.json",
        ),
        figures="weights/affect-figures.json",
        # Two standard errors: of 350 clips; of 54 clips of an emotion, of 50 sentences of readers,
        # and of some 4 clips in the smallest bins of the calibration.
        tolerance=0.04,
        few_clips=(("by emotion", 0.12), ("readers", 0.13), ("reliability", 0.5)),
        outliers=0.05,
        minutes=8,
        gigabytes=0.4,
    ),
    Step(
        script="speech_check",
        bundles=(ENCODER,),
        data=(READERS, ACTED, MEETINGS, "prompts"),
        programs=("flite", "espeak-ng", "npm"),
        writes=(
            "weights/speech-check.onnx",
            "weights/speech-check-figures.json",
            "bundles/manifests/speech-check.json",
        ),
        figures="weights/speech-check-figures.json",
        # Two standard errors: of 70 rows of a kind of sound, of 150 of an engine.
        tolerance=0.06,
        outliers=0.1,
        minutes=6,
        gigabytes=1,
    ),
    Step(
        script="synthesis_traces",
        bundles=("campplus",),
        writes=("graphs/synthesis-traces.onnx",),
        figures=None,
        same_bytes=True,
        minutes=0.1,
        gigabytes=0.2,
    ),
    Step(
        script="synthetic_head",
        bundles=(ENCODER, "silero-vad", "campplus"),
        data=(READERS, ACTED, MEETINGS, "prompts"),
        prompts=(*ALLISON, *PROMPTS, MENARDI),
        programs=("flite", "espeak-ng", "text2wave", "ffmpeg", "npm"),
        voices=("kal_diphone", "ked_diphone", "cmu_us_slt_arctic_hts", *FOREIGN_VOICES),
        writes=(
            "weights/synthetic-head.onnx",
            "weights/synthetic-figures.json",
            "bundles/manifests/synthetic-head.json",
        ),
        figures="weights/synthetic-figures.json",
        # Two standard errors: of 140 to 400 rows; of a few dozen held-out rows of an engine.
        tolerance=0.05,
        few_clips=(("found", 0.15),),
        outliers=0.1,
        minutes=40,
        gigabytes=1,
    ),
)


def table():
    """The steps as README.md lists them."""
    lines = [
        "| step | reads | needs besides | writes in `models/` | minutes, memory | right when |",
        "|---|---|---|---|---|---|",
    ]
    lines += [f"| {' | '.join(row(step))} |" for step in STEPS]
    return "\n".join(lines)


def row(step):
    listed = [f"`{name}`" for name in (*step.bundles, *step.data)]
    needed = [
        *(f"`{program}`" for program in step.programs),
        *(f"`{voice}`" for voice in step.voices),
        *(["prompts"] if step.prompts else []),
    ]
    right = "the same bytes"
    if not step.same_bytes:
        right = f"`{step.figures}` within {step.tolerance}"
    if step.few_clips:
        right += "; " + ", ".join(f"{name}: {tolerance:g}" for name, tolerance in step.few_clips)
        right += f"; all but {step.outliers:.0%}"
    return [
        f"`{step.script}`",
        ", ".join(listed) or "nothing",
        ", ".join(needed) or "nothing",
        ", ".join(f"`{path}`" for path in step.writes),
        f"{step.minutes:g}, {step.gigabytes:g} GB",
        right,
    ]
