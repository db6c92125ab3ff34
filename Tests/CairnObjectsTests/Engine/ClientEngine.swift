import CairnCore
import CairnEngine
import Synchronization

/// One of several clients of the same data in memory, such as one behind a network would be: its replies can be lost, and its views can expire. May have a
/// defect that shows only if there is another client.
final class ClientEngine: StorageEngine {
    let data: ClientData
    let number: Int
    let defect: Defect?
    let limits: EngineLimits
    /// The commits of all clients, as this one reports them.
    let log: EngineLog
    /// The version when this client was opened.
    let opening: EngineVersion
    private let state: Mutex<State>

    struct State {
        var views = 0
        var isClosed = false
        /// Views of an earlier generation have expired.
        var generation = 0
        var loss: Loss?
        /// What the last view was made of, unless others have committed since; for a defect.
        var cached: (any EngineView)?
        var delayed: [EngineChange] = []
        var conflicts = 0
        var lookups = 0
        var unconfirmed: EngineCommit?
        var late: EngineCommit?
    }

    /// What is lost on the way.
    enum Loss {
        /// The reply; the client finds out what became of its commit.
        case reply
        /// The reply and the connection: the client cannot find out.
        case replyAndConnection
        /// The request: the commit is never performed, and the client does not know.
        case request
        /// The connection, before anything was sent: the client knows that nothing was performed.
        case connection
        /// The connection, for a while: the commit is performed by ``performLateRequest()``, and the client does not know.
        case punctuality
    }

    /// - Parameters:
    ///   - isShared: Whether there may be other clients.
    ///   - comparesVersions: Whether a commit is in conflict if anything that it has read was written since, if only with the same value.
    init(_ data: ClientData, _ defect: Defect? = nil, isShared: Bool = true, comparesVersions: Bool = false) {
        self.data = data
        self.defect = defect
        self.isShared = isShared
        self.comparesVersions = comparesVersions
        limits = data.limits
        opening = data.engine.latestVersion
        log = EngineLog(after: opening)
        state = Mutex(State())
        number = data.nextNumber()
        data.add(self)
    }

    deinit { log.close() }

    var isReadOnly: Bool { false }
    let isShared: Bool
    let comparesVersions: Bool
    var readsInParallel: Bool { true }

    var latestVersion: EngineVersion {
        let latest = data.engine.latestVersion
        switch defect {
        case .latestVersionIsOwn: return data.lastVersion(of: number)
        case .latestVersionGoesBack:
            let lookup = state.withLock { state in
                state.lookups += 1
                return state.lookups
            }
            return EngineVersion(rawValue: latest.rawValue > 20 && lookup % 2 == 0 ? latest.rawValue - 1 : latest.rawValue)
        default: return latest
        }
    }

    // MARK: Views

    func makeView() throws(EngineError) -> any EngineView {
        try repeatUnconfirmed()
        let inner = try data.engine.makeView()
        return try state.withLock { state throws(EngineError) in
            guard !state.isClosed else { throw Self.closed }
            state.views += 1
            var shown = inner
            if defect == .viewsLag {
                if let cached = state.cached, data.lastClient != number { shown = cached }
                state.cached = shown
            }
            return ClientView(self, shown, generation: state.generation)
        }
    }

    func viewEnds() { state.withLock { $0.views -= 1 } }

    /// Makes all views until now too old.
    func expireViews() { state.withLock { $0.generation += 1 } }

    func hasExpired(_ view: ClientView) -> Bool { state.withLock { $0.generation > view.generation } }

    // MARK: Commits

    /// Loses what belongs to the next commit.
    func lose(_ loss: Loss) { state.withLock { $0.loss = loss } }

    func commit(_ commit: EngineCommit, durability: Durability) throws(EngineError) -> EngineVersion {
        let loss = try state.withLock { state throws(EngineError) in
            guard !state.isClosed else { throw Self.closed }
            return state.loss.take()
        }
        if defect != .ignoresLimits { try limits.check(commit) }
        let unavailable = EngineError(.unavailable, "the reply of the server was lost; whether the commit was performed is unknown")
        if case .request? = loss { throw unavailable }
        if case .connection? = loss { throw EngineError(.unavailable, "the server cannot be reached", isOutcomeUnknown: false) }
        if case .punctuality? = loss {
            state.withLock { $0.late = commit }
            throw unavailable
        }
        let version = try data.commit(commit, by: self)
        guard let loss else { return version }
        if defect == .lostReplyIsFailure { throw EngineError(.ioError, "the connection was lost") }
        if defect == .repeatsLater, commit.idempotencyID == nil {
            // Without its views, which must not end while the lock is held.
            var writes = EngineCommit()
            writes.addWrites(of: commit)
            state.withLock { [writes] in $0.unconfirmed = writes }
        }
        if case .reply = loss { return version }
        throw unavailable
    }

    /// Performs the commit that was lost on the way; returns the error, if any.
    func performLateRequest() -> EngineError.Code? {
        guard let commit = state.withLock({ $0.late.take() }) else { return .other }
        do throws(EngineError) { _ = try data.commit(commit, by: self) } catch { return error.code }
        return nil
    }

    /// For a defect: performs a commit whose reply was lost once more.
    private func repeatUnconfirmed() throws(EngineError) {
        guard defect == .repeatsLater, data.lastClient != number, let writes = state.withLock({ $0.unconfirmed.take() }) else { return }
        _ = try data.commit(writes, by: self)
    }

    /// Whether a defect overlooks this conflict.
    func overlooksConflict() -> Bool {
        guard defect == .overlooksFifthConflicts else { return false }
        return state.withLock { state in
            state.conflicts += 1
            return state.conflicts % 5 == 0
        }
    }

    // MARK: Following

    /// Reports a commit.
    func report(_ change: EngineChange, by client: Int) {
        guard let change = client == number ? change : spoilt(change) else { return }
        let isDelayed = defect == .reportsWithOwnCommits && client != number || defect == .swapsChanges && client != number
        let changes = state.withLock { state -> [EngineChange] in
            guard !isDelayed else {
                state.delayed.append(change)
                return []
            }
            defer { state.delayed = [] }
            return defect == .swapsChanges ? [change] + state.delayed : state.delayed + [change]
        }
        for change in changes { log.append(change) }
    }

    func changes(after version: EngineVersion?) throws(EngineError) -> EngineChanges {
        guard !state.withLock({ $0.isClosed }) else { throw Self.closed }
        return spoiltChanges(after: version)
    }

    // MARK: Closing

    func close() throws(EngineError) {
        let views = state.withLock { state in
            if state.views == 0 { state.isClosed = true }
            state.cached = nil
            return state.views
        }
        guard views == 0 else { throw EngineError(.busy, "\(views) views are still in use") }
        log.close()
        if defect == .closesForAll { try data.engine.close() }
    }

    private static let closed = EngineError(.closed, "the client was closed")
}

final class ClientView: EngineView {
    let client: ClientEngine
    let inner: any EngineView
    let generation: Int

    init(_ client: ClientEngine, _ inner: any EngineView, generation: Int) {
        self.client = client
        self.inner = inner
        self.generation = generation
    }

    deinit { client.viewEnds() }

    var version: EngineVersion { inner.version }

    /// What is read; `nil` for nothing.
    private func shown() throws(EngineError) -> (any EngineView)? {
        if client.defect == .viewsFollow, client.data.lastClient != client.number { return try client.data.engine.makeView() }
        guard client.hasExpired(self) else { return inner }
        switch client.defect {
        case .expiredViewsFollow: return try client.data.engine.makeView()
        case .expiredViewsAreEmpty: return nil
        default: throw EngineError(.expired, "the server no longer has version \(version); make another view")
        }
    }

    func lendValue(for key: RawSpan, to body: (RawSpan) -> Void) throws(EngineError) -> Bool {
        try shown()?.lendValue(for: key, to: body) ?? false
    }

    func lendValues(for keys: KeyList, to body: (Int, RawSpan?) -> Void) throws(EngineError) {
        for index in 0..<keys.count where try !lendValue(for: keys[index], to: { body(index, $0) }) { body(index, nil) }
    }

    func lendEntries(in range: KeyRange, reverse: Bool, to body: (RawSpan, RawSpan) -> Bool) throws(EngineError) {
        try shown()?.lendEntries(in: range, reverse: reverse, to: body)
    }
}
