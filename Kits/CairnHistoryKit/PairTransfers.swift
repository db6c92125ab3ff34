package import CairnGraph
import CairnTestSupport

/// Accounts of pairs, of which one may be overdrawn as long as the sum is not negative: the classic example of write skew.
package enum PairTransfers {
    /// Accounts that are on pages of their own, so that only what is read can lead to conflicts.
    private static let distance = 64

    /// Stores two pairs.
    package static func prepare(_ store: ObjectStore) throws {
        try store.write { context in
            for number in 0..<(distance * 4) {
                context.insert(HistoryAccount(number: number, balance: number.isMultiple(of: distance) ? 30 : 0, entries: []))
            }
        }
    }

    /// Pays in and takes out `count` times, and returns how often the sum of a pair was too small. Throws ``HistoryError`` if it is ever negative.
    package static func run(client: Int, count: Int, seed: UInt64, on store: ObjectStore) throws -> Int {
        var generator = SeededGenerator(seed: seed &+ UInt64(client))
        var refused = 0
        for _ in 0..<count {
            let pair = generator.int(in: 0..<2) * 2
            let (one, two) = generator.oneIn(2) ? (pair, pair + 1) : (pair + 1, pair)
            let amount = generator.int(in: 1..<10)
            let pays = generator.oneIn(4)
            let isDone = try store.write(attempts: 10_000) { context in
                let mine = try HistoryAccount.numbered(one * distance, in: context)
                let other = try HistoryAccount.numbered(two * distance, in: context)
                guard pays || mine.balance + other.balance >= amount else { return false }
                mine.balance += pays ? amount : -amount
                return true
            }
            if !isDone { refused += 1 }
            try check(store)
        }
        return refused
    }

    private static func check(_ store: ObjectStore) throws {
        let balances = try store.read { context in
            try (0..<4).map { try HistoryAccount.numbered($0 * distance, in: context).balance }
        }
        guard balances[0] + balances[1] >= 0, balances[2] + balances[3] >= 0 else {
            throw HistoryError(description: "the balances of two pairs are \(balances)")
        }
    }
}
