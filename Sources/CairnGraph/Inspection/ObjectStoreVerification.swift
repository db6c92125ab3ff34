/// The result of ``ObjectStore/verify(progress:)``.
public struct ObjectStoreVerification: Hashable, Sendable {
    /// The classes of the store's catalog, in the order of their numbers.
    public internal(set) var classes: [ClassCounts] = []
    /// The problems found, the first ``listedCount`` of each kind.
    public internal(set) var problems: [Problem] = []
    /// The number of problems of each kind.
    public internal(set) var problemCounts: [Problem.Kind: Int] = [:]
    /// The number of distinct references, by owner and property.
    public internal(set) var referenceCount = 0
    /// The number of names, except those that record migrations.
    public internal(set) var nameCount = 0
    /// The names that refer to deleted objects. This is allowed, because named objects can be deleted.
    public internal(set) var namesOfNothing: [String] = []
    /// The number of entries of indexes that their classes no longer have. They only take up space.
    public internal(set) var formerIndexEntryCount = 0

    /// The maximum number of problems listed of each kind; all are counted.
    public static var listedCount: Int { 1000 }

    /// Whether there are no problems.
    public var isIntact: Bool { problemCounts.isEmpty }

    /// The counts of a class.
    public struct ClassCounts: Hashable, Sendable {
        /// The name in the store.
        public var name: String
        /// Whether the store was opened with the Swift class. If not, index entries are only counted, and values are checked only as far as the
        /// catalog describes their types.
        public var isKnown: Bool
        /// The number of objects with intact records.
        public var objectCount = 0
        /// The number of objects with damaged records, lists or large values, without those on damaged pages, which cannot be counted.
        public var damagedCount = 0
        /// The number of shredded objects. They are unreadable by design, which is not a problem.
        public var shreddedCount = 0
        /// The number of entries in all its indexes.
        public var indexEntryCount = 0
        /// The number of blocks in all its text indexes.
        public var textBlockCount = 0
    }

    /// A problem.
    public struct Problem: Hashable, Sendable {
        /// The kind of problem.
        public var kind: Kind
        /// The class concerned.
        public var className: String?
        /// The object concerned: for a damaged page, the first that it may contain; for a reference, the owner.
        public var object: ObjectID?
        /// The property concerned; for an index, its properties, separated by commas.
        public var property: String?
        /// The target of a reference.
        public var target: ObjectID?
        /// A description of the problem, including names, without a final period. Contains no stored values.
        public var reason: String
    }
}

extension ObjectStoreVerification.Problem {
    /// The kinds of problems. An open set: any release may add some.
    public struct Kind: Hashable, Sendable, CustomStringConvertible, CaseIterable {
        private enum Name: String, CaseIterable {
            case damagedPage, damagedRecord, danglingReference, missingBackReference, surplusBackReference, missingIndexEntry,
                surplusIndexEntry
            case inverseOutOfStep, textOutOfStep, looseLargeRecord, damagedList, damagedValue, looseChunk, rowBeyondLast, damagedName,
                unknownKey,
                unreadable
        }
        private let name: Name
        public var description: String { name.rawValue }
        public static var allCases: [Kind] { Name.allCases.map { Kind(name: $0) } }

        /// A page cannot be read: up to 32 objects are lost.
        public static let damagedPage = Kind(name: .damagedPage)
        /// The record of an object cannot be read.
        public static let damagedRecord = Kind(name: .damagedRecord)
        /// A property refers to a row that does not exist, or to an object of another class.
        public static let danglingReference = Kind(name: .danglingReference)
        /// The back reference of a reference is missing: ``ObjectStore/repair(progress:)`` adds it.
        public static let missingBackReference = Kind(name: .missingBackReference)
        /// A back reference has no reference: `repair` removes it.
        public static let surplusBackReference = Kind(name: .surplusBackReference)
        /// An object is missing from an index, which `repair` fixes, or another object has its place there.
        public static let missingIndexEntry = Kind(name: .missingIndexEntry)
        /// An index entry refers to an object that does not have its values, or does not exist: `repair` fixes it.
        public static let surplusIndexEntry = Kind(name: .surplusIndexEntry)
        /// A property refers to an object whose inverse property does not refer back.
        public static let inverseOutOfStep = Kind(name: .inverseOutOfStep)
        /// A text index does not match an object's text: `repair` fixes it.
        public static let textOutOfStep = Kind(name: .textOutOfStep)
        /// A large record that no page refers to: `repair` removes it.
        public static let looseLargeRecord = Kind(name: .looseLargeRecord)
        /// Parts of a long list, set or dictionary cannot be read; the rest of the object can.
        public static let damagedList = Kind(name: .damagedList)
        /// A large value, which is stored apart from its record, cannot be read; the rest of the object can.
        public static let damagedValue = Kind(name: .damagedValue)
        /// A part of a long list or large value that its owner's record does not name: `repair` removes it.
        public static let looseChunk = Kind(name: .looseChunk)
        /// An object has a row beyond the last assigned one, which another might get: `repair` fixes it.
        public static let rowBeyondLast = Kind(name: .rowBeyondLast)
        /// The value stored under a name cannot be read.
        public static let damagedName = Kind(name: .damagedName)
        /// An entry of the engine that is not part of the format.
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
