package import CairnCore
import Synchronization

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// An engine that encrypts what it stores in another engine: values are sealed for their store and key, and names are hashed.
///
/// Layers above see plain keys and values. Index entries are hashed where they are made (``IndexKeys``), because only that code knows
/// where the values in a key end.
package final class SealedEngine: StorageEngine, RecentCommits {
    package var limits: EngineLimits { committer.limits }
    package var isReadOnly: Bool { base.isReadOnly }
    package var readsInParallel: Bool { base.readsInParallel }
    package var isRemote: Bool { base.isRemote }
    package var isShared: Bool { base.isShared }
    package var latestVersion: EngineVersion { base.latestVersion }
    let base: any StorageEngine
    let form: SealedForm
    /// The use of the engine below by this one, and by the store that opens it.
    let use: EngineUse
    let groups: GroupKeys
    /// The store's name in messages.
    private let name: String
    private let committer: EngineCommitter<Void>
    private let names = SealedNames()
    /// The names of classes in messages, by their numbers.
    private let classNames = Mutex<[UInt16: String]>([:])

    init(_ base: any StorageEngine, _ form: SealedForm, _ name: String) throws(EngineError) {
        self.base = base
        self.form = form
        use = EngineUse(base)
        groups = GroupKeys(form, use)
        self.name = name
        var limits = base.limits
        // A name is stored in its value.
        let overhead = form.session.overhead + 4 + 256
        limits.maximumValueSize = limits.maximumValueSize.map { max(0, $0 - overhead) }
        // A range of all keys becomes four.
        limits.maximumCommitOperations = limits.maximumCommitOperations.map { max(1, $0 - 3) }
        limits.maximumCommitReads = limits.maximumCommitReads.map { max(1, $0 - 3) }
        committer = EngineCommitter(limits: limits, version: try base.makeView().version, state: ())
    }

    /// For tests of engines.
    package convenience init(_ base: any StorageEngine, _ session: any ObjectCipherSession, identity: UUID) throws(EngineError) {
        try self.init(base, SealedForm(session, identity), "the store")
    }

    deinit { committer.close() }

    package func makeView() throws(EngineError) -> any EngineView { try makeSealedView() }

    private func makeSealedView() throws(EngineError) -> SealedView { SealedView(engine: self, base: try base.makeView()) }

    @discardableResult
    package func commit(_ commit: EngineCommit, durability: Durability) throws(EngineError) -> EngineVersion {
        guard !isReadOnly else { throw EngineError(.readOnly, "\(name) was opened for reading only") }
        if use.isShared, let version = try committedBelow(commit, durability) { return version }
        // Compares plain values: their sealed form differs each time.
        return try committer.commit(commit, isOwn: { !use.isShared && ($0 as? SealedView)?.engine === self }) { () throws(EngineError) in
            let now = try makeSealedView()
            // Others may write to the engine below, too.
            committer.noteUnknownCommits(upTo: now.version)
            return now
        } write: { writes, now, _ throws(EngineError) in
            // Other writers may still be faster.
            try base.commit(sealed(commit, writes, now) { _ in now }, durability: durability)
        }
    }

    /// Has the engine below compare the sealed form of what was read, which takes one request where it is behind a network. It also knows whether it performed
    /// a named commit before, which would be in conflict with itself.
    ///
    /// - Returns: `nil` if nothing was read, or if it finds a conflict. A value that was only sealed again is not one, but looks like one there.
    private func committedBelow(_ commit: EngineCommit, _ durability: Durability) throws(EngineError) -> EngineVersion? {
        let views = commit.reads.compactMap { $0.view as? SealedView }
        guard views.count == commit.reads.count, views.allSatisfy({ $0.engine === self }),
            let newest = views.max(by: { $0.version < $1.version })
        else { return nil }
        try limits.check(commit)
        let writes = commit.ordered()
        return try committer.withoutCommits { _ throws(EngineError) in
            let now = writes.deletedRanges.contains(where: SealedRange.hasNames) ? try makeSealedView() : newest
            do throws(EngineError) {
                return try base.commit(sealed(commit, writes, now) { $0 }, durability: durability)
            } catch {
                guard error.code == .conflict || error.code == .expired else { throw error }
                return nil
            }
        }
    }

    /// A commit as the engine below stores it.
    ///
    /// - Parameter readView: The view that the engine below compares with, for what was read in a view of this engine.
    private func sealed(
        _ commit: EngineCommit,
        _ writes: EngineWrites,
        _ now: SealedView,
        comparing readView: (SealedView) -> SealedView
    ) throws(EngineError) -> EngineCommit {
        var sealed = EngineCommit()
        sealed.idempotencyID = commit.idempotencyID
        try addDeletions(of: writes, to: &sealed, now)
        try addWrites(of: writes, to: &sealed, now)
        for reads in commit.reads { addReads(reads, to: &sealed, ((reads.view as? SealedView).map(readView) ?? now).base) }
        return sealed
    }

    /// The commits of the other engine by anyone, with the plain keys. If a commit deleted a name that was never read or written here, all names may have
    /// changed: only its hash is known.
    package func changes(after version: EngineVersion?) throws(EngineError) -> EngineChanges {
        try base.changes(after: version).reporting { [names, weak self] change in
            names.plain(change) { self?.read($0) }
        }
    }

    /// Reads names by the keys that store them, as far as they still exist.
    private func read(_ storedKeys: [[UInt8]]) {
        // Closing waits for this, so it does not find the view. Names that cannot be read stay unknown.
        try? committer.withoutCommits { _ throws(EngineError) in
            let view = try base.makeView()
            for storedKey in storedKeys {
                guard let sealed = try view.get(storedKey) else { continue }
                guard let name = unsafe try? form.openName(sealed.span.bytes, at: storedKey.span.bytes).key else { continue }
                names.note(name, storedAs: storedKey)
            }
        }
    }

    package func removeFormerData(in range: KeyRange) throws(EngineError) { try base.removeFormerData(in: range) }

    package func keepsFormerData(in range: KeyRange) throws(EngineError) -> Bool { try base.keepsFormerData(in: range) }

    package var syncsApart: Bool { base.syncsApart }

    package func sync() throws(EngineError) { try base.sync() }

    package func prepareForCommits() { base.prepareForCommits() }

    package func compact() throws(EngineError) { try base.compact() }

    package func mayHaveChanged(_ range: KeyRange, after version: EngineVersion, in view: any EngineView) -> Bool {
        guard let base = base as? any RecentCommits, let view = view as? SealedView else { return true }
        return SealedRange.parts(of: range).contains { $0.holdsNames || base.mayHaveChanged($0.range, after: version, in: view.base) }
    }

    package func makeCheckpoint(at path: String) throws(EngineError) { try base.makeCheckpoint(at: path) }

    package func close() throws(EngineError) {
        try committer.withoutCommits { _ throws(EngineError) in try base.close() }
        committer.close()
    }

    // MARK: Writing

    private func addWrites(of writes: EngineWrites, to sealed: inout EngineCommit, _ now: SealedView) throws(EngineError) {
        let newGroups = Self.newGroups(writes)
        let lookup: GroupKeys.Lookup = { key throws(EngineError) in
            if let new = newGroups[key] { return new }
            return try now.get(key)
        }
        sealed.reserve(writes: writes.count, bytes: writes.byteCount + writes.count * form.session.overhead)
        for index in 0..<writes.count {
            let key = writes.key(at: index)
            let kind = SealedForm.Kind(key)
            if case .encryption = kind {
                throw EngineError(.invalidArgument, "a commit to \(name) writes to keys that are reserved for encryption")
            }
            guard let value = writes.value(at: index) else {
                if case .name = kind { sealed.delete(storedKey(of: key)) } else { sealed.delete(key) }
                continue
            }
            switch kind {
            case .identity, .encryption: sealed.put(value, for: key)
            case .value(isEntry: true) where value.byteCount == 0: sealed.put(value, for: key)
            case .value where GroupKeys.hasGroups(value, at: key):
                let grouped = try groups.sealed([UInt8](copying: value), at: key, lookup)
                sealed.put(try sealing { unsafe try form.seal(grouped.span.bytes, at: key) }, for: key)
            case .value: sealed.put(try sealing { try form.seal(value, at: key) }, for: key)
            case .name:
                let storedKey = storedKey(of: key)
                sealed.put(try sealing { try form.sealName(key, value, at: storedKey) }, for: storedKey)
            }
        }
    }

    /// The key that stores a name that a commit writes.
    private func storedKey(of name: RawSpan) -> [UInt8] {
        let storedKey = form.storedKey(ofName: name)
        names.note([UInt8](copying: name), storedAs: storedKey)
        return storedKey
    }

    /// The group keys that a commit writes; they come after all objects.
    private static func newGroups(_ writes: EngineWrites) -> [[UInt8]: [UInt8]] {
        var groups: [[UInt8]: [UInt8]] = [:]
        for index in stride(from: writes.count - 1, through: 0, by: -1) {
            let key = writes.key(at: index)
            guard key.byteCount > 0, unsafe key.unsafeLoad(fromByteOffset: 0, as: UInt8.self) >= Keyspace.groupKind else { break }
            if let value = writes.value(at: index) { groups[[UInt8](copying: key)] = [UInt8](copying: value) }
        }
        return groups
    }

    private func sealing(_ body: () throws -> [UInt8]) throws(EngineError) -> [UInt8] {
        do { return try body() } catch { throw EngineError(.other, "a value for \(name) could not be encrypted", cause: error) }
    }

    private func addDeletions(of writes: EngineWrites, to sealed: inout EngineCommit, _ now: SealedView) throws(EngineError) {
        for range in writes.deletedRanges {
            for part in SealedRange.parts(of: range) {
                guard part.holdsNames else {
                    sealed.deleteRange(part.range)
                    continue
                }
                try now.lendEntries(in: part.range, reverse: false) { key, _ in
                    sealed.delete(storedKey(of: key))
                    return true
                }
            }
        }
    }

    private func addReads(_ reads: EngineReads, to sealed: inout EngineCommit, _ now: any EngineView) {
        for index in 0..<reads.keys.count {
            let key = reads.keys[index]
            if case .name = SealedForm.Kind(key) { sealed.read(form.storedKey(ofName: key), in: now) } else { sealed.read(key, in: now) }
        }
        for range in reads.ranges {
            // Names have another order there.
            for part in SealedRange.parts(of: range) { sealed.read(part.holdsNames ? SealedRange.names : part.range, in: now) }
        }
    }

    // MARK: Damage

    /// Sets the names of classes, for messages.
    func nameClasses(_ names: [UInt16: String]) { classNames.withLock { $0 = names } }

    func damaged(_ key: RawSpan, _ cause: any Error) -> EngineError {
        let names = classNames.withLock { $0 }
        let what = SealedRange.phrase(of: key) { names[$0] ?? "class \($0)" }
        return EngineError(
            .corruption,
            "\(what) of \(name) cannot be decrypted: it was modified, or comes from another place or store; restore it from a backup",
            userData: "key \([UInt8](copying: key))",
            cause: cause
        )
    }
}
