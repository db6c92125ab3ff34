import BenchKit

/// The items of a store: a function of their number, so that all sides have the same in every run.
struct Items: Sendable {
    /// Of an item, of its group, of its owner: the same in stores of all sizes.
    static let groupSize = 300, ownerSize = 100, tagSize = 100
    /// Items that were reviewed.
    static let reviewed = 100
    static let kinds = 10, prices = 1_000_000
    /// An owner's best items, one of each year from here on.
    static let firstYear = 2000, years = 20
    /// Seconds between the creation of two items, on average.
    static let interval = 60.0

    let count: Int

    var groups: Int { max(1, count / Self.groupSize) }
    var owners: Int { count / Self.ownerSize }
    /// One item in four has four tags.
    var tags: Int { count / Self.tagSize }

    /// The item at a place, counted from 0.
    subscript(place: Int) -> ItemRow {
        let random = SplitMix64.mixed(UInt64(place) &* SplitMix64.increment)
        let isReviewed = place % max(1, count / Self.reviewed) == 0 && place / max(1, count / Self.reviewed) < Self.reviewed
        return ItemRow(
            number: number(place),
            group: place % groups,
            kind: Int(random % UInt64(Self.kinds)),
            price: Int((random >> 8) % UInt64(Self.prices)),
            title: Words.title(random),
            created: created(place),
            reviewed: isReviewed ? created(place) + Double(random % 1_000_000) : nil,
            owner: place % owners,
            tags: place % 4 == 0 ? (0..<4).map { (place + $0) % tags } : [],
            year: place / owners < Self.years ? Self.firstYear + place / owners : nil
        )
    }

    /// Two numbers in three are of no item.
    func number(_ place: Int) -> Int { place * 3 }

    /// Items were created nearly in the order of their places. Seconds since 1970.
    func created(_ place: Int) -> Double {
        let late = SplitMix64.mixed(UInt64(place) &+ 7) % 3_600
        return 1_600_000_000 + Double(place) * Self.interval + Double(late)
    }

    static func ownerName(_ owner: Int) -> String { "\(Words.all[owner % Words.all.count]) & Sons \(owner)" }
    static func tagName(_ tag: Int) -> String { "\(Words.all[tag * 7 % Words.all.count])-\(tag)" }
}

/// An item, as all sides are given it.
struct ItemRow: Sendable {
    var number: Int
    var group: Int
    var kind: Int
    var price: Int
    var title: String
    /// Seconds since 1970.
    var created: Double
    var reviewed: Double?
    /// The place of the owner, from 0.
    var owner: Int
    /// The places of the tags.
    var tags: [Int]
    /// Of which the item is the owner's best.
    var year: Int?
}
