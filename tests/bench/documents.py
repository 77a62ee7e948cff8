"""Opening and editing a large ADK-like eval set: CPU seconds and peak memory of each step.

Every row is a process of its own, so that its peak is its own; columns: step, CPU s (of the step
alone, without reading the file), peak MB (of the whole process).
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import MISSING, get, insert, move, put

PROSE = (
    "the agent should look up an order before it answers and then confirm the refund with a short "
    "friendly sentence that names the amount the date and the card so that nobody has to ask again"
)
WORDS = PROSE.split()


def sentence(random: Random, words: int) -> str:
    """Return made-up prose with the odd quote, so that escapes occur as in real answers."""
    text = " ".join(random.choices(WORDS, k=words)).capitalize() + "."
    return f'"{text}"\n' if random.random() < 0.1 else text


def case(number: int, random: Random) -> dict[str, object]:
    """Return a case of one invocation with one to three tool calls, about 2.3 KB when indented."""
    calls = [
        {
            "id": f"call-{number}-{call}",
            "name": random.choice(["search", "refund", "notify"]),
            "args": {"query": sentence(random, 8), "limit": random.randint(1, 50), "rate": 1.1},
        }
        for call in range(random.randint(1, 3))
    ]
    invocation = {
        "invocation_id": f"inv-{number}",
        "user_content": {"parts": [{"text": sentence(random, 75)}], "role": "user"},
        "final_response": {"parts": [{"text": sentence(random, 100)}], "role": "model"},
        "intermediate_data": {"tool_uses": calls, "intermediate_responses": []},
        "creation_timestamp": 1747333333.25 + number,
    }
    session = {"app_name": "desk", "user_id": "user", "state": {"note": sentence(random, 20)}}
    return {"eval_id": f"case-{number:06d}", "conversation": [invocation], "session_input": session}


def write_sample(path: Path, cases: int, last_words: str) -> None:
    """Write an eval set case by case; ``last_words`` go into the last one."""
    random = Random(1)
    with path.open("w", encoding="utf-8") as file:
        file.write('{\n  "eval_set_id": "large",\n  "eval_cases": [\n')
        for number in range(cases):
            data = case(number, random)
            if number == cases - 1:
                data["comment"] = last_words
            text = json.dumps(data, indent=2, ensure_ascii=False).replace("\n", "\n    ")
            file.write(f"    {text}{',' if number < cases - 1 else ''}\n")
        file.write("  ]\n}\n")


def loads(data: bytes) -> Callable[[], object]:
    """For scale: the standard library, with the collector as it comes."""
    return lambda: json.loads(data)


def parse(data: bytes) -> Callable[[], object]:
    """Open the file."""
    return lambda: JsonDocument.parse(data)


def editing(change: Callable[[object, int], object]) -> Callable[[bytes], Callable[[], object]]:
    """Render one edit of an opened file; the edit itself is not timed."""

    def prepare(data: bytes) -> Callable[[], object]:
        document = JsonDocument.parse(data)
        value = change(document.value, len(get(document.value, "/eval_cases")) // 2)
        return lambda: document.render(value)

    return prepare


def locate(data: bytes) -> Callable[[], object]:
    """Find the line of the last case."""
    document = JsonDocument.parse(data)
    last = len(get(document.value, "/eval_cases")) - 1
    return lambda: document.position(f"/eval_cases/{last}/eval_id")


TEXT = "/eval_cases/{}/conversation/0/final_response/parts/0/text"
STEPS: dict[str, Callable[[bytes], Callable[[], object]]] = {
    "json.loads": loads,
    "parse": parse,
    "edit a text": editing(lambda tree, n: put(tree, TEXT.format(n), "Edited.")),
    "insert a case": editing(lambda tree, n: insert(tree, f"/eval_cases/{n}", {"eval_id": "new"})),
    "remove a case": editing(lambda tree, n: put(tree, f"/eval_cases/{n}", MISSING)),
    "move a case": editing(lambda tree, n: move(tree, "/eval_cases", n, 3)),
    "locate": locate,
}


def measure(step: str, path: Path) -> None:
    """Print the CPU seconds of a step and the peak memory of this process."""
    run = STEPS[step](path.read_bytes())
    started = time.process_time()
    result = run()
    cpu_s = time.process_time() - started
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(f"{step:<16}{cpu_s:>8.2f}{peak_mb:>10.0f}", flush=True)
    del result


def main(arguments: list[str]) -> None:
    """Measure every step on a generated file."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench documents", description=__doc__)
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--step", choices=STEPS, help="measure one step of --file")
    parser.add_argument("--file", type=Path, help="measure this file instead of a generated one")
    options = parser.parse_args(arguments)
    if options.step and options.file:
        measure(options.step, options.file)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = options.file or Path(folder) / "large.json"
        if not options.file:
            write_sample(path, options.cases, "An emoji makes Python's text four times as large 😀")
        print(
            f"{path.stat().st_size / 1e6:.0f} MB\n{'step':<16}{'CPU s':>8}{'peak MB':>10}",
            flush=True,
        )
        for step in STEPS:
            command = [sys.executable, "-m", "tests.bench", "documents", "--step", step]
            subprocess.run([*command, "--file", str(path)], check=True)
