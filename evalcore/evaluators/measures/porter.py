"""Porter's stemmer with the extensions that NLTK's default mode adds.

Source: M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980, and the list of
departures in the documentation of ``nltk.stem.porter``. ``response_match_score`` of ADK and the
``rouge_score`` package both stem with that mode, so its results must be matched word for word.
"""

from collections.abc import Callable

IRREGULAR = {
    "sky": "sky",
    "skies": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "news": "news",
    "innings": "inning",
    "inning": "inning",
    "outings": "outing",
    "outing": "outing",
    "cannings": "canning",
    "canning": "canning",
    "howe": "howe",
    "proceed": "proceed",
    "exceed": "exceed",
    "succeed": "succeed",
}

Condition = Callable[[str], bool]


def stem(word: str) -> str:
    """Return the stem of a lower-case ASCII word; words of one or two letters stay as they are."""
    if word in IRREGULAR:
        return IRREGULAR[word]
    if len(word) <= 2:
        return word
    for step in (_plural, _past_or_gerund, _final_y, _double_suffix, _long_suffix, _last_suffix):
        word = step(word)
    return _final_e_and_l(word)


def _kinds(word: str) -> str:
    """Return "c" or "v" for each letter; y is a vowel after a consonant."""
    kinds = ""
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and kinds[-1:] == "c")
        kinds += "v" if vowel else "c"
    return kinds


def _measure(word: str) -> int:
    """Return how many times a vowel is followed by a consonant."""
    return _kinds(word).count("vc")


def _positive(word: str) -> bool:
    return _measure(word) > 0


def _above_one(word: str) -> bool:
    return _measure(word) > 1


def _ends_double_consonant(word: str) -> bool:
    return len(word) >= 2 and word[-1] == word[-2] and _kinds(word)[-1] == "c"


def _ends_cvc(word: str) -> bool:
    kinds = _kinds(word)
    return (kinds[-3:] == "cvc" and word[-1] not in "wxy") or kinds == "vc"


def _replace(word: str, rules: tuple[tuple[str, str, Condition | None], ...]) -> str:
    """Return the word after the first rule whose ending it has, if that rule's condition holds."""
    for ending, replacement, condition in rules:
        if word.endswith(ending):
            rest = word[: len(word) - len(ending)]
            return rest + replacement if condition is None or condition(rest) else word
    return word


def _plural(word: str) -> str:
    if word.endswith("ies") and len(word) == 4:
        return word[:-1]
    return _replace(
        word, (("sses", "ss", None), ("ies", "i", None), ("ss", "ss", None), ("s", "", None))
    )


def _past_or_gerund(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _positive(word[:-3]) else word
    for ending in ("ed", "ing"):
        rest = word[: len(word) - len(ending)]
        if word.endswith(ending) and "v" in _kinds(rest):
            return _mended(rest)
    return word


def _mended(rest: str) -> str:
    """Return what is left after -ed or -ing, with its own ending put right."""
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if _ends_double_consonant(rest):
        return rest if rest[-1] in "lsz" else rest[:-1]
    return rest + "e" if _measure(rest) == 1 and _ends_cvc(rest) else rest


def _final_y(word: str) -> str:
    return _replace(word, (("y", "i", lambda rest: len(rest) > 1 and _kinds(rest)[-1] == "c"),))


def _double_suffix(word: str) -> str:
    if word.endswith("alli") and _positive(word[:-4]):
        return _double_suffix(word[:-2])
    return _replace(word, _double_rules(word))


def _double_rules(word: str) -> tuple[tuple[str, str, Condition | None], ...]:
    pairs = (
        ("ational", "ate"),
        ("tional", "tion"),
        ("enci", "ence"),
        ("anci", "ance"),
        ("izer", "ize"),
        ("bli", "ble"),
        ("alli", "al"),
        ("entli", "ent"),
        ("eli", "e"),
        ("ousli", "ous"),
        ("ization", "ize"),
        ("ation", "ate"),
        ("ator", "ate"),
        ("alism", "al"),
        ("iveness", "ive"),
        ("fulness", "ful"),
        ("ousness", "ous"),
        ("aliti", "al"),
        ("iviti", "ive"),
        ("biliti", "ble"),
        ("fulli", "ful"),
    )
    rules: list[tuple[str, str, Condition | None]] = [(a, b, _positive) for a, b in pairs]
    # The measure of "logi" is taken with its l, unlike that of every other ending.
    rules.append(("logi", "log", lambda _rest: _positive(word[:-3])))
    return tuple(rules)


def _long_suffix(word: str) -> str:
    return _replace(
        word,
        (
            ("icate", "ic", _positive),
            ("ative", "", _positive),
            ("alize", "al", _positive),
            ("iciti", "ic", _positive),
            ("ical", "ic", _positive),
            ("ful", "", _positive),
            ("ness", "", _positive),
        ),
    )


LAST_ENDINGS = (
    *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent"),
    *("ion", "ou", "ism", "ate", "iti", "ous", "ive", "ize"),
)


def _last_suffix(word: str) -> str:
    def after_s_or_t(rest: str) -> bool:
        return _above_one(rest) and rest[-1] in "st"

    return _replace(
        word,
        tuple((e, "", after_s_or_t if e == "ion" else _above_one) for e in LAST_ENDINGS),
    )


def _final_e_and_l(word: str) -> str:
    if word.endswith("e"):
        rest = word[:-1]
        measure = _measure(rest)
        if measure > 1 or (measure == 1 and not _ends_cvc(rest)):
            word = rest
    if word.endswith("ll") and _above_one(word[:-1]):
        return word[:-1]
    return word
