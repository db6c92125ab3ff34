/// What ``ObjectStore/verify(progress:)`` found.
public struct ObjectStoreVerification: Hashable, Sendable {
    /// The classes of the store's catalog, in the order of their numbers.
    public internal(set) var classes: [ClassCounts] = []
    /// What is wrong, the first ``listedCount`` of each kind.
    public internal(set) var problems: [Problem] = []
    /// How much is wrong, of each kind.
    public internal(set) var problemCounts: [Problem.Kind: Int] = [:]
    /// How many different objects objects lead to, property by property.
    public internal(set) var referenceCount = 0
    /// The number of names.
    public internal(set) var nameCount = 0
    /// The names that lead to objects which were deleted: allowed, since objects may be deleted that have a name.
    public internal(set) var namesOfNothing: [String] = []
    /// How many entries belong to indexes that their classes have no more. They only take space.
    public internal(set) var formerIndexEntryCount = 0

    /// How many problems of a kind are listed; all are counted.
    public static var listedCount: Int { 1000 }

    /// Whether everything is as it should be.
    public var isIntact: Bool { problemCounts.isEmpty }

    /// What was found of a class.
    public struct ClassCounts: Hashable, Sendable {
        /// The name in the store.
        public var name: String
        /// Whether the store was opened with the Swift class: else indexes are only counted, and values checked as far as the catalog tells their types.
        public var isKnown: Bool
        /// Objects whose records are whole.
        public var objectCount = 0
        /// Objects whose records are not. Those on damaged pages are not among them, as nobody can count them.
        public var damagedCount = 0
        /// Objects that were shredded: nobody can read them, and nothing is wrong with that.
        public var shreddedCount = 0
        /// Entries of all its indexes.
        public var indexEntryCount = 0
        /// Blocks of all its text indexes.
        public var textBlockCount = 0
    }

    /// Something wrong.
    public struct Problem: Hashable, Sendable {
        /// Of what kind.
        public var kind: Kind
        /// The class concerned.
        public var className: String?
        /// The object concerned: of a damaged page, the first that might be on it; of references, the one that they begin at.
        public var object: ObjectID?
        /// The property concerned; of an index, its properties with commas between.
        public var property: String?
        /// Where a reference leads.
        public var target: ObjectID?
        /// What is wrong, as a sentence without its end, names included. Holds no stored value.
        public var reason: String
    }
}

extension ObjectStoreVerification.Problem {
    /// The kinds of problems. An open set: more may come in any release.
    public struct Kind: Hashable, Sendable, CustomStringConvertible, CaseIterable {
        private enum Name: String, CaseIterable {
            case damagedPage, damagedRecord, danglingReference, missingBackReference, surplusBackReference, missingIndexEntry,
                surplusIndexEntry
            case inverseOutOfStep, textOutOfStep, looseLargeRecord, rowBeyondLast, damagedName, unknownKey, unreadable
        }
        private let name: Name
        public var description: String { name.rawValue }
        public static var allCases: [Kind] { Name.allCases.map { Kind(name: $0) } }

        /// A page cannot be read: up to 32 objects are gone.
        public static let damagedPage = Kind(name: .damagedPage)
        /// The record of an object cannot be read.
        public static let damagedRecord = Kind(name: .damagedRecord)
        /// A property leads to a row that there is not, or to an object of another class.
        public static let danglingReference = Kind(name: .danglingReference)
        /// It is not noted who leads to an object: ``ObjectStore/repair(progress:)`` mends it.
        public static let missingBackReference = Kind(name: .missingBackReference)
        /// It is noted that an object leads to another, which it does not: `repair` mends it.
        public static let surplusBackReference = Kind(name: .surplusBackReference)
        /// An object is not in an index, or another has its place there: `repair` mends the former.
        public static let missingIndexEntry = Kind(name: .missingIndexEntry)
        /// An index leads to an object that does not have these values, or does not exist: `repair` mends it.
        public static let surplusIndexEntry = Kind(name: .surplusIndexEntry)
        /// A property leads to an object whose inverse property does not lead back.
        public static let inverseOutOfStep = Kind(name: .inverseOutOfStep)
        /// A text index does not say of an object what its text says: `repair` mends it.
        public static let textOutOfStep = Kind(name: .textOutOfStep)
        /// A large record that no page tells of: `repair` removes it.
        public static let looseLargeRecord = Kind(name: .looseLargeRecord)
        /// An object has a row that was not given out yet, and that another might get: `repair` mends it.
        public static let rowBeyondLast = Kind(name: .rowBeyondLast)
        /// The value under a name cannot be read.
        public static let damagedName = Kind(name: .damagedName)
        /// An entry of the engine that the format does not explain.
        public static let unknownKey = Kind(name: .unknownKey)
        /// A part of the store that the engine cannot read.
        public static let unreadable = Kind(name: .unreadable)
    }
}

extension ObjectStoreVerification {
    mutating func add(_ problem: Problem) {
        let count = problemCounts[problem.kind, default: 0]
        problemCounts[problem.kind] = count + 1
        if count < Self.listedCount { problems.append(problem) }
    }
}
