"""Files that other people wrote keep every byte and change one line at a time."""

from pathlib import Path
from random import Random

import pytest

from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import leaves, put

FOLDER = Path(__file__).parents[3] / "shared" / "real"
FILES = sorted(FOLDER.rglob("*.json"))

pytestmark = pytest.mark.skipif(not FILES, reason="the collection of real files is not here")


@pytest.mark.parametrize("piece_size", [1 << 18, 100])
def test_real_files_are_unchanged_byte_for_byte(piece_size):
    for path in FILES:
        data = path.read_bytes()
        document = JsonDocument.parse(data, piece_size=piece_size)
        assert document.render(document.value) == data, path
        assert document.render(JsonDocument.parse(data).value) == data, path


def test_changing_one_text_in_a_real_file_changes_one_line():
    random = Random(7)
    for path in FILES:
        data = path.read_bytes()
        document = JsonDocument.parse(data)
        texts = [(place, text) for place, text in leaves(document.value) if isinstance(text, str)]
        for pointer, text in random.sample(texts, min(5, len(texts))):
            line, _ = document.position(pointer)
            rendered = document.render(put(document.value, pointer, f"{text} and é"))
            old, new = data.splitlines(), rendered.splitlines()
            changed = [
                n for n, pair in enumerate(zip(old, new, strict=True), 1) if len({*pair}) > 1
            ]
            assert changed == [line], (path, pointer)
