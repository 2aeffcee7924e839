-- Which incarnation began where, by whom and why (H3). `ends`: of each partition, the
-- offset and hash after which it goes on.
CREATE TABLE incarnations (
    incarnation text PRIMARY KEY,
    began_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    ends        jsonb NOT NULL,
    decided_by  text  NOT NULL CHECK (decided_by <> ''),
    why         text  NOT NULL CHECK (why <> '')
);

-- Whose new incarnation this service reads on from, by whom and why.
CREATE TABLE accepted (
    source      text COLLATE "C" NOT NULL,
    incarnation text NOT NULL,
    accepted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    positions   jsonb NOT NULL,
    decided_by  text  NOT NULL CHECK (decided_by <> ''),
    why         text  NOT NULL CHECK (why <> ''),
    PRIMARY KEY (source, incarnation)
);
