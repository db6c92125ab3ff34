import CRocks
import CairnCore
import Synchronization

/// Reports what a database does; RocksDB's `EventListener`.
///
/// ```swift
/// let events = DatabaseEvents()
/// var options = DatabaseOptions(createIfMissing: true)
/// options.events = events
/// let db = try RocksDB(path: path, options: options)
/// Task {
///     for await event in events.stream() {
///         if case .compactionCompleted(let compaction) = event { print(compaction.outputSize) }
///     }
/// }
/// ```
///
/// Any number of streams, and a closure, receive the same events. A stream never delays RocksDB: it buffers a limited number of events for its
/// reader, and beyond that drops the oldest and counts them. A stream ends when the database closes or could not be opened; a stream made after that
/// waits for the next database. If several databases share one `DatabaseEvents`, their events are mixed, and streams end with the last of them.
///
/// While anyone listens, each event costs a few microseconds on the thread where it happens. Safe to use from any thread.
public final class DatabaseEvents: Sendable {
    private let includesFileOperations: Bool
    private let handler: (@Sendable (DatabaseEvent) -> Void)?
    private let state = Mutex(State())

    private struct State {
        /// The number of databases that report events, including databases that are being opened.
        var sources = 0
        var streams: [Int: DatabaseEventStream.Feed] = [:]
        var observers: [Int: @Sendable (DatabaseEvent) -> Void] = [:]
        var made = 0
    }

    /// Creates a listener.
    ///
    /// - Parameters:
    ///   - includesFileOperations: Whether to report ``DatabaseEvent/fileOperation(_:)`` and ``DatabaseEvent/ioFailure(_:)``, one for each read
    ///     and write of a file. This slows down reads and writes.
    ///   - handler: A closure that is called synchronously for each event, on RocksDB's threads and on threads that call the database. It must be
    ///     fast and must not call the database, which may deadlock; closing the database from the handler throws ``RocksError/Code/busy``.
    public init(includesFileOperations: Bool = false, handler: (@Sendable (DatabaseEvent) -> Void)? = nil) {
        self.includesFileOperations = includesFileOperations
        self.handler = handler
    }

    /// Returns a stream of the events from now on, for one reader. A stream made before the database is opened receives all its events.
    ///
    /// - Parameter limit: The maximum number of events that wait for the reader; beyond it, the oldest are dropped. At least 1.
    public func stream(limit: Int = 1_000) -> DatabaseEventStream {
        let stream = DatabaseEventStream(limit: max(1, limit))
        let number = state.withLock { state in
            state.made += 1
            state.streams[state.made] = stream.feed
            return state.made
        }
        stream.feed.onEnd { [weak self] in
            // Removed from the dictionary under the lock, released outside of it.
            _ = self?.state.withLock { $0.streams.removeValue(forKey: number) }
        }
        return stream
    }

    /// Calls `body`, and until it returns, calls `observer` for each event, like the handler.
    func observed<Value>(by observer: @escaping @Sendable (DatabaseEvent) -> Void, _ body: () throws(RocksError) -> Value)
        throws(RocksError) -> Value
    {
        let number = state.withLock { state in
            state.made += 1
            state.observers[state.made] = observer
            return state.made
        }
        defer { _ = state.withLock { $0.observers.removeValue(forKey: number) } }
        return try body()
    }

    /// Calls `observer` from now on for each event, like the handler.
    package func observe(_ observer: @escaping @Sendable (DatabaseEvent) -> Void) {
        state.withLock { state in
            state.made += 1
            state.observers[state.made] = observer
        }
    }

    private var isHeard: Bool { handler != nil || state.withLock { !$0.streams.isEmpty || !$0.observers.isEmpty } }

    private func tell(_ event: DatabaseEvent) {
        handler?(event)
        let (streams, observers) = state.withLock { (Array($0.streams.values), Array($0.observers.values)) }
        for observer in observers { observer(event) }
        for feed in streams { feed.add(event) }
    }

    private func sourceEnded() {
        let ended = state.withLock { state -> [DatabaseEventStream.Feed] in
            state.sources -= 1
            guard state.sources == 0 else { return [] }
            defer { state.streams = [:] }
            return Array(state.streams.values)
        }
        for feed in ended { feed.end() }
    }

    /// Makes the database that is opened with `options` report its events here.
    func listen(_ options: OpaquePointer) throws(RocksError) {
        state.withLock { $0.sources += 1 }
        try unsafe crk_db_options_add_listener(
            options,
            includesFileOperations,
            Unmanaged.passRetained(self).toOpaque(),
            { context, event in
                unsafe Unmanaged<DatabaseEvents>.fromOpaque(context)._withUnsafeGuaranteedRef { events in
                    // Even if nobody listens, `DatabaseEvent` must free the statuses.
                    let isHeard = events.isHeard
                    if let event = unsafe DatabaseEvent(event.pointee), isHeard { events.tell(event) }
                }
            },
            { context in
                let events = unsafe Unmanaged<DatabaseEvents>.fromOpaque(context).takeRetainedValue()
                events.sourceEnded()
            }
        ).check("listening to events")
    }
}

/// Events for one reader; see ``DatabaseEvents/stream(limit:)``.
public struct DatabaseEventStream: AsyncSequence, Sendable {
    public typealias Element = DatabaseEvent
    public typealias Failure = Never

    fileprivate let feed: Feed
    private let stream: AsyncStream<DatabaseEvent>

    fileprivate init(limit: Int) {
        let (stream, continuation) = AsyncStream.makeStream(of: DatabaseEvent.self, bufferingPolicy: .bufferingNewest(limit))
        self.stream = stream
        feed = Feed(continuation)
    }

    /// The number of events dropped because the reader was slow.
    public var droppedCount: Int { feed.dropped.load(ordering: .relaxed) }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncStream<DatabaseEvent>.AsyncIterator

        /// Returns the next event, or `nil` when the database is closed or the task cancelled.
        public mutating func next() async -> DatabaseEvent? { await base.next() }
        public mutating func next(isolation actor: isolated (any Actor)?) async -> DatabaseEvent? { await base.next(isolation: actor) }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: stream.makeAsyncIterator()) }

    /// The writing end of a stream.
    fileprivate final class Feed: Sendable {
        let dropped = Atomic(0)
        private let continuation: AsyncStream<DatabaseEvent>.Continuation

        init(_ continuation: AsyncStream<DatabaseEvent>.Continuation) { self.continuation = continuation }

        func onEnd(_ body: @escaping @Sendable () -> Void) { continuation.onTermination = { _ in body() } }
        func add(_ event: DatabaseEvent) {
            if case .dropped = continuation.yield(event) { dropped.wrappingAdd(1, ordering: .relaxed) }
        }
        func end() { continuation.finish() }
    }
}
