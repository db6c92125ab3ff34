import CairnCore
import CairnTestSupport
import Foundation
import Testing

/// Keys as a program uses them.
@Suite struct KeysTests {
    enum Genre: String, KeyCodable { case rock, pop }
    enum Level: UInt8, KeyCodable { case low = 1, high = 200 }
    struct Place: RawRepresentable, KeyCodable { var rawValue: Key<String, Int> }
    struct Account: KeyCodable, Equatable {
        var bank: String, number: Int
        init(bank: String, number: Int) { (self.bank, self.number) = (bank, number) }
        func encode(into encoder: inout KeyEncoder) { Key(bank, number).encode(into: &encoder) }
        init(decoding decoder: inout KeyDecoder) throws(CodecError) {
            (bank, number) = try Key<String, Int>(decoding: &decoder).elements
        }
    }

    @Test func typesMeantToBeSharedAreSendable() {
        func check<Shared: Sendable>(_ type: Shared.Type) -> Bool { true }
        #expect(check(Key<String, Int>.self) && check(KeyTuple.self) && check(KeyValue.self) && check(KeyRange.self))
        #expect(check(KeyEncoder.self) && check(Versionstamp.self) && check(ValueCodec<NSObject, NSObject>.self))
    }

    @Test func compoundKeysComeBack() throws {
        let now = Date.now
        let bytes = Key("users", 42, now).keyBytes
        let (table, user, time) = try Key<String, Int, Date>(keyBytes: bytes).elements
        #expect(table == "users")
        #expect(user == 42)
        #expect(time == now)
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func datesComeBackExactly(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<1_000 {
            let date = Date(timeIntervalSinceReferenceDate: Double.random(in: -4e9...4e9, using: &random))
            #expect(try Date(keyBytes: date.keyBytes) == date, "seed \(seed)")
        }
    }

    @Test func rawValuesAreKeys() throws {
        #expect(Genre.pop.keyBytes == "pop".keyBytes)
        #expect(try Genre(keyBytes: "rock".keyBytes) == .rock)
        #expect(Level.high.keyBytes == 200.keyBytes)
        #expect(try Key<Level, Genre>(keyBytes: Key(1, "pop").keyBytes) == Key(.low, .pop))
        #expect(code { () throws(CodecError) in _ = try Genre(keyBytes: "jazz".keyBytes) } == .outOfRange)
        #expect(code { () throws(CodecError) in _ = try Level(keyBytes: 2.keyBytes) } == .outOfRange)
        #expect(Place(rawValue: Key("a", 1)).keyBytes == Key("a", 1).keyBytes)
        #expect(try Place(keyBytes: Key("a", 1).keyBytes).rawValue == Key("a", 1))
    }

    @Test func typesOfOnesOwnAreNestedTuples() throws {
        let account = Account(bank: "north", number: 7)
        #expect(account.keyBytes == Key(Key("north", 7)).keyBytes)
        #expect(try Account(keyBytes: account.keyBytes) == account)
        #expect(try Key<Account?, Account?>(keyBytes: Key(account, Account?.none).keyBytes) == Key(account, nil))
    }

    @Test func byteArraysAndArraysOfBytesDiffer() throws {
        #expect(([1, 2] as [UInt8]).keyBytes == [0x01, 1, 2, 0])
        #expect(([1, 2] as [UInt16]).keyBytes == [0x05, 0x15, 1, 0x15, 2, 0])
        #expect(([[1], []] as [[UInt8]]).keyBytes == [0x05, 0x01, 1, 0, 0x01, 0, 0])
        #expect(try [[UInt8]](keyBytes: ([[1], []] as [[UInt8]]).keyBytes) == [[1], []])
        #expect(([1, nil] as [UInt8?]).keyBytes == [0x05, 0x15, 1, 0x00, 0xFF, 0])
    }

    @Test func optionalsNestToOneLevel() throws {
        #expect(Optional<Int?>.some(nil).keyBytes == [0])
        #expect(try Optional<Int?>(keyBytes: [0] as [UInt8]) == Optional<Int?>.none)
    }

    @Test func encodersAndDecodersWorkByHand() throws {
        var encoder = KeyEncoder(capacity: 16)
        encoder.encode("old")
        encoder.beginTuple()
        encoder.removeAll()
        encoder.encode("a")
        encoder.encodeNull()
        encoder.beginTuple()
        encoder.encodeNull()
        encoder.encode(5)
        encoder.endTuple()
        #expect(encoder.bytes == KeyTuple(["a", nil, [nil, 5]]).keyBytes)

        try encoder.bytes.withBytes { (bytes) throws(CodecError) in
            // The decoder cannot leave its scope, so its answers are taken one by one.
            var decoder = KeyDecoder(bytes)
            let first = try decoder.decode(String.self)
            let isNull = decoder.decodeNull()
            let isTupleNull = decoder.decodeNull()
            try decoder.beginTuple()
            let isFirstNull = decoder.decodeNull()
            let atEnd = [decoder.isAtEnd]
            let finishedEarly = isFinished(decoder)
            let number = try decoder.decode(Int.self)
            let ends = atEnd + [decoder.isAtEnd]
            let isTerminatorNull = decoder.decodeNull()
            try decoder.endTuple()
            try decoder.finish()
            #expect(first == "a" && number == 5)
            #expect(isNull && isFirstNull && !isTupleNull && !isTerminatorNull)
            #expect(ends == [false, true] && !finishedEarly)
        }
    }

    private func isFinished(_ decoder: borrowing KeyDecoder) -> Bool {
        do {
            try decoder.finish()
            return true
        } catch {
            return false
        }
    }

    @Test func unknownKeysShowThemselves() throws {
        let id = UUID(uuidString: "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6")!
        let key = Key("users", -42, 1.5, true, id, [0xCA, 0xFE] as [UInt8], Int?.none, Key("x", UInt128.max))
        let expected = """
            ("users", -42, 1.5, true, F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6, 0xcafe, null, ("x", 340282366920938463463374607431768211455))
            """
        #expect(try KeyTuple(keyBytes: key.keyBytes).description == expected)
        #expect("\(KeyTuple([.versionstamp(Versionstamp(commit: 1, batch: 2, user: 3)), .float(0.5)]))" == "(@1.2.3, 0.5)")
        #expect("\(Key("users", 42))" == #"("users", 42)"#)
    }

    @Test func anyElementsCompareByTheirBytes() {
        #expect(KeyValue.double(.nan) == .double(.nan))
        #expect(KeyValue.double(0) != .double(-0.0))
        #expect(KeyValue.string("\u{E9}") != .string("e\u{301}"))
        #expect(KeyValue.integer(5) == .largeInteger(5))
        #expect(Set<KeyValue>([.integer(5), .largeInteger(5), .null]).count == 2)
        #expect([KeyTuple([1]), KeyTuple([]), KeyTuple([nil])].sorted() == [[], [nil], [1]])
    }
}
