import CairnCore
import CairnMapped

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads XML property lists: the elements of Apple's document type, and only as much of XML as such lists use. UTF-8 only.
struct XMLPropertyListReader {
    private let text: [UInt8]
    private var position = 0

    /// The value of the list.
    static func parse(_ bytes: [UInt8]) throws(MappedStoreError) -> PropertyListNode {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var reader = XMLPropertyListReader(text: bytes.starts(with: mark) ? Array(bytes.dropFirst(3)) : bytes)
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw MappedStoreError(.malformedInput, "the XML property list is not UTF-8; convert it, for instance with plutil")
        }
        return try reader.document()
    }

    private init(text: [UInt8]) { self.text = text }

    private func fault(_ message: String) -> MappedStoreError {
        let line = text[..<position].count { $0 == UInt8(ascii: "\n") } + 1
        return MappedStoreError(.malformedInput, "invalid XML property list on line \(line): \(message)")
    }

    // MARK: - Markup

    /// A tag: `<name …>`, `<name …/>` or `</name>`.
    private struct Tag {
        var name: String
        var isEnd = false
        var isEmpty = false
    }

    private func sees(_ word: String) -> Bool { text[position...].starts(with: word.utf8) }

    /// Moves past the next `word`.
    private mutating func skip(behind word: String) throws(MappedStoreError) {
        let bytes = Array(word.utf8)
        var start = position
        while start + bytes.count <= text.count {
            if text[start] == bytes[0], text[start...].starts(with: bytes) {
                position = start + bytes.count
                return
            }
            start += 1
        }
        throw fault("'\(word)' is missing")
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    /// Skips blanks, comments, instructions and the document type, none of which is part of a value.
    private mutating func skipMisc() throws(MappedStoreError) {
        while position < text.count {
            if Self.isBlank(text[position]) {
                position += 1
            } else if sees("<!--") {
                try skip(behind: "-->")
            } else if sees("<?") {
                try skip(behind: "?>")
            } else if sees("<!DOCTYPE") {
                let start = position
                try skip(behind: ">")
                // Entities defined here could produce values: property lists have none.
                guard !text[start..<position].contains(UInt8(ascii: "[")) else {
                    throw fault("the document type contains definitions")
                }
            } else {
                return
            }
        }
    }

    private mutating func tag() throws(MappedStoreError) -> Tag {
        try skipMisc()
        guard position < text.count else { throw fault("the document ends too early") }
        guard text[position] == UInt8(ascii: "<") else { throw fault("expected a tag") }
        let start = position + 1
        try skip(behind: ">")
        var inner = text[start..<position - 1]
        let isEnd = inner.first == UInt8(ascii: "/")
        if isEnd { inner.removeFirst() }
        let isEmpty = inner.last == UInt8(ascii: "/")
        if isEmpty { inner.removeLast() }
        let name = inner.prefix { !Self.isBlank($0) }
        return Tag(name: String(decoding: name, as: UTF8.self), isEnd: isEnd, isEmpty: isEmpty)
    }

    /// The text up to `</name>`.
    private mutating func content(of tag: Tag) throws(MappedStoreError) -> String {
        if tag.isEmpty { return "" }
        var bytes: [UInt8] = []
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "<") where sees("<!--"): try skip(behind: "-->")
            case UInt8(ascii: "<") where sees("<![CDATA["):
                let start = position + 9
                try skip(behind: "]]>")
                guard start <= position - 3 else { throw fault("']]>' is missing") }
                bytes += text[start..<position - 3]
            case UInt8(ascii: "<"):
                let end = try self.tag()
                guard end.isEnd, end.name == tag.name else { throw fault("expected </\(tag.name)>") }
                return String(decoding: bytes, as: UTF8.self)
            case UInt8(ascii: "&"): bytes += try entity().utf8
            default:
                bytes.append(text[position])
                position += 1
            }
        }
        throw fault("</\(tag.name)> is missing")
    }

    private mutating func entity() throws(MappedStoreError) -> String {
        let start = position + 1
        try skip(behind: ";")
        let name = String(decoding: text[start..<position - 1], as: UTF8.self)
        if let text = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"][name] { return text }
        let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
        guard let scalar = number.flatMap({ Unicode.Scalar($0) }) else { throw fault("'&\(name);' is not a character") }
        return String(Character(scalar))
    }

    // MARK: - Values

    private mutating func document() throws(MappedStoreError) -> PropertyListNode {
        let first = try tag()
        guard first.name == "plist", !first.isEnd else { throw fault("expected <plist>") }
        guard !first.isEmpty, let node = try node(depth: 1, in: first) else { throw fault("there is no value") }
        let last = try tag()
        guard last.isEnd, last.name == "plist" else { throw fault("expected </plist>") }
        try skipMisc()
        guard position == text.count else { throw fault("there is more text after the list") }
        return node
    }

    /// The next value; `nil` at the end of `container`.
    private mutating func node(depth: Int, in container: Tag) throws(MappedStoreError) -> PropertyListNode? {
        let tag = try tag()
        if tag.isEnd, tag.name == container.name { return nil }
        return try node(tag, depth: depth)
    }

    private mutating func node(_ tag: Tag, depth: Int) throws(MappedStoreError) -> PropertyListNode {
        guard !tag.isEnd else { throw fault("</\(tag.name)> has no start tag") }
        guard depth <= PropertyListNode.deepest else { throw fault("values are nested more than \(PropertyListNode.deepest) deep") }
        switch tag.name {
        case "dict": return .dictionary(try members(of: tag, depth: depth))
        case "array":
            var elements: [PropertyListNode] = []
            while !tag.isEmpty, let element = try node(depth: depth + 1, in: tag) { elements.append(element) }
            return .array(elements)
        case "true", "false":
            guard try content(of: tag).isEmpty else { throw fault("<\(tag.name)> must be empty") }
            return .bool(tag.name == "true")
        case "string": return .string(try content(of: tag))
        case "integer":
            guard let number = Self.integer(try trimmed(tag)) else { throw fault("the value is not an integer") }
            return .int(number)
        case "real":
            guard let number = Double(try trimmed(tag)) else { throw fault("the value is not a number") }
            return .double(number)
        case "date":
            guard let date = DateText.date(try trimmed(tag)) else { throw fault("the value is not a date") }
            return .date(date)
        case "data":
            let digits = try content(of: tag).utf8.filter { !Self.isBlank($0) }
            guard let data = Data(base64Encoded: String(decoding: digits, as: UTF8.self)) else { throw fault("the value is not base64") }
            return .data([UInt8](data))
        default: throw fault("<\(tag.name)> is not a value type")
        }
    }

    private mutating func members(of tag: Tag, depth: Int) throws(MappedStoreError) -> [PropertyListNode.Member] {
        var members: [PropertyListNode.Member] = []
        while !tag.isEmpty {
            let key = try self.tag()
            if key.isEnd, key.name == tag.name { break }
            guard key.name == "key", !key.isEnd else { throw fault("expected <key>") }
            let name = try content(of: key)
            guard let value = try node(depth: depth + 1, in: tag) else { throw fault("a key has no value") }
            members.append(.init(name: name, node: value))
        }
        return members
    }

    private mutating func trimmed(_ tag: Tag) throws(MappedStoreError) -> String {
        let bytes = try content(of: tag).utf8.drop { Self.isBlank($0) }
        return String(decoding: bytes.reversed().drop { Self.isBlank($0) }.reversed(), as: UTF8.self)
    }

    /// Decimal, or hexadecimal after `0x`.
    private static func integer(_ text: String) -> Int128? {
        let isNegative = text.hasPrefix("-")
        let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
        guard digits.first?.isHexDigit == true else { return nil }
        let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
        let number = isHexadecimal ? Int128(digits.dropFirst(2), radix: 16) : Int128(digits)
        return number.map { isNegative ? 0 - $0 : $0 }
    }
}
