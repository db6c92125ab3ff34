package import CairnGraph
import CairnTestSupport

/// Transactions of several clients that read lists and append to some of them, and the check that they could have happened one after the other.
package enum ListAppends {
    /// What a transaction saw in each list that it read, and which of them it appended its number to.
    package struct Transaction: Codable, Sendable {
        package let id: Int
        package private(set) var seen: [Int: [Int]]
        package private(set) var appended: Set<Int>

        package init(id: Int, seen: [Int: [Int]] = [:], appended: Set<Int> = []) {
            self.id = id
            self.seen = seen
            self.appended = appended
        }

        mutating func note(_ entries: [Int], in list: Int) { seen[list] = entries }

        mutating func noteAppend(to list: Int) { appended.insert(list) }
    }

    private static let lists = 6

    package static var classes: [any StoredObject.Type] { [HistoryAccount.self] }

    /// Stores empty lists.
    package static func prepare(_ store: ObjectStore) throws {
        try store.write { context in for number in 0..<lists { context.insert(HistoryAccount(number: number, balance: 0, entries: [])) } }
    }

    /// Performs `count` transactions of a client, and returns them.
    package static func run(client: Int, count: Int, seed: UInt64, on store: ObjectStore) throws -> [Transaction] {
        var generator = SeededGenerator(seed: seed &+ UInt64(client))
        return try (0..<count).map { step in
            let choices = (0..<3).map { _ in (generator.int(in: 0..<lists), generator.oneIn(2)) }
            return try store.write(attempts: 10_000) { context in
                var transaction = Transaction(id: client * count + step)
                for (list, isWrite) in choices where transaction.seen[list] == nil {
                    let account = try HistoryAccount.numbered(list, in: context)
                    transaction.note(account.entries, in: list)
                    guard isWrite else { continue }
                    account.entries.append(transaction.id)
                    transaction.noteAppend(to: list)
                }
                return transaction
            }
        }
    }

    /// What is stored in the end.
    package static func lists(in store: ObjectStore) throws -> [[Int]] {
        try store.read { context in try (0..<lists).map { try HistoryAccount.numbered($0, in: context).entries } }
    }

    /// Throws ``HistoryError`` unless there is an order in which the transactions could have happened, with the lists that they led to.
    package static func check(_ history: [Transaction], _ lists: [[Int]]) throws {
        for (number, list) in lists.enumerated() {
            let appended = history.filter { $0.appended.contains(number) }.map(\.id)
            guard list.sorted() == appended.sorted() else {
                throw HistoryError(description: "list \(number) is \(list), but \(appended.sorted()) were appended")
            }
        }
        if let id = try cycle(history, lists) { throw HistoryError(description: "transaction \(id) would have to come before itself") }
    }

    private static func cycle(_ history: [Transaction], _ lists: [[Int]]) throws -> Int? {
        var later: [Int: Set<Int>] = [:]
        for (key, list) in lists.enumerated() {
            for (one, next) in zip(list, list.dropFirst()) { later[one, default: []].insert(next) }
            for transaction in history {
                guard let seen = transaction.seen[key] else { continue }
                guard list.starts(with: seen) else {
                    throw HistoryError(
                        description: "transaction \(transaction.id) saw \(seen) in list \(key), which never was there: \(list)"
                    )
                }
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
}

extension HistoryAccount {
    static func numbered(_ number: Int, in context: ObjectContext) throws -> HistoryAccount {
        guard let account = try context.first(HistoryAccount.self, where: \HistoryAccount.number == number) else {
            throw HistoryError(description: "there is no account \(number)")
        }
        return account
    }
}
