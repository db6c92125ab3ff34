import CairnMapped
import CairnTestSupport
import Dispatch
import Foundation
import Testing

/// The file changes under open stores: bytes are flipped, or it is truncated.
struct LiveDamageTests {
    /// Puts a byte into the file, as another process would.
    private func poke(_ scene: Scene, _ place: Int, _ change: (UInt8) -> UInt8) throws {
        let file = try File(scene.path(), [.read, .write])
        try file.write([change(try file.read(1, at: Int64(place))[0])], at: Int64(place))
    }

    /// Nothing traps or hangs while the store is open, nor does a key get a value that it never had. Once it was closed and opened again, only the
    /// damaged record is missing, and what was set and acknowledged in between is there.
    ///
    /// The lock belongs to the C library, and is left out.
    @Test func bytesAreTurnedUnderOpenStores() async throws {
        let sample = try DamageTests.Sample()
        try await withSeeds("bytes damaged under open mapped stores", count: 1) { random in
            let header = Thorough.sample(30, of: 1024..<1240, using: &random)
            let index = Thorough.sample(20, of: Array(stride(from: 4096, to: 6160, by: 9)), using: &random)
            let records = Thorough.sample(40, of: Array(stride(from: 6160, to: sample.end, by: 3)), using: &random)
            for place in header + index { _ = try turn(place, of: sample) }
            var reads = Reads()
            for place in records { reads += try turn(place, of: sample) }
            // A damaged record is an error, not a key without a value.
            #expect(reads.right > 0 && reads.missing.isEmpty && !reads.failed.isEmpty, "\(reads)")
        }
    }

    /// What reading all keys gives.
    private struct Reads {
        var right = 0
        /// Keys without their newest value.
        var missing: [String] = []
        /// Keys that cannot be read.
        var failed: [String] = []
        /// Values that their keys never had.
        var wrong: [String] = []

        init() {}

        init(_ store: MappedStore, _ sample: DamageTests.Sample) {
            for (key, values) in sample.history {
                do {
                    let value = try store.get(key, as: MappedVariant.self)
                    if value == sample.contents[key] { right += 1 } else { missing.append(key) }
                    if !values.contains(value) { wrong.append("\(key) is \(String(describing: value))") }
                } catch {
                    failed.append(key)
                }
            }
        }

        /// Whether verification says what is damaged.
        func areExplained(by found: MappedVerification) -> Bool {
            !found.indexIsIntact || missing.isEmpty && (found.unreadableCount > 0 || Set(failed).isSubset(of: found.damagedKeys))
        }

        static func += (all: inout Reads, some: Reads) {
            all.right += some.right
            all.missing += some.missing
            all.failed += some.failed
            all.wrong += some.wrong
        }
    }

    /// Damages a byte; returns what can then be read.
    private func turn(_ place: Int, of sample: DamageTests.Sample) throws -> Reads {
        let scene = try Scene(fileSystem: .unsynced)
        try scene.write(sample.bytes)
        let now = Date(timeIntervalSince1970: 1000)
        var store = try scene.store { $0.now = { now } }
        let other = try scene.store { $0.now = { now } }
        let reader = try scene.store {
            $0.now = { now }
            $0.readOnly = true
        }
        _ = try reader.get("text", as: String.self)
        try poke(scene, place) { $0 ^ UInt8(1 << (place * 5 % 8)) }

        var reads = Reads()
        for store in [store, other, reader] {
            let some = Reads(store, sample)
            // The header says which index and which records count.
            if place >= 4096 {
                let found = try store.verify()
                #expect(some.areExplained(by: found), "byte \(place): \(some), \(found)")
            }
            reads += some
        }
        var set: [String: MappedVariant] = [:]
        for (number, store) in [store, other].enumerated() {
            for key in ["new \(number)", "key 3", "key \(number + 10)"] {
                if (try? store.set(number, for: key)) != nil { set[key] = .int(Int128(number)) }
            }
            try? store.transaction { changes in
                try changes.set("new", for: "in a transaction")
                try changes.set("new", for: "key 4")
            }
            _ = try? store.count
            _ = try? store.entries()
            _ = try? store.verify()
            try? store.sync()
        }
        _ = try? reader.entries()
        if place % 4 == 0 { try? store.compact() }
        for store in [store, other, reader] { try store.close() }

        store = try scene.store { $0.now = { now } }
        var missing: Set<String> = []
        for (key, value) in sample.contents where key != "key 4" && set[key] == nil {
            if (try? store.get(key, as: MappedVariant.self)) != value { missing.insert(key) }
        }
        for (key, value) in set where (try? store.get(key, as: MappedVariant.self)) != value { missing.insert(key) }
        if missing.count > (place < 6160 ? 0 : 1) || !reads.wrong.isEmpty {
            Issue.record("byte \(place): \(missing) missing, wrong: \(reads.wrong), \(store.openReport)")
        }
        return reads
    }

    /// What becomes of a slot of the index.
    enum SlotDamage: CaseIterable { case zeros, tag, offset, farOffset }

    /// A lookup does not see that its slot is damaged if it does not find it, or if the slot leads to another intact record. Verification does, by stores for
    /// writing and for reading, and listing rebuilds the index.
    @Test(arguments: SlotDamage.allCases) func slotsAreDamagedUnderOpenStores(damage: SlotDamage) throws {
        let sample = try DamageTests.Sample()
        var reads = Reads()
        for slot in stride(from: 4160, to: 6160, by: 8) where sample.bytes[slot..<slot + 8].contains(where: { $0 != 0 }) {
            let scene = try Scene(fileSystem: .unsynced)
            try scene.write(sample.bytes)
            let now = Date(timeIntervalSince1970: 1000)
            let writer = try scene.store { $0.now = { now } }
            let reader = try scene.store {
                $0.now = { now }
                $0.readOnly = true
            }
            switch damage {
            case .zeros: for byte in 0..<8 { try poke(scene, slot + byte) { _ in 0 } }
            case .tag: try poke(scene, slot + 7) { $0 ^ 8 }
            case .offset: try poke(scene, slot) { $0 ^ 8 }
            case .farOffset: try poke(scene, slot + 4) { $0 ^ 8 }
            }
            for store in [writer, reader] {
                let some = Reads(store, sample)
                #expect(some.wrong.isEmpty, "slot \(slot): \(some)")
                #expect(try !store.verify().indexIsIntact, "slot \(slot): \(some)")
                reads += some
            }
            #expect(try writer.contents() == sample.contents, "slot \(slot)")
            for store in [writer, reader] {
                let some = Reads(store, sample)
                #expect(some.missing.isEmpty && some.failed.isEmpty, "slot \(slot): \(some)")
                #expect(try store.verify().isIntact, "slot \(slot)")
                try store.close()
            }
        }
        switch damage {
        case .zeros, .tag: #expect(!reads.missing.isEmpty && reads.failed.isEmpty, "\(reads)")
        case .offset: #expect(!reads.failed.isEmpty, "\(reads)")
        case .farOffset: #expect(reads.missing.isEmpty && !reads.failed.isEmpty, "\(reads)")
        }
    }

    /// The file is cut under open stores: what is lost throws `truncated`, or is not found where the last page that is left was zeroed, and the
    /// process continues.
    @Test(arguments: [0, 1, 500, 1024, 1300, 4095, 4096, 6000, 8192, 100_000, 300_000]) func theFileIsCutUnderOpenStores(size: Int) throws {
        let scene = try Scene(fileSystem: .unsynced)
        let store = try scene.store()
        let reader = try scene.store { $0.readOnly = true }
        for number in 0..<400 { try store.set([UInt8](repeating: 1, count: 1000), for: "\(number)") }
        _ = try reader.get("1", as: [UInt8].self)
        try File(scene.path(), [.write]).truncate(to: Int64(size))
        var codes: Set<MappedStoreError.Code> = []
        func attempt(_ body: () throws -> Void) {
            if let code = code(body) { codes.insert(code) }
        }
        let whole = [UInt8](repeating: 1, count: 1000)
        for number in 0..<400 {
            for store in [store, reader] {
                attempt {
                    let value: [UInt8] = try store.get("\(number)", default: whole)
                    try match(value, whole, "value \(number)")
                }
            }
        }
        attempt { try store.set(1, for: "new") }
        attempt { try store.transaction { try $0.set(1, for: "new") } }
        attempt { _ = try store.entries() }
        attempt { _ = try store.verify() }
        attempt { try store.compact() }
        attempt { try store.sync() }
        #expect(codes.contains(.truncated) && codes.isSubset(of: [.truncated, .corruption]), "\(codes)")
        try store.close()
        try reader.close()
        if size == 0 || size >= 1024 {
            let again = try scene.store()
            try again.set(2, for: "new")
            #expect(try again.get("new") == 2)
        }
    }

    /// Cut while the lock is held: the C library's list of this thread's locks is not ruined, and waiting threads get an error.
    @Test(arguments: [0, 1000, 4096]) func theFileIsCutWithinATransaction(size: Int) async throws {
        try await onThreads(1) { _ in
            for _ in 0..<3 {
                let scene = try Scene(fileSystem: .unsynced)
                let store = try scene.store()
                try store.set(1, for: "a")
                let waiter = try scene.store()
                let ended = DispatchSemaphore(value: 0)
                let result = code {
                    try store.transaction { changes in
                        Thread.detachNewThread {
                            _ = try? waiter.set(2, for: "b")
                            ended.signal()
                        }
                        try File(scene.path(), [.write]).truncate(to: Int64(size))
                        try changes.set(2, for: "a")
                        _ = try? changes.get("b", as: Int.self)
                    }
                }
                #expect(result == .truncated || result == .corruption || size == 4096)
                ended.wait()
                try? store.close()
                // Locks of other stores still work.
                let other = try scene.store("other.map")
                for number in 0..<100 { try other.set(number, for: "n") }
                try match(try other.get("n"), 99, "another store")
            }
        }
    }
}
