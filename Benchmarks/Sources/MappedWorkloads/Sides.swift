import BenchKit
import CairnMapped

/// The keys of a workload: for Swift as strings, for C one behind the other.
struct Keys: Sendable {
    static let size = 12
    let strings: [String]
    let bytes: [UInt8]

    /// - Parameter suffix: takes the place of the last characters.
    init(_ prefix: String, _ count: Int, suffix: String = "") {
        strings = (0..<count).map { (prefix + String(String($0 + 100_000_000).dropFirst())).dropLast(suffix.count) + suffix }
        bytes = strings.flatMap { Array($0.utf8) }
    }
}

/// What is read.
struct Sum {
    var sum: UInt64 = 0
    var missing: UInt64 = 0
    var check: [UInt64] { [sum, missing] }
}

/// A store, and the program that uses it. Each function is a whole loop.
protocol Side: Sendable {
    func setInts(_ keys: Keys, _ order: [UInt32], base: UInt64) throws
    func setStrings(_ keys: Keys, _ order: [UInt32], _ value: String) throws
    /// Reads integers, or as the side does it cheapest, the first 8 bytes.
    func getInts(_ keys: Keys, _ order: [UInt32]) throws -> Sum
    /// Reads strings as values of their own; adds up their first 8 bytes.
    func getStrings(_ keys: Keys, _ order: [UInt32]) throws -> Sum
    /// Adds up the first 8 bytes of strings where they lie.
    func getLent(_ keys: Keys, _ order: [UInt32]) throws -> Sum
    /// Whether it can do that.
    var lends: Bool { get }
    /// Opens, reads the first key, closes.
    func open(_ keys: Keys, times: Int) throws -> Sum
    func close() throws
    /// Where it is, if other processes can use it at once.
    var sharedPath: String? { get }
}

extension Side {
    var sharedPath: String? { nil }
    var lends: Bool { false }
    func getLent(_ keys: Keys, _ order: [UInt32]) throws -> Sum { throw Disagreement("this side lends nothing") }
}

/// The subject: CairnMapped through its public API.
struct CairnSide: Side {
    static let name = "CairnMapped"

    let path: String
    var sharedPath: String? { path }
    let store: MappedStore

    init(path: String, store: MappedStore) {
        self.path = path
        self.store = store
    }

    init(path: String) throws { self.init(path: path, store: try MappedStore(path: path)) }

    func close() throws { try store.close() }

    func setInts(_ keys: Keys, _ order: [UInt32], base: UInt64) throws {
        for row in order { try store.set(base &+ UInt64(row), for: keys.strings[Int(row)]) }
    }

    func setStrings(_ keys: Keys, _ order: [UInt32], _ value: String) throws {
        for row in order { try store.set(value, for: keys.strings[Int(row)]) }
    }

    func getInts(_ keys: Keys, _ order: [UInt32]) throws -> Sum {
        var result = Sum()
        for row in order {
            if let number = try store.get(keys.strings[Int(row)], as: UInt64.self) { result.sum &+= number } else { result.missing += 1 }
        }
        return result
    }

    func getStrings(_ keys: Keys, _ order: [UInt32]) throws -> Sum {
        var result = Sum()
        for row in order {
            if let text = try store.get(keys.strings[Int(row)], as: String.self) { result.sum &+= word(text) } else { result.missing += 1 }
        }
        return result
    }

    var lends: Bool { true }

    func getLent(_ keys: Keys, _ order: [UInt32]) throws -> Sum {
        var result = Sum()
        for row in order {
            let word = try store.withValue(for: keys.strings[Int(row)]) { bytes, _ in
                unsafe bytes.unsafeLoadUnaligned(as: UInt64.self)
            }
            if let word { result.sum &+= word } else { result.missing += 1 }
        }
        return result
    }

    /// Same as ``getInts(_:_:)``, 100 in one call.
    func getManyInts(_ keys: Keys, _ order: [UInt32]) throws -> Sum {
        var result = Sum()
        for few in Self.hundreds(order) {
            for number in try store.multiGet(few.lazy.map { keys.strings[Int($0)] }, as: UInt64.self) {
                if let number { result.sum &+= number } else { result.missing += 1 }
            }
        }
        return result
    }

    /// Same as ``getStrings(_:_:)``, 100 in one call.
    func getManyStrings(_ keys: Keys, _ order: [UInt32]) throws -> Sum {
        var result = Sum()
        for few in Self.hundreds(order) {
            for text in try store.multiGet(few.lazy.map { keys.strings[Int($0)] }, as: String.self) {
                if let text { result.sum &+= word(text) } else { result.missing += 1 }
            }
        }
        return result
    }

    /// Same as ``setInts(_:_:base:)``, 100 in one call.
    func setManyInts(_ keys: Keys, _ order: [UInt32], base: UInt64) throws {
        for few in Self.hundreds(order) {
            try store.set(contentsOf: few.lazy.map { (key: keys.strings[Int($0)], value: base &+ UInt64($0)) })
        }
    }

    private static func hundreds(_ order: [UInt32]) -> some Sequence<ArraySlice<UInt32>> {
        stride(from: 0, to: order.count, by: 100).lazy.map { order[$0..<min($0 + 100, order.count)] }
    }

    func open(_ keys: Keys, times: Int) throws -> Sum {
        var result = Sum()
        for _ in 0..<times {
            let store = try MappedStore(path: path)
            result.sum &+= try store.get(keys.strings[0], default: 0)
            try store.close()
        }
        return result
    }
}

/// The first 8 bytes.
@inline(__always)
func word(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { unsafe UnsafeRawBufferPointer($0).loadUnaligned(as: UInt64.self) }
}
