import CairnCore
import Foundation
import Testing

/// Property lists that Foundation would not survive are refused; all it writes are read.
@Suite struct PropertyListTests {
    private struct Node: Codable, Equatable {
        var name: String?
        var children: [Node]?
    }

    private let codec = ValueCodec<Int, Node>.propertyList

    private func failure(_ bytes: [UInt8]) -> String? {
        let error = #expect(throws: CodecError.self) { try codec.decode(bytes, for: 0) }
        #expect(error?.code == .failed)
        return (error?.cause as? CodecError)?.message
    }

    /// A list of arrays and dictionaries given as bytes, with offsets and references of one byte.
    private func list(_ values: [[UInt8]]) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for value in values {
            offsets.append(UInt8(bytes.count))
            bytes += value
        }
        let table = UInt64(bytes.count)
        bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
        for number in [UInt64(values.count), 0, table] { bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }
        return bytes
    }

    @Test func largeAndDeepListsAreRead() throws {
        let wide = Node(children: (0..<70_000).map { Node(name: "child \($0 % 100)") })
        #expect(try codec.decode(codec.encode(wide, for: 0), for: 0) == wide)
        var deep = Node(name: "innermost")
        for _ in 0..<100 { deep = Node(children: [deep]) }
        #expect(try codec.decode(codec.encode(deep, for: 0), for: 0) == deep)
        let empty = Node()
        #expect(try codec.decode(codec.encode(empty, for: 0), for: 0) == empty)
        let text = Node(name: String(repeating: "ä", count: 100_000))
        #expect(try codec.decode(codec.encode(text, for: 0), for: 0) == text)
    }

    @Test func sharedPartsAreRead() throws {
        // {children: [x, x]} where x is {}.
        let bytes = list([[0xD1, 1, 2], [0x58] + Array("children".utf8), [0xA2, 3, 3], [0xD0]])
        #expect(try codec.decode(bytes, for: 0) == Node(children: [Node(), Node()]))
    }

    @Test func listsWithinThemselves() {
        let key = [0x58] + Array("children".utf8)
        #expect(failure(list([[0xD1, 1, 2], key, [0xA1, 0]])) == "a value of the property list contains itself")
        #expect(failure(list([[0xA1, 0]])) == "a value of the property list contains itself")
    }

    @Test func nestingIsLimited() throws {
        var node = Node()
        for _ in 0..<300 { node = Node(children: [node]) }
        // A dictionary and an array for each.
        #expect(failure(try codec.encode(node, for: 0)) == "the property list is nested more than 512 deep")
    }

    /// Forty arrays, each of which holds the next one twice, come to a million million values.
    @Test func repeatedReferencesAreLimited() {
        let arrays = (1...40).map { [0xA2, UInt8($0), UInt8($0)] }
        #expect(failure(list(arrays + [[0xA0]])) == "the property list refers to the same values too often")
    }

    @Test func otherFormsAreRefused() throws {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        let xml = [UInt8](try encoder.encode(Node(name: "a")))
        for bytes in [xml, Array("{ name = a; }".utf8), [], Array("bplist00".utf8), xml + [0xFF]] {
            #expect(failure(bytes) == "they do not begin and end like a binary property list")
        }
    }

    @Test func damagedStructure() {
        let whole = list([[0xD0]])
        #expect(throws: Never.self) { try codec.decode(whole, for: 0) }
        // The value, its offset, the widths of offsets and references, the last bytes of count, outermost value and table.
        for (position, byte) in [(8, 0xAF), (9, 0xFF), (16, 0), (17, 9), (25, 2), (33, 1), (41, 0xFF)] as [(Int, UInt8)] {
            var damaged = whole
            damaged[position] = byte
            #expect(failure(damaged) == "the binary property list is damaged", "byte \(position)")
        }
    }
}
