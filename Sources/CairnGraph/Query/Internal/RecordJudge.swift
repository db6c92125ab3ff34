import CairnCore

/// Decides from records alone whether a query finds them, and makes their sort keys. For a single thread.
final class RecordJudge {
    enum Verdict {
        case no
        case yes
        /// It passes the tests of records; what is left to ask or the sort key needs the object.
        case passes
        /// Only the object can tell.
        case unknown
    }

    /// Not optional, as testing the content of an optional counts references.
    private let test: RecordTest
    let hasTest: Bool
    private let texts: [TextRecordTest]
    /// Whether records that pass the tests may need another test.
    private let asksMore: Bool
    private let order: RecordOrder?
    private let wantsKey: Bool
    /// Where large texts are.
    private let view: StoreView
    private let fields: FieldMap
    private let version: UInt8
    /// Refuses most records that come after the last one kept, before their keys are made.
    private var bound: RecordTest?
    private var boundKey: [UInt8] = []
    /// How many keys were made for nothing since the bound was looked at.
    private var refused = 0

    init(
        _ test: RecordTest?,
        _ texts: [TextRecordTest],
        asksMore: Bool,
        _ order: RecordOrder?,
        wantsKey: Bool,
        _ stored: StoredClass,
        _ view: StoreView
    ) {
        self.test = test ?? RecordTest()
        hasTest = test != nil
        self.texts = texts
        self.asksMore = asksMore
        self.order = order
        self.wantsKey = wantsKey
        self.view = view
        fields = stored.fields
        version = stored.version
    }

    /// Whether it decides alone, from records only: then a thread other than the context's can use it.
    var decidesAlone: Bool { !asksMore && texts.isEmpty && test.asksRecordsOnly && order?.asksRecordsOnly ?? true }

    /// Whether a part of the condition or of the key is left to objects.
    var needsObjects: Bool { asksMore || wantsKey && order == nil }

    var hasOrder: Bool { order != nil }

    /// The key of the record judged last, if the answer was yes and there is a keeper.
    var key: [UInt8] { order?.key ?? [] }

    /// - Parameter keeper: Records that it would not keep are refused.
    func judge(_ record: RawSpan, _ id: ObjectID, for keeper: MatchKeeper?) throws(RecordError) -> Verdict {
        if GroupedRecord.isShredded(record) { return .no }
        guard let header = ObjectRecord.Header(record), header.version >= version else { return .unknown }
        let values = record.extracting(droppingFirst: header.size)
        let fields = fields
        if hasTest {
            var reader = RecordReader(bytes: values, fields: fields, version: header.version)
            guard let holds = try test.holds(&reader) else { return .unknown }
            guard holds else { return .no }
        }
        for text in texts { guard try text.holds(record, id, view) else { return .no } }
        if asksMore { return .passes }
        guard let keeper else { return .yes }
        var reader = RecordReader(bytes: values, fields: fields, version: header.version)
        if let bound, try bound.holds(&reader) == false { return .no }
        guard let order, try order.read(&reader) else { return .passes }
        guard keeper.accepts(order.key, id) else {
            refused += 1
            if refused == 16 { tighten(order, keeper) }
            return .no
        }
        return .yes
    }

    private func tighten(_ order: RecordOrder, _ keeper: MatchKeeper) {
        refused = 0
        guard let last = keeper.lastKey, last != boundKey else { return }
        (bound, boundKey) = (order.test(through: last), last)
    }
}

extension RecordJudge {
    /// The judge of a plan, and the part of the condition that it leaves to ask.
    static func make(
        _ plan: QueryPlan,
        _ targets: QueryTargets,
        _ stored: StoredClass
    ) throws(ObjectStoreError) -> (judge: RecordJudge, rest: Condition) {
        let (texts, others) = plan.residual.textsApart
        let textTests = texts.map { TextRecordTest($0.query, $0.isNegated, $0.properties, stored) }
        let (test, rest) = others.recordTest(targets, stored)
        var order: RecordOrder?
        let wantsKey = if case .sorted = plan.order { true } else { false }
        if wantsKey { order = try RecordOrder(plan.sort, targets.context, stored) }
        return (RecordJudge(test, textTests, asksMore: !rest.isAlways, order, wantsKey: wantsKey, stored, targets.view), rest)
    }
}
