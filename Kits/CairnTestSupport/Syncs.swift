import CTestSupport
import Synchronization

/// The calls of this process that wait for the disk: `fsync` and `fdatasync`, RocksDB's included.
package enum Syncs {
    /// Whether they are recorded here: on Linux.
    package static var areRecorded: Bool { cts_records_syncs() }

    /// Makes each of them take longer from now on, as on a slow disk.
    package static func take(milliseconds: UInt32) { cts_delay_syncs(milliseconds * 1000) }

    /// More syncs than are kept.
    package struct Overflow: Error {}

    /// Runs `body` and returns which files and directories below `directory` were synced, by any thread, in order: paths below it, `.` for itself,
    /// and `*` instead of numbers.
    package static func made(below directory: String, during body: () throws -> Void) throws -> [String] {
        let start = cts_begin_syncs()
        // Once nobody records, the next test starts over, in the same place.
        defer { cts_end_syncs() }
        try body()
        return try paths(start..<cts_count_syncs(), below: directory)
    }

    /// Same, for an asynchronous `body`.
    package static func made(below directory: String, during body: () async throws -> Void) async throws -> [String] {
        let start = cts_begin_syncs()
        defer { cts_end_syncs() }
        try await body()
        return try paths(start..<cts_count_syncs(), below: directory)
    }

    private static func paths(_ range: Range<Int>, below directory: String) throws -> [String] {
        try range.compactMap { index in
            try unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CTS_PATH_SIZE)) { path in
                guard unsafe cts_sync(index, path.baseAddress) else { throw Overflow() }
                return unsafe String(cString: path.baseAddress!)
            }
        }
        .compactMap { (path: String) -> String? in
            if path == directory { return "." }
            guard path.hasPrefix(directory + "/") else { return nil }
            return String(path.dropFirst(directory.count + 1)).replacing(/[0-9]+/, with: "*")
        }
    }
}
