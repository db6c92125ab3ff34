import BenchKit
import CairnObjects
import Foundation
import StoreEngines

/// The subject: CairnObjects through its public API.
final class CairnItems: ItemSide {
    let name: String
    let isSQLite = false
    let engine: StoreEngine
    let options: ObjectStoreOptions
    private var opened: ObjectStore?
    /// What the row that runs is asked about.
    private(set) var arguments: [Argument] = []
    /// The IDs of items that are asked for by them.
    private(set) var ids: [ObjectID] = []
    /// The IDs of all owners, which new items get.
    private(set) var owners: [ObjectID] = []

    init(name: String? = nil, _ engine: StoreEngine = .rocks, options: ObjectStoreOptions = ObjectStoreOptions()) {
        self.name = name ?? engine.sideName
        self.engine = engine
        self.options = options
    }

    var store: ObjectStore {
        get throws {
            guard let opened else { throw Disagreement("the store is not open") }
            return opened
        }
    }

    func open(_ path: String) throws {
        opened = try engine.open(path, [Item.self, Owner.self, Tag.self], options)
    }

    func close() throws {
        try opened?.close()
        opened = nil
    }

    /// Stores of more items than a program would insert at once are made of several commits.
    func build(_ items: Items, at path: String) throws {
        let portion = 300_000
        try open(path)
        _ = try store.write { insert(owners: items, $0) }
        for start in stride(from: 0, to: items.count, by: portion) {
            try store.write { context in
                let owners = try context.allObjects(Owner.self), tags = try context.allObjects(Tag.self)
                for place in start..<min(items.count, start + portion) { insert(items[place], owners, tags, context) }
            }
        }
        try close()
    }

    func insert(_ rows: [ItemRow], _ items: Items) throws {
        try store.write { context in
            let (owners, tags) = insert(owners: items, context)
            for row in rows { insert(row, owners, tags, context) }
        }
    }

    private func insert(owners items: Items, _ context: ObjectContext) -> ([Owner], [Tag]) {
        let owners = (0..<items.owners).map { Owner(name: Items.ownerName($0)) }
        let tags = (0..<items.tags).map { Tag(name: Items.tagName($0)) }
        for owner in owners { context.insert(owner) }
        for tag in tags { context.insert(tag) }
        return (owners, tags)
    }

    private func insert(_ row: ItemRow, _ owners: [Owner], _ tags: [Tag], _ context: ObjectContext) {
        let item = Item(
            number: row.number,
            group: row.group,
            kind: row.kind,
            price: row.price,
            title: row.title,
            created: Date(timeIntervalSince1970: row.created),
            reviewed: row.reviewed.map { Date(timeIntervalSince1970: $0) },
            owner: owners[row.owner]
        )
        context.insert(item)
        for tag in row.tags { item.tags.insert(tags[tag]) }
        if let year = row.year { owners[row.owner].best[year] = item }
    }

    func prepare(_ row: Row, _ arguments: [Argument]) throws {
        self.arguments = arguments
        guard row == .byID || row == .insert else { return }
        try store.read { context in
            if row == .byID {
                ids = try arguments.compactMap { argument in try context.fetchIDs(Item.self, where: \.number == argument.a).first }
            }
            if row == .insert { owners = try context.fetchIDs(Owner.self) }
        }
    }
}
