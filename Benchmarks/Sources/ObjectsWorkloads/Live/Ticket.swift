import BenchKit
import CairnObjects

@Stored final class Ticket {
    @Indexed var number: Int
    var value: Int
}

extension Ticket {
    /// Puts tickets into an empty store; returns their IDs.
    static func fill(_ store: ObjectStore, _ count: Int) throws -> [ObjectID] {
        try store.write { context in for number in 0..<count { context.insert(Ticket(number: number, value: 0)) } }
        return try store.read { context in try context.fetchIDs(Ticket.self) }
    }

    /// Gives a ticket another value, in a commit of its own.
    static func change(_ id: ObjectID, to value: Int, in store: ObjectStore) throws {
        try store.write { context in
            guard let ticket = try context.object(id, as: Ticket.self) else { throw Disagreement("a ticket is missing") }
            ticket.value = value
        }
    }
}
