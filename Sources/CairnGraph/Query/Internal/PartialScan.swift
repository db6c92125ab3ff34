import CairnCore

/// A part of a scan of a class, which a thread other than the context's may run: tests the records of some of its pages.
///
/// Makes no objects, and throws no errors: what it cannot decide is left to the context's thread, with the row to continue from.
///
/// Sendable although it changes: one thread at a time uses it.
final class PartialScan: @unchecked Sendable {
    /// What is kept of a match.
    enum Form {
        case number, identity, record
        /// Identity and key, as long as the keeper would keep them.
        case kept(MatchKeeper)
    }

    /// A match, or a record that needs its object to decide.
    struct Hit {
        let id: ObjectID
        /// Where its record is among the records kept; empty for a match whose record is not wanted.
        let record: Range<Int>
    }

    let start: UInt64
    /// `nil`: to the last.
    let end: UInt64?
    private let judge: RecordJudge
    let form: Form
    private let number: UInt16
    /// Objects that count as they are in the context.
    private let changed: Set<ObjectID>
    /// The place after which the results begin, if they are in row order.
    private let place: CursorPlace?

    private(set) var count = 0
    private(set) var hits: [Hit] = []
    private(set) var records: [UInt8] = []
    /// The first row that was not examined; `nil` once all were.
    private(set) var rest: UInt64?
    private var isStopped = false
    private var unknown = 0
    /// This many records that need objects are worth a second look.
    private static var mostUnknown: Int { 256 }

    init(
        from start: UInt64,
        to end: UInt64?,
        _ judge: RecordJudge,
        _ form: Form,
        _ stored: StoredClass,
        changed: Set<ObjectID>,
        after place: CursorPlace?
    ) {
        (self.start, self.end, self.judge, self.form, number) = (start, end, judge, form, stored.number)
        (self.changed, self.place, rest) = (changed, place, start)
    }

    func run(_ view: StoreView) {
        let keeper: MatchKeeper? = if case .kept(let keeper) = form { keeper } else { nil }
        do throws(ObjectStoreError) {
            try view.lendEntries(in: Keyspace.pages(number, from: start, to: end), reverse: false) { key, page in
                guard let first = Keyspace.firstRow(ofPage: key) else { return true }
                return examine(page, first, view, keeper)
            }
            if !isStopped { rest = nil }
        } catch {
            // Reading on from there fails with the reason.
        }
        keeper?.finish()
    }

    private func stop() -> Bool {
        isStopped = true
        return false
    }

    private func examine(_ page: RawSpan, _ first: UInt64, _ view: StoreView, _ keeper: MatchKeeper?) -> Bool {
        rest = max(first, start)
        guard var pageRecords = ObjectPage.Records(page) else { return stop() }
        while let row = pageRecords.next() {
            let id = ObjectID(class: number, row: first + UInt64(row.slot))
            if !changed.isEmpty, changed.contains(id) { continue }
            if let place, !place.precedes(id, []) { continue }
            rest = id.row
            let isKnown = row.record.isEmpty ? examineLarge(id, view, keeper) : examine(row.record, id, keeper)
            guard isKnown else { return stop() }
        }
        guard pageRecords.isWhole else { return stop() }
        rest = first + UInt64(ObjectPage.rowCount)
        return true
    }

    private func examineLarge(_ id: ObjectID, _ view: StoreView, _ keeper: MatchKeeper?) -> Bool {
        var isKnown = false
        do throws(ObjectStoreError) {
            try unsafe view.lendValue(for: Keyspace.large(id).span.bytes) { record in isKnown = examine(record, id, keeper) }
        } catch {
            return false
        }
        return isKnown
    }

    /// Returns whether the scan can continue.
    private func examine(_ record: RawSpan, _ id: ObjectID, _ keeper: MatchKeeper?) -> Bool {
        let verdict: RecordJudge.Verdict
        do throws(RecordError) { verdict = try judge.judge(record, id, for: keeper) } catch { return false }
        switch (verdict, form) {
        case (.no, _): break
        case (.yes, .number): count += 1
        case (.yes, .identity): hits.append(Hit(id: id, record: 0..<0))
        case (.yes, .kept(let keeper)): keeper.add(QueryMatch(id: id, object: nil, key: judge.key))
        case (.yes, .record): keep(record, id)
        case (.passes, _), (.unknown, _):
            unknown += 1
            guard unknown <= Self.mostUnknown else { return false }
            keep(record, id)
        }
        return true
    }

    private func keep(_ record: RawSpan, _ id: ObjectID) {
        let start = records.count
        unsafe record.withUnsafeBytes { unsafe records.append(contentsOf: $0) }
        hits.append(Hit(id: id, record: start..<records.count))
    }
}
