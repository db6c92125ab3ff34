import CairnCore
import CairnTestSupport
import Foundation
import Testing

/// Bytes that are not keys: errors, never traps.
@Suite struct KeysGarbageTests {
    private static let count = Thorough.count(500, of: 5_000)

    @Test func everyTruncationIsAnErrorOrAnotherWholeKey() {
        var errors = 0
        for vector in TupleVector.all {
            for length in 0..<vector.key.count {
                let bytes = Array(vector.key[..<length])
                do {
                    // Cut between elements, or before the FF of an escaped zero byte, a key may be whole: then it is exactly these bytes.
                    let decoded = try KeyTuple(keyBytes: bytes)
                    #expect(decoded.keyBytes == bytes, "\(vector.text) cut to \(length) bytes")
                } catch {
                    #expect(error.code == .truncated || error.code == .invalidText, "\(vector.text) cut to \(length) bytes: \(error)")
                    errors += 1
                }
            }
        }
        #expect(errors > 3000)
    }

    @Test func truncatedSingleElementsAreErrors() {
        for vector in TupleVector.all where vector.elements.count == 1 && !vector.text.contains("( (") {
            for length in 0..<vector.key.count where !(length > 0 && vector.key[length] == 0xFF && vector.key[length - 1] == 0) {
                let code = code { () throws(CodecError) in _ = try KeyValue(keyBytes: vector.key[..<length]) }
                #expect(code == .truncated, "\(vector.text) cut to \(length) bytes")
            }
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func mutatedKeys(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let vectors = TupleVector.all.map(\.key).filter { !$0.isEmpty }
        var decoded = 0
        for _ in 0..<Self.count {
            var key = vectors.randomElement(using: &random)!
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let position = Int.random(in: 0..<key.count, using: &random)
                switch Int.random(in: 0...3, using: &random) {
                case 0: key[position] = UInt8(truncatingIfNeeded: random.next())
                case 1: key.insert([0x00, 0xFF, 0x05, 0x1D].randomElement(using: &random)!, at: position)
                case 2 where key.count > 1: key.remove(at: position)
                default: key += vectors.randomElement(using: &random)!.prefix(4)
                }
            }
            if decodesToItself(key, seed) { decoded += 1 }
        }
        #expect(decoded > Self.count / 50, "seed \(seed): hardly a mutated key was whole")
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func randomBytes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<Self.count {
            let codes: [UInt8] = [0x00, 0x01, 0x02, 0x05, 0x0B, 0x0C, 0x14, 0x1C, 0x1D, 0x20, 0x21, 0x26, 0x30, 0x33, 0xFF]
            let key = (0..<Int.random(in: 0...24, using: &random)).map { _ in
                Bool.random(using: &random) ? codes.randomElement(using: &random)! : UInt8(truncatingIfNeeded: random.next())
            }
            _ = decodesToItself(key, seed)
        }
    }

    /// Reads `key` as many types. What can be read is written as the same bytes again: no value has two keys.
    private func decodesToItself(_ key: [UInt8], _ seed: UInt64) -> Bool {
        func check<Value: KeyCodable>(_ type: Value.Type) -> Bool {
            guard let value = try? Value(keyBytes: key) else { return false }
            if value.keyBytes != key {
                // The exception: 2⁶⁴ - 1 in the form of other bindings, 9 bytes of which are read and 10 written.
                let others: [[UInt8]] = [[0x1C] + Array(repeating: 0xFF, count: 8), [0x0C] + Array(repeating: 0x00, count: 8)]
                let isException = key.indices.contains { start in others.contains { key[start...].starts(with: $0) } }
                #expect(isException, "seed \(seed): \(key) as \(type) is written as \(value.keyBytes)")
            }
            return true
        }
        let any = check(KeyTuple.self)
        let typed = [
            check(KeyValue.self), check(String.self), check([UInt8].self), check(Data.self), check(Int.self), check(Int8.self),
            check(UInt64.self), check(Int128.self), check(UInt128.self), check(Float.self), check(Double.self), check(Bool.self),
            check(UUID.self), check(Date.self), check(Versionstamp.self), check(Int?.self), check([Int].self), check([String?].self),
            check(Key<String, Int>.self), check(Key<Key<Int?>, [UInt8]?>.self), check(type(of: Key())),
        ]
        #expect(any || !typed.contains(true), "seed \(seed): \(key) is of a type but no key")
        return any
    }

    @Test func nestingIsLimited() throws {
        func nested(_ depth: Int) -> [UInt8] { Array(repeating: 0x05, count: depth) + Array(repeating: 0, count: depth) }
        #expect(try KeyTuple(keyBytes: nested(KeyDecoder.maximumDepth)).elements.count == 1)
        #expect(code { () throws(CodecError) in _ = try KeyTuple(keyBytes: nested(KeyDecoder.maximumDepth + 1)) } == .malformed)
        #expect(code { () throws(CodecError) in _ = try KeyTuple(keyBytes: nested(1_000_000)) } == .malformed)
    }

    /// Each row: bytes, and the codes of reading them as `KeyTuple`, `Int`, `String`, and `Key<[Int]>`.
    @Test(
        arguments: [
            ("", nil, .truncated, .truncated, .truncated),
            ("15", .truncated, .truncated, .typeMismatch, .typeMismatch),
            ("1501 00", nil, .trailingBytes, .typeMismatch, .typeMismatch),
            ("0261", .truncated, .typeMismatch, .truncated, .typeMismatch),
            ("026100 00", nil, .typeMismatch, .trailingBytes, .typeMismatch),
            ("02ff00", .invalidText, .typeMismatch, .invalidText, .typeMismatch),
            ("02eda08000", .invalidText, .typeMismatch, .invalidText, .typeMismatch),
            ("03", .malformed, .malformed, .malformed, .malformed),
            ("22", .malformed, .malformed, .malformed, .malformed),
            ("ff", .malformed, .malformed, .malformed, .malformed),
            ("1500", .malformed, .malformed, .typeMismatch, .typeMismatch),
            ("13ff", .malformed, .malformed, .typeMismatch, .typeMismatch),
            ("160005", .malformed, .malformed, .typeMismatch, .typeMismatch),
            ("12fffa", .malformed, .malformed, .typeMismatch, .typeMismatch),
            ("1d00", .malformed, .malformed, .typeMismatch, .typeMismatch),
            ("1d0105", .malformed, .malformed, .typeMismatch, .typeMismatch),
            ("1d08fffffffffffffffe", .malformed, .malformed, .typeMismatch, .typeMismatch),
            ("1d0900ffffffffffffffff", .malformed, .malformed, .typeMismatch, .typeMismatch),
            ("1d", .truncated, .truncated, .typeMismatch, .typeMismatch),
            ("1dff01", .truncated, .truncated, .typeMismatch, .typeMismatch),
            ("1d1101" + String(repeating: "00", count: 16), .outOfRange, .outOfRange, .typeMismatch, .typeMismatch),
            ("0bef7f" + String(repeating: "00", count: 15), .outOfRange, .outOfRange, .typeMismatch, .typeMismatch),
            ("05", .truncated, .typeMismatch, .typeMismatch, .truncated),
            ("0500 00", nil, .typeMismatch, .typeMismatch, .trailingBytes),
            ("05260 0", nil, .typeMismatch, .typeMismatch, .typeMismatch),
            ("051501", .truncated, .typeMismatch, .typeMismatch, .truncated),
            ("0500ff00", nil, .typeMismatch, .typeMismatch, .typeMismatch),
        ] as [(String, CodecError.Code?, CodecError.Code?, CodecError.Code?, CodecError.Code?)]
    )
    func codes(hex: String, tuple: CodecError.Code?, int: CodecError.Code?, string: CodecError.Code?, nested: CodecError.Code?) {
        let key = bytes(hex: hex)
        #expect(code { () throws(CodecError) in _ = try KeyTuple(keyBytes: key) } == tuple)
        #expect(code { () throws(CodecError) in _ = try Int(keyBytes: key) } == int)
        #expect(code { () throws(CodecError) in _ = try String(keyBytes: key) } == string)
        #expect(code { () throws(CodecError) in _ = try Key<[Int]>(keyBytes: key) } == nested)
    }

    @Test func nestedTuplesOfAnotherLength() {
        let three = Key(Key(1, 2, 3)).keyBytes
        #expect(code { () throws(CodecError) in _ = try Key<Key<Int, Int>>(keyBytes: three) } == .trailingBytes)
        #expect(code { () throws(CodecError) in _ = try Key<Key<Int, Int, Int, Int>>(keyBytes: three) } == .truncated)
        #expect(code { () throws(CodecError) in _ = try Key<Key<Int, Int, Int, Int?>>(keyBytes: three) } == .truncated)
    }

    @Test func bothFormsOfTheLargestEightByteIntegerAreRead() throws {
        #expect(try UInt64(keyBytes: bytes(hex: "1cffffffffffffffff")) == .max)
        #expect(try UInt64(keyBytes: bytes(hex: "1d08ffffffffffffffff")) == .max)
        #expect(try Int128(keyBytes: bytes(hex: "0c0000000000000000")) == -Int128(UInt64.max))
        #expect(try Int128(keyBytes: bytes(hex: "0bf70000000000000000")) == -Int128(UInt64.max))
    }

    @Test func errorsNameThePlaceAndKeepTheKeyApart() {
        let error = #expect(throws: CodecError.self) { try Key<String, String>(keyBytes: Key("secret", 1).keyBytes) }
        #expect(error?.description == "typeMismatch: the key holds an integer at byte 8 where a string was expected")
        #expect(error?.fullDescription.contains("key 0273656372657400") == true)
    }
}
