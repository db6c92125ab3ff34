import CairnObjects
import Foundation

extension CairnItems {
    func run(_ row: Row, _ places: Range<Int>) throws -> Found {
        switch row {
        case .byID:
            var found = Found()
            for place in places {
                try store.read { context in try found.add(context.object(ids[place], as: Item.self)) }
            }
            return found
        case .byIndex, .missing: return try one(places) { try $0.first(where: \.number == $1.a) }
        case .many:
            return try items(places) { context, argument in
                try context.fetch(where: .isIn(\.number, (0..<50).map { argument.a + $0 * argument.b }))
            }
        case .group: return try items(places) { try $0.fetch(where: \.group == $1.a) }
        case .groupCount: return try count(places) { try $0.count(where: \Item.group == $1.a) }
        case .page: return try items(places, inOrder: true) { try $0.fetch(where: \.number >= $1.a, sortedBy: \.number, limit: 100) }
        case .pageCompound:
            return try items(places, inOrder: true) {
                try $0.fetch(where: \.kind == $1.a && \.price >= $1.b, sortedBy: \.price, limit: 100)
            }
        case .pageOffset: return try items(places, inOrder: true) { try $0.fetch(sortedBy: \.number, limit: 100, offset: $1.a) }
        case .pageAfter: return try items(places, inOrder: true) { try $0.fetch(where: \.number > $1.a, sortedBy: \.number, limit: 100) }
        case .ownerItems: return try items(places) { try $0.first(Owner.self, where: \.name == $1.text)?.items.load() ?? [] }
        case .ownerJoin:
            return try items(places) { context, argument in
                let name = argument.text
                return try context.fetch(where: #Predicate<Item> { $0.owner?.name == name })
            }
        case .ownerSort:
            return try items(places, inOrder: true) { context, _ in
                try context.fetch(where: !.isNil(\.owner), sortedBy: [.ascending(\.owner, \.name)], limit: 100)
            }
        case .ownerSortAll:
            return try items(places, inOrder: true) { context, _ in try context.fetch(sortedBy: [.ascending(\.owner, \.name)], limit: 100) }
        case .ownerCount: return try count(places) { try $0.first(Owner.self, where: \.name == $1.text)?.items.count ?? 0 }
        case .tagItems: return try items(places) { try $0.first(Tag.self, where: \.name == $1.text)?.items.load() ?? [] }
        case .itemTags: return try tags(places)
        case .dictionary: return try one(places) { try $0.first(Owner.self, where: \.name == $1.text)?.best[$1.a] }
        case .range:
            return try items(places) { try $0.fetch(where: .isBetween(\.created, $1.dates) && \.price < $1.b) }
        case .or: return try items(places) { try $0.fetch(where: \.group == $1.a || \.number == $1.b) }
        case .isNil: return try items(places, inOrder: true) { context, _ in try context.fetch(where: .isNil(\.reviewed), limit: 100) }
        case .notNil: return try items(places) { context, _ in try context.fetch(where: !.isNil(\.reviewed)) }
        case .dates:
            return try items(places, inOrder: true) { try $0.fetch(where: .isBetween(\.created, $1.dates), sortedBy: \.created) }
        case .scanCount: return try count(places) { try $0.count(Item.self, where: .contains(\.title, $1.text)) }
        case .scanPrefix: return try items(places) { try $0.fetch(where: .hasPrefix(\.title, $1.text)) }
        case .sort: return try items(places, inOrder: true) { context, _ in try context.fetch(sortedBy: \.title, limit: 100) }
        case .sum: return try value(places) { try $0.sum(of: \Item.price, where: \.kind == $1.a) }
        case .sumScan: return try value(places) { try $0.sum(of: \Item.price, where: .contains(\.title, $1.text)) }
        case .least: return try value(places) { try $0.min(of: \Item.price, where: \.kind == $1.a) ?? 0 }
        case .kinds: return try kinds(places)
        case .all: return try items(places, inOrder: true) { context, _ in try context.allObjects() }
        case .change, .insert, .delete: return try change(row, places)
        }
    }

    /// The items of a query each, in a context of its own.
    private func items(
        _ places: Range<Int>,
        inOrder: Bool = false,
        _ query: (ObjectContext, Argument) throws -> [Item]
    ) throws -> Found {
        var found = Found()
        for place in places {
            try store.read { context in
                for (place, item) in try query(context, arguments[place]).enumerated() {
                    let number = item.number
                    found.add(number: number, price: item.price, title: item.title)
                    if inOrder { found.add(number: number, at: place) }
                }
            }
        }
        return found
    }

    private func one(_ places: Range<Int>, _ query: (ObjectContext, Argument) throws -> Item?) throws -> Found {
        var found = Found()
        for place in places { try store.read { context in try found.add(query(context, arguments[place])) } }
        return found
    }

    private func count(_ places: Range<Int>, _ query: (ObjectContext, Argument) throws -> Int) throws -> Found {
        var found = Found()
        for place in places { found.count += UInt64(try store.read { try query($0, arguments[place]) }) }
        return found
    }

    private func value(_ places: Range<Int>, _ query: (ObjectContext, Argument) throws -> Int) throws -> Found {
        var found = Found()
        for place in places { found.add(number: 0, price: try store.read { try query($0, arguments[place]) }, title: "") }
        return found
    }

    private func kinds(_ places: Range<Int>) throws -> Found {
        var found = Found()
        for _ in places {
            let kinds = try store.read { context in try context.groups(Item.self, by: \.kind, .count) }
            for (place, (kind, count)) in kinds.enumerated() {
                found.add(number: kind, price: count, title: "")
                found.add(number: kind, at: place)
            }
        }
        return found
    }

    private func tags(_ places: Range<Int>) throws -> Found {
        var found = Found()
        for place in places {
            try store.read { context in
                let item: Item? = try context.first(where: \.number == arguments[place].a)
                for tag in try item?.tags.load() ?? [] { found.add(number: 0, price: 0, title: tag.name) }
            }
        }
        return found
    }
}

extension Argument {
    fileprivate var dates: Range<Date> { Date(timeIntervalSince1970: from)..<Date(timeIntervalSince1970: to) }
}

extension Found {
    fileprivate mutating func add(_ item: Item?) {
        guard let item else { return }
        add(number: item.number, price: item.price, title: item.title)
    }
}
