import BenchKit
import CairnObjects
import Foundation

@Stored final class SearchedName {
    @Searchable var name: String
}

@Stored final class PlainName {
    var name: String
}

/// A store of names that are searched, and of names that are not.
protocol TextSide: AnyObject {
    var name: String { get }
    /// Opens the store at a path, or makes it.
    func open(_ path: String) throws
    /// All names in one commit.
    func insert(_ names: Names, isSearched: Bool) throws
    /// How many names contain a text, and the sum of their places, from 0.
    func query(_ text: String) throws -> [UInt64]
    /// As many of the names that contain a text, in the order in which they were inserted: how many they are, and their bytes.
    func first(_ count: Int, _ text: String) throws -> [UInt64]
    /// A name in a commit of its own.
    func save(_ names: Names, _ place: Int, isSearched: Bool) throws
    /// The bytes of what is stored; the store is open.
    func size(_ filesSize: () -> Int) throws -> Double
    func close() throws
}

/// Names of nine syllables, 19 bytes, the same in every run.
struct Names {
    /// Found 1,944, 278 and 23 times in a million names.
    static let queries = [("query-common", "loka"), ("query-words", "ka lo"), ("query-rare", "lokame")]

    let strings: [String]
    /// All of them, one behind the other, and where each ends.
    let bytes: [UInt8]
    let ends: [UInt32]

    init(_ count: Int, seed: UInt64 = 11) {
        self.init(strings: Self.names(count, seed))
    }

    init(strings: [String]) {
        self.strings = strings
        bytes = strings.flatMap { Array($0.utf8) }
        var end: UInt32 = 0
        ends = strings.map {
            end += UInt32($0.utf8.count)
            return end
        }
    }

    private static func names(_ count: Int, _ seed: UInt64) -> [String] {
        let syllables = "bdfghklmnprstvz".flatMap { consonant in "aeio".map { "\(consonant)\($0)" } }
        var random = SplitMix64(state: seed)
        return (0..<count).map { _ in
            let parts = (0..<9).map { _ in syllables[Int(random.next() % UInt64(syllables.count))] }
            return parts[..<4].joined().capitalized + " " + parts[4...].joined().capitalized
        }
    }
}

/// The subject.
final class CairnTexts: TextSide {
    let name = "CairnObjects"
    private var store: ObjectStore?
    private var context: ObjectContext?
    private var first: UInt64 = 0

    private func opened() throws -> (ObjectStore, ObjectContext) {
        guard let store, let context else { throw Disagreement("the store is not open") }
        return (store, context)
    }

    func open(_ path: String) throws {
        let store = try ObjectStore(path: path, classes: [SearchedName.self, PlainName.self])
        var options = ObjectContextOptions()
        options.isObserved = false
        context = try store.makeContext(options)
        self.store = store
        first = UInt64(try store.read { try $0.fetchIDs(SearchedName.self, limit: 1) }.first?.row ?? 0)
    }

    func insert(_ names: Names, isSearched: Bool) throws {
        try opened().0.write { context in
            for name in names.strings {
                if isSearched { context.insert(SearchedName(name: name)) } else { context.insert(PlainName(name: name)) }
            }
        }
    }

    func query(_ text: String) throws -> [UInt64] {
        let query = TextQuery(containing: text)
        let ids = try opened().0.read { try $0.fetchIDs(where: .matches(\SearchedName.name, query)) }
        return [UInt64(ids.count), ids.reduce(0) { $0 &+ UInt64($1.row) &- first }]
    }

    func first(_ count: Int, _ text: String) throws -> [UInt64] {
        let query = TextQuery(containing: text)
        return try opened().0.read { context in
            let names = try context.fetch(where: .matches(\SearchedName.name, query), limit: count)
            return [UInt64(names.count), names.reduce(0) { $0 + UInt64($1.name.utf8.count) }]
        }
    }

    func save(_ names: Names, _ place: Int, isSearched: Bool) throws {
        let (_, context) = try opened()
        if isSearched {
            context.insert(SearchedName(name: names.strings[place]))
        } else {
            context.insert(PlainName(name: names.strings[place]))
        }
        try context.save()
    }

    func size(_ filesSize: () -> Int) throws -> Double { Double(filesSize()) }

    func close() throws {
        context?.close()
        try store?.close()
        (context, store) = (nil, nil)
    }
}
