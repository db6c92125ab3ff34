import BenchKit
import CairnCDB
import CairnCore

/// A file to be read, and the program that reads it. Each function is a whole loop and returns a checksum that both sides must agree upon.
protocol Side {
    func create(_ path: String, _ keys: Keys, _ durability: Durability) throws -> UInt64
    func get(_ keys: Keys) throws -> UInt64
    /// The same of another file, which is opened and closed.
    func get(_ keys: Keys, at path: String) throws -> UInt64
    func getOwned(_ keys: Keys) throws -> UInt64
    func getBatched(_ keys: Keys, by size: Int) throws -> UInt64
    func getPositioned(_ keys: Keys) throws -> UInt64
    func scan() throws -> UInt64
    func openOften(_ key: Keys, times: Int) throws -> UInt64
}

/// The subject: CairnCDB through its public API.
struct CairnSide: Side {
    let path: String
    let reader: CDBReader
    let positioned: CDBReader

    init(path: String) throws {
        self.path = path
        reader = try CDBReader(path: path)
        positioned = try CDBReader(path: path, access: .positioned)
    }

    func create(_ path: String, _ keys: Keys, _ durability: Durability) throws -> UInt64 {
        let writer = try CDBWriter(path: path, durability: durability)
        var value = Values.template
        for row in 0..<keys.count {
            unsafe value.withUnsafeMutableBytes { unsafe $0.storeBytes(of: UInt64(row), as: UInt64.self) }
            try writer.put(value, for: keys.key(row))
        }
        try writer.finish()
        return 0
    }

    func get(_ keys: Keys) throws -> UInt64 { try Self.get(keys, reader) }

    func get(_ keys: Keys, at path: String) throws -> UInt64 { try Self.get(keys, CDBReader(path: path)) }

    @inline(__always)
    private static func get(_ keys: Keys, _ reader: CDBReader) throws -> UInt64 {
        var sum: UInt64 = 0
        for row in 0..<keys.count {
            sum &+= try reader.withValue(for: keys.key(row)) { word($0) &+ UInt64($0.byteCount) } ?? 1
        }
        return sum
    }

    func getOwned(_ keys: Keys) throws -> UInt64 {
        var sum: UInt64 = 0
        for row in 0..<keys.count {
            guard let value = try reader.get(keys.key(row)) else { throw Disagreement("row \(row) is missing") }
            sum &+= unsafe word(value.span.bytes) &+ UInt64(value.count)
        }
        return sum
    }

    func getBatched(_ keys: Keys, by size: Int) throws -> UInt64 {
        var list = KeyList()
        var sum: UInt64 = 0
        for start in stride(from: 0, to: keys.count, by: size) {
            list.removeAll()
            for row in start..<min(start + size, keys.count) { list.append(keys.key(row)) }
            try reader.withValues(for: list) { _, value in
                if let value { sum &+= word(value) &+ UInt64(value.byteCount) } else { sum &+= 1 }
            }
        }
        return sum
    }

    func getPositioned(_ keys: Keys) throws -> UInt64 {
        var sum: UInt64 = 0
        for row in 0..<keys.count {
            sum &+= try positioned.withValue(for: keys.key(row)) { word($0) &+ UInt64($0.byteCount) } ?? 1
        }
        return sum
    }

    func scan() throws -> UInt64 {
        var sum: UInt64 = 0
        var count: UInt64 = 0
        try reader.forEach { key, value in
            sum &+= word(key) &+ word(value) &+ UInt64(value.byteCount)
            count &+= 1
        }
        return sum &+ count
    }

    func openOften(_ key: Keys, times: Int) throws -> UInt64 {
        var sum: UInt64 = 0
        for _ in 0..<times {
            let reader = try CDBReader(path: path)
            sum &+= try reader.withValue(for: key.key(0)) { word($0) } ?? 0
        }
        return sum
    }
}
