import CairnCore
import CairnRocks
import CairnTestSupport
import Foundation
import Testing

/// The files of a closed database, to be damaged and written to new directories.
struct DatabaseFiles: Sendable {
    var contents: [String: [UInt8]] = [:]

    /// Reads the directory, except the files that opening a database recreates.
    init(_ path: String) throws {
        for name in try FileSystem.system.list(path) where name != "LOCK" && !name.hasPrefix("LOG") {
            contents[name] = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
        }
    }

    func write(to directory: String) throws {
        for (name, bytes) in contents { try Data(bytes).write(to: URL(fileURLWithPath: "\(directory)/\(name)")) }
    }

    /// The names with this start or end, sorted.
    func names(_ part: String) -> [String] { contents.keys.filter { $0.hasPrefix(part) || $0.hasSuffix(part) }.sorted() }
}

/// A kind of damage to one file.
enum Damage: Sendable, CustomStringConvertible {
    case flip(byte: Int, bit: Int)
    case cut(to: Int)
    case zero(Range<Int>)
    case overwrite(Range<Int>, seed: UInt64)
    case extend(by: Int, seed: UInt64)
    case delete

    static func random(_ size: Int, _ generator: inout SeededGenerator) -> Damage {
        guard size > 0 else { return .extend(by: generator.int(in: 1..<100), seed: generator.next()) }
        let start = generator.int(in: 0..<size), end = min(start + generator.int(in: 1..<600), size)
        switch generator.int(in: 0..<8) {
        case 0...3: return .flip(byte: start, bit: generator.int(in: 0..<8))
        case 4: return .cut(to: start)
        case 5: return .zero(start..<end)
        case 6: return .overwrite(start..<end, seed: generator.next())
        default: return .extend(by: end - start, seed: generator.next())
        }
    }

    func apply(to bytes: [UInt8]) -> [UInt8]? {
        var bytes = bytes
        switch self {
        case .flip(let byte, let bit): bytes[byte] ^= 1 << UInt8(bit)
        case .cut(let size): bytes.removeLast(bytes.count - size)
        case .zero(let range): bytes.replaceSubrange(range, with: repeatElement(0, count: range.count))
        case .overwrite(let range, let seed):
            var generator = SeededGenerator(seed: seed)
            bytes.replaceSubrange(range, with: generator.bytes(range.count))
        case .extend(let count, let seed):
            var generator = SeededGenerator(seed: seed)
            bytes += generator.bytes(count)
        case .delete: return nil
        }
        return bytes
    }

    var description: String {
        switch self {
        case .flip(let byte, let bit): "bit \(bit) of byte \(byte) flipped"
        case .cut(let size): "cut to \(size) bytes"
        case .zero(let range): "bytes \(range) zeroed"
        case .overwrite(let range, let seed): "bytes \(range) overwritten, seed \(seed)"
        case .extend(let count, let seed): "\(count) bytes appended, seed \(seed)"
        case .delete: "deleted"
        }
    }
}

extension DatabaseFiles {
    /// The offsets of the records in a log or manifest: blocks of 32 KiB, records with a header of checksum (4), length (2) and type (1).
    func records(of name: String) -> [Int] {
        let bytes = contents[name] ?? []
        var offsets: [Int] = [], offset = 0
        while offset + 7 <= bytes.count {
            if 32_768 - offset % 32_768 < 7 {
                offset += 32_768 - offset % 32_768
                continue
            }
            offsets.append(offset)
            offset += 7 + Int(bytes[offset + 4]) + Int(bytes[offset + 5]) << 8
        }
        return offsets
    }

    /// Where the records of a log or manifest say how long and of what type they are.
    func headerBytes(of name: String) -> Set<Int> { Set(records(of: name).flatMap { [$0 + 4, $0 + 5, $0 + 6] }) }

    /// Where the properties of a table end: before their trailer, the block that lists such blocks, and the footer, which leads to that block.
    func endOfProperties(of name: String) -> Int {
        let bytes = contents[name] ?? []
        // The footer's type of checksum, and then a number in groups of seven bits, the lowest first.
        var offset = 0, place = bytes.count - 53 + 1, shift = 0
        while place < bytes.count {
            offset |= Int(bytes[place] & 0x7F) << shift
            guard bytes[place] >= 0x80 else { break }
            (place, shift) = (place + 1, shift + 7)
        }
        return offset - 5
    }

    func damaged(_ name: String, _ damage: Damage) -> DatabaseFiles {
        var copy = self
        copy.contents[name] = copy.contents[name].flatMap { damage.apply(to: $0) }
        return copy
    }
}

/// What a damaged database came to.
enum Outcome: Hashable, Sendable, CustomStringConvertible {
    /// Opening, or a read, threw.
    case refused(RocksError.Code)
    /// All is there.
    case intact
    /// The first rows are there and no others.
    case first(Int)
    /// Something else is there: silently wrong.
    case wrong(String)

    var description: String {
        switch self {
        case .refused(let code): "\(code)"
        case .intact: "all rows"
        case .first(let count): "the first \(count) rows"
        case .wrong(let what): "wrong: \(what)"
        }
    }
}
