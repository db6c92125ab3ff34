import BenchKit
import Foundation

/// The stores of all sides, of one size, built when they are first needed and then used by all rows.
final class ItemStores {
    let items: Items
    let sides: [any ItemSide]
    let places: [String]

    init(_ items: Items, _ sides: [any ItemSide], _ harness: Harness) throws {
        self.items = items
        self.sides = sides
        places = try sides.map { side in
            let place = try harness.folder.makePlace()
            try side.build(items, at: place)
            return place
        }
        // Reads do not wait for what building wrote.
        sync()
    }

    func open() throws { for (side, place) in zip(sides, places) { try side.open(place) } }
    func close() throws { for side in sides { try side.close() } }

    func remove(_ harness: Harness) throws {
        try close()
        for place in places { harness.folder.removePlace(place) }
    }

    /// The sides that are measured, the subject first.
    static func sides(isNull: Bool) -> [any ItemSide] {
        #if SQLite
        [isNull ? SQLiteItems(name: "SQLite too") : CairnItems(), SQLiteItems(), GRDBItems()]
        #else
        [CairnItems()]
        #endif
    }
}
