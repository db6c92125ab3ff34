import BenchKit
import Synchronization

/// The floor: a dictionary behind a lock, which keeps nothing.
final class DictionarySide: Side {
    private let ints = Mutex<[String: UInt64]>([:])
    private let texts = Mutex<[String: String]>([:])

    func setInts(_ keys: Keys, _ order: [UInt32], base: UInt64) throws {
        for row in order { ints.withLock { $0[keys.strings[Int(row)]] = base &+ UInt64(row) } }
    }

    func setStrings(_ keys: Keys, _ order: [UInt32], _ value: String) throws {
        for row in order { texts.withLock { $0[keys.strings[Int(row)]] = value } }
    }

    func getInts(_ keys: Keys, _ order: [UInt32]) throws -> Sum {
        var result = Sum()
        for row in order {
            if let number = ints.withLock({ $0[keys.strings[Int(row)]] }) { result.sum &+= number } else { result.missing += 1 }
        }
        return result
    }

    func getStrings(_ keys: Keys, _ order: [UInt32]) throws -> Sum {
        var result = Sum()
        for row in order {
            if let text = texts.withLock({ $0[keys.strings[Int(row)]] }) { result.sum &+= word(text) } else { result.missing += 1 }
        }
        return result
    }

    func open(_ keys: Keys, times: Int) throws -> Sum { throw Disagreement("a dictionary cannot be opened") }
    func close() {}
}
