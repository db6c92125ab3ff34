#if SQLite
import Foundation
import GRDB

extension GRDBItems {
    private typealias Columns = ItemRecord.Columns

    func run(_ row: Row, _ places: Range<Int>) throws -> Found {
        switch row {
        case .byID: return try one(places) { try ItemRecord.fetchOne($0, key: $1.b) }
        case .byIndex, .missing: return try one(places) { try ItemRecord.filter(Columns.number == $1.a).fetchOne($0) }
        case .many:
            return try items(places) { _, argument in
                ItemRecord.filter((0..<50).map { argument.a + $0 * argument.b }.contains(Columns.number))
            }
        case .group: return try items(places) { ItemRecord.filter(Columns.group == $1.a) }
        case .groupCount: return try count(places) { try ItemRecord.filter(Columns.group == $1.a).fetchCount($0) }
        case .page:
            return try items(places, inOrder: true) {
                ItemRecord.filter(Columns.number >= $1.a).order(Columns.number, Columns.id).limit(100)
            }
        case .pageCompound:
            return try items(places, inOrder: true) {
                ItemRecord.filter(Columns.kind == $1.a && Columns.price >= $1.b).order(Columns.price, Columns.id).limit(100)
            }
        case .pageOffset:
            return try items(places, inOrder: true) { ItemRecord.order(Columns.number, Columns.id).limit(100, offset: $1.a) }
        case .pageAfter:
            return try items(places, inOrder: true) {
                ItemRecord.filter(sql: "(number, id) > (?, ?)", arguments: [$1.a, $1.b]).order(Columns.number, Columns.id).limit(100)
            }
        case .ownerItems: return try items(places) { try self.owner($0, $1)?.items }
        case .ownerJoin:
            return try items(places) { ItemRecord.joining(required: ItemRecord.owner.filter(OwnerRecord.Columns.name == $1.text)) }
        case .ownerSort:
            return try items(places, inOrder: true) { _, _ in
                let owner = TableAlias()
                return ItemRecord.joining(required: ItemRecord.owner.aliased(owner)).order(owner[OwnerRecord.Columns.name], Columns.id)
                    .limit(100)
            }
        case .ownerSortAll:
            return try items(places, inOrder: true) { _, _ in
                let owner = TableAlias()
                return ItemRecord.joining(optional: ItemRecord.owner.aliased(owner)).order(owner[OwnerRecord.Columns.name], Columns.id)
                    .limit(100)
            }
        case .ownerCount: return try count(places) { try self.owner($0, $1)?.items.fetchCount($0) ?? 0 }
        case .tagItems:
            return try items(places) { db, argument in
                try TagRecord.filter(TagRecord.Columns.name == argument.text).fetchOne(db)?.request(for: TagRecord.items)
            }
        case .itemTags: return try tags(places)
        case .dictionary:
            return try one(places) { db, argument in
                guard let owner = try self.owner(db, argument) else { return nil }
                let best = BestRecord.Columns.self
                let isIt = best.owner == owner.id && best.year == argument.a
                return try ItemRecord.joining(required: ItemRecord.best.filter(isIt)).fetchOne(db)
            }
        case .range: return try items(places) { ItemRecord.filter($1.isCreated && Columns.price < $1.b) }
        case .or: return try items(places) { ItemRecord.filter(Columns.group == $1.a || Columns.number == $1.b) }
        case .isNil:
            return try items(places, inOrder: true) { _, _ in ItemRecord.filter(Columns.reviewed == nil).order(Columns.id).limit(100) }
        case .notNil: return try items(places) { _, _ in ItemRecord.filter(Columns.reviewed != nil) }
        case .dates: return try items(places, inOrder: true) { ItemRecord.filter($1.isCreated).order(Columns.created, Columns.id) }
        case .scanCount:
            return try count(places) { try ItemRecord.filter(sql: "instr(title, ?) > 0", arguments: [$1.text]).fetchCount($0) }
        case .scanPrefix: return try items(places) { ItemRecord.filter(Columns.title >= $1.text && Columns.title < $1.textEnd) }
        case .sort: return try items(places, inOrder: true) { _, _ in ItemRecord.order(Columns.title, Columns.id).limit(100) }
        case .sum: return try value(places) { ItemRecord.filter(Columns.kind == $0.a).select(sum(Columns.price), as: Int.self) }
        case .sumScan:
            return try value(places) {
                ItemRecord.filter(sql: "instr(title, ?) > 0", arguments: [$0.text]).select(sum(Columns.price), as: Int.self)
            }
        case .least: return try value(places) { ItemRecord.filter(Columns.kind == $0.a).select(min(Columns.price), as: Int.self) }
        case .kinds: return try kinds(places)
        case .all: return try items(places, inOrder: true) { _, _ in ItemRecord.order(Columns.id) }
        case .change, .insert, .delete: return try change(row, places)
        }
    }

    private func owner(_ db: Database, _ argument: Argument) throws -> OwnerRecord? {
        try OwnerRecord.filter(OwnerRecord.Columns.name == argument.text).fetchOne(db)
    }

    /// The items of a query each, in a transaction of its own.
    private func items(
        _ places: Range<Int>,
        inOrder: Bool = false,
        _ query: (Database, Argument) throws -> QueryInterfaceRequest<ItemRecord>?
    ) throws -> Found {
        var found = Found()
        for place in places {
            let items = try queue.read { db in try query(db, arguments[place])?.fetchAll(db) ?? [] }
            for (place, item) in items.enumerated() {
                found.add(number: item.number, price: item.price, title: item.title)
                if inOrder { found.add(number: item.number, at: place) }
            }
        }
        return found
    }

    private func one(_ places: Range<Int>, _ query: (Database, Argument) throws -> ItemRecord?) throws -> Found {
        var found = Found()
        for place in places {
            guard let item = try queue.read({ db in try query(db, arguments[place]) }) else { continue }
            found.add(number: item.number, price: item.price, title: item.title)
        }
        return found
    }

    private func count(_ places: Range<Int>, _ query: (Database, Argument) throws -> Int) throws -> Found {
        var found = Found()
        for place in places { found.count += UInt64(try queue.read { try query($0, arguments[place]) }) }
        return found
    }

    private func value(_ places: Range<Int>, _ query: (Argument) -> QueryInterfaceRequest<Int>) throws -> Found {
        var found = Found()
        for place in places {
            found.add(number: 0, price: try queue.read { try query(arguments[place]).fetchOne($0) } ?? 0, title: "")
        }
        return found
    }

    private func kinds(_ places: Range<Int>) throws -> Found {
        var found = Found()
        for _ in places {
            let kinds = try queue.read { db in
                try GRDB.Row.fetchAll(db, sql: "SELECT kind, count(*) FROM item GROUP BY kind ORDER BY kind")
            }
            for (place, row) in kinds.enumerated() {
                let kind: Int = row[0]
                found.add(number: kind, price: row[1], title: "")
                found.add(number: kind, at: place)
            }
        }
        return found
    }

    private func tags(_ places: Range<Int>) throws -> Found {
        var found = Found()
        for place in places {
            let tags = try queue.read { db in
                try ItemRecord.filter(Columns.number == arguments[place].a).fetchOne(db)?.request(for: ItemRecord.tags).fetchAll(db)
            }
            for tag in tags ?? [] { found.add(number: 0, price: 0, title: tag.name) }
        }
        return found
    }
}

extension Argument {
    fileprivate var isCreated: SQLExpression { ItemRecord.Columns.created >= from && ItemRecord.Columns.created < to }
}
#endif
