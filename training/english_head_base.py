"""Trains the English head of Moonshine base, as english_head.py does that of tiny."""

from encoder import BASE
from english_head import Head, build

# Those of the aligner: all nine separate these voices no better.
HEAD = Head("english-head-base", BASE, (3, 5, 8), doubt=0.01)


def main():
    build(HEAD)


if __name__ == "__main__":
    main()
