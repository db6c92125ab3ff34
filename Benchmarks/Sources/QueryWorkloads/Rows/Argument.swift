import BenchKit

/// What a query is about: the same for all sides, and in every run.
struct Argument: Sendable {
    var a = 0, b = 0
    /// Seconds since 1970.
    var from = 0.0, to = 0.0
    var text = ""
    /// The first text behind all that begin with `text`.
    var textEnd = ""
}

extension Row {
    /// What the row is asked about, at random.
    func arguments(_ items: Items, _ count: Int) -> [Argument] {
        var random = SplitMix64(state: UInt64(items.count))
        return (0..<count).map { place in argument(items, place) { Int(random.next() % UInt64(max(1, $0))) } }
    }

    /// - Parameter any: A number below the one given, at random.
    private func argument(_ items: Items, _ place: Int, _ any: (Int) -> Int) -> Argument {
        switch self {
        case .byID:
            let item = any(items.count)
            return Argument(a: items.number(item), b: item + 1)
        case .byIndex: return Argument(a: items.number(any(items.count)))
        case .missing: return Argument(a: items.number(any(items.count)) + 1)
        case .many: return Argument(a: items.number(any(items.count / 50)), b: items.number(items.count / 50))
        case .group, .groupCount: return Argument(a: any(items.groups))
        case .page: return Argument(a: items.number(any(items.count - 100)))
        case .pageCompound: return Argument(a: any(Items.kinds), b: any(Items.prices / 2))
        case .pageOffset: return Argument(a: items.count / 6 + any(items.count / 60))
        case .pageAfter:
            let item = any(items.count - 100)
            return Argument(a: items.number(item), b: item + 1)
        case .ownerItems, .ownerJoin, .ownerCount: return Argument(text: Items.ownerName(any(items.owners)))
        case .ownerSort, .ownerSortAll, .isNil, .notNil, .sort, .kinds, .all: return Argument()
        case .tagItems: return Argument(text: Items.tagName(any(items.tags)))
        case .itemTags: return Argument(a: items.number(any(items.count / 4) * 4))
        case .dictionary: return Argument(a: Items.firstYear + any(Items.years), text: Items.ownerName(any(items.owners)))
        case .range:
            let from = items.created(any(items.count))
            return Argument(b: Items.prices / 10, from: from, to: from + 1000 * Items.interval)
        case .or: return Argument(a: any(items.groups), b: items.number(any(items.count)))
        case .dates:
            let from = items.created(any(items.count))
            return Argument(from: from, to: from + 100 * Items.interval)
        case .sum, .least: return Argument(a: any(Items.kinds))
        case .scanCount, .sumScan: return Argument(text: Words.all[any(Words.all.count)])
        case .scanPrefix:
            let word = Words.capitalized[any(Words.all.count)]
            return Argument(text: word + " ", textEnd: word + "!")
        case .change: return Argument(a: items.number(any(items.count)), text: "Changed \(place)")
        case .insert, .delete:
            let number = items.number(items.count + place)
            return Argument(a: number, b: place % items.owners + 1, from: items.created(place), text: "New \(place)")
        }
    }
}
