-- What waits for a stream is overtaken by nobody, whichever instance appends (H9). It is
-- looked at under the head's lock, which whoever sets a stream aside takes as well.
CREATE INDEX parked_streams ON parked (stream) WHERE verdict = '';

-- PU004: a stream that something waits for. The retry of what waits says that it is one.
CREATE FUNCTION refuse_overtaking() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    which text;
BEGIN
    IF NOT EXISTS (SELECT FROM parked WHERE verdict = '')
       OR current_setting('push22.retries', true) = 'on' THEN
        RETURN NULL;
    END IF;
    SELECT f.stream INTO which
    FROM fresh f JOIN parked p ON p.stream = f.stream AND p.verdict = '' LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION '% is set aside', which USING ERRCODE = 'PU004';
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER nobody_overtakes AFTER INSERT ON records
    REFERENCING NEW TABLE AS fresh
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_overtaking();
