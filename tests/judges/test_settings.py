"""Where a judge's settings come from, and which of them cannot be used."""

import json
from pathlib import Path
from typing import Any

import pytest

from evalcore.judges import Failure, JudgeError, JudgeSettings, connect, read_settings
from evalcore.judges.settings import OPENAI, CacheUse

ENV = {
    "EVALDESK_JUDGE_BASE_URL": "http://localhost:11434/v1",
    "EVALDESK_JUDGE_API_KEY": "k-1",
    "EVALDESK_JUDGE_MODEL": "qwen",
    "EVALDESK_JUDGE_TIMEOUT": "2.5",
    "EVALDESK_JUDGE_DEADLINE": "9",
    "EVALDESK_JUDGE_CONCURRENCY": "3",
    "EVALDESK_JUDGE_TRIES": "2",
    "EVALDESK_JUDGE_CACHE": "refresh",
    "EVALDESK_JUDGE_PRICES": '{"qwen": {"input": 1, "output": 2}}',
}


def test_every_setting_has_a_variable():
    found = read_settings(ENV)
    assert found.base_url == "http://localhost:11434/v1"
    assert (found.api_key, found.model) == ("k-1", "qwen")
    assert (found.timeout, found.deadline, found.concurrency, found.tries) == (2.5, 9, 3, 2)
    assert found.cache is CacheUse.REFRESH
    assert found.prices.cost("qwen", 1_000_000, 500_000) == 2.0


def test_a_section_of_secrets_has_the_same_settings():
    section = {name.removeprefix("EVALDESK_JUDGE_").lower(): value for name, value in ENV.items()}
    section["prices"] = {"qwen": {"input": 1, "output": 2}}
    assert read_settings({"judge": section}) == read_settings(ENV)


def test_the_first_mapping_that_has_a_value_decides():
    found = read_settings({"judge": {"api_key": "secret", "model": ""}}, ENV)
    assert (found.api_key, found.model) == ("secret", "qwen")


def test_openai_variables_stand_in():
    found = read_settings({"OPENAI_API_KEY": " k-2\n", "OPENAI_BASE_URL": "https://gate/v1"})
    assert (found.api_key, found.endpoint) == ("k-2", "https://gate/v1")


def test_without_mappings_the_environment_is_read(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("EVALDESK_JUDGE_MODEL", "from-env")
    assert read_settings().model == "from-env"


def test_nothing_set_is_openai_without_a_key():
    found = read_settings({"X": "1"})
    assert (found.endpoint, found.is_configured) == (OPENAI, False)
    assert (found.timeout, found.deadline, found.concurrency, found.tries) == (60, 300, 8, 5)


UNUSABLE = {
    "BASE_URL": ["localhost", "ftp://host/v1", "http://[half/v1", "http:///v1"],
    "API_KEY": ["k…1", "k\x001"],
    "TIMEOUT": ["soon", "0", "-1", "nan", "inf"],
    "DEADLINE": ["0"],
    "CONCURRENCY": ["0", "1.5", "nan", "inf", "many"],
    "TRIES": ["0"],
    "PRICES": ["{", "[]", "no-such-file.json", '{"m": 1}', '{"m": {"input": -1, "output": 1}}'],
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in UNUSABLE.items() for value in values]
)
def test_a_value_that_cannot_be_used_is_an_error_with_a_hint(name: str, value: str):
    with pytest.raises(JudgeError) as caught:
        read_settings({f"EVALDESK_JUDGE_{name}": value})
    assert caught.value.failure is Failure.UNCONFIGURED
    assert caught.value.hint
    if name == "API_KEY":
        assert value not in str(caught.value)


def test_prices_may_be_in_a_file(tmp_path: Path):
    file = tmp_path / "prices.json"
    file.write_text(json.dumps({"m": {"input": 3, "output": 4}}), encoding="utf-8")
    found = read_settings({"EVALDESK_JUDGE_PRICES": str(file)})
    assert found.prices.cost("m", 1_000_000, 0) == 3
    assert found.prices.cost("other", 1, 1) is None


@pytest.mark.parametrize(
    ("written", "use", "path"),
    [
        ("", CacheUse.ON, "/c/evaldesk/judge.sqlite3"),
        ("ON", CacheUse.ON, "/c/evaldesk/judge.sqlite3"),
        ("refresh", CacheUse.REFRESH, "/c/evaldesk/judge.sqlite3"),
        ("off", CacheUse.OFF, None),
        ("/x/answers.db", CacheUse.ON, "/x/answers.db"),
    ],
)
def test_answers_are_kept_in_the_users_cache_or_where_asked(
    written: str, use: CacheUse, path: str | None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("XDG_CACHE_HOME", "/c")
    found = read_settings({"EVALDESK_JUDGE_CACHE": written})
    assert (found.cache, found.cache_path) == (use, None if path is None else Path(path))


def test_what_may_be_shown_has_no_credentials():
    given: dict[str, Any] = {
        "base_url": "https://ann:pass@host:8/v1/?key=abc",
        "api_key": "k-secret",
    }
    settings = JudgeSettings(**given)
    assert settings.endpoint == "https://host:8/v1"
    shown = repr(settings) + str(settings)
    assert not any(word in shown for word in ("pass", "abc", "k-secret"))


def test_connecting_sends_nothing_and_loads_no_client():
    with connect(ENV) as judge:
        assert judge.settings == read_settings(ENV)


def test_a_key_for_openai_is_not_sent_to_an_endpoint_named_for_the_judge_alone():
    given = {"OPENAI_API_KEY": "k-2", "EVALDESK_JUDGE_BASE_URL": "https://elsewhere/v1"}
    assert read_settings(given).api_key == ""
    assert read_settings({**given, "EVALDESK_JUDGE_API_KEY": "k-1"}).api_key == "k-1"
