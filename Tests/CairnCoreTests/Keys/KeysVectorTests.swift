import CairnCore
import Foundation
import Testing

/// Keys against those of the reference implementation.
@Suite struct KeysVectorTests {
    @Test func vectorsCoverEveryTypeCode() {
        let codes = Set(TupleVector.all.compactMap(\.key.first))
        let expected: [UInt8] = [0x00, 0x01, 0x02, 0x05, 0x20, 0x21, 0x26, 0x27, 0x30, 0x33] + Array(0x0B...0x1D)
        #expect(codes == Set(expected))
        #expect(TupleVector.all.count > 300)
    }

    @Test func tuplesEncodeToTheVectors() {
        for vector in TupleVector.all {
            #expect(KeyTuple(vector.elements).keyBytes == vector.key, "\(vector.text)")
        }
    }

    @Test func vectorsDecodeToTheTuples() throws {
        for vector in TupleVector.all {
            let decoded = try KeyTuple(keyBytes: vector.key)
            #expect(decoded.keyBytes == vector.key, "\(vector.text)")
            // Neither comes before the other by value: they are the same.
            #expect(!precedes(decoded.elements, vector.elements) && !precedes(vector.elements, decoded.elements), "\(vector.text)")
        }
    }

    @Test func singleElementsEncodeTyped() throws {
        var checked = 0
        for vector in TupleVector.all where vector.elements.count == 1 {
            let element = vector.elements[0]
            switch element {
            case .null: try check(Int?.none, vector)
            case .bytes(let value):
                try check(value, vector)
                try check(Data(value), vector)
            case .string(let value):
                try check(value, vector)
                try check(value[...], vector)
            case .tuple(let value): try check(value, vector)
            case .integer(let value): try checkInteger(value, vector)
            case .largeInteger(let value): try check(value, vector)
            case .float(let value): try check(value, vector, equal: { $0.bitPattern == $1.bitPattern })
            case .double(let value):
                try check(value, vector, equal: { $0.bitPattern == $1.bitPattern })
                try check(Date(timeIntervalSinceReferenceDate: value), vector, equal: { _, _ in true })
            case .bool(let value): try check(value, vector)
            case .uuid(let value): try check(value, vector)
            case .versionstamp(let value): try check(value, vector)
            }
            checked += 1
        }
        #expect(checked > 250)
    }

    @Test func compoundKeysEncodeTyped() throws {
        try check(Key("users", 42, 1.5), of: "( text:7573657273 int:42 double:3ff8000000000000 )")
        try check(Key("users", 42, Int?.none), of: "( text:7573657273 int:42 null )")
        try check(Key<Int?, Int?>(nil, nil), of: "( null null )")
        try check(Key(Key(1, 2), 3), of: "( ( int:1 int:2 ) int:3 )")
        try check(Key([1, 2], 3), of: "( ( int:1 int:2 ) int:3 )")
        try check(Key(1, Key(2, 3)), of: "( int:1 ( int:2 int:3 ) )")
        try check(Key([0] as [UInt8], "\0", 0), of: "( bytes:00 text:00 int:0 )")
        try check(Key(Key<Int?>(nil), Int?.none), of: "( ( null ) null )")
        try check(Key<Key<Int, Int?, Int>>(Key(1, nil, 2)), of: "( ( int:1 null int:2 ) )")
        try check(Key(), of: "( )")
    }

    private func checkInteger(_ value: Int128, _ vector: TupleVector) throws {
        func check<Integer: FixedWidthInteger & KeyCodable>(as type: Integer.Type) throws {
            if let narrow = Integer(exactly: value) {
                try self.check(narrow, vector)
            } else {
                #expect(code { () throws(CodecError) in _ = try Integer(keyBytes: vector.key) } == .outOfRange, "\(vector.text) as \(type)")
            }
        }
        try check(as: Int.self)
        try check(as: Int8.self)
        try check(as: Int16.self)
        try check(as: Int32.self)
        try check(as: Int64.self)
        try check(as: Int128.self)
        try check(as: UInt.self)
        try check(as: UInt8.self)
        try check(as: UInt16.self)
        try check(as: UInt32.self)
        try check(as: UInt64.self)
        try check(as: UInt128.self)
    }

    private func check<Value: KeyCodable & Equatable>(_ value: Value, of text: String) throws {
        let vector = try #require(TupleVector.all.first { $0.text == text }, "no vector \(text)")
        try check(value, vector)
    }

    private func check<Value: KeyCodable & Equatable>(_ value: Value, _ vector: TupleVector) throws {
        try check(value, vector, equal: ==)
    }

    private func check<Value: KeyCodable>(_ value: Value, _ vector: TupleVector, equal: (Value, Value) -> Bool) throws {
        #expect(value.keyBytes == vector.key, "\(vector.text) as \(Value.self)")
        let decoded = try Value(keyBytes: vector.key)
        #expect(equal(decoded, value), "\(vector.text) as \(Value.self)")
        #expect(decoded.keyBytes == vector.key, "\(vector.text) as \(Value.self)")
    }
}
