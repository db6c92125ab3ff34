#if SQLite
import Foundation
import GRDB

extension GRDBItems {
    func insert(_ rows: [ItemRow], _ items: Items) throws {
        try queue.write { db in
            for owner in 0..<items.owners {
                var owner = OwnerRecord(name: Items.ownerName(owner))
                try owner.insert(db)
            }
            for tag in 0..<items.tags {
                var tag = TagRecord(name: Items.tagName(tag))
                try tag.insert(db)
            }
            for row in rows {
                var item = ItemRecord(row)
                try item.insert(db)
                for tag in row.tags { try LinkRecord(item: item.id!, tag: Int64(tag) + 1).insert(db) }
                if let year = row.year { try BestRecord(owner: Int64(row.owner) + 1, year: year, item: item.id!).insert(db) }
            }
        }
    }

    /// Changes, each with a commit of its own.
    func change(_ row: Row, _ places: Range<Int>) throws -> Found {
        var found = Found()
        for place in places {
            let argument = arguments[place]
            try queue.write { db in
                let items = ItemRecord.filter(ItemRecord.Columns.number == argument.a)
                switch row {
                case .change:
                    guard var item = try items.fetchOne(db) else { return }
                    try item.updateChanges(db) { $0.title = argument.text }
                    found.count += 1
                case .insert:
                    var item = ItemRecord(argument)
                    try item.insert(db)
                    found.count += 1
                default: found.count += UInt64(try items.deleteAll(db))
                }
            }
        }
        return found
    }
}

extension ItemRecord {
    fileprivate init(_ argument: Argument) {
        self.init(
            number: argument.a,
            group: argument.b,
            kind: argument.a % Items.kinds,
            price: argument.a % 1000,
            title: argument.text,
            created: Date(timeIntervalSince1970: argument.from),
            owner: Int64(argument.b)
        )
    }

    fileprivate init(_ row: ItemRow) {
        self.init(
            number: row.number,
            group: row.group,
            kind: row.kind,
            price: row.price,
            title: row.title,
            created: Date(timeIntervalSince1970: row.created),
            reviewed: row.reviewed.map { Date(timeIntervalSince1970: $0) },
            owner: Int64(row.owner) + 1
        )
    }
}
#endif
