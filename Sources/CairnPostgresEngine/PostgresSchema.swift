import CairnEngine

/// The statements that create a store: a schema of the database with three tables and two functions. A function that changes gets another number, so that
/// earlier versions of Cairn find theirs in stores that they created.
///
/// ```
/// store    one row: the format, who it is, how long old versions are kept, the oldest version that can be read. Commits hold its lock
/// commits  one row per commit of the retention, at least the latest: version, time, name, and what it wrote
/// entries  a row for each version of a key; without a value if it was deleted
/// ```
struct PostgresSchema {
    static let format = 1

    let store: String
    let server: PostgresServer

    /// The name, quoted.
    var name: String { "\"\(store)\"" }
    /// The function that commits.
    var commitName: String { "\(name).commit_3" }
    /// The channel of notifications.
    var channel: String { "cairn:\(store)" }

    /// Whether a store can have this name. Quotes need no care then, and no other program uses the schema unless it was told to.
    var isValid: Bool {
        !store.isEmpty && store.utf8.count <= 48 && !store.hasPrefix("pg_") && !["public", "information_schema"].contains(store)
            && store.utf8.allSatisfy {
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: "_")
            }
    }

    /// The rule for names of stores.
    static let rule = "1 to 48 characters from a-z, 0-9 and _, not public or information_schema, and not starting with pg_"

    var invalid: EngineError { EngineError(.invalidArgument, "the store's name '\(store)' is not allowed: \(Self.rule)") }

    /// To be run in one transaction.
    var creation: String { ["CREATE SCHEMA IF NOT EXISTS \(name)", tables, commitFunction, cleanFunction].joined(separator: ";\n") }

    private var tables: String {
        """
        CREATE TABLE \(name).store (
            id int PRIMARY KEY CHECK (id = 1),
            format int NOT NULL,
            identity uuid NOT NULL,
            retention bigint NOT NULL,
            floor bigint NOT NULL
        );
        CREATE TABLE \(name).commits (
            version bigint NOT NULL,
            at timestamptz NOT NULL,
            name bytea UNIQUE,
            size bigint NOT NULL,
            keys bytea[] NOT NULL,
            lower bytea[] NOT NULL,
            upper bytea[] NOT NULL,
            erased bytea[] NOT NULL
        );
        CREATE UNIQUE INDEX commits_version ON \(name).commits (version ASC);
        CREATE TABLE \(name).entries (
            key bytea NOT NULL,
            version bigint NOT NULL,
            value bytea
        );
        CREATE UNIQUE INDEX entries_key ON \(name).entries (key ASC, version DESC);
        INSERT INTO \(name).store VALUES (1, \(Self.format), gen_random_uuid(), 600000, 0);
        INSERT INTO \(name).commits VALUES (0, clock_timestamp(), NULL, 0, '{}', '{}', '{}', '{}')
        """
    }

    /// Compares and writes. Each statement within sees what was committed before it, so all after the first see every earlier commit.
    ///
    /// The outcome: 0 performed, now or before; 1 conflict; 2 a view that has expired; 3 the server lacks a commit that was seen; 4 it may have been performed before, and its name
    /// removed since; NULL if it is another store.
    ///
    /// If it was performed before, its version is later than the latest that the client had seen. The names of such commits are there if the floor is not above
    /// them: so no time has to be kept, no matter how short the retention is, or who changes it.
    var commitFunction: String {
        let notify = server.notifies ? "PERFORM pg_notify('\(channel)', current::text);" : ""
        return """
            CREATE FUNCTION \(commitName)(
                expected uuid, this bytea, durability int, size bigint,
                latest bigint, seen_versions bigint[], seen_names bytea[], oldest bigint,
                read_keys bytea[], read_versions bigint[],
                read_lower bytea[], read_upper bytea[], range_versions bigint[],
                gone_lower bytea[], gone_upper bytea[], new_keys bytea[], new_values bytea[],
                OUT outcome int, OUT current bigint, OUT culprit bytea
            ) LANGUAGE plpgsql AS $$
            DECLARE
                oldest_kept bigint;
                identity uuid;
                gone bytea[] := '{}';
                swept bytea[];
                i int;
            BEGIN
                SELECT s.floor, s.identity INTO STRICT oldest_kept, identity FROM \(name).store s WHERE s.id = 1 FOR UPDATE;
                IF identity <> expected THEN RETURN; END IF;
                outcome := 0;
                SELECT c.version INTO current FROM \(name).commits c WHERE c.name = this;
                IF FOUND THEN RETURN; END IF;
                IF latest + 1 < oldest_kept THEN outcome := 4; RETURN; END IF;
                SELECT c.version INTO STRICT current FROM \(name).commits c ORDER BY c.version DESC LIMIT 1;
                IF latest > current OR EXISTS (
                    SELECT FROM unnest(seen_versions, seen_names) AS s(version, name)
                    JOIN \(name).commits c ON c.version = s.version AND coalesce(c.name, '') <> s.name
                ) THEN outcome := 3; RETURN; END IF;
                IF oldest < current THEN
                    IF oldest < oldest_kept THEN outcome := 2; RETURN; END IF;
                    SELECT r.key INTO culprit FROM unnest(read_keys, read_versions) AS r(key, version)
                    WHERE EXISTS (SELECT FROM \(name).entries e WHERE e.key = r.key AND e.version > r.version) LIMIT 1;
                    IF FOUND THEN outcome := 1; RETURN; END IF;
                    FOR i IN 1 .. cardinality(read_lower) LOOP
                        SELECT e.key INTO culprit FROM \(name).entries e
                        WHERE e.key >= read_lower[i] AND e.key < read_upper[i] AND e.version > range_versions[i] LIMIT 1;
                        IF FOUND THEN outcome := 1; RETURN; END IF;
                    END LOOP;
                END IF;
                IF cardinality(new_keys) + cardinality(gone_lower) = 0 THEN RETURN; END IF;
                current := current + 1;
                INSERT INTO \(name).entries SELECT n.key, current, n.value FROM unnest(new_keys, new_values) AS n(key, value);
                FOR i IN 1 .. cardinality(gone_lower) LOOP
                    WITH present AS (
                        SELECT DISTINCT ON (e.key) e.key, e.value FROM \(name).entries e
                        WHERE e.key >= gone_lower[i] AND e.key < gone_upper[i]
                        ORDER BY e.key, e.version DESC
                    ), written AS (
                        INSERT INTO \(name).entries SELECT p.key, current, NULL FROM present p WHERE p.value IS NOT NULL
                        ON CONFLICT DO NOTHING RETURNING key
                    )
                    SELECT coalesce(array_agg(w.key), '{}') INTO swept FROM written w;
                    gone := gone || swept;
                END LOOP;
                INSERT INTO \(name).commits
                VALUES (current, clock_timestamp(), this, size, new_keys, gone_lower, gone_upper, gone);
                IF durability = 0 THEN
                    PERFORM set_config('synchronous_commit', 'off', true);
                ELSIF durability = 2 AND current_setting('synchronous_commit') = 'off' THEN
                    PERFORM set_config('synchronous_commit', 'on', true);
                END IF;
                \(notify)
            END $$
            """
    }

    /// Removes what no view of the retention sees, for a number of commits, and returns how many it has looked at. Engines that clean up at the same time do
    /// not wait.
    private var cleanFunction: String {
        """
        CREATE FUNCTION \(name).clean_1(most int) RETURNS int LANGUAGE plpgsql AS $$
        DECLARE
            start bigint;
            kept interval;
            target bigint;
            looked_at int;
        BEGIN
            SELECT s.floor, s.retention * interval '1 millisecond' INTO STRICT start, kept FROM \(name).store s WHERE s.id = 1;
            SELECT max(c.version), count(*) INTO target, looked_at FROM (
                SELECT c.version, c.at FROM \(name).commits c WHERE c.version > start ORDER BY c.version LIMIT most
            ) c WHERE c.at < clock_timestamp() - kept;
            IF looked_at = 0 THEN RETURN 0; END IF;
            PERFORM FROM \(name).commits c WHERE c.version = start FOR UPDATE SKIP LOCKED;
            IF NOT FOUND THEN RETURN 0; END IF;
            DELETE FROM \(name).entries e USING (
                SELECT DISTINCT w.key FROM \(name).commits c CROSS JOIN LATERAL unnest(c.keys || c.erased) AS w(key)
                WHERE c.version > start AND c.version <= target
            ) w
            WHERE e.key = w.key AND e.version <= target AND (e.value IS NULL OR EXISTS (
                SELECT FROM \(name).entries n WHERE n.key = e.key AND n.version > e.version AND n.version <= target
            ));
            DELETE FROM \(name).commits c WHERE c.version < target;
            UPDATE \(name).store s SET floor = target WHERE s.id = 1;
            RETURN looked_at;
        END $$
        """
    }
}
