/// A view of a store that is replaced by the latest one when it expires: a server keeps old states for a limited time.
struct RenewedView: Sendable {
    private let engine: any StorageEngine
    private(set) var view: StoreView
    /// Whether what was read comes from more than one state.
    private(set) var isMixed = false

    init(_ engine: any StorageEngine, _ view: StoreView) { (self.engine, self.view) = (engine, view) }

    init(_ engine: any StorageEngine) throws(ObjectStoreError) { self.init(engine, try StoreView(engine)) }

    /// Calls `body` with the view, and once more with the latest one if the first has expired.
    mutating func read<Value>(_ body: (StoreView) throws(ObjectStoreError) -> Value) throws(ObjectStoreError) -> Value {
        do throws(ObjectStoreError) { return try body(view) } catch {
            guard error.code == .expired else { throw error }
            view = try StoreView(engine)
            isMixed = true
            return try body(view)
        }
    }
}
