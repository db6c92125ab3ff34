import CairnCore
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Moves a store from one engine to another, such as from a directory to a server, while programs use it.
///
/// ```swift
/// let move = ObjectStoreMove(from: try RocksEngine(path: "Music.store"), to: try SQLiteEngine(path: "Music.sqlite"), destinationName: "Music.sqlite")
/// for problem in try await move.check().problems { print(problem) }            // what the destination would refuse
/// try await move.run { print("\(Int($0 * 100)) %") }
/// ```
///
/// ``run(progress:)`` copies all entries as they are, with their encryption, then what was saved meanwhile, and compares both stores. Only then do saves to
/// the old store begin to throw ``ObjectStoreError/Code/moved``, for the time that the last commits take, and forever once the move is complete. The old store keeps
/// its data, and can be opened for reading.
///
/// A move that was interrupted, even by a crash, continues when it is run again. Until it is complete, the destination cannot be opened
/// (``ObjectStoreError/Code/changeUnfinished``). ``takeBack(_:)`` lets the old store be written to again.
///
/// Can be used from any thread. Both engines stay open. If several programs move a store to one place, the one that begins last takes over, and the others
/// throw ``ObjectStoreError/Code/busy``. If they move it to different places, one succeeds, and the others throw ``ObjectStoreError/Code/moved``.
public struct ObjectStoreMove: Sendable {
    let source: any StorageEngine
    package let destination: any StorageEngine
    let destinationName: String
    /// Whether a name that an earlier run recorded also means the destination.
    package var isDestination: @Sendable (_ name: String) -> Bool

    /// Prepares a move.
    ///
    /// - Parameters:
    ///   - source: The engine with the store. Other engines and stores may use the same data.
    ///   - destination: Another engine, which is empty, or has an unfinished copy of the store, or the store itself as it was before it was moved away.
    ///   - destinationName: The name of the destination in the errors of programs that still use the old store. It is stored there, so it should not contain a
    ///     password. A move that is run again recognizes its destination by it, so a path should be absolute.
    public init(from source: any StorageEngine, to destination: any StorageEngine, destinationName: String) {
        self.source = source
        self.destination = destination
        self.destinationName = destinationName
        isDestination = { $0 == destinationName }
    }

    /// Moves the store.
    ///
    /// - Parameter progress: Called with a rough estimate of the completed part, from 0 to 1, on any thread: the first half is the copy, the second the
    ///   comparison, and both are estimated from the kinds of entries that were read.
    /// - Returns: What was done.
    /// - Throws: ``ObjectStoreError``: `notFound` if the source has no store; `foreignFile` if the destination has something else; `moved` if the source was moved
    ///   elsewhere, or was moved to the destination but is no longer there; `busy` if another program has begun the same move since; `tooLarge`, with the key, if
    ///   the destination refuses an entry; `expired` if the source does not keep a state for long enough to compare a part of it; `corruption` if the copy differs; what
    ///   the engines throw; `cancelled`. Unless the last commit has begun, the source can be saved to as before.
    /// - Complexity: Reads the source twice and the destination once; a move that continues reads each once more. Takes memory for some thousand entries, and
    ///   for the keys of what is saved meanwhile. A server that takes only small commits gets up to eight at once.
    @discardableResult
    public func run(progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }) async throws(ObjectStoreError) -> Report {
        beginReading()
        defer { endReading() }
        do throws(ObjectStoreError) {
            let report = try await moved(progress)
            await removeFormerKeys()
            return report
        } catch {
            guard error.code == .unavailable else { throw error }
            // Without the engine's advice on a lost commit: nobody can look at the copy, and a move that is run again finds out.
            throw ObjectStoreError(
                .unavailable,
                "the move to \(destinationName) was interrupted: a server can no longer be reached",
                cause: (error.cause as? EngineError)?.cause ?? error.cause
            )
        }
    }

    private func moved(_ progress: @escaping @Sendable (Double) -> Void) async throws(ObjectStoreError) -> Report {
        guard let (start, there) = try await offPool({ () throws(ObjectStoreError) in try findStart() }) else {
            var report = Report()
            report.isDone = true
            return report
        }
        var copy = try await offPool { () throws(ObjectStoreError) in
            try checkSource(writes: true)
            try begin(start, there)
            return try MoveCopy(self, start)
        }
        var news = MoveNews(source, after: copy.state.view.version)
        defer { news.end() }
        copy = try await offPool(copy, progress) { copy, step throws(ObjectStoreError) in
            try copy.copyAll(step)
            if start.isStale { try copy.repairAll(step) }
        }
        try await catchUpWithMost(&copy, &news)
        try await verify(&copy, &news, progress)
        try await catchUpWithMost(&copy, &news)
        try await offPool { () throws(ObjectStoreError) in try stopSaves(start.mark) }
        do throws(ObjectStoreError) {
            try await catchUpWithAll(&copy, &news)
        } catch {
            try? await offPool { () throws(ObjectStoreError) in
                try TaskCancellation.shielded { () throws(ObjectStoreError) in try allowSaves(start.mark) }
            }
            throw error
        }
        // The source accepts no saves any more: from here on, the move ends even if the task is cancelled.
        try await offPool { [copy] () throws(ObjectStoreError) in
            try TaskCancellation.shielded { () throws(ObjectStoreError) in try finish(start, copy) }
        }
        return copy.report
    }

    private func catchUp(_ copy: inout MoveCopy, _ news: inout MoveNews) async throws(ObjectStoreError) {
        let view = try await offPool { () throws(ObjectStoreError) in try StoreView(source) }
        let changes = try await news.take(upTo: view)
        copy = try await offPool(copy) { copy, _ throws(ObjectStoreError) in try copy.catchUp(with: changes, in: view) }
    }

    /// Catches up until the rest can be copied while others cannot save.
    private func catchUpWithMost(_ copy: inout MoveCopy, _ news: inout MoveNews) async throws(ObjectStoreError) {
        for _ in 0..<Self.mostRounds {
            let count = copy.report.laterKeys
            try await catchUp(&copy, &news)
            if copy.report.laterKeys - count <= Self.fewKeys, !copy.state.isMixed { break }
        }
    }

    /// Catches up until the copy is one state of the store.
    private func catchUpWithAll(_ copy: inout MoveCopy, _ news: inout MoveNews) async throws(ObjectStoreError) {
        for _ in 0..<Self.mostRounds {
            try await catchUp(&copy, &news)
            if !copy.state.isMixed { return }
        }
        throw Self.outpaced
    }

    /// Compares all of the copy with the store. Each time the engine no longer has the state that was copied, the copy catches up, and the comparison continues with what
    /// is saved now.
    private func verify(
        _ copy: inout MoveCopy,
        _ news: inout MoveNews,
        _ progress: @escaping @Sendable (Double) -> Void
    ) async throws(ObjectStoreError) {
        var vainRounds = 0
        while true {
            let before = copy.verified
            copy = try await offPool(copy, progress) { copy, step throws(ObjectStoreError) in try copy.verify(step) }
            guard copy.verified != nil else { return }
            vainRounds = copy.verified == before ? vainRounds + 1 : 0
            guard vainRounds < Self.mostRounds else { throw Self.outpaced }
            try await catchUp(&copy, &news)
        }
    }

    private static var outpaced: ObjectStoreError {
        ObjectStoreError(
            .expired,
            "the engine of the store to move removes each state before part of it can be compared; make it keep states for longer, or save less during the move"
        )
    }

    /// What was done.
    public struct Report: Sendable, Hashable {
        /// The number of entries in the store; all were compared, whichever run copied them.
        public internal(set) var entries = 0
        /// The size of their keys and values, in bytes.
        public internal(set) var bytes = 0
        /// The number of keys that were saved meanwhile, and copied again.
        public internal(set) var laterKeys = 0
        /// The number of entries in an earlier, unfinished copy that had changed since.
        public internal(set) var staleEntries = 0
        /// Whether there was nothing to do, because an earlier run had completed the move.
        public internal(set) var isDone = false
    }

    /// Makes a store that was moved away accept saves again, whether its move is complete or was interrupted during its last commits.
    ///
    /// Before its last commits, a move does not stop saves, and there is nothing to take back. The destination is not changed: a complete copy accepts saves
    /// too, and nothing that is saved to one of the two arrives in the other. To get back what was saved at the destination, move it back instead.
    ///
    /// - Returns: The name of the destination; `nil` if the store was not moved, and nothing was changed.
    /// - Throws: ``ObjectStoreError``: `changeUnfinished` if it is itself the unfinished copy of a store; what the engine throws.
    @discardableResult
    public static func takeBack(_ source: any StorageEngine) throws(ObjectStoreError) -> String? {
        guard let mark = try MoveMark.read(try StoreView(source), "the store") else { return nil }
        guard mark.state == .moved else { throw mark.refusal("the store") }
        var commit = EngineCommit()
        commit.delete(Keyspace.move)
        try source.perform(commit, durability: .synced)
        return mark.destination
    }

    private static var fewKeys: Int { 256 }
    private static var mostRounds: Int { 20 }

    // MARK: Beginning and end

    /// Where a copy begins.
    struct Start: Sendable {
        /// The mark of the destination until the copy is complete.
        var mark: MoveMark
        /// Whether the destination may have entries of an older state.
        var isStale = false
    }

    /// Throws what ``run(progress:)`` would throw before it changes the destination.
    package func checkStart() throws(ObjectStoreError) {
        if try findStart() != nil { try checkSource(writes: true) }
    }

    /// Throws if the source accepts no saves, which would otherwise only show at the end.
    ///
    /// - Parameter writes: Whether to write something that changes nothing. Without it, a server may not check all rights.
    func checkSource(writes: Bool) throws(ObjectStoreError) {
        let view = try StoreView(source)
        var commit = EngineCommit()
        commit.read(Keyspace.move, in: view)
        if writes, try !view.contains(Keyspace.move) { commit.delete(Keyspace.move) }
        // A conflict is fine too: another move has begun to finish.
        _ = try source.tryPerform(commit, durability: .buffered)
    }

    /// Compares what both engines have; returns `nil` if the move is complete already.
    ///
    /// - Returns: Where to begin, and the state of the destination that this depends on.
    func findStart() throws(ObjectStoreError) -> (Start, StoreView)? {
        let (old, new) = (try StoreView(source), try StoreView(destination))
        guard let identity = try Self.identity(old, "the store to move") else {
            throw ObjectStoreError(.notFound, "there is no object store to move")
        }
        let left = try MoveMark.read(old, "the store to move")
        let isEmpty = try new.entries(limit: 1).isEmpty
        let known = isEmpty ? nil : try MoveMark.read(new, destinationName)
        try refuseOther(left, hasCopy: known?.state == .arriving && known?.identity == identity)
        var start = Start(mark: MoveMark(.arriving, identity, destinationName, run: UUID()))
        if isEmpty {
            guard left == nil else {
                // The move was complete, or had begun to finish.
                throw ObjectStoreError(
                    .moved,
                    "the store to move was moved to \(destinationName), where it no longer exists; take it back to use it as it is, or to move it again"
                )
            }
            return (start, new)
        }
        let there = if let known { known.identity } else { try Self.identity(new, destinationName) }
        guard there == identity else {
            throw ObjectStoreError(
                .foreignFile,
                "\(destinationName) is not empty: it contains another store; remove it, or move to another place"
            )
        }
        guard let known else {
            guard left != nil else {
                throw ObjectStoreError(
                    .foreignFile,
                    "\(destinationName) is the store itself, or a writable copy of it; move to an empty place"
                )
            }
            return nil
        }
        guard left == nil || known.state == .arriving else {
            throw ObjectStoreError(
                .moved,
                "the store to move was moved to \(destinationName), and from there to \(known.destination): move it from there"
            )
        }
        start.isStale = true
        // A store that was moved away has all keys, of an old state.
        start.mark.next = known.state == .arriving ? known.next : [0xFF]
        return (start, new)
    }

    /// Throws for a store that is itself an unfinished copy, or was moved elsewhere.
    ///
    /// - Parameter hasCopy: Whether the destination has an unfinished copy, which is useless then.
    private func refuseOther(_ left: MoveMark?, hasCopy: Bool) throws(ObjectStoreError) {
        guard let left, left.state == .arriving || !isDestination(left.destination) else { return }
        let refusal = left.refusal("the store to move")
        guard left.state == .moved, hasCopy else { throw refusal }
        throw ObjectStoreError(refusal.code, "\(refusal.message). The unfinished copy at \(destinationName) can be deleted")
    }

    private static func identity(_ view: StoreView, _ name: String) throws(ObjectStoreError) -> UUID? {
        let header = try view.get(Keyspace.header)
        return try header.map { (header) throws(ObjectStoreError) in try StoreHeader(decoding: header, name).identity }
    }

    /// Prevents others from opening the destination, and other moves from writing to it.
    private func begin(_ start: Start, _ there: StoreView) throws(ObjectStoreError) {
        var commit = EngineCommit()
        commit.put(start.mark.encoded(), for: Keyspace.move)
        for key in [Keyspace.move, Keyspace.header] { commit.read(key, in: there) }
        guard try destination.tryPerform(commit, durability: .buffered) != nil else { throw start.mark.overtaken }
    }

    /// Makes all saves to the source fail, now and later.
    private func stopSaves(_ mark: MoveMark) throws(ObjectStoreError) {
        try changeMark { left throws(ObjectStoreError) in
            try refuseOther(left, hasCopy: true)
            return MoveMark(.moved, mark.identity, destinationName, run: mark.run)
        }
    }

    /// Makes the source accept saves again, unless another move has stopped them.
    private func allowSaves(_ mark: MoveMark) throws(ObjectStoreError) {
        try changeMark { left in left?.run == mark.run ? nil : left }
    }

    /// Replaces the source's mark of the move.
    private func changeMark(_ change: (MoveMark?) throws(ObjectStoreError) -> MoveMark?) throws(ObjectStoreError) {
        while true {
            let view = try StoreView(source)
            let left = try MoveMark.read(view, "the store to move")
            let mark = try change(left)
            guard mark != left else { return }
            var commit = EngineCommit()
            if let mark { commit.put(mark.encoded(), for: Keyspace.move) } else { commit.delete(Keyspace.move) }
            commit.read(Keyspace.move, in: view)
            if try source.tryPerform(commit, durability: .synced) != nil { return }
        }
    }

    /// Allows opening the destination. Syncs all that was copied before. Opening it removes replaced data that must not stay in its files.
    private func finish(_ start: Start, _ copy: MoveCopy) throws(ObjectStoreError) {
        var commit = EngineCommit()
        commit.delete(Keyspace.move)
        let bytes = try StoreView(destination).get(Keyspace.encryption)
        // A header of a newer release is left unchanged.
        if start.isStale || copy.hasReplacedKeys, let bytes, var header = try? EncryptionHeader(decoding: bytes, destinationName) {
            if start.isStale { header.holdsFormer = true } else { header.holdsFormerKeys = true }
            commit.put(header.encoded(), for: Keyspace.encryption)
        }
        try start.mark.perform([commit], on: destination, durability: .synced)
    }

    /// Removes from the files of the source the keys that could not be removed while the move had views: nobody opens it for writing. If this fails, they are
    /// removed when the store has been taken back and is opened.
    private func removeFormerKeys() async {
        try? await ObjectStore.offPool("clean the store that was moved to \(destinationName)", { _ in }) { _ throws(ObjectStoreError) in
            let ranges = try EncryptionHeader.formerRanges(try StoreView(source), "the store to move")
            try ObjectStoreError.translating { () throws(EngineError) in
                for range in ranges { try source.removeFormerData(in: range) }
            }
        }
    }

    // MARK: Views

    /// The engines that moves, and checks of moves, read now, and their number.
    private static let sources = Mutex<[ObjectIdentifier: Int]>([:])

    /// Whether a move reads an engine, and so may have views of former states.
    static func reads(_ engine: any StorageEngine) -> Bool { sources.withLock { $0[ObjectIdentifier(engine)] != nil } }

    func beginReading() { Self.sources.withLock { $0[ObjectIdentifier(source), default: 0] += 1 } }

    /// Called once the views are gone.
    func endReading() {
        Self.sources.withLock { sources in
            let count = sources[ObjectIdentifier(source), default: 1] - 1
            sources[ObjectIdentifier(source)] = count > 0 ? count : nil
        }
    }

    private func offPool<Value: Sendable>(
        _ body: @escaping @Sendable () throws(ObjectStoreError) -> Value
    ) async throws(ObjectStoreError) -> Value {
        try await CairnCore.offPool(body).get()
    }

    private func offPool(
        _ copy: MoveCopy,
        _ progress: @escaping @Sendable (Double) -> Void = { _ in },
        _ body: @escaping @Sendable (inout MoveCopy, (Double) throws(ObjectStoreError) -> Void) throws(ObjectStoreError) -> Void
    ) async throws(ObjectStoreError) -> MoveCopy {
        try await ObjectStore.offPool("move the store to \(destinationName)", progress) { step throws(ObjectStoreError) in
            var copy = copy
            try body(&copy, step)
            return copy
        }
    }
}
