/// A store that is killed while it writes and examined afterwards: what a store brings to take part.
///
/// The harness does the rest: it makes the operations, writes them without end, remembers which calls have returned, kills, and compares what
/// it finds with what must be there. An instance is an open store; any thread may call it.
package protocol CrashSubject: AnyObject, Sendable {
    /// The name on the command line.
    static var name: String { get }
    /// What its operations are made of.
    static var workload: CrashWorkload { get }
    /// What the writers of a round are.
    static var writers: CrashWriters { get }
    /// How many rounds of others one round costs, about.
    static var roundCost: Int { get }

    /// Opens the store in `directory`, which exists, or makes it there; recovers whatever a killed process left.
    init(directory: String) throws

    /// Performs all changes of `operation`, or none; returns once they are as safe as the operation asks.
    ///
    /// - Parameter midway: To be called once, when half of the changes are prepared and nothing is written; the process may end in it.
    func commit(_ operation: CrashOperation, midway: () -> Void) throws

    /// Does what the store does now and then: flushes, compacts. Unless `waits`, only begins it.
    func tidy(waits: Bool) throws

    /// Everything that is stored, read in every way the store knows.
    ///
    /// - Throws: ``CrashDamage``, or the store's error, where checksums, order, or two ways of reading disagree.
    func contents() throws -> CrashContents

    func close() throws
}

extension CrashSubject {
    package static var writers: CrashWriters { .threads }
    package static var roundCost: Int { 1 }
    /// After how long a child ends itself: it hangs, or its supervisor is gone. While an index is rebuilt, each search of a large save reads all objects.
    static var patience: Duration { .seconds(300) * roundCost }
}

/// A subject that differs from another in its size, in its writers, or in being wrong on purpose.
protocol CrashSubjectShape: CrashSubject {
    associatedtype Right: CrashSubject
    var right: Right { get }
}

extension CrashSubjectShape {
    package static var workload: CrashWorkload { Right.workload }
    package static var writers: CrashWriters { Right.writers }
    package func commit(_ operation: CrashOperation, midway: () -> Void) throws { try right.commit(operation, midway: midway) }
    package func tidy(waits: Bool) throws { try right.tidy(waits: waits) }
    package func contents() throws -> CrashContents { try right.contents() }
    package func close() throws { try right.close() }
}

/// What writes to a store at the same time.
package enum CrashWriters: Sendable {
    /// Threads of one process.
    case threads
    /// Processes, each of which opens the store. They are killed one after the other, and those that are left must continue.
    case processes
    /// A process that opens the store, and those that it forks.
    case forks
}

/// What is stored: a value for each key of each space.
package typealias CrashContents = [String: [[UInt8]: [UInt8]]]

/// A store that contradicts itself.
package struct CrashDamage: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}

/// The subjects by name.
package enum CrashSubjects {
    /// Those that must lose nothing.
    package static let all: [any CrashSubject.Type] = [
        RocksSubject.self, TransactionSubject.self, CDBSubject.self,
        MappedSubject.self, LargeMapped.self, RekeyedMapped.self, SharedMapped.self, ForkedMapped.self,
        ObjectSubject.self, IngestedObjects.self, ChunkedObjects.self, RekeyedObjects.self, BulkObjects.self,
        SQLiteObjects.self, SealedSQLiteObjects.self,
    ]
    /// Those that are wrong on purpose, and must be found out.
    package static let wrong: [any CrashSubject.Type] = [
        UnloggedRocks.self, Early<RocksSubject>.self, Early<SQLiteObjects>.self, SkewedObjects.self,
        Torn<RocksSubject>.self, Torn<CDBSubject>.self, Torn<MappedSubject>.self, Torn<ObjectSubject>.self, Torn<SQLiteObjects>.self,
    ]

    /// All names, for a help text.
    package static var names: String {
        let right = all.map { $0.name }.joined(separator: ", ")
        return "\(right); wrong on purpose: \(wrong.map { $0.name }.joined(separator: ", "))"
    }

    /// The subject of that name, be it a wrong one.
    package static func named(_ name: String) -> (any CrashSubject.Type)? { (all + wrong).first { $0.name == name } }
}
