import CairnCore
import CairnTestSupport
import Foundation
import Testing

/// The order of keys is the order of values, and every value comes back. Each argument is a seed.
@Suite struct KeysOrderTests {
    static let seeds: [UInt64] = [1, 2, 3, 20_240_229]

    @Test(arguments: seeds) func integers(seed: UInt64) throws {
        try check(seed, Int.self, { $0.integer() }, <)
        try check(seed, Int8.self, { $0.integer() }, <)
        try check(seed, Int16.self, { $0.integer() }, <)
        try check(seed, Int32.self, { $0.integer() }, <)
        try check(seed, Int64.self, { $0.integer() }, <)
        try check(seed, Int128.self, { $0.integer() }, <)
        try check(seed, UInt.self, { $0.integer() }, <)
        try check(seed, UInt8.self, { $0.integer() }, <)
        try check(seed, UInt16.self, { $0.integer() }, <)
        try check(seed, UInt32.self, { $0.integer() }, <)
        try check(seed, UInt64.self, { $0.integer() }, <)
        try check(seed, UInt128.self, { $0.integer() }, <)
    }

    @Test(arguments: seeds) func text(seed: UInt64) throws {
        try check(seed, String.self, { $0.string() }, { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) })
        try check(seed, Substring.self, { $0.string()[...] }, { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) })
    }

    @Test(arguments: seeds) func byteStrings(seed: UInt64) throws {
        try check(seed, [UInt8].self, { $0.bytes() }, { $0.lexicographicallyPrecedes($1) })
        try check(seed, Data.self, { Data($0.bytes()) }, { $0.lexicographicallyPrecedes($1) })
    }

    @Test(arguments: seeds) func floatingPoint(seed: UInt64) throws {
        try check(seed, Double.self, { $0.double() }, { !$1.isTotallyOrdered(belowOrEqualTo: $0) })
        try check(seed, Float.self, { $0.float() }, { !$1.isTotallyOrdered(belowOrEqualTo: $0) })
    }

    @Test(arguments: seeds) func otherScalars(seed: UInt64) throws {
        try check(seed, Bool.self, { Bool.random(using: &$0) }, { !$0 && $1 })
        try check(seed, UUID.self, { $0.uuid() }, { $0.uuidString < $1.uuidString })
        try check(seed, Versionstamp.self, { $0.versionstamp() }, <)
        try check(seed, Date.self, { Date(timeIntervalSinceReferenceDate: Double($0.integer(Int32.self)) / 1000) }, <)
    }

    @Test(arguments: seeds) func optionals(seed: UInt64) throws {
        try check(seed, Int?.self, { Bool.random(using: &$0) ? $0.integer() : nil }) { left, right in
            guard let right else { return false }
            return left.map { $0 < right } ?? true
        }
    }

    @Test(arguments: seeds) func arrays(seed: UInt64) throws {
        let make = { (random: inout SeededGenerator) -> [Int?] in
            (0..<Int.random(in: 0...3, using: &random)).map { _ in Bool.random(using: &random) ? random.integer() : nil }
        }
        try check(seed, [Int?].self, make) { left, right in
            precedes(left.map { $0.map { .integer(Int128($0)) } ?? .null }, right.map { $0.map { .integer(Int128($0)) } ?? .null })
        }
    }

    @Test(arguments: seeds) func compoundKeys(seed: UInt64) throws {
        typealias Compound = Key<String, Int8?, Key<[UInt8], Bool>>
        let make = { (random: inout SeededGenerator) in
            Compound(
                ["", "a", "a\0", "b"].randomElement(using: &random)!,
                Bool.random(using: &random) ? random.integer() : nil,
                Key(random.bytes(), Bool.random(using: &random))
            )
        }
        func elements(_ key: Compound) -> [KeyValue] {
            let inner: KeyValue = .tuple([.bytes(key.elements.2.elements.0), .bool(key.elements.2.elements.1)])
            return [.string(key.elements.0), key.elements.1.map { .integer(Int128($0)) } ?? .null, inner]
        }
        try check(seed, Compound.self, make) { precedes(elements($0), elements($1)) }
    }

    @Test(arguments: seeds) func anyTuples(seed: UInt64) throws {
        try check(
            seed,
            KeyTuple.self,
            { KeyTuple($0.elements()) },
            { precedes($0.elements, $1.elements) },
            count: Thorough.count(120, of: 600)
        )
        try check(seed, KeyValue.self, { $0.element() }, { precedes($0, $1) }, count: Thorough.count(120, of: 600))
    }

    /// Makes `count` values and compares each with every other.
    private func check<Value: KeyCodable>(
        _ seed: UInt64,
        _ type: Value.Type,
        _ make: (inout SeededGenerator) -> Value,
        _ precedes: (Value, Value) -> Bool,
        count: Int = 120
    ) throws {
        var random = SeededGenerator(seed: seed)
        let values = (0..<count).map { _ in make(&random) }
        let keys = values.map(\.keyBytes)
        var ordered = 0
        for (value, key) in zip(values, keys) {
            let decoded = try Value(keyBytes: key)
            #expect(decoded.keyBytes == key && !precedes(decoded, value) && !precedes(value, decoded), "seed \(seed): \(value)")
            for (other, otherKey) in zip(values, keys) {
                let byBytes = key.lexicographicallyPrecedes(otherKey)
                if byBytes != precedes(value, other) {
                    Issue.record("seed \(seed): \(value) and \(other) sort differently as keys")
                    return
                }
                if byBytes { ordered += 1 }
            }
        }
        #expect(ordered > count, "seed \(seed): too few different values to say anything")
    }
}
