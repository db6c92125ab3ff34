import BenchKit
public import CairnObjects

/// What live queries follow.
@Stored public final class Ticket {
    @Indexed public var number: Int
    public var value: Int
}

extension Ticket {
    /// Puts tickets into an empty store; returns their IDs.
    ///
    /// - Parameter most: How many a commit may insert.
    public static func fill(_ store: ObjectStore, _ count: Int, by most: Int = .max) throws -> [ObjectID] {
        for start in stride(from: 0, to: count, by: min(most, count)) {
            try store.write { context in
                for number in start..<min(count, start + min(most, count)) { context.insert(Ticket(number: number, value: 0)) }
            }
        }
        return try store.read { context in try context.fetchIDs(Ticket.self) }
    }

    /// Gives a ticket another value, in a commit of its own.
    public static func change(_ id: ObjectID, to value: Int, in store: ObjectStore) throws {
        try store.write { context in
            guard let ticket = try context.object(id, as: Ticket.self) else { throw Disagreement("a ticket is missing") }
            ticket.value = value
        }
    }
}
