import BenchKit
import RivalMapped

/// A store of the same design in C.
@safe struct PlainSide: Side {
    static let name = "C, same design"

    let path: String
    private nonisolated(unsafe) let store: OpaquePointer
    private let isClosed = Once()

    init(path: String) throws {
        self.path = path
        var store: OpaquePointer?
        try unsafe check(rival_mapped_open(path, &store))
        unsafe self.store = unsafe store!
    }

    func close() { if isClosed.enter() { unsafe rival_mapped_close(store) } }

    func setInts(_ keys: Keys, _ order: [UInt32], base: UInt64) throws {
        try unsafe check(rival_mapped_set_ints(store, keys.bytes, order, order.count, base))
    }

    func setStrings(_ keys: Keys, _ order: [UInt32], _ value: String) throws {
        try unsafe check(rival_mapped_set_strings(store, keys.bytes, order, order.count, Array(value.utf8), value.utf8.count))
    }

    func getInts(_ keys: Keys, _ order: [UInt32]) throws -> Sum {
        var result = Sum()
        try unsafe check(rival_mapped_get(store, keys.bytes, order, order.count, &result.sum, &result.missing))
        return result
    }

    func getStrings(_ keys: Keys, _ order: [UInt32]) throws -> Sum {
        var result = Sum()
        try unsafe check(rival_mapped_get_owned(store, keys.bytes, order, order.count, &result.sum, &result.missing))
        return result
    }

    var lends: Bool { true }
    // Integers are read where they lie too.
    func getLent(_ keys: Keys, _ order: [UInt32]) throws -> Sum { try getInts(keys, order) }

    func open(_ keys: Keys, times: Int) throws -> Sum {
        var result = Sum()
        try unsafe check(rival_mapped_open_often(path, keys.bytes, times, &result.sum))
        return result
    }
}

private func check(_ error: Int32) throws {
    guard error == 0 else { throw Disagreement("the store in C failed with error \(error)") }
}
