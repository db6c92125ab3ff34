import BenchKit
import StoreEngines

/// What programs ask of a store of items all day: a row of the table each.
enum Row: String, CaseIterable {
    case byID = "by-id"
    case byIndex = "by-index"
    case missing
    case many
    case group
    case groupCount = "group-count"
    case page
    case pageCompound = "page-compound"
    case pageOffset = "page-offset"
    case pageAfter = "page-after"
    case ownerItems = "owner-items"
    case ownerJoin = "owner-join"
    case ownerSort = "owner-sort"
    case ownerSortAll = "owner-sort-all"
    case ownerCount = "owner-count"
    case tagItems = "tag-items"
    case itemTags = "item-tags"
    case dictionary
    case range
    case or
    case isNil = "nil"
    case notNil = "not-nil"
    case dates
    case scanCount = "scan-count"
    case scanPrefix = "scan-prefix"
    case sort
    case sum
    case sumScan = "sum-scan"
    case least
    case kinds
    case all
    case change
    case insert
    case delete

    /// Those that read, each measured by itself. All objects are read when a store is opened.
    static let reading = allCases.filter { !$0.isChange && $0 != .all }
    static let changes: [Row] = [.change, .insert, .delete]

    var isChange: Bool { Self.changes.contains(self) }

    var summary: String {
        switch self {
        case .byID: "an item by its ID"
        case .byIndex: "an item by an indexed number"
        case .missing: "an item by an indexed number that none has"
        case .many: "50 items by their numbers"
        case .group: "the 300 items of a group"
        case .groupCount: "the number of items of a group"
        case .page: "100 items from a number on, in its order"
        case .pageCompound: "100 items of a kind from a price on, in its order"
        case .pageOffset: "100 items behind a sixth of all, in order"
        case .pageAfter: "the next 100 items in order"
        case .ownerItems: "an owner by name, and its 100 items"
        case .ownerJoin: "the items whose owner has a name"
        case .ownerSort: "the first 100 items that have an owner, in the order of the owners' names"
        case .ownerSortAll: "the first 100 items in the order of their owners' names, those without an owner first"
        case .ownerCount: "an owner by name, and the number of its items"
        case .tagItems: "a tag by name, and the 100 items that have it"
        case .itemTags: "an item by number, and its four tags"
        case .dictionary: "an owner by name, and its best item of a year"
        case .range: "100 items of a range of dates and below a price"
        case .or: "items of a group or with a number"
        case .isNil: "the first 100 items without a date"
        case .notNil: "the 100 items with a date"
        case .dates: "100 items of a range of dates, in its order"
        case .scanCount: "the number of titles that contain a word, no index"
        case .scanPrefix: "the items whose title begins with a word, no index"
        case .sort: "the first 100 of all in the order of titles, no index"
        case .sum: "the sum of the prices of a kind, which an index has"
        case .sumScan: "the sum of the prices of titles that contain a word, no index"
        case .least: "the least price of a kind"
        case .kinds: "the number of items of each of ten kinds"
        case .all: "all items"
        case .change: "find an item and change it, a commit each"
        case .insert: "insert an item, a commit each"
        case .delete: "delete an item by number, a commit each"
        }
    }

    func workload(_ engine: StoreEngine) -> Workload {
        let goals: [Goal] =
            switch self {
            case .byID, .byIndex, .missing, .page, .pageCompound, .pageOffset, .pageAfter, .dates, .dictionary, .isNil, .least:
                [.ratio(4, to: "SQLite"), .ratio(0.5, to: "GRDB")]
            case .scanCount, .scanPrefix, .sort, .sumScan: [.ratio(1, to: "SQLite"), .ratio(1, to: "GRDB")]
            case .change, .insert, .delete: [.ratio(1, to: "GRDB")]
            default: [.ratio(4, to: "SQLite"), .ratio(1, to: "GRDB")]
            }
        return engine.queryWorkload(Workload("queries/\(rawValue)", summary, goals: goals))
    }

    /// How it grows with the store, of those that an index leads to; the same number of items is found in all stores.
    func growth(_ engine: StoreEngine) -> Workload? {
        switch self {
        case .byID, .byIndex, .missing, .many, .group, .groupCount, .page, .pageCompound, .pageAfter, .ownerItems, .ownerJoin, .tagItems,
            .itemTags, .dictionary, .range, .or, .notNil, .dates:
            engine.workload(
                Workload("queries/\(rawValue)-growth", "\(summary): the growth with the store", goals: [.value(1.3)]),
                goals: [.value(1.3)]
            )
        default: nil
        }
    }
}
