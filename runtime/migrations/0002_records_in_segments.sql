-- The records of a stream and of a round are found through the place of an earlier
-- record, so that what is written now lies together, whatever the streams are called
-- (docs/decisions/0013). Content, order and bytes of the records stay as they were.

CREATE TABLE records_in_segments (
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
    -- segment: the place of the stream's last record with version 1, 33, 65, ...
    segment   INTEGER NOT NULL,
    -- round_at: the place of the round's first record; 0 for a record of no round
    round_at  INTEGER NOT NULL,
    UNIQUE (service, part, offset)
);

INSERT INTO records_in_segments
SELECT r.*,
       (SELECT s.place FROM records s
        WHERE s.service = r.service AND s.stream = r.stream
          AND s.version = r.version - (r.version - 1) % 32),
       coalesce((SELECT min(f.place) FROM records f
                 WHERE f.round_id = r.round_id AND f.round_id <> ''), 0)
FROM records r ORDER BY r.place;

DROP TABLE records;
ALTER TABLE records_in_segments RENAME TO records;

-- Together these two hold (service, stream, version) unique.
CREATE UNIQUE INDEX segments ON records (service, stream, version)
    WHERE segment = place;
CREATE UNIQUE INDEX records_of_segment ON records (segment, version);

CREATE UNIQUE INDEX rounds ON records (round_id) WHERE round_at = place;
CREATE INDEX records_of_round ON records (round_at) WHERE round_at > 0;

CREATE TRIGGER records_stay_unchanged BEFORE UPDATE ON records
BEGIN
    SELECT RAISE(ABORT, 'a record is never changed (law 7)');
END;

CREATE TRIGGER records_stay BEFORE DELETE ON records
BEGIN
    SELECT RAISE(ABORT, 'a record is never deleted (law 7)');
END;

-- Command ids that begin with their time lie together as well.
CREATE TABLE answers_by_id (
    service     TEXT    NOT NULL,
    actor       TEXT    NOT NULL,
    command_id  TEXT    NOT NULL,
    digest      BLOB    NOT NULL,
    outcome     BLOB    NOT NULL,
    answered_at INTEGER NOT NULL,
    PRIMARY KEY (service, command_id, actor)
) WITHOUT ROWID;
INSERT INTO answers_by_id SELECT * FROM answers;
DROP TABLE answers;
ALTER TABLE answers_by_id RENAME TO answers;
CREATE INDEX answers_by_age ON answers (service, answered_at);
