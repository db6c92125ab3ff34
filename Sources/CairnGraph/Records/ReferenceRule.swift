/// Which objects a relationship may refer to. Violations are detected as damage when a record is read, not when an object is accessed.
final class ReferenceRule: @unchecked Sendable {
    // Sendable: the closure only examines bytes.
    /// The role of each class for the property, by class number.
    private let classes: [ClassRole]
    /// The declared target of the property.
    private let target: String
    /// Returns whether bytes are a valid key; `nil` if there are no keys.
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
        case .refused: throw RecordError.malformed("it refers to row \(id.row) of class \(id.classNumber), which is not a \(target)")
        case .unknown:
            throw RecordError(
                .unknownClass,
                "it refers to row \(id.row) of class \(id.classNumber), which the store was opened without; pass that class to the store too"
            )
        }
    }

    func check(_ content: ReferenceList.Content) throws(RecordError) {
        var last: UInt16?
        for id in content.ids where id.classNumber != last {
            guard id.raw != 0 else { throw RecordError.malformed("it refers to an invalid row") }
            try check(id)
            last = id.classNumber
        }
        try checkKeys(content.keys != nil)
        guard let isKey, let keys = content.keys else { return }
        guard keys.allSatisfy(isKey) else { throw RecordError.malformed("a key has the wrong type; did the type change?") }
    }

    func checkKeys(_ hasKeys: Bool) throws(RecordError) {
        guard (isKey == nil) == !hasKeys else { throw RecordError.malformed("its objects have unexpected keys, or lack keys") }
    }
}
