-- The tables of SQLite's state (src/store/sqlite/schema.rs), with the same columns and checksums. Texts that are keys are
-- compared byte by byte.

-- One row. Its lock is the tree's head.
CREATE TABLE ledger (
    id BIGINT PRIMARY KEY CHECK (id = 0),
    verifier_key TEXT NOT NULL,
    vault TEXT NOT NULL,
    size BIGINT NOT NULL,
    frontier BYTEA NOT NULL,
    note TEXT NOT NULL,
    time BIGINT,
    key_time BIGINT NOT NULL,
    kept BIGINT NOT NULL,
    boot TEXT,
    passed BIGINT,
    unix BIGINT,
    closed TEXT,
    sum BYTEA NOT NULL
);

-- What of a commitment never changes. `place` is the commit's index.
CREATE TABLE commitment (
    place BIGINT PRIMARY KEY,
    commitment BYTEA NOT NULL UNIQUE,
    name TEXT COLLATE "C" NOT NULL,
    terms TEXT NOT NULL,
    seed BYTEA NOT NULL,
    sum BYTEA NOT NULL
);
CREATE INDEX commitment_of_table ON commitment (name, place);

-- What changes with every round. Pages with room, so that a change stays in its page and moves no index.
CREATE TABLE life (
    place BIGINT PRIMARY KEY,
    next BIGINT NOT NULL,
    lock_place BIGINT,
    lock_entry TEXT,
    ended TEXT,
    ended_at BIGINT,
    sum BYTEA NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX life_open ON life (place) WHERE ended IS NULL;

-- Each table's last commitment. `commitment_of_table` must agree.
CREATE TABLE chain (
    name TEXT COLLATE "C" PRIMARY KEY,
    place BIGINT NOT NULL,
    sum BYTEA NOT NULL
);

-- Entries that are not in a full tile yet, as bundles have them.
CREATE TABLE tail (
    first BIGINT PRIMARY KEY,
    count BIGINT NOT NULL,
    bytes BYTEA NOT NULL,
    sum BYTEA NOT NULL
);

-- Where the entries of rounds are, and what ended a commitment. `under` is the commit's index.
CREATE TABLE round (
    under BIGINT NOT NULL,
    nonce BIGINT NOT NULL,
    place BIGINT NOT NULL,
    sum BYTEA NOT NULL,
    PRIMARY KEY (under, nonce, place)
);

-- Complete nodes of levels 8, 16, …, for tiles above level 0.
CREATE TABLE node (
    level BIGINT NOT NULL,
    place BIGINT NOT NULL,
    hash BYTEA NOT NULL,
    sum BYTEA NOT NULL,
    PRIMARY KEY (level, place)
);

-- The answers to idempotency keys. `again` is the name again.
CREATE TABLE answer (
    place BIGINT PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL UNIQUE,
    again TEXT COLLATE "C" NOT NULL UNIQUE,
    request BYTEA NOT NULL,
    at BIGINT NOT NULL,
    sum BYTEA NOT NULL
);

-- What the operator's side keeps beside the log. `name` is kind and key again.
CREATE TABLE memo (
    kind TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL UNIQUE,
    value TEXT NOT NULL,
    sum BYTEA NOT NULL,
    PRIMARY KEY (kind, key)
);

-- One row. Tables of another version are refused.
CREATE TABLE schema_version (version BIGINT NOT NULL);
