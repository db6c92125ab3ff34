/// The statements that are prepared, on each connection when it first needs them.
///
/// All return at least one row, unless the store lacks one. The first column is NULL if the store is another one; in reads, it is the oldest version that can
/// be read, from the same snapshot as the others.
enum PostgresQuery: String, CaseIterable {
    case latest, view, value, values, entries, entriesBackward, ranges, rangesBackward, changes, commit, age, clean

    /// - Parameter identity: The identity of the store.
    func sql(_ schema: PostgresSchema, identity: String) -> String {
        let name = schema.name
        let floor = "CASE WHEN s.identity = '\(identity)' THEN s.floor END"
        return switch self {
        case .latest:
            """
            SELECT \(floor), c.version, c.name FROM \(name).store s
            CROSS JOIN LATERAL (SELECT version, name FROM \(name).commits ORDER BY version DESC LIMIT 1) c
            """
        case .view:
            // The known version is there to show that none is missing in between. The last column: whether the commit that was seen last is another one.
            """
            SELECT \(floor), c.version, CASE WHEN c.version > $1::bigint AND c.size <= \(PostgresNews.largestChangeOfView) THEN c.keys END,
                c.lower, c.upper, c.name,
                EXISTS (SELECT FROM \(name).commits l WHERE l.version = $2::bigint AND coalesce(l.name, '') <> $3::bytea)
            FROM \(name).store s LEFT JOIN LATERAL (
                SELECT * FROM \(name).commits WHERE version >= $1::bigint ORDER BY version DESC LIMIT \(PostgresNews.changesOfView)
            ) c ON true ORDER BY c.version DESC
            """
        case .value:
            """
            SELECT \(floor), e.value FROM \(name).store s LEFT JOIN LATERAL (
                SELECT value FROM \(name).entries WHERE key = $1::bytea AND version <= $2::bigint ORDER BY version DESC LIMIT 1
            ) e ON true
            """
        case .values:
            """
            SELECT \(floor), r.place, e.value FROM \(name).store s
            CROSS JOIN unnest($1::bytea[]) WITH ORDINALITY AS r(key, place)
            LEFT JOIN LATERAL (
                SELECT value FROM \(name).entries WHERE key = r.key AND version <= $2::bigint ORDER BY version DESC LIMIT 1
            ) e ON true
            """
        case .entries: Self.scan(name, floor, "")
        case .entriesBackward: Self.scan(name, floor, " DESC")
        case .ranges: Self.scans(name, floor, "")
        case .rangesBackward: Self.scans(name, floor, " DESC")
        case .changes:
            """
            SELECT \(floor), c.version, CASE WHEN c.size <= \(PostgresNews.largestChange) THEN c.keys END, c.lower, c.upper
            FROM \(name).store s LEFT JOIN LATERAL (
                SELECT * FROM \(name).commits WHERE version > $1::bigint ORDER BY version LIMIT \(PostgresNews.changesAtOnce)
            ) c ON true ORDER BY c.version
            """
        case .commit:
            """
            SELECT outcome, current, culprit FROM \(schema.commitName)(
                '\(identity)', $1::bytea, $2::int, $3::bigint, $4::bigint, $5::bigint[], $6::bytea[], $7::bigint, $8::bytea[], $9::bigint[],
                $10::bytea[], $11::bytea[], $12::bigint[], $13::bytea[], $14::bytea[], $15::bytea[], $16::bytea[]
            )
            """
        case .age:
            // Commits are then older than the retention. Returns the last of them.
            """
            WITH aged AS (
                UPDATE \(name).commits c SET at = least(c.at, clock_timestamp() - s.retention * interval '1 millisecond' - interval '1 second')
                FROM \(name).store s WHERE s.identity = '\(identity)' AND c.version > s.floor
            ) SELECT \(floor), (SELECT max(version) FROM \(name).commits) FROM \(name).store s
            """
        case .clean:
            "SELECT CASE WHEN s.identity = '\(identity)' THEN \(name).clean_1($1::int) END FROM \(name).store s"
        }
    }

    private static func scan(_ name: String, _ floor: String, _ order: String) -> String {
        """
        SELECT \(floor), e.key, e.value FROM \(name).store s
        LEFT JOIN LATERAL (\(page(name, order, "$1::bytea", "$2::bytea"))) e ON true
        """
    }

    private static func scans(_ name: String, _ floor: String, _ order: String) -> String {
        """
        SELECT \(floor), r.place, e.key, e.value FROM \(name).store s
        CROSS JOIN unnest($1::bytea[], $2::bytea[]) WITH ORDINALITY AS r(lower, upper, place)
        LEFT JOIN LATERAL (\(page(name, order, "r.lower", "r.upper"))) e ON true
        ORDER BY r.place, e.key\(order)
        """
    }

    /// The index has the latest version of a key first. Backward, only the versions of each key are sorted: that is possible in a subquery of its own, which
    /// `OFFSET 0` keeps. So a page reads no more than its keys.
    private static func page(_ name: String, _ order: String, _ lower: String, _ upper: String) -> String {
        """
        SELECT key, value FROM (
            SELECT DISTINCT ON (key) key, value FROM (
                SELECT key, version, value FROM \(name).entries
                WHERE key >= \(lower) AND key < \(upper) AND version <= $3::bigint ORDER BY key\(order), version DESC OFFSET 0
            ) ordered ORDER BY key\(order), version DESC
        ) latest WHERE value IS NOT NULL ORDER BY key\(order) LIMIT $4::int
        """
    }
}
