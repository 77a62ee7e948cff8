"""The judge that is a real endpoint: any that speaks OpenAI's chat completions.

Questions from many threads are asked by one event loop in a thread of its own, so that a deadline
and a cancellation end a request at once, wherever it hangs. The client library is loaded with the
first question that the cache does not answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from threading import Lock
from types import TracebackType
from typing import Any, Self

from evalcore.judges import failures
from evalcore.judges.answers import body_of, is_worth_keeping, read_reply
from evalcore.judges.cache import AnswerCache, key_of
from evalcore.judges.counting import Tally
from evalcore.judges.loop import Cancelled, LoopThread
from evalcore.judges.port import JudgeError, JudgeReply, JudgeRequest
from evalcore.judges.retry import Clock, is_worth_repeating, wait_before
from evalcore.judges.settings import NO_KEY, CacheUse, JudgeSettings

NO_HEADERS: Mapping[str, str] = {}


class EndpointJudge:
    """A ``Judge`` behind an address. ``tally`` counts what it was asked and what that cost.

    At most ``settings.concurrency`` questions are under way at once; one that waits for its next
    try counts. The deadline of a question begins when it is under way. Close a judge when done:
    open connections are dropped.
    """

    def __init__(self, settings: JudgeSettings, clock: Clock | None = None) -> None:
        self.settings = settings
        self.tally = Tally()
        use_cache = settings.cache is not CacheUse.OFF and settings.cache_path is not None
        self.cache = AnswerCache(settings.cache_path) if use_cache and settings.cache_path else None
        self._clock = clock or Clock()
        self._lock = Lock()
        self._desk: _Desk | None = None
        self._is_cancelled = False

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.settings}>"

    def ask(self, request: JudgeRequest) -> JudgeReply:
        """Return the kept answer, or ask. Raises JudgeError, which says why there is no answer."""
        model = self.settings.model or request.model
        key = key_of(request, self.settings.endpoint, model)
        reply = self._kept(key)
        if reply is None:
            try:
                reply = self._asked(request, model)
            except JudgeError:
                self.tally.count_failure()
                raise
            if self.cache is not None and is_worth_keeping(reply, request):
                self.cache.put(key, model, reply)
        self.tally.count(reply)
        return reply

    def cancel(self) -> None:
        """Give up every question under way and every later one; their asks raise JudgeError."""
        with self._lock:
            self._is_cancelled = True
            desk = self._desk
        if desk is not None:
            desk.thread.cancel_all()

    def close(self) -> None:
        """Drop connections and close the cache. A later question opens them again."""
        with self._lock:
            desk, self._desk = self._desk, None
        if desk is not None:
            desk.close()
        if self.cache is not None:
            self.cache.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _kept(self, key: bytes) -> JudgeReply | None:
        if self.cache is None or self.settings.cache is not CacheUse.ON:
            return None
        return self.cache.get(key)

    def _asked(self, request: JudgeRequest, model: str) -> JudgeReply:
        if not self.settings.is_configured:
            raise failures.not_configured()
        if not model:
            raise failures.no_model()
        body = body_of(request, model)
        with self._lock:
            if self._is_cancelled:
                raise failures.cancelled()
            if self._desk is None:
                self._desk = _Desk(self.settings, self._clock, self.tally.count_try)
            desk = self._desk
        reply = desk.answer(request, body)
        cost = self.settings.prices.cost(model, reply.use.input_tokens, reply.use.output_tokens)
        return reply.model_copy(update={"use": reply.use.model_copy(update={"cost_usd": cost})})


class _Desk:
    """The client, its thread, and the places for questions under way."""

    def __init__(self, settings: JudgeSettings, clock: Clock, on_try: Callable[[], None]) -> None:
        if find_spec("openai") is None:
            raise failures.no_client()
        import openai

        self._openai = openai
        self._settings = settings
        self._clock = clock
        self._on_try = on_try
        self.thread = LoopThread("evaldesk-judge")
        self._client: Any = None
        self._slots = asyncio.Semaphore(settings.concurrency)

    def answer(self, request: JudgeRequest, body: dict[str, Any]) -> JudgeReply:
        """Ask from any thread and wait for the answer."""
        try:
            return self.thread.run(self._answer(request, body))
        except Cancelled:
            raise failures.cancelled() from None

    def close(self) -> None:
        """Drop connections and end the thread."""
        self.thread.close(self._close_client)

    async def _close_client(self) -> None:
        if self._client is not None:
            await self._client.close()

    async def _answer(self, request: JudgeRequest, body: dict[str, Any]) -> JudgeReply:
        async with self._slots:
            return await self._tried(request, body)

    async def _tried(self, request: JudgeRequest, body: dict[str, Any]) -> JudgeReply:
        """Ask until there is an answer, a final refusal, or no try or time left."""
        settings, clock = self._settings, self._clock
        until = clock.now() + settings.deadline
        attempt = 0
        while True:
            attempt += 1
            try:
                return await self._once(request, body, until - clock.now())
            except _Renamed:
                body = {**body, "max_completion_tokens": body["max_tokens"]}
                del body["max_tokens"]
                attempt -= 1
                continue
            except _Passing as passing:
                problem, headers = passing.problem, passing.headers
            wait, left = wait_before(attempt, headers, clock), until - clock.now()
            if attempt >= settings.tries:
                raise failures.after(problem, attempt, None, left)
            if wait >= left:
                raise failures.after(problem, attempt, wait, left)
            await clock.sleep(wait)

    async def _once(self, request: JudgeRequest, body: dict[str, Any], left: float) -> JudgeReply:
        """Send one request. Raises _Passing for what may succeed the next time."""
        openai, settings = self._openai, self._settings
        seconds = max(0.0, min(settings.timeout, left))
        try:
            create = self._connected().chat.completions.with_raw_response.create
            self._on_try()
            async with asyncio.timeout(seconds):
                response = await create(**body)
        except (TimeoutError, openai.APITimeoutError):
            raise _Passing(failures.of_silence(seconds, settings)) from None
        except openai.APIStatusError as error:
            raise self._of_status(error, body) from None
        except openai.APIConnectionError as error:
            raise _Passing(failures.of_connection(error, settings)) from None
        except (openai.OpenAIError, ValueError, TypeError, OSError) as error:
            raise failures.of_request(error, settings) from None
        return read_reply(response.content, response.headers.get("content-type", ""), request)

    def _connected(self) -> Any:
        """Return the client, whose making takes too long to count as a part of a try."""
        if self._client is None:
            self._client = self._openai.AsyncOpenAI(
                api_key=self._settings.api_key or NO_KEY,
                base_url=self._settings.base_url,
                timeout=self._settings.timeout,
                max_retries=0,
            )
        return self._client

    def _of_status(self, error: Any, body: dict[str, Any]) -> Exception:
        status = error.status_code
        problem = failures.of_status(status, error.body, self._settings)
        if "max_tokens" in body and failures.wants_other_limit(status, error.body):
            return _Renamed()
        if is_worth_repeating(status) and not failures.is_out_of_money(error.body):
            return _Passing(problem, error.response.headers)
        return problem


class _Passing(Exception):
    """A problem that the next try may not have; ``headers`` may say how long to wait."""

    def __init__(self, problem: JudgeError, headers: Mapping[str, str] = NO_HEADERS) -> None:
        super().__init__(str(problem))
        self.problem = problem
        self.headers = headers


class _Renamed(Exception):
    """The model wants the longest answer under its newer name."""
