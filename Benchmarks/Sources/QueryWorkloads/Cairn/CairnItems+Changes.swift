import CairnObjects
import Foundation

extension CairnItems {
    /// Changes, each with a commit of its own.
    func change(_ row: Row, _ places: Range<Int>) throws -> Found {
        var found = Found()
        for place in places {
            let argument = arguments[place]
            try store.write { context in
                switch row {
                case .change:
                    guard let item: Item = try context.first(where: \.number == argument.a) else { return }
                    item.title = argument.text
                    found.count += 1
                case .insert:
                    let owner = try context.object(owners[argument.b - 1], as: Owner.self)
                    context.insert(Item(argument, of: owner))
                    found.count += 1
                default: found.count += UInt64(try context.delete(where: \Item.number == argument.a))
                }
            }
        }
        return found
    }
}

extension Item {
    fileprivate convenience init(_ argument: Argument, of owner: Owner?) {
        self.init(
            number: argument.a,
            group: argument.b,
            kind: argument.a % Items.kinds,
            price: argument.a % 1000,
            title: argument.text,
            created: Date(timeIntervalSince1970: argument.from),
            owner: owner
        )
    }
}
