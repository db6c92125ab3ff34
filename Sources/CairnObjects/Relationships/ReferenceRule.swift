/// Whom a relationship may lead to: what a record says otherwise is damage, found when it is read, and not when somebody looks at the object.
final class ReferenceRule: @unchecked Sendable {
    // Sendable: the closure looks at bytes only.
    /// What each class is to the property, by its number.
    private let classes: [ClassRole]
    /// What the property is declared to lead to.
    private let target: String
    /// Whether there are keys, and whether bytes are one.
    private let isKey: (([UInt8]) -> Bool)?

    enum ClassRole { case unknown, refused, allowed }

    init(target: String, classes: [ClassRole], isKey: (([UInt8]) -> Bool)?) {
        self.target = target
        self.classes = classes
        self.isKey = isKey
    }

    func check(_ id: ObjectID) throws(RecordError) {
        guard id.raw != 0 else { return }
        switch Int(id.classNumber) < classes.count ? classes[Int(id.classNumber)] : .unknown {
        case .allowed: break
        case .refused: throw RecordError.malformed("it leads to row \(id.row) of class \(id.classNumber), which is no \(target)")
        case .unknown:
            throw RecordError(
                .unknownClass,
                "it leads to row \(id.row) of class \(id.classNumber), which the store was opened without; give that class to the store too"
            )
        }
    }

    func check(_ collection: ObjectCollection) throws(RecordError) {
        var last: UInt16?
        for id in collection.ids where id.classNumber != last {
            guard id.raw != 0 else { throw RecordError.malformed("it leads to no possible row") }
            try check(id)
            last = id.classNumber
        }
        guard (isKey == nil) == (collection.keys == nil) else { throw RecordError.malformed("its objects have keys, or lack them") }
        guard let isKey, let keys = collection.keys else { return }
        guard keys.allSatisfy(isKey) else { throw RecordError.malformed("a key is not of its type; did that change?") }
    }
}
