"""Runs one whole assessment over gRPC: a token, a session, its answers, its results."""

import os
import sys
from pathlib import Path

import grpc

sys.path.insert(0, str(Path(__file__).parent / "gen"))

from assessment.v1 import session_service_pb2 as sessions
from assessment.v1 import session_service_pb2_grpc, token_service_pb2_grpc
from assessment.v1 import token_service_pb2 as tokens

PRODUCT = "values-bridge"
TIMEOUT_SECONDS = 10


def token_of(channel: grpc.Channel, client_id: str, client_secret: str) -> str:
    """An access token. It lives an hour: keep it, and obtain a new one when a call ends with UNAUTHENTICATED."""
    request = tokens.IssueTokenRequest(client_id=client_id, client_secret=client_secret)
    return token_service_pb2_grpc.TokenServiceStub(channel).IssueToken(request, timeout=TIMEOUT_SECONDS).access_token


def answer_to(question) -> sessions.Answer:
    """The answer that your user gives; here any that the question allows."""
    least, most = question.likert_config.min, question.likert_config.max
    value = least + question.id % (most - least + 1)
    return sessions.Answer(question_id=question.id, response={"type": question.type, "value": value})


def run(address: str, client_id: str, client_secret: str, external_id: str) -> None:
    with grpc.insecure_channel(address) as channel:
        metadata = [("authorization", f"Bearer {token_of(channel, client_id, client_secret)}")]
        service = session_service_pb2_grpc.SessionServiceStub(channel)
        created = service.CreateSession(
            sessions.CreateSessionRequest(product=PRODUCT, subject={"external_id": external_id}),
            metadata=metadata,
            timeout=TIMEOUT_SECONDS,
        )
        questions = created.headless.assessment.questions
        # Answers may be recorded as they are given, and again after a failure: repeating a call is safe.
        half = len(questions) // 2
        service.RecordAnswers(
            sessions.RecordAnswersRequest(
                product=PRODUCT,
                session_id=created.session_id,
                answers=[answer_to(question) for question in questions[:half]],
            ),
            metadata=metadata,
            timeout=TIMEOUT_SECONDS,
        )
        completed = service.CompleteSession(
            sessions.CompleteSessionRequest(
                product=PRODUCT,
                session_id=created.session_id,
                answers=[answer_to(question) for question in questions[half:]],
                require_answered=True,  # completing is final: this refuses rather than leave a question out
            ),
            metadata=metadata,
            timeout=TIMEOUT_SECONDS,
        )
        print(f"session {completed.session_id}: {len(questions)} questions, most wanted value {completed.results.values[0].value_id}")


if __name__ == "__main__":
    try:
        run(
            os.environ.get("PAS_GRPC", "127.0.0.1:50051"),
            os.environ["PAS_CLIENT_ID"],
            os.environ["PAS_CLIENT_SECRET"],
            "user-1",
        )
    except grpc.RpcError as error:
        sys.exit(f"{error.code().name}: {error.details()}")
