import CairnCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Keys: what can be read, as whatever type, is written as the same bytes again, and every key can be shown.
public struct KeyFuzzTarget: FuzzTarget {
    public static let name = "keys"

    public init() {}

    public func check(_ bytes: RawSpan) throws {
        let key = [UInt8](copying: bytes)
        let isTuple = try roundTrip(key, KeyTuple.self)
        let typed = [
            try roundTrip(key, KeyValue.self), try roundTrip(key, String.self), try roundTrip(key, [UInt8].self),
            try roundTrip(key, Data.self), try roundTrip(key, Int.self), try roundTrip(key, Int8.self), try roundTrip(key, UInt64.self),
            try roundTrip(key, Int128.self), try roundTrip(key, UInt128.self), try roundTrip(key, Float.self),
            try roundTrip(key, Double.self), try roundTrip(key, Bool.self), try roundTrip(key, UUID.self), try roundTrip(key, Date.self),
            try roundTrip(key, Versionstamp.self), try roundTrip(key, Int?.self), try roundTrip(key, [Int].self),
            try roundTrip(key, [String?].self), try roundTrip(key, Key<String, Int>.self),
            try roundTrip(key, Key<Key<Int?>, [UInt8]?>.self), try roundTrip(key, Key<KeyValue, Double>.self),
        ]
        try require(isTuple || !typed.contains(true), "the bytes are a key of some type, but no tuple")
        if let tuple = try? KeyTuple(keyBytes: key) {
            _ = tuple.description
            try require(tuple == tuple && !(tuple < tuple), "a key differs from itself")
            let range = tuple.prefixRange
            let longer = KeyTuple(tuple.elements + [.null])
            try require(range.contains(tuple.keyBytes) && range.contains(longer.keyBytes), "a key's own range does not hold it")
        }
    }

    /// Whether the key can be read as `type`.
    private func roundTrip<Value: KeyCodable>(_ key: [UInt8], _ type: Value.Type) throws -> Bool {
        guard let value = try? Value(keyBytes: key) else { return false }
        guard value.keyBytes != key else { return true }
        // The exception: ±(2⁶⁴ - 1) in the form of other bindings, 9 bytes of which are read and 10 written.
        let others: [[UInt8]] = [[0x1C] + Array(repeating: 0xFF, count: 8), [0x0C] + Array(repeating: 0x00, count: 8)]
        let isException = key.indices.contains { start in others.contains { key[start...].starts(with: $0) } }
        try require(isException, "read as \(type), the key is written as \(value.keyBytes)")
        return true
    }
}
