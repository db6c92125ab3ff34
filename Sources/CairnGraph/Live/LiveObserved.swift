public import Observation

/// The latest element of a live query, for views that track it with Observation.
///
/// ```swift
/// let songs = LiveObserved(try context.live(Song.self, sortedBy: \.title))
/// let following = Task { try await songs.follow() }           // in SwiftUI: .task { try? await songs.follow() }
/// print(songs.value?.objects.count ?? 0)
/// ```
///
/// It belongs to the thread, task or actor of the query's context. There is no property wrapper that makes and follows it: only a framework for views knows
/// when a view appears and which context it uses, and this package does not depend on one. In SwiftUI, keep it in a `@State` property.
public final class LiveObserved<Query: AsyncSequence>: Observable {
    /// The latest results, or the latest number; `nil` until ``follow(isolation:)`` has begun.
    public var value: Query.Element? {
        registrar.access(self, keyPath: \.value)
        return latest
    }
    private var latest: Query.Element?
    private let query: Query
    private let registrar = ObservationRegistrar()

    /// - Parameter query: A ``LiveQuery`` or a ``LiveCount``; any other asynchronous sequence works, too.
    public init(_ query: Query) { self.query = query }

    /// Sets ``value`` to each element of the query, until it ends.
    ///
    /// - Throws: What the query throws. Call this again to continue.
    public func follow(isolation actor: isolated (any Actor)? = #isolation) async throws(Query.Failure) {
        var elements = query.makeAsyncIterator()
        while let element = try await elements.next(isolation: actor) {
            registrar.withMutation(of: self, keyPath: \.value) { latest = element }
        }
    }
}
