"""The casino over TLS and SASL, each service with no more rights than it needs."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from push22.casino import SERVICES
from push22.kafka_rights import rights
from runtime.kafka_settings import KafkaSettings
from runtime.topics_admin import make_topics
from tests.e2e.conftest import chosen, local_postgres
from tests.e2e.distributed import ALL, Casino
from tests.e2e.marks import CASINO
from tests.e2e.players import play
from tests.e2e.rights_at_broker import does_no_more_than_its_work
from tests.e2e.secure import ADMIN, SecureKafka, another_authority, password
from tests.postgres import temporary_folder

pytestmark = [*CASINO, pytest.mark.timeout(600)]

PLAYER = "gateway"
REFUSED_S = 60.0


class SecureCasino(Casino):
    """Every service logs in as itself; commands of the operator as administrator."""

    def __init__(self, folder: Path, kafka: SecureKafka, postgres: object) -> None:
        super().__init__(folder, kafka, postgres)  # type: ignore[arg-type]
        self.secure = kafka
        self.environment["PUSH22_KAFKA_CA"] = str(kafka.ca)
        self.log_in(ADMIN)

    @property
    def settings(self) -> KafkaSettings:
        return self.secure.settings(PLAYER)

    def log_in(self, user: str) -> None:
        self.environment["PUSH22_KAFKA_USERNAME"] = user
        self.environment["PUSH22_KAFKA_PASSWORD"] = password(user)

    def prepare(self) -> None:
        self.postgres.create(self.database)
        self.run("migrate", "--dsn", self.dsn)
        asyncio.run(make_topics(self.secure.settings(), replicas=1))
        for right in rights(SERVICES):
            who = ("--allow-principal", f"User:{right.user}")
            self.secure.allow(*who, *right.words())

    def start(self, name: str) -> None:
        self.log_in(name)
        super().start(name)
        self.log_in(ADMIN)


@pytest.fixture(scope="module")
def secure() -> Iterator[SecureKafka]:
    """A broker of this machine's, however the other tests get theirs."""
    chosen()
    kafka = SecureKafka(temporary_folder("push22-kafka-"), (*ALL, PLAYER))
    try:
        kafka.start()
        yield kafka
    finally:
        kafka.remove()


def refused(kafka: SecureKafka, **changed: str) -> str:
    """Run `push22 topics` with other settings; return what it says, in good time."""
    environment = {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "PUSH22_KAFKA": kafka.bootstrap,
        "PUSH22_KAFKA_USERNAME": ADMIN,
        "PUSH22_KAFKA_PASSWORD": password(ADMIN),
        "PUSH22_KAFKA_CA": str(kafka.ca),
        **changed,
    }
    begun = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "push22", "topics"],
        env={name: value for name, value in environment.items() if value},
        capture_output=True,
        text=True,
        timeout=REFUSED_S,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert time.monotonic() - begun < REFUSED_S
    return done.stderr.splitlines()[-1]


def test_a_wrong_password_is_named(secure: SecureKafka) -> None:
    """Not a broker that is away, and no waiting for another answer."""
    said = refused(secure, PUSH22_KAFKA_PASSWORD="guessed")
    assert said.startswith(f"push22: topics: {secure.bootstrap}: ")
    assert "invalid credentials" in said
    assert "guessed" not in said


def test_a_certificate_of_another_authority_is_refused(
    secure: SecureKafka, tmp_path: Path
) -> None:
    """Whoever answers there may be anybody: no password is sent."""
    other = str(another_authority(tmp_path / "other.pem"))
    assert "CERTIFICATE_VERIFY_FAILED" in refused(secure, PUSH22_KAFKA_CA=other)


def test_without_tls_nobody_gets_in(secure: SecureKafka) -> None:
    """A plain connection is not waited upon for ever."""
    assert secure.bootstrap in refused(secure, PUSH22_KAFKA_CA="")


@pytest.mark.filterwarnings("default::pytest.PytestUnraisableExceptionWarning")
async def test_rounds_are_played_with_the_least_rights(
    secure: SecureKafka, tmp_path: Path
) -> None:
    """All services over SASL_SSL; none writes, reads or joins what is another's."""
    postgres = local_postgres()
    casino = SecureCasino(tmp_path, secure, postgres)
    try:
        await asyncio.to_thread(postgres.start)
        await asyncio.to_thread(casino.prepare)
        await asyncio.to_thread(casino.start_all)
        assert len(await play(casino, ["s1", "s2"], 2)) == 4
        assert all(casino.status(name, "live") == 200 for name in ALL)
        for user in (*ALL, PLAYER):
            assert await does_no_more_than_its_work(secure.settings(user), user) > 5
    finally:
        casino.stop_all()
        postgres.remove()
