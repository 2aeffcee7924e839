-- An append in one call: a statement sent alone is a transaction, so a batch costs one
-- round trip. It runs with the caller's rights and gives nobody any others.
--
-- Who appends has encoded the records after the heads it knows; here the heads are
-- taken in ascending order (H8) and compared, before anything else is looked at.
-- PU001: a version or position has moved. PU002: a head has. PU003: another log. PU004:
-- a stream that was looked at is set aside (H9), unless it is what waits that is retried.

CREATE TYPE head_step AS (
    part        integer,
    before      bigint,
    link_before bytea,
    last        bigint,
    link        bytea
);

-- A stream and the version that it must have before the batch.
CREATE TYPE stream_step AS (stream text, before bigint);

CREATE TYPE position_step AS (
    source      text,
    part        integer,
    incarnation text,
    "offset"    bigint,
    hash        bytea,
    expected    bigint
);

CREATE FUNCTION append_records(
    log_is text, now_micros bigint, steps head_step[], known stream_step[],
    rows records[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    other record;
BEGIN
    PERFORM FROM heads h WHERE h.part IN (SELECT part FROM unnest(steps))
    ORDER BY h.part FOR UPDATE;
    IF NOT EXISTS (SELECT FROM log WHERE incarnation = log_is) THEN
        RAISE EXCEPTION 'this is another log now' USING ERRCODE = 'PU003';
    END IF;
    IF EXISTS (
        SELECT FROM unnest(steps) s JOIN heads h USING (part)
        WHERE (h.next_offset, h.hash) <> (s.before + 1, s.link_before)
    ) THEN
        RAISE EXCEPTION 'a head has moved' USING ERRCODE = 'PU002';
    END IF;
    SELECT k.stream INTO other
    FROM unnest(known) k JOIN parked p ON p.stream = k.stream AND p.verdict = ''
    WHERE current_setting('push22.retries', true) IS DISTINCT FROM 'on' LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION '% is set aside', other.stream USING ERRCODE = 'PU004';
    END IF;
    SELECT k.stream, k.before, r.present INTO other
    FROM unnest(known) k, LATERAL (
        SELECT coalesce(max(version), 0) AS present FROM records
        WHERE stream = k.stream COLLATE "C"
    ) r
    WHERE r.present <> k.before LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION '% is at %, not at %', other.stream, other.present, other.before
            USING ERRCODE = 'PU001';
    END IF;
    INSERT INTO records SELECT * FROM unnest(rows);
    UPDATE heads h SET
        next_offset = s.last + 1,
        hash = s.link,
        -- Whoever tries again what waits is not the service: it may be down for long.
        alive_at = CASE WHEN current_setting('push22.retries', true) = 'on'
            THEN h.alive_at ELSE greatest(h.alive_at, now_micros) END
    FROM unnest(steps) s WHERE h.part = s.part;
END
$$;

CREATE FUNCTION move_positions(moves position_step[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    stays record;
BEGIN
    PERFORM FROM positions p
    WHERE (p.source, p.part) IN (SELECT source, part FROM unnest(moves))
    ORDER BY p.source, p.part FOR UPDATE;
    SELECT m.source, m.part INTO stays
    FROM unnest(moves) m LEFT JOIN positions p USING (source, part)
    WHERE coalesce(p."offset", 0) <> m.expected
    ORDER BY 1, 2 LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION '% % does not stand where it should', stays.source, stays.part
            USING ERRCODE = 'PU001';
    END IF;
    -- Whoever was faster with a first position makes the second one fail: it is
    -- inserted, and its key is there.
    UPDATE positions p SET
        incarnation = m.incarnation, "offset" = m."offset", hash = m.hash
    FROM unnest(moves) m WHERE p.source = m.source AND p.part = m.part;
    INSERT INTO positions
    SELECT m.source, m.part, m.incarnation, m."offset", m.hash FROM unnest(moves) m
    WHERE NOT EXISTS (
        SELECT FROM positions p WHERE p.source = m.source AND p.part = m.part
    );
END
$$;

CREATE FUNCTION append_batch(
    log_is text, now_micros bigint, steps head_step[], known stream_step[],
    rows records[], moves position_step[], given answers[], planned text[],
    plan agenda[]
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM append_records(log_is, now_micros, steps, known, rows);
    IF cardinality(moves) > 0 THEN
        PERFORM move_positions(moves);
    END IF;
    -- In one order everywhere, so that two appends don't wait for each other. An answer
    -- that is there already was given by somebody faster: its key is there twice.
    INSERT INTO answers SELECT * FROM unnest(given) a ORDER BY a.key;
    DELETE FROM agenda WHERE stream = ANY(planned);
    INSERT INTO agenda SELECT * FROM unnest(plan);
END
$$;
