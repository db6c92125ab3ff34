import CairnObjects
import CairnTestSupport
import Foundation
import Synchronization
import Testing

/// What many clients do at once, and whether it could have happened one after the other.
@Suite struct HistoryTests {
    /// A transaction of the list-append history: what it saw in each list that it read, and what it then appended to some of them.
    private struct Transaction: Sendable {
        let id: Int
        var seen: [Int: [Int]] = [:]
        var appended: Set<Int> = []
    }

    enum Clients: String, CaseIterable, Sendable {
        case oneStore, severalStores, rocks
    }

    private static func stores(_ clients: Clients, _ directory: TemporaryDirectory) throws -> [ObjectStore] {
        let engine: any StorageEngine = clients == .rocks ? try RocksEngine(path: directory.path("store")) : MemoryEngine()
        return try (0..<(clients == .severalStores ? 4 : 1)).map { _ in try ObjectStore(engine: engine, classes: [Account.self]) }
    }

    private static let lists = 6

    @Test(arguments: Clients.allCases)
    func listAppendsAreSerializable(_ clients: Clients) async throws {
        try await withSeeds("list appends, \(clients)", count: 1) { generator in
            let directory = try TemporaryDirectory()
            let stores = try Self.stores(clients, directory)
            try stores[0].write { context in for number in 0..<Self.lists { context.insert(Account(number: number)) } }
            let (seed, count) = (generator.next(), 60)
            let history = Mutex<[Transaction]>([])
            try await onThreads(8) { client in
                var generator = SeededGenerator(seed: seed &+ UInt64(client))
                for step in 0..<count {
                    let keys = (0..<3).map { _ in generator.int(in: 0..<Self.lists) }
                    let writes = (0..<3).map { _ in generator.oneIn(2) }
                    let done = try stores[client % stores.count].write(attempts: 10_000) { context in
                        try Self.transaction(client * count + step, keys, writes, context)
                    }
                    history.withLock { $0.append(done) }
                }
            }
            let done = history.withLock { $0 }
            let final = try stores[0].read { context in
                try (0..<Self.lists).map { key in try #require(try context.first(Account.self, where: \.number == key)).entries }
            }
            #expect(done.count == 8 * count)
            #expect(final.allSatisfy { Set($0).count == $0.count }, "something was appended twice")
            let appended: Int = done.reduce(0) { $0 + $1.appended.count }
            #expect(final.joined().count == appended, "something was lost")
            #expect(Self.cycle(done, final) == nil)
            #expect(try stores[0].verify().problems.isEmpty)
        }
    }

    private static func transaction(_ id: Int, _ keys: [Int], _ writes: [Bool], _ context: ObjectContext) throws -> Transaction {
        var transaction = Transaction(id: id)
        for (key, isWrite) in zip(keys, writes) where transaction.seen[key] == nil {
            let account = try #require(try context.first(Account.self, where: \.number == key))
            transaction.seen[key] = account.entries
            guard isWrite else { continue }
            account.entries.append(id)
            transaction.appended.insert(key)
        }
        return transaction
    }

    /// A transaction that would have to come before itself; `nil` if there is an order in which all could have happened.
    private static func cycle(_ history: [Transaction], _ final: [[Int]]) -> Int? {
        var later: [Int: Set<Int>] = [:]
        for (key, list) in final.enumerated() {
            for (one, next) in zip(list, list.dropFirst()) { later[one, default: []].insert(next) }
            for transaction in history {
                guard let seen = transaction.seen[key] else { continue }
                // What it saw must have been there at some time.
                guard Array(list.prefix(seen.count)) == seen else { return transaction.id }
                if let last = seen.last { later[last, default: []].insert(transaction.id) }
                if seen.count < list.count, list[seen.count] != transaction.id {
                    later[transaction.id, default: []].insert(list[seen.count])
                }
            }
        }
        // Removes those that nothing precedes, one after the other.
        var before: [Int: Int] = [:]
        for next in later.values.joined() { before[next, default: 0] += 1 }
        var free = history.map(\.id).filter { before[$0] == nil }
        var left = Set(history.map(\.id))
        while let first = free.popLast() {
            left.remove(first)
            for next in later[first] ?? [] {
                before[next, default: 0] -= 1
                if before[next] == 0 { free.append(next) }
            }
        }
        return left.first
    }

    /// Accounts of pairs, of which one may be overdrawn as long as the sum is not negative: the classic example of write skew.
    @Test(arguments: Clients.allCases)
    func sumsOfPairsNeverBecomeNegative(_ clients: Clients) async throws {
        try await withSeeds("bank transfers, \(clients)", count: 1) { generator in
            let directory = try TemporaryDirectory()
            let stores = try Self.stores(clients, directory)
            // Each on a page of its own, so that only what is read can lead to conflicts.
            try stores[0].write { context in
                for number in 0..<(64 * 4) { context.insert(Account(number: number, balance: number % 64 == 0 ? 30 : 0)) }
            }
            let seed = generator.next()
            let refused = Mutex(0)
            try await onThreads(8) { client in
                var generator = SeededGenerator(seed: seed &+ UInt64(client))
                for _ in 0..<60 {
                    let pair = generator.int(in: 0..<2) * 2
                    let (one, two) = generator.oneIn(2) ? (pair, pair + 1) : (pair + 1, pair)
                    let amount = generator.int(in: 1..<10)
                    let pays = generator.oneIn(4)
                    try stores[client % stores.count].write(attempts: 10_000) { context in
                        let mine = try #require(try context.first(Account.self, where: \.number == one * 64))
                        let other = try #require(try context.first(Account.self, where: \.number == two * 64))
                        guard pays || mine.balance + other.balance >= amount else {
                            refused.withLock { $0 += 1 }
                            return
                        }
                        mine.balance += pays ? amount : -amount
                    }
                    // Every sum that anybody reads is right.
                    let sums = try Self.sums(stores[client % stores.count])
                    if sums.contains(where: { $0 < 0 }) { Issue.record("\(sums)") }
                }
            }
            #expect(refused.withLock { $0 } > 0, "no limit was reached")
        }
    }

    private static func sums(_ store: ObjectStore) throws -> [Int] {
        try store.read { context in
            var sums = [0, 0]
            for number in 0..<4 {
                let account = try #require(try context.first(Account.self, where: \.number == number * 64))
                sums[number / 2] += account.balance
            }
            return sums
        }
    }
}
