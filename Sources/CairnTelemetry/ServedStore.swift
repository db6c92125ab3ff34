#if Telemetry
import Synchronization

/// A store that a ``StoreService`` opens and closes.
///
/// ```swift
/// let music = ServedStore("music") { try ObjectStore(path: "Music.store", classes: [Track.self]) }
/// ```
///
/// Reading ``store`` waits until it is open. Safe to use from any thread.
public final class ServedStore<Store: MonitoredStore>: Sendable {
    /// The name in logs and metrics.
    public let name: String
    private let opening: (@Sendable () throws -> Store)?
    private let state: Mutex<State>

    private enum State {
        case waiting([Int: CheckedContinuation<Result<Store, any Error>, Never>], last: Int)
        case open(Store)
        case failed(any Error)
    }

    /// Creates a served store that the service opens.
    ///
    /// - Parameters:
    ///   - name: The name in logs and metrics.
    ///   - open: Opens it. Called once, on a thread that may wait for the disk.
    public init(_ name: String, _ open: @escaping @Sendable () throws -> Store) {
        self.name = name
        opening = open
        state = Mutex(.waiting([:], last: 0))
    }

    /// Creates a served store from an open store, which the service only closes.
    public init(_ name: String, _ store: Store) {
        self.name = name
        opening = nil
        state = Mutex(.open(store))
    }

    /// The store, once it is open.
    ///
    /// - Throws: The error that opening it, or an earlier store of the service, threw; `CancellationError` if the task was cancelled
    ///   meanwhile, or if the service ended before the store was opened.
    public var store: Store {
        get async throws {
            let number = state.withLock { state in
                guard case .waiting(let all, let last) = state else { return 0 }
                state = .waiting(all, last: last + 1)
                return last + 1
            }
            return try await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let result: Result<Store, any Error>? = state.withLock { state in
                        switch state {
                        case .open(let store): return .success(store)
                        case .failed(let error): return .failure(error)
                        case .waiting(var all, let last):
                            guard !Task.isCancelled else { return .failure(CancellationError()) }
                            all[number] = continuation
                            state = .waiting(all, last: last)
                            return nil
                        }
                    }
                    if let result { continuation.resume(returning: result) }
                }
            } onCancel: {
                let continuation = state.withLock { state -> CheckedContinuation<Result<Store, any Error>, Never>? in
                    guard case .waiting(var all, let last) = state else { return nil }
                    let mine = all.removeValue(forKey: number)
                    state = .waiting(all, last: last)
                    return mine
                }
                continuation?.resume(returning: .failure(CancellationError()))
            }.get()
        }
    }

    /// The store if it is open now.
    public var storeIfOpen: Store? {
        state.withLock { if case .open(let store) = $0 { store } else { nil } }
    }

    /// Opens the store unless it is open, and resumes the tasks that wait for it.
    func open() throws -> any MonitoredStore {
        if let store = storeIfOpen { return store }
        guard let opening else { throw CancellationError() }
        do {
            let store = try opening()
            end(.success(store))
            return store
        } catch {
            end(.failure(error))
            throw error
        }
    }

    /// Resumes the tasks that wait for a store that will not be opened.
    func giveUp(_ error: any Error) { end(.failure(error)) }

    private func end(_ result: Result<Store, any Error>) {
        let waiting = state.withLock { state -> [CheckedContinuation<Result<Store, any Error>, Never>] in
            guard case .waiting(let all, _) = state else { return [] }
            switch result {
            case .success(let store): state = .open(store)
            case .failure(let error): state = .failed(error)
            }
            return Array(all.values)
        }
        for continuation in waiting { continuation.resume(returning: result) }
    }
}
#endif
