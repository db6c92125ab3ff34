import CairnCore
import Foundation
import Testing

struct ByteSourceTests {
    /// What `source` lends, through the generic door that stores use.
    private func lent(_ source: some ByteSource & ~Escapable) -> [UInt8] {
        source.withBytes { [UInt8](copying: $0) }
    }

    @Test func arraysAndSlices() {
        let bytes: [UInt8] = [1, 2, 3, 4]
        #expect(lent(bytes) == bytes)
        #expect(lent(bytes[1..<3]) == [2, 3])
        #expect(lent(ContiguousArray(bytes)) == bytes)
        #expect(lent(bytes.span) == bytes)
        unsafe #expect(lent(bytes.span.bytes) == bytes)
    }

    @Test func textIsUTF8() {
        let short = "é", long = "a text that no small string holds: 积石"
        #expect(lent(short) == [0xC3, 0xA9])
        #expect(lent(long) == Array(long.utf8))
        #expect(lent(long.dropFirst(7)) == Array(long.dropFirst(7).utf8))
        #expect(lent("static" as StaticString) == Array("static".utf8))
        #expect(lent("é" as StaticString) == [0xC3, 0xA9])
    }

    @Test func data() {
        let data = Data([9, 8, 7, 6])
        #expect(lent(data) == [9, 8, 7, 6])
        #expect(lent(data.dropFirst()) == [8, 7, 6])
        #expect(lent(Data(repeating: 5, count: 10_000)) == [UInt8](repeating: 5, count: 10_000))
    }

    @Test func rawPointers() {
        var bytes: [UInt8] = [1, 2, 3]
        unsafe bytes.withUnsafeBytes { unsafe #expect(lent($0) == [1, 2, 3]) }
        unsafe bytes.withUnsafeBufferPointer { unsafe #expect(lent($0) == [1, 2, 3]) }
        unsafe bytes.withUnsafeMutableBytes { unsafe #expect(lent($0) == [1, 2, 3]) }
    }

    @Test func emptinessIsLent() {
        #expect(lent([UInt8]()) == [])
        #expect(lent("") == [])
        #expect(lent("" as StaticString) == [])
        #expect(lent("x".dropFirst()) == [])
        #expect(lent(Data()) == [])
        unsafe #expect(lent(UnsafeRawBufferPointer(start: nil, count: 0)) == [])
    }

    @Test func errorsPassThroughUnchanged() {
        struct Refused: Error {}
        #expect(throws: Refused.self) { try [UInt8]().withBytes { _ throws(Refused) in throw Refused() } }
        #expect(throws: Refused.self) { try "text".withBytes { _ throws(Refused) in throw Refused() } }
        #expect(throws: Refused.self) { try "text".dropLast().withBytes { _ throws(Refused) in throw Refused() } }
        #expect(throws: Refused.self) { try ("text" as StaticString).withBytes { _ throws(Refused) in throw Refused() } }
        #expect(throws: Refused.self) { try Data().withBytes { _ throws(Refused) in throw Refused() } }
    }
}

struct ByteResultTests {
    private func made<Result: ByteResult>(_ type: Result.Type, from bytes: [UInt8]) throws(CodecError) -> Result {
        try bytes.withBytes { span throws(CodecError) in try Result(copying: span) }
    }

    @Test func copies() throws {
        #expect(try made([UInt8].self, from: [0, 255]) == [0, 255])
        #expect(try made(Data.self, from: [0, 255]) == Data([0, 255]))
        #expect(try made(String.self, from: [0xC3, 0xA9, 0]) == "é\0")
    }

    @Test func emptinessIsAValue() throws {
        #expect(try made([UInt8].self, from: []) == [])
        #expect(try made(Data.self, from: []) == Data())
        #expect(try made(String.self, from: []) == "")
    }

    @Test(arguments: [[0xFF], [0x61, 0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80]] as [[UInt8]])
    func damagedTextIsRefused(bytes: [UInt8]) {
        let error = #expect(throws: CodecError.self) { try made(String.self, from: bytes) }
        #expect(error?.code == .invalidText)
    }
}
