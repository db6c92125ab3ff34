import CairnCore
import Synchronization

/// Verifies a whole store, as seen by one view.
final class Verifier {
    let store: ObjectStore
    let view: StoreView
    var report = ObjectStoreVerification()
    /// Collects the repairs; `nil` if nothing is to be repaired.
    var repairs: EngineCommit?
    /// The existing rows: a bit for each, by page key. All bits are set for unreadable pages.
    private var rows: [UInt64: UInt32] = [:]
    /// The objects whose records are stored outside their page.
    var large: Set<ObjectID> = []
    var pageCount = 0
    /// The keys of the chunks that directories name, and the objects whose directories are unknown.
    var chunks: Set<[UInt8]> = []
    var unknownDirectories: Set<ObjectID> = []
    /// Lists with chunks that cannot be read, by owner and field; and the targets of the list that was asked for last.
    var damagedLists: Set<Link> = []
    var lastList: (owner: ObjectID, property: UInt16, targets: Set<ObjectID>)?
    /// The keys that must exist, to be looked up together.
    var expectations: [Expectation] = []
    /// The number of required entries found: if there are no others, none is superfluous.
    var foundReferences = 0
    var foundEntries: [UInt32: Int] = [:]
    /// The highest rows that exceed the last assigned ones.
    var highestRows: [UInt16: UInt64] = [:]
    /// The last row that was given out in each class, by class number.
    var lastRows: [UInt16: UInt64] = [:]
    /// The unique entries that repairs write.
    var repairedKeys: Set<[UInt8]> = []

    init(_ store: ObjectStore, _ view: StoreView) {
        self.store = store
        self.view = view
    }

    func run(_ step: (Double) throws(ObjectStoreError) -> Void) throws(ObjectStoreError) {
        try step(0)
        for stored in store.classes {
            report.classes.append(.init(name: stored.name, isKnown: stored.schema != nil))
            try findRows(stored)
        }
        try step(0.1)
        var done = 0
        for stored in store.classes { try verifyObjects(stored, &done, step) }
        try verifyLargeRecords()
        try verifyChunks()
        try step(0.7)
        try verifyBackReferences()
        try step(0.8)
        for stored in store.classes {
            try verifyEntries(stored)
            try verifyTexts(stored)
        }
        try step(0.9)
        try verifyNames()
        try verifyGroups()
        try findUnknownKeys()
        try step(1)
    }

    // MARK: Rows

    /// Collects the rows of a class.
    private func findRows(_ stored: StoredClass) throws(ObjectStoreError) {
        try view.forEachPage(of: stored, other: addUnknown) { page, bytes in
            pageCount += 1
            rows[page] = Self.bits(bytes) ?? .max
            return true
        }
    }

    private static func bits(_ page: [UInt8]) -> UInt32? {
        guard var records = unsafe ObjectPage.Records(page.span.bytes), records.skipAll() else { return nil }
        return records.bits
    }

    func hasRow(_ id: ObjectID) -> Bool {
        let page = ObjectID(class: id.classNumber, row: ObjectPage.page(of: id.row)).raw
        return rows[page].map { $0 & 1 << UInt32(ObjectPage.slot(of: id.row)) != 0 } ?? false
    }

    // MARK: Reporting

    func add(
        _ kind: ObjectStoreVerification.Problem.Kind,
        _ stored: StoredClass?,
        _ object: ObjectID? = nil,
        _ property: String? = nil,
        target: ObjectID? = nil,
        reason: String
    ) {
        report.add(.init(kind: kind, className: stored?.name, object: object, property: property, target: target, reason: reason))
    }

    /// What messages call an object.
    func phrase(_ id: ObjectID) -> String {
        "\(store.storedClass(number: id.classNumber)?.name ?? "class \(id.classNumber)") \(id.row)"
    }

    func changeClass(_ stored: StoredClass, _ body: (inout ObjectStoreVerification.ClassCounts) -> Void) {
        body(&report.classes[Int(stored.number) - 1])
    }

    /// Reports what the engine cannot read as a problem; rethrows other errors.
    func noting(
        _ what: String,
        _ stored: StoredClass? = nil,
        _ body: () throws(ObjectStoreError) -> Void
    ) throws(ObjectStoreError) {
        do throws(ObjectStoreError) { try body() } catch {
            guard error.isDamageOfEngine else { throw error }
            add(.unreadable, stored, reason: "\(what) of \(store.name) cannot be read: \(error.message)")
        }
    }
}
