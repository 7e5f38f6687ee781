"""Trains the phone aligner of Moonshine base: on flite's frames, and on human speech.

The frame labels of human speech come from the aligner of tiny (phone_aligner.py), whose frames have
the same centres: the network is trained once.
"""

import phone_aligner
from encoder import BASE
from phone_aligner import Aligner, build

# A third and two thirds of the way up, and the last.
ALIGNER = Aligner("phone-aligner-base", BASE, (3, 5, 8))


def main():
    build(ALIGNER, phone_aligner.ALIGNER)


if __name__ == "__main__":
    main()
