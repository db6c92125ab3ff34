import CairnMapped
import CairnTestSupport
import Foundation
import Testing

/// Random operations on two stores of one file, in one process or in two, beside a dictionary.
struct ModelTests {
    enum Operation: Sendable, CustomStringConvertible {
        case set(Int, Int), setExpiring(Int, Int), remove(Int), update(Int), transaction([Int], fails: Bool), removeAll, compact, pass(Int)
        case reopen, reboot, rekey(Int), list, other(Int, Int), otherRemoves(Int), otherAdds([Int]), otherCompacts, otherIsKilled
        case sync
        case setMany([Int], Int), getMany([Int]), removeMany([Int]), removePrefix(Int)

        var description: String {
            switch self {
            case .set(let key, let value): "set(\(key), \(value))"
            case .setExpiring(let key, let value): "setExpiring(\(key), \(value))"
            case .remove(let key): "remove(\(key))"
            case .update(let key): "update(\(key))"
            case .transaction(let keys, let fails): "transaction(\(keys), fails: \(fails))"
            case .removeAll: "removeAll"
            case .compact: "compact"
            case .pass(let seconds): "pass(\(seconds))"
            case .reopen: "reopen"
            case .reboot: "reboot"
            case .rekey(let key): "rekey(\(key))"
            case .list: "list"
            case .other(let key, let value): "other(\(key), \(value))"
            case .otherRemoves(let key): "otherRemoves(\(key))"
            case .otherAdds(let keys): "otherAdds(\(keys))"
            case .otherCompacts: "otherCompacts"
            case .otherIsKilled: "otherIsKilled"
            case .sync: "sync"
            case .setMany(let keys, let value): "setMany(\(keys), \(value))"
            case .getMany(let keys): "getMany(\(keys))"
            case .removeMany(let keys): "removeMany(\(keys))"
            case .removePrefix(let key): "removePrefix(\(key))"
            }
        }

        static func random(_ random: inout SeededGenerator, encrypts: Bool = false) -> Operation {
            let (key, value) = (random.int(in: 0..<24), random.int(in: 0..<1_000))
            switch random.int(in: 0..<100) {
            case 0..<26: return .set(key, value)
            case 26..<29: return .setMany(random.keys(30), value)
            case 29..<32: return .getMany(random.keys(40))
            case 32..<34: return .removeMany(random.keys(4))
            case 34..<35: return .removePrefix(random.int(in: 0..<24))
            case 35..<42: return .setExpiring(key, value)
            case 42..<52: return .remove(key)
            case 52..<57: return .update(key)
            case 57..<65: return .transaction(random.keys(6), fails: random.oneIn(4))
            case 65..<66: return .removeAll
            case 66..<69: return .compact
            case 69..<74: return .pass(random.int(in: 1..<8))
            case 74..<77: return .reopen
            case 77..<79: return .reboot
            case 79..<80: return encrypts ? .rekey(random.int(in: 0..<3)) : .sync
            case 80..<84: return .list
            case 84..<90: return .other(key, value)
            case 90..<93: return .otherRemoves(key)
            case 93..<96: return .otherAdds(random.keys(6))
            case 96..<98: return .otherCompacts
            case 98..<99: return .otherIsKilled
            default: return .sync
            }
        }
    }

    @Test func plainStores() async throws {
        try await checkOperations(
            "mapped stores",
            seeds: Thorough.count(3, of: 12),
            count: 300,
            generate: { .random(&$0) },
            run: { try ModelRun().perform($0) }
        )
    }

    @Test func storesOfTwoProcesses() async throws {
        try await checkOperations(
            "mapped stores of two processes",
            seeds: Thorough.count(1, of: 6),
            count: 200,
            generate: { .random(&$0) },
            run: { try ModelRun(inTwoProcesses: true).perform($0) }
        )
    }

    @Test func storesThatSkipEqualValues() async throws {
        try await checkOperations(
            "mapped stores that skip",
            seeds: Thorough.count(2, of: 6),
            count: 300,
            generate: { .random(&$0) },
            run: { try ModelRun(skips: true).perform($0) }
        )
    }

    @Test func encryptedStores() async throws {
        try await checkOperations(
            "encrypted mapped stores",
            seeds: Thorough.count(2, of: 6),
            count: 250,
            generate: { .random(&$0, encrypts: true) },
            run: { try ModelRun(cipher: 1).perform($0) }
        )
    }
}

extension SeededGenerator {
    /// The numbers of fewer than `limit` keys.
    fileprivate mutating func keys(_ limit: Int) -> [Int] { (0..<int(in: 0..<limit)).map { _ in int(in: 0..<24) } }
}
