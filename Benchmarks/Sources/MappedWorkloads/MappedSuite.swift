public import BenchKit
import CairnMapped
import Foundation

#if LMDB
import RivalLMDB
#endif

#if MMKV
import RivalMMKV
#endif

/// CairnMapped beside LMDB (in C), MMKV (in C++), a store of the same design in C, a dictionary behind a lock, and SQLite through GRDB, in one process.
///
/// Keys have 12 bytes, integers 8, strings 100. LMDB runs without syncing, through a writable map: as durable as `.buffered`.
public struct MappedSuite: Suite {
    static let value = String(String(repeating: "a value of a hundred bytes ", count: 4).prefix(100))
    /// SQLite is there for comparison only, and slow: it does this part of the operations.
    static let partOfGRDB = 20

    public init() {}

    public var libraries: [String: String] {
        var libraries: [String: String] = [:]
        #if LMDB
        let words = unsafe String(cString: rival_lmdb_version()).split(separator: " ")
        libraries["LMDB"] = words.dropFirst().first.map { String($0.filter { $0 != ":" }) } ?? ""
        #endif
        #if MMKV
        libraries["MMKV"] = unsafe String(cString: rival_mmkv_version()).filter { $0 != "v" }
        #endif
        return libraries
    }

    public var absent: [String] {
        var lines: [String] = []
        #if !LMDB
        lines.append("mapped: LMDB is left out, since it is not installed: scripts/deps bench")
        #endif
        #if !SQLite
        lines.append("mapped: GRDB is left out, since SQLite's header is not installed (scripts/deps bench), or of this build (OBJECTS=no)")
        #endif
        #if !MMKV
        lines.append("mapped: MMKV is left out, since it is in no package: MMKV=path takes a checkout of it")
        #endif
        return lines
    }

    public var workloads: [Workload] { Kind.allCases.map(\.workload) }

    enum Kind: String, CaseIterable {
        case setInt1k = "set-int-1k"
        case setInt100k = "set-int-100k"
        case setString1k = "set-string-1k"
        case setString100k = "set-string-100k"
        case getInt1k = "get-int-1k"
        case getInt = "get-int"
        case getString1k = "get-string-1k"
        case getString = "get-string"
        case getLent = "get-string-lent"
        case miss
        case twoThreads = "two-threads"
        case getOfOther = "get-int-of-other-process"
        case multiGetInt = "multi-get-int"
        case multiGetInt1k = "multi-get-int-1k"
        case multiGetInt1M = "multi-get-int-1m"
        case multiGetString = "multi-get-string"
        case multiSetInt = "multi-set-int"
        case prefix = "keys-with-prefix"
        case setLarge = "set-1MiB"
        case fillReserved = "fill-reserved"
        case open
        case sizeOfInts = "size-ints"
        case sizeOfStrings = "size-strings"

        /// The keys of a small store.
        static let few = 1_000
        /// Whether it uses these only.
        var isOfFew: Bool { rawValue.hasSuffix("-1k") }

        /// Beside rivals the part of their time that is aimed at, and nanoseconds on a quiet machine.
        var workload: Workload {
            let same = PlainSide.name
            let (summary, goals): (String, [Goal]) =
                switch self {
                case .setInt1k: ("set an integer, 1,000 keys", [.ratio(0.3, to: "LMDB"), .value(150), .ratio(1.6, to: same)])
                case .setInt100k: ("set an integer, 100,000 keys", [.ratio(0.3, to: "LMDB"), .value(150), .ratio(1.6, to: same)])
                case .setString1k: ("set 100 bytes of text, 1,000 keys", [.ratio(0.3, to: "LMDB"), .ratio(1.6, to: same)])
                case .setString100k: ("set 100 bytes of text, 100,000 keys", [.ratio(0.3, to: "LMDB"), .value(150), .ratio(1.6, to: same)])
                case .getInt1k: ("get an integer, 1,000 keys", [.ratio(0.35, to: "LMDB"), .ratio(1.3, to: same)])
                case .getInt: ("get an integer, 100,000 keys", [.ratio(0.35, to: "LMDB"), .value(90), .ratio(1.3, to: same)])
                case .getString1k: ("get 100 bytes of text, 1,000 keys", [.ratio(0.35, to: "LMDB"), .ratio(1.3, to: same)])
                case .getString: ("get 100 bytes of text, 100,000 keys", [.ratio(0.35, to: "LMDB"), .value(180), .ratio(1.3, to: same)])
                case .getLent: ("the same, lent instead of copied", [.ratio(0.35, to: "LMDB"), .ratio(1.2, to: same)])
                case .miss: ("get a key that is not there", [.ratio(0.35, to: "LMDB")])
                case .twoThreads: ("get integers, two threads each as many as one", [.ratio(1.1, to: "one thread")])
                case .getOfOther: ("get an integer that another process has set since", [.ratio(0.35, to: "LMDB")])
                case .multiGetInt: ("get 100 integers in one call", [.ratio(0.6, to: "one by one")])
                case .multiGetInt1k: ("the same, 1,000 keys", [.ratio(1, to: "one by one")])
                case .multiGetInt1M: ("the same, 1,000,000 keys", [.ratio(0.6, to: "one by one")])
                case .multiGetString: ("get 100 texts of 100 bytes in one call", [.ratio(0.6, to: "one by one")])
                case .multiSetInt: ("set 100 integers in one call, all or none", [.ratio(1, to: "one by one")])
                case .prefix: ("list the keys that begin alike, 1,000 of 100,000", [.ratio(1, to: "all keys")])
                case .setLarge: ("set a value of 1 MiB", [.ratio(1.6, to: "pwrite"), .ratio(1, to: "LMDB")])
                case .fillReserved: ("set 100,000 new integers, after room was made for them", [.ratio(1.05, to: "without")])
                case .open: ("open a store of 100,000 keys, one get, close", [.value(1_000_000)])
                case .sizeOfInts: ("file of integers after compaction, times keys and values", [.value(1.6)])
                case .sizeOfStrings: ("file of texts of 100 bytes after compaction, times keys and values", [.value(1.6)])
                }
            return Workload("mapped/\(rawValue)", summary, goals: goals)
        }
    }

    public func run(_ harness: Harness) throws {
        let selected = Kind.allCases.filter { harness.settings.isSelected($0.workload.name) }
        guard !selected.isEmpty else { return }
        let data = Data(keys: harness.settings.keys)
        let few = Array(data.all.prefix(Kind.few))
        let small = try Stores(harness, "small") { try $0.setInts(data.ints, few, base: 0) }
        let smallStrings = try Stores(harness, "small-strings") { try $0.setStrings(data.texts, few, Self.value) }
        let numbers = try Stores(harness, "ints") { try $0.setInts(data.ints, data.all, base: 0) }
        let strings = try Stores(harness, "strings") { try $0.setStrings(data.texts, data.all, Self.value) }
        for kind in selected {
            switch kind {
            case .setInt1k, .getInt1k: try measure(kind, small, data, harness)
            case .setString1k, .getString1k: try measure(kind, smallStrings, data, harness)
            case .setString100k, .getString, .getLent: try measure(kind, strings, data, harness)
            case .setInt100k, .getInt, .miss: try measure(kind, numbers, data, harness)
            case .twoThreads: try measureThreads(numbers, data, harness)
            case .getOfOther: try measureOther(numbers, data, harness)
            case .multiGetInt, .multiSetInt: try measureMany(kind, numbers.cairn, data.ints, data.all.count, harness)
            case .multiGetInt1k: try measureMany(kind, small.cairn, data.ints, Kind.few, harness)
            case .multiGetString: try measureMany(kind, strings.cairn, data.texts, data.all.count, harness)
            case .multiGetInt1M: try measureManyOfMany(kind, harness)
            case .prefix: try measurePrefix(numbers, harness)
            case .fillReserved: try measureFilling(data, harness)
            case .setLarge: try measureLarge(data, harness)
            case .open, .sizeOfInts, .sizeOfStrings: break
            }
        }
        for stores in [small, smallStrings, numbers, strings] { try stores.close() }
        for kind in selected {
            switch kind {
            case .open: try measureOpening(numbers, data, harness)
            case .sizeOfInts: try measureSize(kind, numbers, 12 + 8, harness)
            case .sizeOfStrings: try measureSize(kind, strings, 12 + 100, harness)
            default: break
            }
        }
    }

    /// The keys, and their numbers in order.
    struct Data {
        let ints, texts: Keys
        /// Spread among the keys that are there: behind them all, LMDB would look at one page only.
        let absent: Keys
        let all: [UInt32]

        init(keys count: Int) {
            ints = Keys("int:", count)
            texts = Keys("str:", count)
            absent = Keys("int:", count, suffix: "x")
            all = (0..<UInt32(count)).map { $0 }
        }
    }
}
