-- One schema holds the log of one service; it is run with the schema as search path.
-- Names are compared byte by byte: their order is SQLite's, and no new version of the
-- system's collations can spoil an index.

CREATE TABLE schema_versions (
    version    integer     PRIMARY KEY,
    name       text        NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- The one row of what this log is. The number of partitions never changes (H8).
CREATE TABLE log (
    only_row    boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    service     text    NOT NULL,
    incarnation text    NOT NULL,
    partitions  integer NOT NULL CHECK (partitions > 0)
);

-- Taking a head's row serialises the writers of its partition, so that the order of
-- offsets is the order of commits. next_offset: of the next record. alive_at: when this
-- service last wrote or said that it runs (H10). Updated in place: room is left for it.
CREATE TABLE heads (
    part        integer PRIMARY KEY,
    next_offset bigint  NOT NULL,
    hash        bytea   NOT NULL CHECK (length(hash) = 32),
    alive_at    bigint  NOT NULL
) WITH (fillfactor = 10);

CREATE TABLE records (
    part     integer NOT NULL,
    "offset" bigint  NOT NULL CHECK ("offset" > 0),
    stream   text    COLLATE "C" NOT NULL,
    version  bigint  NOT NULL CHECK (version > 0),
    type     text    NOT NULL,
    round_id text    NOT NULL,
    hash     bytea   NOT NULL,
    body     bytea   NOT NULL,
    PRIMARY KEY (part, "offset"),
    CONSTRAINT one_version UNIQUE (stream, version)
);

CREATE FUNCTION keep_records() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a record is never changed or deleted (law 7): % refused', TG_OP
        USING ERRCODE = 'restrict_violation';
END
$$;

-- By statement: refused even where no row would be touched. ALWAYS: also in a session
-- that says it only replicates.
CREATE TRIGGER records_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON records
    FOR EACH STATEMENT EXECUTE FUNCTION keep_records();
ALTER TABLE records ENABLE ALWAYS TRIGGER records_stay;

CREATE FUNCTION keep_heads() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.part <> OLD.part OR NEW.next_offset < OLD.next_offset THEN
        RAISE EXCEPTION 'a head only goes forward' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER heads_go_forward BEFORE UPDATE ON heads
    FOR EACH ROW EXECUTE FUNCTION keep_heads();
ALTER TABLE heads ENABLE ALWAYS TRIGGER heads_go_forward;

CREATE TABLE positions (
    source      text    COLLATE "C" NOT NULL,
    part        integer NOT NULL,
    incarnation text    NOT NULL,
    "offset"    bigint  NOT NULL,
    hash        bytea   NOT NULL,
    PRIMARY KEY (source, part)
) WITH (fillfactor = 50);

-- key: SHA-256 of actor and command id. Anyone may send ids of any length, and an index
-- takes no long ones.
CREATE TABLE answers (
    key         bytea  PRIMARY KEY,
    actor       text   NOT NULL,
    command_id  text   NOT NULL,
    digest      bytea  NOT NULL,
    outcome     bytea  NOT NULL,
    answered_at bigint NOT NULL
);
CREATE INDEX answers_by_age ON answers (answered_at);

CREATE TABLE agenda (
    stream   text   COLLATE "C" NOT NULL,
    decision bigint NOT NULL,
    kind     text   COLLATE "C" NOT NULL,
    due_at   bigint NOT NULL,
    PRIMARY KEY (stream, decision, kind)
);

CREATE TABLE snapshots (
    stream  text   COLLATE "C" PRIMARY KEY,
    version bigint NOT NULL,
    state   bytea  NOT NULL
);

-- verdict: empty while the input waits; then 'retried' or 'discarded', by whom and why.
CREATE TABLE parked (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    stream     text   NOT NULL,
    kind       text   NOT NULL,
    source     text   NOT NULL,
    reason     text   NOT NULL,
    body       bytea  NOT NULL,
    parked_at  bigint NOT NULL,
    verdict    text   NOT NULL DEFAULT '',
    decided_by text   NOT NULL DEFAULT '',
    why        text   NOT NULL DEFAULT ''
);
CREATE INDEX parked_waiting ON parked (id) WHERE verdict = '';
CREATE UNIQUE INDEX undecodable_once ON parked (sha256(body))
    WHERE kind = 'undecodable' AND verdict = '';

-- How far the relay has sent each partition.
CREATE TABLE published (
    part     integer PRIMARY KEY,
    "offset" bigint  NOT NULL
) WITH (fillfactor = 10);

-- A lease that is given back or has run out keeps its row, so that tokens only grow.
CREATE TABLE leases (
    name       text        COLLATE "C" PRIMARY KEY,
    holder     text        NOT NULL,
    token      bigint      NOT NULL,
    expires_at timestamptz NOT NULL
);
