import CairnCore
import CairnEngine
import Dispatch
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The connections of an engine. A call whose answer is lost is repeated, on one endpoint after the other, until it succeeds or
/// ``EtcdEngineOptions/retryTimeout`` is over: all requests can safely be performed twice, commits because of their names.
final class EtcdPool: Sendable {
    let target: EtcdTarget
    /// Pages of objects that were read.
    let values: ValueCache
    private let idle = IdleConnections<EtcdConnection>()
    private let state = Mutex(State())
    /// Counts the connections that may still be used.
    private let free: DispatchSemaphore

    private struct State {
        /// The endpoint that is used until it fails.
        var endpoint = 0
        var token: String?
        /// Who the cluster is; others are refused.
        var cluster: UInt64?
        var lease: Lease?
    }

    /// What the names of commits belong to: the server removes them together, and refuses later commits of the lease.
    struct Lease {
        let number: UInt64
        /// Until when commits may join it.
        let end: ContinuousClock.Instant
        /// Until when their names are certainly there. The server keeps them for longer, by its own clock.
        let namesEnd: ContinuousClock.Instant
    }

    init(_ target: EtcdTarget) {
        self.target = target
        values = ValueCache(capacity: Int(clamping: target.options.objectCacheSize.bytes))
        free = DispatchSemaphore(value: target.options.connections)
    }

    var closed: EngineError { EngineError(.closed, "\(target.description) was closed") }
    var isClosed: Bool { idle.isClosed }
    /// Who the cluster is; 0 before the first answer.
    var cluster: UInt64 { state.withLock { $0.cluster ?? 0 } }

    /// Connections in use are closed when they are given back.
    func close() { idle.close() }

    // MARK: Calls

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - attempt: What is attempted, for messages, such as "reading".
    ///   - retries: Whether to try again when the answer is lost; if not, each endpoint is asked once.
    ///   - fits: Whether an answer has what was asked for; if not, it counts as lost.
    func run(
        _ path: StaticString,
        _ request: EtcdRequest,
        _ attempt: String,
        retries: Bool = true,
        fits: (EtcdReply) -> Bool = { _ in true }
    ) throws(EngineError) -> EtcdReply {
        do throws(Failure) { return try send(path, request, retries: retries, fits: fits) } catch {
            throw error.engineError(attempt, target)
        }
    }

    /// Why a call ended without an answer.
    enum Failure: Error {
        case closed
        case isInUse
        case error(EtcdError, isUnknown: Bool)

        static let cancelled = Failure.error(.cancelled, isUnknown: false)

        func engineError(_ attempt: String, _ target: EtcdTarget) -> EngineError {
            switch self {
            case .closed: return EngineError(.closed, "\(target.description) was closed")
            case .isInUse:
                let message = "all connections are in use (\(target.options.connections)); allow more"
                return EngineError(.unavailable, "\(attempt) \(target.description): \(message)", isOutcomeUnknown: false)
            case .error(let error, isUnknown: true):
                let message = "it is unknown whether the commit was performed; read the data to find out"
                return EngineError(.unavailable, "\(attempt) \(target.description): the response was lost, and \(message)", cause: error)
            case .error(let error, isUnknown: false): return EngineError("\(attempt) \(target.description)", error)
            }
        }
    }

    /// - Parameter writes: Whether a lost answer leaves it open whether something was written.
    func send(
        _ path: StaticString,
        _ request: EtcdRequest,
        retries: Bool,
        writes: Bool = false,
        fits: (EtcdReply) -> Bool
    ) throws(Failure) -> EtcdReply {
        guard !isClosed else { throw .closed }
        guard !writes || !TaskCancellation.isCancelled else { throw .cancelled }
        let timeout = target.options.retryTimeout.timeout
        let end = ContinuousClock.now + (retries ? timeout : .zero)
        switch TaskCancellation.wait(until: .now + timeout, { free.wait(timeout: .now() + .milliseconds($0)) == .success }) {
        case .done: break
        case .late: throw .isInUse
        case .cancelled: throw .cancelled
        }
        defer { free.signal() }
        var pause = Backoff()
        // Whether an answer was lost.
        var isUnknown = false
        var hasNewToken = false
        // Each endpoint is asked at least once.
        var untried = target.endpoints.count - 1
        // The endpoints, one after the other, whose certificates do not fit.
        var mistakes = 0
        while true {
            let endpoint = state.withLock { $0.endpoint }
            do throws(EtcdError) {
                // A commit that was sent is waited for.
                return try TaskCancellation.shielded(writes) { () throws(EtcdError) in try call(endpoint, path, request, fits) }
            } catch {
                if error.wantsAnotherToken, target.user != nil, !hasNewToken {
                    hasNewToken = true
                    state.withLock { $0.token = nil }
                    continue
                }
                isUnknown = isUnknown || writes && error.mayBePerformed
                // The next call tries another endpoint, unless it asks for less because of this.
                if error.isTooLong, request.largestAnswer == nil { leave(endpoint) }
                guard error.wantsAnotherAttempt else { throw .error(error, isUnknown: isUnknown) }
                leave(endpoint)
                mistakes = error.isMistake ? mistakes + 1 : 0
                guard mistakes < target.endpoints.count else { throw .error(error, isUnknown: isUnknown) }
                guard !isClosed || isUnknown else { throw .closed }
                guard !isClosed, untried > 0 || pause.fits(before: end) else { throw .error(error, isUnknown: isUnknown) }
                untried -= 1
            }
            if untried < 0 { TaskCancellation.shielded(isUnknown) { pause.wait() } }
            guard isUnknown || !TaskCancellation.isCancelled else { throw .cancelled }
        }
    }

    private func call(
        _ endpoint: Int,
        _ path: StaticString,
        _ request: EtcdRequest,
        _ fits: (EtcdReply) -> Bool
    ) throws(EtcdError) -> EtcdReply {
        let connection = if let free = idle.take() { free } else { try EtcdConnection(target) }
        defer { idle.giveBack(connection) }
        let reply = try connection.post(
            "\(target.endpoints[endpoint])\(path)",
            try token(connection, endpoint),
            request.body,
            limit: request.largestAnswer
        )
        guard reply.revision > 0, fits(reply) else { throw EtcdError(lost: "the response does not contain the requested data") }
        try check(reply)
        return reply
    }

    /// Another cluster has other data, and revisions that mean nothing here. An answer that names no cluster is not from etcd.
    func check(_ reply: EtcdReply) throws(EtcdError) {
        guard reply.cluster != 0 else { throw EtcdError(foreign: "the response", ", since it names no cluster") }
        let isSame = state.withLock { state in
            if state.cluster == nil { state.cluster = reply.cluster }
            return state.cluster == reply.cluster
        }
        guard isSame else { throw EtcdError(lost: "the endpoint belongs to a different cluster than before", mayBePerformed: true) }
    }

    /// Lets the next call use the next endpoint, unless another call has done so.
    private func leave(_ endpoint: Int) {
        state.withLock { state in
            if state.endpoint == endpoint { state.endpoint = (endpoint + 1) % target.endpoints.count }
        }
    }

    // MARK: Users

    /// The token for a server with authentication; `nil` without a user.
    private func token(_ connection: EtcdConnection, _ endpoint: Int) throws(EtcdError) -> String? {
        guard let user = target.user, let password = target.password else { return nil }
        if let token = state.withLock({ $0.token }) { return token }
        // Only strings: encoding cannot fail.
        let request = (try? JSONEncoder().encode(["name": user, "password": password])).map { [UInt8]($0) } ?? []
        let token = try connection.post("\(target.endpoints[endpoint])/v3/auth/authenticate", nil, request).token
        guard !token.isEmpty else { throw EtcdError(lost: "the response has no token", mayBePerformed: false) }
        state.withLock { $0.token = token }
        return token
    }

    // MARK: Watches

    /// Begins a request whose answer is read line by line, on a separate connection, and on another endpoint if the last one failed.
    func stream(_ path: StaticString, _ request: EtcdRequest) throws(EtcdError) -> EtcdConnection.Stream {
        let endpoint = state.withLock { $0.endpoint }
        let connection = try EtcdConnection(target)
        let token = try token(connection, endpoint)
        return EtcdConnection.Stream(connection, "\(target.endpoints[endpoint])\(path)", token, request.body)
    }

    /// Called after a stream has failed: its endpoint may hear nothing.
    func leaveEndpoint() {
        state.withLock { state in
            state.token = nil
            state.endpoint = (state.endpoint + 1) % target.endpoints.count
        }
    }

    // MARK: Names

    /// How long commits share a lease: this limits how many names expire together.
    private static let leaseSeconds = 60

    /// The lease that the names of commits belong to.
    func lease() throws(EngineError) -> Lease {
        let now = ContinuousClock.now
        if let lease = state.withLock({ $0.lease }), lease.end > now { return lease }
        var request = EtcdRequest()
        request += "{\"TTL\":\"\(target.options.nameSeconds + Self.leaseSeconds)\"}"
        let number = try run("/v3/lease/grant", request, "committing to", fits: { $0.lease > 0 }).lease
        let lease = Lease(
            number: number,
            end: now + .seconds(Self.leaseSeconds),
            namesEnd: now + .seconds(target.options.nameSeconds)
        )
        state.withLock { $0.lease = lease }
        return lease
    }

    /// Called if the server no longer knows the lease.
    func forgetLease(_ lease: Lease) {
        state.withLock { state in if state.lease?.number == lease.number { state.lease = nil } }
    }
}
