#if SQLite
import Foundation
import GRDB

extension GRDBItems {
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
}
#endif
