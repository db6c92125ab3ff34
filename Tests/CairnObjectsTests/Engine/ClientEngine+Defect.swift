import CairnCore
import CairnEngine
import CairnEngineConformance
import Synchronization

extension ClientEngine {
    /// What a client does wrong. But for the last ones, only what other clients have committed is concerned.
    enum Defect: String, CaseIterable, Sendable {
        case viewsLag, viewsFollow, latestVersionIsOwn, latestVersionGoesBack, closesForAll
        case overlooksOthers, overlooksFifthConflicts, neverForgetsConflicts
        case overlooksPuts, overlooksDeletions, overlooksAbsence, conflictsWithOtherKeys
        case overlooksInsertions, overlooksDeletedEntries, overlooksChangedEntries, overlooksEmptyRanges, includesEndsOfRanges
        case hidesChanges, hidesKeys, losesKeys, losesRanges, swapsChanges, reportsWithOwnCommits, forgetsOlderChanges, skipsToOpening
        case performsTwice, conflictsWithItself, lostReplyIsFailure, repeatsLater
        case expiredViewsFollow, expiredViewsAreEmpty, ignoresLimits

        /// The check that must find it.
        var check: String {
            switch self {
            case .viewsLag: "a client sees what another has committed before"
            case .viewsFollow: "views stay as they were while another client commits"
            case .latestVersionIsOwn, .latestVersionGoesBack: "the latest version never decreases, and soon includes what others commit"
            case .closesForAll: "a client keeps working when another is closed"
            case .overlooksOthers: "of two clients that read a key and write it, one succeeds"
            case .overlooksFifthConflicts: "no two clients take the same block of numbers"
            case .neverForgetsConflicts: "a value that another client changed and changed back is not in conflict for long"
            case .overlooksPuts: "with two clients, a read key that is put is a conflict"
            case .overlooksDeletions: "with two clients, a read key that is deleted is a conflict"
            case .overlooksAbsence: "with two clients, a read key that was missing and is put is a conflict"
            case .conflictsWithOtherKeys: "with two clients, other keys do not conflict"
            case .overlooksInsertions: "with two clients, a key inserted into a read range is a conflict"
            case .overlooksDeletedEntries: "with two clients, a key deleted from a read range is a conflict"
            case .overlooksChangedEntries: "with two clients, a key changed in a read range is a conflict"
            case .overlooksEmptyRanges: "with two clients, a read range that is no longer empty is a conflict"
            case .includesEndsOfRanges: "with two clients, the end of a read range does not belong to it"
            case .hidesChanges, .hidesKeys, .losesKeys, .swapsChanges:
                "followers get the commits of another client, in order, with their keys"
            case .losesRanges: "followers learn of the ranges that another client deletes"
            case .reportsWithOwnCommits: "followers learn of another client's commit without one of their own"
            case .forgetsOlderChanges: "following from an older version includes the commits of another client"
            case .skipsToOpening: "a client that is opened later follows from then on"
            case .performsTwice, .conflictsWithItself: "a commit whose reply is lost is performed once, and can be repeated"
            case .lostReplyIsFailure, .repeatsLater: "a commit without a name whose reply is lost is performed once"
            case .expiredViewsFollow, .expiredViewsAreEmpty:
                "a view that is too old says so, and commits that depend on it conflict or not"
            case .ignoresLimits: "commits of the most reads are performed, and larger ones refused"
            }
        }
    }

    /// Clients for the checks, each store with data of its own. By turns, they find out what became of a commit whose reply was lost, or do not.
    ///
    /// - Parameter wrap: Makes the engine that is checked of a client.
    static func underTest(
        _ defect: Defect? = nil,
        comparesVersions: Bool = false,
        _ wrap: @escaping @Sendable (ClientEngine) throws -> any StorageEngine = { $0 }
    ) -> EngineUnderTest {
        let stores = Mutex<[String: ClientData]>([:])
        let clients = Mutex<[ObjectIdentifier: Weak]>([:])
        var limits = EngineLimits()
        limits.maximumCommitReads = 100
        limits.maximumViewAge = .seconds(3600)
        var subject = EngineUnderTest(persists: true) { [limits] name in
            let data = stores.withLock { stores in
                let data = stores[name] ?? ClientData(limits: limits, ignoresLimits: defect == .ignoresLimits)
                stores[name] = data
                return data
            }
            let client = ClientEngine(data, defect, comparesVersions: comparesVersions)
            let engine = try wrap(client)
            clients.withLock { $0[ObjectIdentifier(engine)] = Weak(client: client) }
            return engine
        }
        let losses = Atomic(0)
        subject.loseReply = { engine in
            let count = losses.wrappingAdd(1, ordering: .relaxed).newValue
            clients.withLock { $0[ObjectIdentifier(engine)]?.client }?.lose(count % 2 == 0 ? .reply : .replyAndConnection)
        }
        subject.expireViews = { engine in clients.withLock { $0[ObjectIdentifier(engine)]?.client }?.expireViews() }
        // Defects in time are never repaired.
        if defect != nil { subject.patience = .milliseconds(50) }
        return subject
    }

    private struct Weak { weak var client: ClientEngine? }

    // MARK: Commits

    /// Adds what a commit depends on, as far as the client's defect does not overlook it.
    func addReads(of commit: EngineCommit, to inner: inout EngineCommit) throws(EngineError) {
        let now = try data.engine.makeView()
        for reads in commit.reads {
            guard let view = reads.view as? ClientView else { continue }
            let isOld = view.version < now.version && data.lastClient != number
            if defect == .overlooksOthers, isOld { continue }
            if defect == .conflictsWithOtherKeys, isOld { throw EngineError(.conflict, "another client has committed") }
            for index in 0..<reads.keys.count {
                let key = [UInt8](copying: reads.keys[index])
                if defect == .neverForgetsConflicts, isOld || key == Array("a".utf8), data.lastClient != number {
                    throw EngineError(.conflict, "another client has written the key at some time")
                }
                let (before, after) = (try view.inner.get(key), try now.get(key))
                let isOverlooked =
                    switch defect {
                    case .overlooksPuts: before != nil && after != nil
                    case .overlooksDeletions: before != nil && after == nil
                    case .overlooksAbsence: before == nil
                    default: false
                    }
                if !isOld || !isOverlooked { inner.read(key, in: view.inner) }
            }
            for var range in reads.ranges {
                if isOld { guard try !overlooks(range, view.inner, now) else { continue } }
                if defect == .includesEndsOfRanges, isOld, let end = range.upperBound { range.upperBound = end + [0] }
                inner.read(range, in: view.inner)
            }
        }
    }

    private func overlooks(_ range: KeyRange, _ view: any EngineView, _ now: any EngineView) throws(EngineError) -> Bool {
        let before = Dictionary(uniqueKeysWithValues: try view.entries(range).map { ($0.key, $0.value) })
        let after = Dictionary(uniqueKeysWithValues: try now.entries(range).map { ($0.key, $0.value) })
        return switch defect {
        case .overlooksInsertions: before.allSatisfy { after[$0.key] == $0.value }
        case .overlooksDeletedEntries: after.allSatisfy { before[$0.key] == $0.value }
        case .overlooksChangedEntries: Set(before.keys) == Set(after.keys)
        case .overlooksEmptyRanges: before.isEmpty
        default: false
        }
    }

    // MARK: Following

    /// A change by another client as this one reports it; `nil` if it does not.
    func spoilt(_ change: EngineChange) -> EngineChange? {
        switch defect {
        case .hidesChanges: nil
        case .hidesKeys: EngineChange(everythingUpTo: change.version)
        case .losesKeys: EngineChange(version: change.version, keys: KeyList(), deletedRanges: change.deletedRanges)
        case .losesRanges: EngineChange(version: change.version, keys: change.keys)
        default: change
        }
    }

    func spoiltChanges(after version: EngineVersion?) -> EngineChanges {
        let newest = data.engine.latestVersion
        guard let version, version < newest else { return log.changes(after: version) }
        switch defect {
        // Only what comes from now on.
        case .forgetsOlderChanges: return log.changes(after: newest)
        case .skipsToOpening: return log.changes(after: max(version, opening))
        default: return log.changes(after: version)
        }
    }
}
