"""Missing records, asked of the service whose log holds them (H5).

Raw bytes travel, as the log has them; the asker checks the chain. Whoever asks shows
the token that the services of a casino share.
"""

import hmac
import os
from collections.abc import Mapping, Sequence

import httpx
import msgspec

from contracts import catalog
from contracts.strict import NotStrict, check_nesting
from runtime.kafka_records import Arrived
from runtime.log import LogUnavailable, Record, record_of

PULL_MAX = 500
_TIMEOUT_S = 10.0


class Page(msgspec.Struct, frozen=True):
    """Consecutive records of a partition: the hash before them, and their bytes."""

    previous: bytes
    bodies: tuple[bytes, ...]


def page_of(records: Sequence[Record]) -> bytes:
    """Encode consecutive records for the asker."""
    previous = records[0].previous if records else b""
    return msgspec.json.encode(Page(previous, tuple(r.body for r in records)))


def token() -> str:
    """Return what the services of one casino show one another.

    While it is rotated there are two, `SHOWN,ALLOWED`: the first is shown, both let in.
    """
    return os.environ.get("PUSH22_TOKEN", "")


def is_allowed(authorization: str, secret: str) -> bool:
    """Compare with each in constant time; without a secret nobody is let in."""
    shown = authorization.encode()
    matches = [
        hmac.compare_digest(shown, f"Bearer {one}".encode()) for one in _each(secret)
    ]
    return any(matches)


def _each(secret: str) -> list[str]:
    """Return the tokens that are good at present, the one that is shown first."""
    return [one for part in secret.split(",") if (one := part.strip())]


def addresses(values: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Read PUSH22_SOURCES: shoe=http://host:port,wallet=http://..."""
    found = {}
    for item in filter(None, values.get("PUSH22_SOURCES", "").split(",")):
        name, _, address = item.partition("=")
        if not address.startswith(("http://", "https://")):
            raise ValueError(f"PUSH22_SOURCES: {item!r} is not NAME=http://...")
        found[name.strip()] = address.strip().rstrip("/")
    return found


class Puller:
    """Asks services for their records."""

    def __init__(self, where: Mapping[str, str], secret: str) -> None:
        self._where = where
        shown = next(iter(_each(secret)), "")
        self._client = httpx.AsyncClient(
            timeout=_TIMEOUT_S, headers={"Authorization": f"Bearer {shown}"}
        )

    async def pull(
        self, service: str, partition: int, after: int, to: int
    ) -> list[Arrived]:
        """Return the records after an offset, at most up to another one.

        Raises LogUnavailable naming the address: the gap stays open and is asked
        for again.
        """
        address = self._where.get(service)
        if address is None:
            raise LogUnavailable(f"PUSH22_SOURCES does not say where {service} is")
        limit = min(to - after, PULL_MAX)
        url = f"{address}/records/{partition}?after={after}&limit={limit}"
        try:
            answer = await self._client.get(url)
            answer.raise_for_status()
            check_nesting(answer.content)
            page = msgspec.json.decode(answer.content, type=Page)
        except (httpx.HTTPError, NotStrict, msgspec.MsgspecError) as error:
            raise LogUnavailable(f"{url}: {error!r}") from error
        return _arrived(page)

    async def close(self) -> None:
        await self._client.aclose()


def _arrived(page: Page) -> list[Arrived]:
    found = []
    link = page.previous
    for body in page.bodies:
        envelope = catalog.decode_envelope(body)
        record = record_of(envelope, link, body)
        found.append(Arrived(record, envelope))
        link = record.hash
    return found
