import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// What each recovery mode makes of a damaged write-ahead log.
struct WALDamageTests {
    private static let rows = 1_000

    private static func key(_ row: Int) -> String { "k\(row + 10_000)" }

    /// A database whose rows are all in one log of four blocks; records are all of one length.
    private static let files = Result { () throws -> DatabaseFiles in
        let scene = try Scene(), db = try scene.open()
        for row in 0..<rows { try db.put([UInt8](repeating: UInt8(row % 251), count: 100), for: key(row)) }
        try db.close()
        return try DatabaseFiles(scene.path)
    }

    private static func read(_ directory: TemporaryDirectory, _ mode: WALRecoveryMode?, tracked: Bool = false) -> Outcome {
        var options = DatabaseOptions()
        options["track_and_verify_wals_in_manifest"] = tracked.optionText
        if let mode { options.walRecoveryMode = mode }
        var found: [(key: [UInt8], value: [UInt8])] = []
        if let error = failure({ found = try RocksDB(path: directory.path, options: options).entries() }) { return .refused(error.code) }
        let expected = (0..<rows).map { ([UInt8](key($0).utf8), [UInt8](repeating: UInt8($0 % 251), count: 100)) }
        guard found.elementsEqual(expected.prefix(found.count), by: { $0.key == $1.0 && $0.value == $1.1 }) else {
            return .wrong("\(found.count) rows with gaps")
        }
        return found.count == rows ? .intact : .first(found.count)
    }

    private static func read(_ files: DatabaseFiles, _ mode: WALRecoveryMode?, tracked: Bool = false) throws -> Outcome {
        let directory = try TemporaryDirectory()
        try files.write(to: directory.path)
        return read(directory, mode, tracked: tracked)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        /// By default (`tolerateCorruptedTail`), with `absoluteConsistency`, with `pointInTime`.
        var tolerant: Outcome, absolute: Outcome, pointInTime: Outcome
        var damage: @Sendable (_ size: Int, _ record: Int) -> Damage
        var testDescription: String { name }

        init(
            _ name: String,
            _ tolerant: Outcome,
            _ absolute: Outcome,
            _ pointInTime: Outcome,
            damage: @escaping @Sendable (_ size: Int, _ record: Int) -> Damage
        ) {
            (self.name, self.tolerant, self.absolute, self.pointInTime, self.damage) = (name, tolerant, absolute, pointInTime, damage)
        }
    }

    private static let refused = Outcome.refused(.corruption), gap = Outcome.wrong("744 rows with gaps")

    static let cases = [
        Case("last byte missing", .first(999), refused, .first(999)) { size, _ in .cut(to: size - 1) },
        Case("last header cut", .first(999), refused, .first(999)) { size, record in .cut(to: size - record + 3) },
        // A whole record less is a shorter log: nothing shows that there was more.
        Case("last record missing", .first(999), .first(999), .first(999)) { size, record in .cut(to: size - record) },
        Case("cut in the middle", .first(500), refused, .first(500)) { size, _ in .cut(to: size / 2 + 30) },
        Case("emptied", .first(0), .first(0), .first(0)) { _, _ in .cut(to: 0) },
        Case("deleted", .first(0), .first(0), .first(0)) { _, _ in .delete },
        Case("bit flip in the last record", refused, refused, .first(999)) { size, _ in .flip(byte: size - 20, bit: 0) },
        Case("bit flip in the last checksum", refused, refused, .first(999)) { size, record in .flip(byte: size - record + 1, bit: 0) },
        Case("bit flip in the middle", refused, refused, .first(500)) { size, _ in .flip(byte: size / 2, bit: 0) },
        Case("bit flip in the first record", refused, refused, .first(0)) { _, _ in .flip(byte: 20, bit: 0) },
        Case("zeros in the middle of a record", refused, refused, .first(546)) { _, _ in .zero(70_000..<70_512) },
        Case("zeros at the end", .first(990), .first(990), .first(990)) { size, record in .zero(size - 10 * record..<size) },
        Case("garbage appended", refused, refused, .intact) { _, _ in .extend(by: 5_000, seed: 1) },
        // RocksDB skips the rest of a block that continues with zeros, without an error in any mode.
        Case("a block of zeros", gap, gap, gap) { _, _ in .zero(32_768..<65_536) },
        // A length that leads past the end of the file is a record cut short.
        Case("length flipped", .first(995), refused, .first(995)) { size, record in .flip(byte: size - 5 * record + 5, bit: 7) },
        // A type that says "left over from an older log" is the end of this one.
        Case("type flipped", .first(500), .first(500), .first(500)) { size, record in .flip(byte: size / 2 + 6, bit: 2) },
    ]

    @Test(arguments: cases) func asDocumented(damage: Case) throws {
        let files = try Self.files.get(), log = files.names(".log")[0]
        let record = files.records(of: log)[1]
        let damaged = files.damaged(log, damage.damage(files.contents[log]!.count, record))
        let byDefault = try Self.read(damaged, nil), tolerant = try Self.read(damaged, .tolerateCorruptedTail)
        let absolute = try Self.read(damaged, .absoluteConsistency), pointInTime = try Self.read(damaged, .pointInTime)
        #expect(byDefault == damage.tolerant && tolerant == damage.tolerant)
        #expect(absolute == damage.absolute)
        #expect(pointInTime == damage.pointInTime)
    }

    @Test func undamaged() throws {
        let files = try Self.files.get()
        #expect(files.names(".log").count == 1 && files.names(".sst").isEmpty)
        for mode in [WALRecoveryMode.tolerateCorruptedTail, .absoluteConsistency, .pointInTime, .skipAnyCorrupted] {
            #expect(try Self.read(files, mode) == .intact)
        }
    }

    /// A refusal changes nothing: the damage can be undone, or what is before it saved.
    @Test func whatWasRefusedCanBeOpenedOtherwise() throws {
        let files = try Self.files.get(), log = files.names(".log")[0]
        let damage = Damage.flip(byte: files.contents[log]!.count / 2, bit: 0)
        let directory = try TemporaryDirectory()
        try files.damaged(log, damage).write(to: directory.path)
        for _ in 0..<3 { #expect(Self.read(directory, nil) == Self.refused) }
        #expect(Self.read(directory, .absoluteConsistency) == Self.refused)
        #expect(try DatabaseFiles(directory.path).contents[log] == files.damaged(log, damage).contents[log])
        #expect(Self.read(directory, .pointInTime) == .first(500))
        // From then on that is the database.
        #expect(Self.read(directory, .absoluteConsistency) == .first(500))
    }

    @Test func skippingSavesWhatCanBeRead() throws {
        let files = try Self.files.get(), log = files.names(".log")[0]
        let outcome = try Self.read(files.damaged(log, .flip(byte: files.contents[log]!.count / 2, bit: 0)), .skipAnyCorrupted)
        guard case .wrong(let what) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(what == "988 rows with gaps")
    }

    // MARK: Several logs

    /// Three logs that are all needed, as one column family is never flushed; the rows of the other are in files.
    private static func manyLogs(tracked: Bool) throws -> DatabaseFiles {
        let scene = try Scene()
        var options = DatabaseOptions(createIfMissing: true)
        options["track_and_verify_wals_in_manifest"] = tracked.optionText
        let db = try scene.open(options: options), other = try db.createColumnFamily("other")
        for row in 0..<300 {
            if row % 100 == 0 { try other.put("1", for: "\(row)") }
            try db.put([UInt8](repeating: UInt8(row % 251), count: 100), for: key(row))
            if row % 100 == 99, row < 299 { try other.flush() }
        }
        try db.close()
        return try DatabaseFiles(scene.path)
    }

    /// The log in the middle is gone, or lacks its end: only with `track_and_verify_wals_in_manifest` does RocksDB notice.
    @Test(arguments: [false, true]) func aLogInTheMiddle(tracked: Bool) throws {
        let files = try Self.manyLogs(tracked: tracked), logs = files.names(".log")
        #expect(logs.count == 3)
        let cut = Damage.cut(to: files.contents[logs[1]]!.count - 20)
        for mode in [WALRecoveryMode.tolerateCorruptedTail, .absoluteConsistency, .pointInTime] {
            let missing = try Self.read(files.damaged(logs[1], .delete), mode, tracked: tracked)
            #expect(missing == (tracked ? Self.refused : .wrong("200 rows with gaps")), "\(mode)")
            let short = try Self.read(files.damaged(logs[1], cut), mode, tracked: tracked)
            #expect(short == (tracked || mode != .tolerateCorruptedTail ? Self.refused : .wrong("299 rows with gaps")), "\(mode)")
        }
        // Of the last one nothing is known in any case.
        #expect(try Self.read(files.damaged(logs[2], .delete), .absoluteConsistency, tracked: tracked) == .first(200))
    }
}
