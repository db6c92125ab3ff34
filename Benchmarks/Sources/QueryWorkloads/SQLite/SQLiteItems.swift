#if SQLite
import BenchKit
import Foundation
import RivalSQLite

/// SQLite in C.
@safe final class SQLiteItems: ItemSide {
    let name: String
    let isSQLite = true
    private var items: OpaquePointer?
    /// Lent to the C program.
    private var arguments: [rival_argument] = unsafe []

    init(name: String = "SQLite") { self.name = name }

    deinit { freeTexts() }

    /// The tables first, then the indexes, which is the faster way.
    func build(_ items: Items, at path: String) throws {
        try unsafe check(rival_items_open(path, false, &self.items))
        try unsafe check(rival_items_begin(self.items))
        try add(owners: items)
        for place in 0..<items.count { try add(items[place], Int64(place) + 1) }
        try unsafe check(rival_items_commit(self.items))
        try unsafe check(rival_items_index(self.items))
        try close()
    }

    func insert(_ rows: [ItemRow], _ items: Items) throws {
        try unsafe check(rival_items_begin(self.items))
        try add(owners: items)
        for (place, row) in rows.enumerated() { try add(row, Int64(place) + 1) }
        try unsafe check(rival_items_commit(self.items))
    }

    private func add(owners items: Items) throws {
        for owner in 0..<items.owners { try unsafe check(rival_items_add_owner(self.items, Int64(owner) + 1, Items.ownerName(owner))) }
        for tag in 0..<items.tags { try unsafe check(rival_items_add_tag(self.items, Int64(tag) + 1, Items.tagName(tag))) }
    }

    private func add(_ row: ItemRow, _ id: Int64) throws {
        var item = unsafe rival_item()
        unsafe item.id = id
        unsafe item.number = Int64(row.number)
        unsafe item.group = Int64(row.group)
        unsafe item.kind = Int64(row.kind)
        unsafe item.price = Int64(row.price)
        unsafe item.owner = Int64(row.owner) + 1
        unsafe item.created = row.created
        unsafe item.reviewed = row.reviewed ?? .nan
        try unsafe row.title.withCString { title in
            unsafe item.title = title
            try unsafe check(rival_items_add(items, &item))
        }
        for tag in row.tags { try unsafe check(rival_items_add_link(items, id, Int64(tag) + 1)) }
        if let year = row.year { try unsafe check(rival_items_add_best(items, Int64(row.owner) + 1, Int64(year), id)) }
    }

    func open(_ path: String) throws { try unsafe check(rival_items_open(path, true, &items)) }

    func close() throws {
        guard let open = unsafe items else { return }
        unsafe items = nil
        try unsafe check(rival_items_close(open))
    }

    func prepare(_ row: Row, _ arguments: [Argument]) throws {
        freeTexts()
        unsafe self.arguments = arguments.map { argument in
            unsafe rival_argument(
                a: Int64(argument.a),
                b: Int64(argument.b),
                from: argument.from,
                to: argument.to,
                text: strdup(argument.text),
                text_end: strdup(argument.textEnd)
            )
        }
    }

    func run(_ row: Row, _ places: Range<Int>) throws -> Found {
        var found = rival_found()
        try unsafe arguments.withUnsafeBufferPointer { arguments in
            try unsafe check(rival_items_run(items, row.rival, arguments.baseAddress! + places.lowerBound, places.count, &found))
        }
        return Found(count: found.count, numbers: found.numbers, prices: found.prices, letters: found.letters, order: found.order)
    }

    private func freeTexts() {
        unsafe arguments.forEach { argument in
            unsafe free(UnsafeMutablePointer(mutating: argument.text))
            unsafe free(UnsafeMutablePointer(mutating: argument.text_end))
        }
        unsafe arguments = []
    }

    private func check(_ code: Int32) throws {
        guard code == 0 else { throw Disagreement("\(name) failed: \(unsafe String(cString: rival_sqlite_message(code)))") }
    }
}

extension Row {
    /// What the C program calls it.
    fileprivate var rival: rival_row {
        switch self {
        case .byID: RIVAL_BY_ID
        case .byIndex: RIVAL_BY_INDEX
        case .missing: RIVAL_MISSING
        case .many: RIVAL_MANY
        case .group: RIVAL_GROUP
        case .groupCount: RIVAL_GROUP_COUNT
        case .page: RIVAL_PAGE
        case .pageCompound: RIVAL_PAGE_COMPOUND
        case .pageOffset: RIVAL_PAGE_OFFSET
        case .pageAfter: RIVAL_PAGE_AFTER
        case .ownerItems: RIVAL_OWNER_ITEMS
        case .ownerJoin: RIVAL_OWNER_JOIN
        case .ownerSort: RIVAL_OWNER_SORT
        case .ownerSortAll: RIVAL_OWNER_SORT_ALL
        case .ownerCount: RIVAL_OWNER_COUNT
        case .tagItems: RIVAL_TAG_ITEMS
        case .itemTags: RIVAL_ITEM_TAGS
        case .dictionary: RIVAL_DICTIONARY
        case .range: RIVAL_RANGE
        case .or: RIVAL_OR
        case .isNil: RIVAL_NIL
        case .notNil: RIVAL_NOT_NIL
        case .dates: RIVAL_DATES
        case .scanCount: RIVAL_SCAN_COUNT
        case .scanPrefix: RIVAL_SCAN_PREFIX
        case .sort: RIVAL_SORT
        case .sum: RIVAL_SUM
        case .sumScan: RIVAL_SUM_SCAN
        case .least: RIVAL_LEAST
        case .kinds: RIVAL_KINDS
        case .all: RIVAL_ALL
        case .change: RIVAL_CHANGE
        case .insert: RIVAL_INSERT
        case .delete: RIVAL_DELETE
        }
    }
}
#endif
