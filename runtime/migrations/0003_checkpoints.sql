-- What was signed about the logs (docs/checkpoints.md), in the order of signing. `body` is
-- the checkpoint as it is lodged elsewhere, to the byte; the other columns find it.

CREATE TABLE checkpoints (
    number  INTEGER PRIMARY KEY,
    service TEXT    NOT NULL,
    part    INTEGER NOT NULL,
    since   INTEGER NOT NULL,
    offset  INTEGER NOT NULL,
    body    BLOB    NOT NULL,
    UNIQUE (service, part, since)
);

CREATE TRIGGER checkpoints_stay_unchanged BEFORE UPDATE ON checkpoints
BEGIN
    SELECT RAISE(ABORT, 'a checkpoint is never changed');
END;

CREATE TRIGGER checkpoints_stay BEFORE DELETE ON checkpoints
BEGIN
    SELECT RAISE(ABORT, 'a checkpoint is never deleted');
END;
