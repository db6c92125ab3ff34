/// The statements that connections keep prepared.
enum SQLiteQuery: Int, CaseIterable {
    case begin, beginWriting, commit, rollback
    case latest, dataVersion, history
    case value, entries, entriesBefore, entriesBackward, entriesBackwardBefore
    case put, delete, deleteFrom, deleteBetween, deleteAll
    case large, hasLarge, largeID, addLarge, replaceLarge, deleteLarge, deleteLargeFrom, deleteLargeBetween, deleteAllLarge
    case addCommit, pruneCommits

    var sql: StaticString {
        switch self {
        case .begin: "BEGIN"
        case .beginWriting: "BEGIN IMMEDIATE"
        case .commit: "COMMIT"
        case .rollback: "ROLLBACK"
        case .latest: "SELECT version, total FROM commits ORDER BY version DESC LIMIT 1"
        case .dataVersion: "PRAGMA data_version"
        case .history: "SELECT version, change FROM commits WHERE version > ?1 ORDER BY version"
        case .value: "SELECT sum, value FROM entries WHERE key = ?1"
        case .entries: "SELECT sum, value, key FROM entries WHERE key >= ?1 ORDER BY key"
        case .entriesBefore: "SELECT sum, value, key FROM entries WHERE key >= ?1 AND key < ?2 ORDER BY key"
        case .entriesBackward: "SELECT sum, value, key FROM entries WHERE key >= ?1 ORDER BY key DESC"
        case .entriesBackwardBefore: "SELECT sum, value, key FROM entries WHERE key >= ?1 AND key < ?2 ORDER BY key DESC"
        case .put: "INSERT OR REPLACE INTO entries (key, sum, value) VALUES (?1, ?2, ?3)"
        case .delete: "DELETE FROM entries WHERE key = ?1"
        case .deleteFrom: "DELETE FROM entries WHERE key >= ?1"
        case .deleteBetween: "DELETE FROM entries WHERE key >= ?1 AND key < ?2"
        case .deleteAll: "DELETE FROM entries"
        case .large: "SELECT 0, value FROM larges WHERE id = ?1"
        case .hasLarge: "SELECT id FROM larges LIMIT 1"
        case .largeID: "SELECT value FROM entries WHERE key = ?1 AND typeof(value) = 'integer'"
        case .addLarge: "INSERT INTO larges (value) VALUES (?1)"
        case .replaceLarge: "UPDATE larges SET value = ?2 WHERE id = ?1"
        case .deleteLarge: "DELETE FROM larges WHERE id = ?1"
        case .deleteLargeFrom:
            "DELETE FROM larges WHERE id IN (SELECT value FROM entries WHERE key >= ?1 AND typeof(value) = 'integer')"
        case .deleteLargeBetween:
            "DELETE FROM larges WHERE id IN (SELECT value FROM entries WHERE key >= ?1 AND key < ?2 AND typeof(value) = 'integer')"
        case .deleteAllLarge: "DELETE FROM larges"
        case .addCommit: "INSERT INTO commits (version, total, change) VALUES (?1, ?2, ?3)"
        case .pruneCommits: "DELETE FROM commits WHERE total <= ?1"
        }
    }
}
