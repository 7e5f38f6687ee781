"""The aligner's classes: silence and the 39 ARPAbet phones without stress."""

PHONES = (
    "SIL AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH "
    "UH UW V W Y Z ZH"
).split()
INDEX = {phone: index for index, phone in enumerate(PHONES)}
SILENCE = 0

_FLITE = {
    "ax": "AH",
    "axr": "ER",
    "ix": "IH",
    "pau": "SIL",
    "dx": "T",
    "hv": "HH",
    "el": "L",
    "em": "M",
    "en": "N",
    "nx": "N",
    "ux": "UW",
    "q": "SIL",
    "h#": "SIL",
    "ssil": "SIL",
}


def phone_index(symbol):
    """Class of an ARPAbet symbol with or without stress and word position (`IY0_E`)."""
    name = symbol.split("_")[0].rstrip("012")
    return INDEX[_FLITE.get(name, name.upper())]
