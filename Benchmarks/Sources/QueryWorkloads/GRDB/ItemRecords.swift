#if SQLite
import Foundation
import GRDB

/// The records, as GRDB's documentation recommends: Codable structs, columns and associations declared once. Dates are numbers, the fastest form.
struct ItemRecord: Codable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "item"
    static let owner = belongsTo(OwnerRecord.self, using: ForeignKey(["owner"]))
    static let links = hasMany(LinkRecord.self, using: ForeignKey(["item"]))
    static let tags = hasMany(TagRecord.self, through: links, using: LinkRecord.tag)
    static let best = hasMany(BestRecord.self, using: ForeignKey(["item"]))

    enum Columns {
        static let id = Column(CodingKeys.id)
        static let number = Column(CodingKeys.number)
        static let group = Column(CodingKeys.group)
        static let kind = Column(CodingKeys.kind)
        static let price = Column(CodingKeys.price)
        static let title = Column(CodingKeys.title)
        static let created = Column(CodingKeys.created)
        static let reviewed = Column(CodingKeys.reviewed)
    }

    var id: Int64?
    var number: Int
    var group: Int
    var kind: Int
    var price: Int
    var title: String
    var created: Date
    var reviewed: Date?
    var owner: Int64?

    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy { .timeIntervalSince1970 }
    static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy { .timeIntervalSince1970 }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

struct OwnerRecord: Codable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "owner"
    static let items = hasMany(ItemRecord.self, using: ForeignKey(["owner"]))
    static let best = hasMany(BestRecord.self, using: ForeignKey(["owner"]))

    enum Columns {
        static let name = Column(CodingKeys.name)
    }

    var id: Int64?
    var name: String

    var items: QueryInterfaceRequest<ItemRecord> { request(for: Self.items) }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

struct TagRecord: Codable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "tag"
    static let links = hasMany(LinkRecord.self, using: ForeignKey(["tag"]))
    static let items = hasMany(ItemRecord.self, through: links, using: LinkRecord.item)

    enum Columns {
        static let name = Column(CodingKeys.name)
    }

    var id: Int64?
    var name: String

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// An item has a tag.
struct LinkRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "link"
    static let item = belongsTo(ItemRecord.self, using: ForeignKey(["item"]))
    static let tag = belongsTo(TagRecord.self, using: ForeignKey(["tag"]))

    var item: Int64
    var tag: Int64
}

/// An owner's best item of a year.
struct BestRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "best"

    enum Columns {
        static let owner = Column(CodingKeys.owner)
        static let year = Column(CodingKeys.year)
    }

    var owner: Int64
    var year: Int
    var item: Int64
}
#endif
