-- One file holds the logs of all services; every table is keyed by the service.

CREATE TABLE incarnations (
    service     TEXT NOT NULL PRIMARY KEY,
    incarnation TEXT NOT NULL
);

-- offset: of the next record. alive_at: when this service last wrote or said that it runs (H10).
CREATE TABLE heads (
    service   TEXT    NOT NULL,
    part      INTEGER NOT NULL,
    offset    INTEGER NOT NULL,
    hash      BLOB    NOT NULL,
    alive_at  INTEGER NOT NULL,
    PRIMARY KEY (service, part)
) WITHOUT ROWID;

-- place: the order of commits over all services; it is the row id.
CREATE TABLE records (
    place     INTEGER PRIMARY KEY,
    service   TEXT    NOT NULL,
    part      INTEGER NOT NULL,
    offset    INTEGER NOT NULL,
    stream    TEXT    NOT NULL,
    version   INTEGER NOT NULL,
    type      TEXT    NOT NULL,
    round_id  TEXT    NOT NULL,
    hash      BLOB    NOT NULL,
    body      BLOB    NOT NULL,
    UNIQUE (service, part, offset),
    UNIQUE (service, stream, version)
);
CREATE INDEX records_of_round ON records (round_id) WHERE round_id <> '';

CREATE TRIGGER records_stay_unchanged BEFORE UPDATE ON records
BEGIN
    SELECT RAISE(ABORT, 'a record is never changed (law 7)');
END;

CREATE TRIGGER records_stay BEFORE DELETE ON records
BEGIN
    SELECT RAISE(ABORT, 'a record is never deleted (law 7)');
END;

CREATE TABLE positions (
    service     TEXT    NOT NULL,
    source      TEXT    NOT NULL,
    part        INTEGER NOT NULL,
    incarnation TEXT    NOT NULL,
    offset      INTEGER NOT NULL,
    hash        BLOB    NOT NULL,
    PRIMARY KEY (service, source, part)
) WITHOUT ROWID;

CREATE TABLE answers (
    service     TEXT    NOT NULL,
    actor       TEXT    NOT NULL,
    command_id  TEXT    NOT NULL,
    digest      BLOB    NOT NULL,
    outcome     BLOB    NOT NULL,
    answered_at INTEGER NOT NULL,
    PRIMARY KEY (service, actor, command_id)
) WITHOUT ROWID;
CREATE INDEX answers_by_age ON answers (service, answered_at);

CREATE TABLE agenda (
    service  TEXT    NOT NULL,
    stream   TEXT    NOT NULL,
    decision INTEGER NOT NULL,
    kind     TEXT    NOT NULL,
    due_at   INTEGER NOT NULL,
    PRIMARY KEY (service, stream, decision, kind)
) WITHOUT ROWID;
CREATE INDEX agenda_by_time ON agenda (service, due_at);

CREATE TABLE published (
    service   TEXT    NOT NULL,
    part      INTEGER NOT NULL,
    offset    INTEGER NOT NULL,
    PRIMARY KEY (service, part)
) WITHOUT ROWID;

CREATE TABLE snapshots (
    service TEXT    NOT NULL,
    stream  TEXT    NOT NULL,
    version INTEGER NOT NULL,
    state   BLOB    NOT NULL,
    PRIMARY KEY (service, stream)
) WITHOUT ROWID;

-- verdict: empty while the input waits; then 'retried' or 'discarded', by whom and why.
CREATE TABLE parked (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    service   TEXT    NOT NULL,
    stream    TEXT    NOT NULL,
    kind      TEXT    NOT NULL,
    source    TEXT    NOT NULL,
    reason    TEXT    NOT NULL,
    body      BLOB    NOT NULL,
    parked_at INTEGER NOT NULL,
    verdict   TEXT    NOT NULL DEFAULT '',
    decided_by TEXT   NOT NULL DEFAULT '',
    why       TEXT    NOT NULL DEFAULT ''
);
CREATE INDEX parked_waiting ON parked (service, stream) WHERE verdict = '';
CREATE UNIQUE INDEX undecodable_once ON parked (service, body)
    WHERE kind = 'undecodable' AND verdict = '';

CREATE TABLE meta (
    key   TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
