/// The statements that are prepared, on each connection when it first needs them.
///
/// Reads return at least one row, whose first column is the oldest version that can be read, from the same snapshot as the others.
enum PostgresQuery: String, CaseIterable {
    case latest, view, value, values, entries, entriesBackward, ranges, rangesBackward, changes, commit, clean

    func sql(_ schema: PostgresSchema) -> String {
        let name = schema.name
        return switch self {
        case .latest:
            "SELECT version FROM \(name).commits ORDER BY version DESC LIMIT 1"
        case .view:
            // The known version is there to show that none is missing in between.
            """
            SELECT version, CASE WHEN version > $1::bigint AND size <= \(PostgresNews.largestChangeOfView) THEN keys END, lower, upper
            FROM \(name).commits WHERE version >= $1::bigint ORDER BY version DESC LIMIT \(PostgresNews.changesOfView)
            """
        case .value:
            """
            SELECT s.floor, e.value FROM \(name).store s LEFT JOIN LATERAL (
                SELECT value FROM \(name).entries WHERE key = $1::bytea AND version <= $2::bigint ORDER BY version DESC LIMIT 1
            ) e ON true
            """
        case .values:
            """
            SELECT s.floor, r.place, e.value FROM \(name).store s
            CROSS JOIN unnest($1::bytea[]) WITH ORDINALITY AS r(key, place)
            LEFT JOIN LATERAL (
                SELECT value FROM \(name).entries WHERE key = r.key AND version <= $2::bigint ORDER BY version DESC LIMIT 1
            ) e ON true
            """
        case .entries: Self.scan(name, "")
        case .entriesBackward: Self.scan(name, " DESC")
        case .ranges: Self.scans(name, "")
        case .rangesBackward: Self.scans(name, " DESC")
        case .changes:
            """
            SELECT version, CASE WHEN size <= \(PostgresNews.largestChange) THEN keys END, lower, upper FROM \(name).commits
            WHERE version > $1::bigint ORDER BY version LIMIT \(PostgresNews.changesAtOnce)
            """
        case .commit:
            """
            SELECT outcome, current, culprit FROM \(name).commit_1(
                $1::bytea, $2::int, $3::bigint, $4::bigint, $5::bytea[], $6::bigint[], $7::bytea[], $8::bytea[], $9::bigint[],
                $10::bytea[], $11::bytea[], $12::bytea[], $13::bytea[]
            )
            """
        case .clean: "SELECT \(name).clean_1($1::int)"
        }
    }

    private static func scan(_ name: String, _ order: String) -> String {
        """
        SELECT s.floor, e.key, e.value FROM \(name).store s
        LEFT JOIN LATERAL (\(page(name, order, "$1::bytea", "$2::bytea"))) e ON true
        """
    }

    private static func scans(_ name: String, _ order: String) -> String {
        """
        SELECT s.floor, r.place, e.key, e.value FROM \(name).store s
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
