"""Valence, arousal, dominance and prosody of the 31 labels: six are recorded, others placed.

Valence, arousal and dominance of the emotions are the published means of Russell and Mehrabian
(1977) where they list the term, else of its nearest listed neighbour. Styles are placed by the same
three dimensions and by prosodic measures in standard deviations; those weights are
this project's own reading of the literature on speaking styles, not measurements.
"""

# emodb's letter -> label; boredom is a class of the classifier but not a label.
RECORDED = {"F": "happy", "T": "sad", "W": "angry", "A": "scared", "E": "disgusted", "N": "neutral"}
CLASSES = ("F", "T", "W", "A", "E", "N", "L")

# Valence, arousal, dominance of the recorded classes, in the order of CLASSES.
CLASS_PLACES = (
    (0.81, 0.51, 0.46),
    (-0.63, -0.27, -0.33),
    (-0.51, 0.59, 0.25),
    (-0.64, 0.60, -0.43),
    (-0.60, 0.35, 0.11),
    (0.0, 0.0, 0.0),
    (-0.65, -0.62, -0.33),
)

# Prosodic measure -> the functional that stands for it (speech_features.py).
MEASURES = {
    "pitch": "pitch.p50",
    "pitch_range": "pitch.deviation",
    "level_range": "level.deviation",
    "tilt": "alpha.p50",
    "liveliness": "flux.p50",
}

# Label -> ((valence, arousal, dominance), {prosodic measure: weight}).
PLACED = {
    "excited": ((0.62, 0.75, 0.38), {"pitch_range": 0.4, "liveliness": 0.3}),
    "hopeful": ((0.51, 0.23, 0.14), {"pitch": 0.2}),
    "worried": ((-0.40, 0.45, -0.40), {"liveliness": 0.2, "pitch": 0.3}),
    "frustrated": ((-0.64, 0.52, 0.35), {"level_range": 0.3}),
    "disappointed": ((-0.57, -0.15, -0.30), {"pitch_range": -0.3}),
    "surprised": ((0.40, 0.67, -0.13), {"pitch_range": 0.6, "pitch": 0.4}),
    "embarrassed": ((-0.46, 0.30, -0.45), {"level_range": -0.3}),
    "proud": ((0.77, 0.38, 0.65), {"pitch": -0.2}),
    "relieved": ((0.55, -0.25, 0.20), {"liveliness": -0.3}),
    "energetic": ((0.30, 0.75, 0.35), {"liveliness": 0.5, "tilt": 0.4}),
    "passionate": ((0.20, 0.70, 0.40), {"pitch_range": 0.6, "level_range": 0.4}),
    "irritated": ((-0.55, 0.45, 0.20), {"tilt": 0.3}),
    "warm": ((0.55, -0.05, 0.15), {"tilt": -0.5, "liveliness": -0.2}),
    "playful": ((0.65, 0.45, 0.15), {"pitch_range": 0.7}),
    "sarcastic": ((-0.35, 0.05, 0.30), {"pitch_range": 0.5, "liveliness": -0.5}),
    "deadpan": ((-0.05, -0.25, 0.05), {"pitch_range": -0.9, "level_range": -0.4}),
    "hesitant": ((-0.20, -0.10, -0.45), {"liveliness": -0.5}),
    "confident": ((0.30, 0.30, 0.60), {"level_range": 0.2}),
    "sincere": ((0.35, -0.10, 0.10), {"pitch_range": 0.2, "tilt": -0.2}),
    "skeptical": ((-0.35, 0.00, 0.15), {"liveliness": -0.4, "pitch_range": 0.3}),
    "tired": ((-0.35, -0.60, -0.30), {"liveliness": -0.5, "pitch": -0.4, "tilt": -0.3}),
    "formal": ((0.05, 0.00, 0.25), {"liveliness": -0.3, "pitch_range": -0.2}),
    "casual": ((0.15, 0.05, 0.00), {"liveliness": 0.4, "level_range": 0.3}),
    "impatient": ((-0.40, 0.55, 0.25), {"liveliness": 0.8}),
    "distracted": ((-0.15, -0.35, -0.25), {"level_range": 0.3}),
}

EMOTIONS = (
    "happy excited hopeful sad worried angry frustrated disappointed scared disgusted "
    "surprised embarrassed proud relieved neutral"
).split()
STYLES = (
    "energetic passionate irritated warm playful sarcastic deadpan hesitant confident "
    "sincere skeptical tired formal casual impatient distracted"
).split()
