import CairnCore
import CairnRocksGraph

/// What all writers of a store change together, so that each save depends on those of the others: every other visit of a writer brings a guest to the one
/// house, and the others move its desk to a place where no desk is.
///
/// A guest concerns a counter, an ordered list, a unique value, a reference to an object of another writer, and text. A desk is changed by its writer alone: two
/// of them at one place are a write skew.
extension CrashHouse {
    static var classes: [any StoredObject.Type] { [CrashHouse.self, CrashGuest.self, CrashDesk.self] }

    private static let beds = 6

    /// Makes the next visit of a writer.
    static func visit(by writer: Int, in context: ObjectContext) throws {
        let desk =
            try context.first(CrashDesk.self, where: \CrashDesk.writer == writer)
            ?? CrashDesk(writer: writer, place: -1 - writer, visits: 0)
        if desk.visits == 0 { context.insert(desk) }
        if desk.visits.isMultiple(of: 2) {
            guard try context.count(CrashDesk.self, where: \CrashDesk.place == desk.place) == 1 else {
                throw CrashDamage("two desks are at place \(desk.place)")
            }
            desk.place = try firstFree { try context.count(CrashDesk.self, where: \CrashDesk.place == $0) == 0 }
        } else {
            try welcome(writer, visit: desk.visits + 1, in: context)
        }
        desk.visits += 1
    }

    private static func welcome(_ writer: Int, visit: Int, in context: ObjectContext) throws {
        let house = try context.first(CrashHouse.self, where: \CrashHouse.name == "house") ?? CrashHouse(name: "house", arrivals: 0)
        if house.arrivals == 0 { context.insert(house) }
        house.arrivals += 1
        let host = house.guests.last
        if house.guests.count == beds, let first = house.guests.first { try context.delete(first) }
        let bed = try firstFree { try context.first(CrashGuest.self, where: \CrashGuest.bed == $0) == nil }
        let guest = CrashGuest(bed: bed, writer: writer, visit: visit, note: note(writer, visit), host: host)
        house.guests.append(guest)
    }

    private static func firstFree(_ isFree: (Int) throws -> Bool) rethrows -> Int {
        var place = 0
        while try !isFree(place) { place += 1 }
        return place
    }

    private static func note(_ writer: Int, _ visit: Int) -> String { "writer \(writer), visit \(visit)." }

    // MARK: Reading

    /// How many visits each writer has made.
    ///
    /// - Throws: ``CrashDamage`` where what is stored cannot come from visits made one after the other.
    static func visits(in context: ObjectContext) throws -> [Int: Int] {
        let desks = try context.allObjects(CrashDesk.self)
        let visits = Dictionary(desks.map { ($0.writer, $0.visits) }) { $1 }
        guard visits.count == desks.count else { throw CrashDamage("a writer has two desks") }
        guard Set(desks.map(\.place)).count == desks.count else { throw CrashDamage("two desks are at one place: \(desks.map(\.place))") }
        let house = try context.first(CrashHouse.self, where: \CrashHouse.name == "house")
        let arrivals = visits.values.reduce(0) { $0 + $1 / 2 }
        guard house?.arrivals ?? 0 == arrivals else {
            throw CrashDamage("of \(arrivals) arrivals, \(house?.arrivals ?? 0) are counted")
        }
        let guests = try house?.guests.load() ?? []
        guard guests.count == min(beds, arrivals), try context.count(CrashGuest.self) == guests.count else {
            throw CrashDamage("after \(arrivals) arrivals, \(guests.count) guests are in the house")
        }
        guard guests.map(\.bed).sorted() == Array(0..<guests.count) else { throw CrashDamage("guests are in beds \(guests.map(\.bed))") }
        try check(guests, visits, in: context)
        return visits
    }

    /// Looks at each guest, from the last to the first.
    private static func check(_ guests: [CrashGuest], _ visits: [Int: Int], in context: ObjectContext) throws {
        var next = visits.mapValues { $0 / 2 * 2 }
        for (place, guest) in guests.enumerated().reversed() {
            guard next[guest.writer] == guest.visit, guest.note == note(guest.writer, guest.visit) else {
                throw CrashDamage("guest '\(guest.note)' is there, expected visit \(next[guest.writer] ?? 0) of writer \(guest.writer)")
            }
            next[guest.writer] = guest.visit - 2
            guard guest.host === (place > 0 ? guests[place - 1] : nil) else { throw CrashDamage("guest '\(guest.note)' has another host") }
            guard try context.first(CrashGuest.self, where: \CrashGuest.bed == guest.bed) === guest,
                try context.search(CrashGuest.self, \.note, TextQuery(containing: guest.note)).map(\.bed) == [guest.bed]
            else { throw CrashDamage("guest '\(guest.note)' is not found by bed and text") }
        }
    }
}
