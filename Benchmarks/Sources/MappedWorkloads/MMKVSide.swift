#if MMKV
import BenchKit
import Foundation
import RivalMMKV

/// MMKV, in C++: with and without a lock that processes share.
@safe struct MMKVSide: Side {
    let path: String
    private let isShared: Bool
    private nonisolated(unsafe) let store: OpaquePointer
    private let isClosed = Once()

    init(path: String, isShared: Bool) throws {
        (self.path, self.isShared) = (path, isShared)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        unsafe store = try unsafe Self.open(path, isShared)
    }

    private static func open(_ path: String, _ isShared: Bool) throws -> OpaquePointer {
        guard let store = unsafe rival_mmkv_open(path, isShared) else { throw Disagreement("MMKV did not open \(path)") }
        return unsafe store
    }

    func close() { if isClosed.enter() { unsafe rival_mmkv_close(store) } }

    func setInts(_ keys: Keys, _ order: [UInt32], base: UInt64) throws {
        try check(unsafe rival_mmkv_set_ints(store, keys.bytes, order, order.count, base))
    }

    func setStrings(_ keys: Keys, _ order: [UInt32], _ value: String) throws {
        try check(unsafe rival_mmkv_set_strings(store, keys.bytes, order, order.count, Array(value.utf8), value.utf8.count))
    }

    func getInts(_ keys: Keys, _ order: [UInt32]) throws -> Sum {
        var result = Sum()
        unsafe rival_mmkv_get_ints(store, keys.bytes, order, order.count, &result.sum, &result.missing)
        return result
    }

    func getStrings(_ keys: Keys, _ order: [UInt32]) throws -> Sum {
        var result = Sum()
        unsafe rival_mmkv_get_strings(store, keys.bytes, order, order.count, &result.sum, &result.missing)
        return result
    }

    func open(_ keys: Keys, times: Int) throws -> Sum {
        var result = Sum()
        for _ in 0..<times {
            let store = try unsafe Self.open(path, isShared)
            unsafe rival_mmkv_get_ints(store, keys.bytes, [0], 1, &result.sum, &result.missing)
            unsafe rival_mmkv_close(store)
        }
        return result
    }
}

private func check(_ isSet: Bool) throws {
    guard isSet else { throw Disagreement("MMKV did not set a value") }
}
#endif
