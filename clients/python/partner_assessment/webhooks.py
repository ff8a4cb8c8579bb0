"""Webhooks: whether a delivery is of the service, by Standard Webhooks."""

from collections.abc import Mapping

from standardwebhooks import Webhook


def verify_webhook(secret: str, headers: Mapping[str, str], body: bytes) -> dict:
    """The event of a delivery: `id`, `type`, `timestamp`, `sequence`, `data`.

    `body` is what came, not parsed and written again. Raises standardwebhooks.WebhookVerificationError if the signature is not of
    the secret, or the time is more than five minutes off.
    """
    return Webhook(secret).verify(body, dict(headers))
