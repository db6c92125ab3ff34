import CairnCore
import CairnObjects
import CairnObjectsEncryption
import CairnTestSupport
import Synchronization
import Testing

/// Verifying reads long lists a few times, however many objects they lead to, and whatever else is damaged.
struct DamagedListCostTests {
    private let open: OpenSafe
    private var options = ObjectStoreOptions()

    /// 40 patients, each with the same 60 relatives.
    init() throws {
        open = try OpenSafe()
        options.cipher = open.cipher
        options.longestChunk = 16
        try ObjectStore(engine: open.engine, classes: hospital, options: options).write { context in
            let patients = (0..<100).map { Patient(city: "Here", number: "\($0)", name: "Patient \($0)") }
            for patient in patients { context.insert(patient) }
            for owner in patients.prefix(40) { owner.relatives.append(contentsOf: patients.prefix(60)) }
            // What leads there from a page that is damaged later.
            patients[99].relatives.append(patients[0])
        }
    }

    private func chunks() throws -> [(key: [UInt8], value: [UInt8])] { try open.entries().filter { $0.key[0] == 4 } }

    private func damage(_ entry: (key: [UInt8], value: [UInt8])) throws {
        var value = entry.value
        value[value.count / 2] ^= 1
        try open.put(value, entry.key)
    }

    /// The kinds of problems, and how often chunks were read.
    private func verified() throws -> (problems: Set<ObjectStoreVerification.Problem.Kind>, reads: Int) {
        let engine = CountingEngine(open.engine, kind: 4)
        let report = try ObjectStore(engine: engine, classes: hospital, options: options).verify()
        return (Set(report.problems.map(\.kind)), engine.reads.load(ordering: .relaxed))
    }

    @Test func anIntactStore() throws {
        let (problems, reads) = try verified()
        let count = try chunks().count
        #expect(problems.isEmpty && reads >= count && reads <= 2 * count && count >= 160, "\(reads) of \(count)")
    }

    @Test func aDamagedList() throws {
        try damage(#require(try chunks().first))
        let (problems, reads) = try verified()
        let count = try chunks().count
        #expect(problems.contains(.damagedList) && !problems.contains(.surplusBackReference))
        #expect(reads <= 2 * count, "\(reads) of \(count)")
    }

    /// All back references must be compared then, including those of the lists.
    @Test func aDamagedPage() throws {
        try damage(#require(try open.entries().last { $0.key[0] == 1 && $0.key[2] == 1 }))
        let (problems, reads) = try verified()
        let count = try chunks().count
        #expect(!problems.isEmpty && !problems.contains(.surplusBackReference))
        #expect(reads <= 3 * count, "\(reads) of \(count)")
    }
}

/// An engine that counts how many values of a kind are read by their keys.
private final class CountingEngine: StorageEngine {
    private let base: any StorageEngine
    let kind: UInt8
    let reads = Atomic(0)

    init(_ base: any StorageEngine, kind: UInt8) { (self.base, self.kind) = (base, kind) }

    var limits: EngineLimits { base.limits }
    var isReadOnly: Bool { true }
    var latestVersion: EngineVersion { base.latestVersion }
    func makeView() throws(EngineError) -> any EngineView { CountingView(self, try base.makeView()) }
    func changes(after version: EngineVersion?) throws(EngineError) -> EngineChanges { try base.changes(after: version) }
    func commit(_ commit: EngineCommit, durability: Durability) throws(EngineError) -> EngineVersion {
        throw EngineError(.readOnly, "nothing is written here")
    }
    func close() throws(EngineError) {}
}

private final class CountingView: EngineView {
    private let engine: CountingEngine
    private let base: any EngineView

    init(_ engine: CountingEngine, _ base: any EngineView) { (self.engine, self.base) = (engine, base) }

    var version: EngineVersion { base.version }

    private func note(_ key: RawSpan) {
        if [UInt8](copying: key).first == engine.kind { engine.reads.wrappingAdd(1, ordering: .relaxed) }
    }

    func lendValue(for key: RawSpan, to body: (RawSpan) -> Void) throws(EngineError) -> Bool {
        note(key)
        return try base.lendValue(for: key, to: body)
    }

    func lendValues(for keys: KeyList, to body: (Int, RawSpan?) -> Void) throws(EngineError) {
        for index in 0..<keys.count { note(keys[index]) }
        try base.lendValues(for: keys, to: body)
    }

    func lendEntries(in range: KeyRange, reverse: Bool, to body: (RawSpan, RawSpan) -> Bool) throws(EngineError) {
        try base.lendEntries(in: range, reverse: reverse, to: body)
    }
}
