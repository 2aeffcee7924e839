"""How many there are, in words."""


def counted(count: int, what: str) -> str:
    """Return `1 record` or `1,234 records`; a word in capitals gets a capital S."""
    ending = "S" if what.isupper() else "s"
    return f"{count:,} {what}{'' if count == 1 else ending}"
