"""The labels of hands: `1.2` is the second hand of box 1."""


def box_of(target: str) -> int:
    """Return the box of a label, 0 where the text is no label."""
    word = target.partition(".")[0]
    return int(word) if word.isascii() and word.isdigit() and len(word) < 4 else 0
