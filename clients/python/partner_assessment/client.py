"""A client of the service: a token kept and renewed, and retries that repeat nothing twice."""

import random
import re
import threading
import time
import uuid
from collections.abc import Callable

import httpx

from .gen.client import AuthenticatedClient

RENEW_SECONDS_BEFORE = 60
MAKES_ONE = re.compile(r"/v1/[^/]+/(sessions|groups)$")
# Neither takes an idempotency key, and a secret is told once: a second rotation would end the secret that the first one left
# alive, and a second endpoint would leave the first one with a secret that nobody has.
SENT_ONCE = re.compile(r"/(rotate-secret|webhook-endpoints|join-code)$")


class Refused(Exception):
    """A call that the service refused. `code` names the reason; `/problems/{code}` of the service says what to do."""

    def __init__(self, status: int, code: str, detail: str, problem: dict):
        super().__init__(f"{code}: {detail}")
        self.status, self.code, self.detail, self.problem = status, code, detail, problem


class PartnerTransport(httpx.BaseTransport):
    """Sends a token with each request, repeats what found the service busy or away, and raises what it refuses."""

    def __init__(
        self,
        base_url: str,
        client_id: str,
        client_secret: str,
        *,
        inner: httpx.BaseTransport,
        max_attempts: int,
        longest_pause_seconds: float,
        now: Callable[[], float],
        sleep: Callable[[float], None],
        draw: Callable[[], float],
        make_key: Callable[[], str],
    ):
        self._token_url = f"{base_url.rstrip('/')}/oauth/token"
        self._grant = {"grant_type": "client_credentials", "client_id": client_id, "client_secret": client_secret}
        self._inner, self._max_attempts, self._longest_pause = inner, max_attempts, longest_pause_seconds
        self._now, self._sleep, self._draw, self._make_key = now, sleep, draw, make_key
        self._lock = threading.Lock()
        self._token, self._renew_at = "", 0.0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if request.method == "POST" and MAKES_ONE.search(request.url.path):
            # Repeating the request makes no second session or group.
            request.headers.setdefault("idempotency-key", self._make_key())
        response = self._send_with_token(request)
        if response.status_code == 401:
            response = self._send_with_token(request, refused=request.headers["authorization"])
        return _raise_refusal(response)

    def close(self) -> None:
        self._inner.close()

    def _send_with_token(self, request: httpx.Request, refused: str = "") -> httpx.Response:
        request.headers["authorization"] = self._authorization(request, refused)
        return self._send(request)

    def _authorization(self, request: httpx.Request, refused: str) -> str:
        with self._lock:
            if self._token in ("", refused) or self._now() >= self._renew_at:
                asking = httpx.Request("POST", self._token_url, data=self._grant, extensions=request.extensions)
                grant = _raise_refusal(self._send(asking)).json()
                life = grant["expires_in"]
                self._token = f"Bearer {grant['access_token']}"
                self._renew_at = self._now() + max(life - RENEW_SECONDS_BEFORE, life / 2)
            return self._token

    def _send(self, request: httpx.Request) -> httpx.Response:
        is_once = request.method == "POST" and SENT_ONCE.search(request.url.path)
        attempts = 1 if is_once else self._max_attempts
        for attempt in range(1, attempts + 1):
            pause = 2 ** (attempt - 1)
            try:
                response = self._inner.handle_request(request)
                response.read()
            except httpx.TransportError:
                if attempt == attempts:
                    raise
            else:
                if response.status_code not in (429, 503) or attempt == attempts:
                    return response
                asked = response.headers.get("retry-after", "")
                pause = int(asked) if asked.isdecimal() else pause
                if pause > self._longest_pause:
                    return response
            # Clients that were refused together come back apart.
            self._sleep(pause * (1 + self._draw() / 2))
        raise AssertionError("max_attempts is less than 1")


def _raise_refusal(response: httpx.Response) -> httpx.Response:
    if response.status_code < 400:
        return response
    try:
        problem = response.json()
    except ValueError:
        problem = {}
    # Tokens are refused in the form of OAuth: RFC 6749, section 5.2.
    code = problem.get("code") or problem.get("error") or f"http_{response.status_code}"
    detail = problem.get("detail") or problem.get("error_description") or response.reason_phrase
    raise Refused(response.status_code, code, detail, problem)


def create_partner_client(
    base_url: str,
    client_id: str,
    client_secret: str,
    *,
    timeout_seconds: float = 30,
    max_attempts: int = 4,
    longest_pause_seconds: float = 30,
    inner: httpx.BaseTransport | None = None,
    now: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
    draw: Callable[[], float] = random.random,
    make_key: Callable[[], str] = lambda: str(uuid.uuid4()),
) -> AuthenticatedClient:
    """A client for the functions of `partner_assessment.gen.api`; threads may share it.

    Calls raise Refused, or httpx.TransportError where no response came. `timeout_seconds` is that of one attempt. A pause that
    is asked for and longer than `longest_pause_seconds` is left to the caller: the call raises at once.
    """
    transport = PartnerTransport(
        base_url,
        client_id,
        client_secret,
        inner=inner or httpx.HTTPTransport(),
        max_attempts=max_attempts,
        longest_pause_seconds=longest_pause_seconds,
        now=now,
        sleep=sleep,
        draw=draw,
        make_key=make_key,
    )
    # The token is the transport's.
    client = AuthenticatedClient(base_url=base_url, token="")
    return client.set_httpx_client(httpx.Client(base_url=base_url, transport=transport, timeout=timeout_seconds))
