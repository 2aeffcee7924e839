"""A local broker that wants TLS, a password, and a right for everything (ACLs)."""

import datetime as dt
import subprocess
from ipaddress import IPv4Address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from runtime.kafka_settings import KafkaSettings
from tests.e2e.brokers import Kafka, java
from tests.local_server import BOUND_S
from tests.postgres import Unavailable

ADMIN = "admin"
_DAY = dt.timedelta(days=1)


def password(user: str) -> str:
    return f"secret-of-{user}"


class SecureKafka(Kafka):
    """SASL_SSL with SCRAM-SHA-512; whoever is no administrator has no right yet."""

    def __init__(self, folder: Path, users: tuple[str, ...]) -> None:
        super().__init__(folder)
        self._users = (ADMIN, *users)
        self.ca = folder / "ca.pem"

    def settings(self, user: str = ADMIN) -> KafkaSettings:
        return KafkaSettings(self.bootstrap, user, password(user), str(self.ca))

    def _configure(self) -> None:
        super()._configure()
        pem = self.folder / "broker.pem"
        if not pem.exists():
            make_certificates(self.ca, pem)
        module = "org.apache.kafka.common.security.scram.ScramLoginModule"
        login = f'{module} required username="{ADMIN}" password="{password(ADMIN)}";'
        own = {
            "listener.security.protocol.map": "BROKER:SASL_SSL,CONTROLLER:PLAINTEXT",
            "sasl.enabled.mechanisms": "SCRAM-SHA-512",
            "sasl.mechanism.inter.broker.protocol": "SCRAM-SHA-512",
            "listener.name.broker.scram-sha-512.sasl.jaas.config": login,
            "ssl.keystore.type": "PEM",
            "ssl.keystore.location": str(pem),
            "ssl.truststore.type": "PEM",
            "ssl.truststore.location": str(self.ca),
            "authorizer.class.name": (
                "org.apache.kafka.metadata.authorizer.StandardAuthorizer"
            ),
            # The controller's listener is the broker's own, on the loopback address.
            "super.users": f"User:{ADMIN};User:ANONYMOUS",
        }
        with Path(self._properties).open("a") as file:
            file.writelines(f"{key}={value}\n" for key, value in own.items())

    def _format_words(self) -> list[str]:
        return [
            word
            for user in self._users
            for word in (
                "--add-scram",
                f"SCRAM-SHA-512=[name={user},password={password(user)}]",
            )
        ]

    def _client(self) -> dict[str, object]:
        return self.settings().client()

    def allow(self, *words: str) -> None:
        """Add rights, as `kafka-acls.sh --add` does."""
        properties = self.folder / "admin.properties"
        user = f'username="{ADMIN}" password="{password(ADMIN)}"'
        module = "org.apache.kafka.common.security.scram.ScramLoginModule"
        properties.write_text(
            "security.protocol=SASL_SSL\n"
            "sasl.mechanism=SCRAM-SHA-512\n"
            f"sasl.jaas.config={module} required {user};\n"
            "ssl.truststore.type=PEM\n"
            f"ssl.truststore.location={self.ca}\n"
        )
        where = ["--bootstrap-server", self.bootstrap]
        where += ["--command-config", str(properties)]
        done = subprocess.run(
            [*java(), "org.apache.kafka.tools.AclCommand", *where, "--add", *words],
            capture_output=True,
            timeout=BOUND_S,
            check=False,
        )
        if done.returncode != 0:
            said = (done.stdout + done.stderr).decode()[-2000:]
            raise Unavailable(f"no right was added: {said}")


def make_certificates(ca: Path, broker: Path) -> None:
    """Make an authority, and a key that it certifies for the loopback address."""
    root_key, root = _root("Push22 test authority")
    key = ec.generate_private_key(ec.SECP256R1())
    names = [x509.DNSName("localhost"), x509.IPAddress(IPv4Address("127.0.0.1"))]
    certificate = (
        _builder("broker", "Push22 test authority", key)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .sign(root_key, hashes.SHA256())
    )
    ca.write_bytes(root.public_bytes(serialization.Encoding.PEM))
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    chain = certificate.public_bytes(serialization.Encoding.PEM)
    broker.write_bytes(private + chain + ca.read_bytes())


def another_authority(path: Path) -> Path:
    """Write the certificate of an authority that has signed nothing here."""
    _, root = _root("somebody else")
    path.write_bytes(root.public_bytes(serialization.Encoding.PEM))
    return path


def _root(name: str) -> tuple[ec.EllipticCurvePrivateKey, x509.Certificate]:
    key = ec.generate_private_key(ec.SECP256R1())
    constraints = x509.BasicConstraints(ca=True, path_length=0)
    builder = _builder(name, name, key).add_extension(constraints, critical=True)
    return key, builder.sign(key, hashes.SHA256())


def _builder(
    subject: str, issuer: str, key: ec.EllipticCurvePrivateKey
) -> x509.CertificateBuilder:
    now = dt.datetime.now(dt.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(_name(subject))
        .issuer_name(_name(issuer))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _DAY)
        .not_valid_after(now + _DAY)
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])
