"""The client against a service that runs: PAS_URL, PAS_CLIENT_ID and PAS_CLIENT_SECRET name it."""

import os
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue

import httpx
from partner_assessment.client import Refused, create_partner_client
from partner_assessment.gen.api.events import list_events
from partner_assessment.gen.api.groups import create_group, list_groups
from partner_assessment.gen.api.sessions import (
    complete_session,
    create_session,
    get_session_results,
    list_sessions,
    record_answers,
)
from partner_assessment.gen.api.webhooks import create_webhook_endpoint, list_webhook_endpoints, rotate_webhook_secret
from partner_assessment.gen.models.complete_request import CompleteRequest
from partner_assessment.gen.models.create_group_request import CreateGroupRequest
from partner_assessment.gen.models.create_session_request import CreateSessionRequest
from partner_assessment.gen.models.create_webhook_endpoint_request import CreateWebhookEndpointRequest
from partner_assessment.gen.models.submit_answers_request import SubmitAnswersRequest
from partner_assessment.pages import pages
from partner_assessment.webhooks import verify_webhook
from standardwebhooks import WebhookVerificationError

URL, ID, SECRET = (os.environ[name] for name in ("PAS_URL", "PAS_CLIENT_ID", "PAS_CLIENT_SECRET"))
PRODUCT = "values-bridge"


class Recorder(httpx.BaseTransport):
    """Notes what is sent; `answer` may take the place of the service's answer."""

    def __init__(self, answer=lambda request, send: send(request)):
        self.inner, self.answer, self.paths, self.tokens = httpx.HTTPTransport(), answer, [], []

    def handle_request(self, request):
        self.paths.append(request.url.path.rsplit("/", 1)[-1])
        self.tokens.append(request.headers.get("authorization", "").removeprefix("Bearer "))
        return self.answer(request, self.inner.handle_request)


def client_over(recorder, secret=SECRET, **options):
    return create_partner_client(URL, ID, secret, inner=recorder, draw=lambda: 0.5, **options)


def new_session(client):
    return create_session.sync(PRODUCT, client=client, body=CreateSessionRequest())


def losing(suffix):
    """Loses the first response to a path that ends so."""
    lost = []

    def answer(request, send):
        response = send(request)
        if request.url.path.endswith(suffix) and not lost:
            response.read()
            lost.append(request)
            raise httpx.ReadError("the connection was reset")
        return response

    return answer


class ClientTest(unittest.TestCase):
    def test_an_assessment_is_played_and_its_webhook_verified_unless_its_body_is_another(self):
        came = Queue()

        class Receiver(BaseHTTPRequestHandler):
            def do_POST(self):
                came.put((dict(self.headers), self.rfile.read(int(self.headers["content-length"]))))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        server = HTTPServer(("127.0.0.1", 0), Receiver)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        recorder = Recorder()
        client = client_over(recorder)
        asked = {"url": f"http://127.0.0.1:{server.server_port}/hooks", "types": ["session.completed"]}
        secret = create_webhook_endpoint.sync(client=client, body=CreateWebhookEndpointRequest.from_dict(asked)).secret
        session = new_session(client)
        answers = [
            {"questionId": question.id, "response": {"type": "likert", "value": 1 + question.id % 7}}
            for question in session.assessment.questions
        ]
        of_session = {"product": PRODUCT, "id": session.session_id, "client": client}
        record_answers.sync(**of_session, body=SubmitAnswersRequest.from_dict({"answers": answers}))
        complete_session.sync(**of_session, body=CompleteRequest.from_dict({"requireAnswered": True}))
        self.assertEqual(get_session_results.sync(**of_session).results.overall.archetype_id, 4)
        self.assertEqual(recorder.paths.count("token"), 1)
        headers, body = came.get(timeout=60)
        event = verify_webhook(secret, headers, body)
        self.assertEqual((event["type"], event["data"]["sessionId"]), ("session.completed", str(session.session_id)))
        with self.assertRaises(WebhookVerificationError):
            verify_webhook(secret, headers, body.replace(b"completed", b"scored"))

    def test_a_list_is_read_page_by_page_each_session_once(self):
        client = client_over(Recorder())
        made = {new_session(client).session_id for _ in range(5)}
        listed = [
            [each.session_id for each in page.sessions]
            for page in pages(list_sessions.sync, PRODUCT, client=client, limit=2)
        ]
        found = [each for page in listed for each in page]
        self.assertGreater(len(listed), 2)
        self.assertEqual(len(found), len(set(found)))
        self.assertLessEqual(made, set(found))

    def test_the_feed_of_events_is_read_to_its_end_each_event_once(self):
        client = client_over(Recorder())
        for _ in range(5):
            new_session(client)
        # Events are in the feed once they have their sequence.
        while len((all_events := list_events.sync(client=client, wait=20, limit=500)).events) < 5:
            pass
        read = [event.id for page in pages(list_events.sync, client=client, limit=2) for event in page.events]
        self.assertEqual(read[: len(all_events.events)], [event.id for event in all_events.events])
        self.assertEqual(len(read), len(set(read)))

    def test_a_token_is_renewed_a_minute_before_it_expires(self):
        now = [0.0]
        recorder = Recorder()
        client = client_over(recorder, now=lambda: now[0])
        for now[0] in (0, 58 * 60, 59 * 60 + 1):
            list_sessions.sync(PRODUCT, client=client)
        self.assertEqual(recorder.paths, ["token", "sessions", "sessions", "token", "sessions"])

    def test_a_token_that_the_service_refuses_is_renewed_and_the_call_made_again_once(self):
        recorder = Recorder()
        client = client_over(recorder)
        list_sessions.sync(PRODUCT, client=client)
        ending = {"client_id": ID, "client_secret": SECRET, "token": recorder.tokens[-1]}
        self.assertEqual(httpx.post(f"{URL}/oauth/revoke", data=ending).status_code, 200)
        list_sessions.sync(PRODUCT, client=client)
        self.assertEqual(recorder.paths, ["token", "sessions", "sessions", "token", "sessions"])

    def test_credentials_that_are_wrong_fail_the_call_after_one_attempt(self):
        recorder = Recorder()
        with self.assertRaisesRegex(Refused, "^invalid_client: The client is unknown"):
            list_sessions.sync(PRODUCT, client=client_over(recorder, secret="nonsense"))
        self.assertEqual(recorder.paths, ["token"])

    def test_a_session_whose_response_is_lost_is_made_once(self):
        pauses = []
        client = client_over(Recorder(losing("/sessions")), sleep=pauses.append)
        made = create_session.sync_detailed(PRODUCT, client=client, body=CreateSessionRequest())
        self.assertEqual(made.headers["idempotent-replayed"], "true")
        self.assertEqual(pauses, [1.25])
        again = create_session.sync_detailed(PRODUCT, client=client, body=CreateSessionRequest())
        self.assertNotEqual(again.parsed.session_id, made.parsed.session_id)

    def test_a_group_whose_response_is_lost_is_made_once(self):
        before = len(list_groups.sync(PRODUCT, client=client_over(Recorder())).groups)
        client = client_over(Recorder(losing("/groups")), sleep=lambda _: None)
        group = create_group.sync(PRODUCT, client=client, body=CreateGroupRequest(label="Team"))
        self.assertEqual(group.label, "Team")
        self.assertEqual(len(list_groups.sync(PRODUCT, client=client).groups), before + 1)

    def test_an_endpoint_whose_response_is_lost_is_made_once_and_the_call_fails(self):
        before = list_webhook_endpoints.sync(client=client_over(Recorder())).endpoints
        client = client_over(Recorder(losing("/webhook-endpoints")))
        asked = CreateWebhookEndpointRequest.from_dict({"url": "http://127.0.0.1:9/once", "types": ["session.completed"]})
        with self.assertRaises(httpx.ReadError):
            create_webhook_endpoint.sync(client=client, body=asked)
        self.assertEqual(len(list_webhook_endpoints.sync(client=client).endpoints), len(before) + 1)

    def test_a_proxy_that_says_when_to_come_back_is_asked_then_and_four_times_at_most(self):
        pauses = []
        recorder = Recorder(lambda *_: httpx.Response(503, headers={"retry-after": "2"}))
        with self.assertRaises(Refused):
            list_sessions.sync(PRODUCT, client=client_over(recorder, sleep=pauses.append))
        self.assertEqual((pauses, len(recorder.paths)), ([2.5, 2.5, 2.5], 4))

    def test_the_secret_of_an_endpoint_is_replaced_once_even_if_the_response_is_lost(self):
        recorder = Recorder(losing("/rotate-secret"))
        client = client_over(recorder)
        asked = CreateWebhookEndpointRequest.from_dict({"url": "http://127.0.0.1:9/", "types": ["session.completed"]})
        endpoint = create_webhook_endpoint.sync(client=client, body=asked).endpoint
        with self.assertRaises(httpx.ReadError):
            rotate_webhook_secret.sync(endpoint.endpoint_id, client=client)
        self.assertEqual(recorder.paths.count("rotate-secret"), 1)


if __name__ == "__main__":
    unittest.main()
