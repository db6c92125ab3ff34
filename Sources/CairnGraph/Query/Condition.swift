import CairnCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The condition of a query, whether it was written as a `#Predicate` or as an ``ObjectCondition``.
indirect enum Condition {
    case always(Bool)
    /// A value lies in a set of values.
    case value(ValueTest)
    /// A relationship refers to an object.
    case link(LinkTest)
    /// A relationship refers to an object that meets a condition.
    case join(JoinTest)
    /// Text matches a text query.
    case text(TextTest)
    /// A test that needs the object itself.
    case other(OtherTest)
    case all([Condition])
    case any([Condition])
}

/// Whether the key of a value lies in spans.
struct ValueTest {
    let property: ConditionProperty
    let spans: KeySpans
    private let makeText: () -> String

    /// - Parameter text: its description, made on demand.
    init(_ property: ConditionProperty, _ spans: KeySpans, _ text: @autoclosure @escaping () -> String) {
        self.property = property
        self.spans = spans
        makeText = text
    }

    var text: String { makeText() }
}

extension [ValueTest] {
    /// The text of tests that must all hold.
    var text: String { map(\.text).joined(separator: " and ") }
}

/// A property that conditions and sorts use.
struct ConditionProperty {
    let keyPath: AnyKeyPath
    private let makeName: () -> String
    var name: String { makeName() }
    /// Its index in the class; `nil` for a computed property or one reached through a relationship.
    let index: Int?
    /// Whether a record's values are enough to know the property's value.
    let isValue: Bool
    let encode: (any StoredObject, inout KeyEncoder) -> Void
    /// How records are read; `nil` if only the object has the value.
    let form: () -> FieldForm?
    /// The property of another class, if it is reached through a to-one property of this class.
    private(set) var path: (any TargetPath)?

    init<Object: StoredObject, Value: KeyCodable>(_ keyPath: KeyPath<Object, Value>) {
        self.keyPath = keyPath
        let place = PropertyPlace(keyPath)
        (makeName, index, isValue) = (place.makeName, place.index, place.isValue)
        encode = { $1.encode(unsafe unsafeDowncast($0, to: Object.self)[keyPath: keyPath]) }
        form = { FieldForm(Value.self) }
    }

    /// A value derived from a property, which no index contains.
    init<Object: StoredObject>(
        _ keyPath: PartialKeyPath<Object>,
        _ name: @autoclosure @escaping () -> String,
        encode: @escaping (Object, inout KeyEncoder) -> Void
    ) {
        self.keyPath = keyPath
        makeName = name
        index = nil
        isValue = false
        self.encode = { encode(unsafe unsafeDowncast($0, to: Object.self), &$1) }
        form = { nil }
    }

    /// A property of the object that a to-one property refers to; `nil` without one.
    init<Object: StoredObject, Target: StoredObject, Value: KeyCodable>(
        _ relationship: KeyPath<Object, Target?>,
        _ keyPath: KeyPath<Target, Value>
    ) {
        let owner = PropertyPlace(relationship)
        let target = ConditionProperty(keyPath)
        self.init(relationship, "\(owner.name).\(target.name)") { (object: Object, encoder) in
            if let other = object[keyPath: relationship] { target.encode(other, &encoder) } else { encoder.encodeNull() }
        }
        if let index = owner.relationshipIndex { path = TypedTargetPath<Target>(index, target) }
    }
}

/// Where a property is in its class.
struct PropertyPlace {
    /// Made on demand: the name of a key path takes long.
    let makeName: () -> String
    var name: String { makeName() }
    /// `nil` for a property that is not stored.
    let index: Int?
    private let kind: ObjectProperty.Kind?

    init<Object: StoredObject>(_ keyPath: PartialKeyPath<Object>) {
        let schema = Object.objectSchema
        guard let index = schema.indexOfKeyPath[keyPath] else {
            makeName = { KeyPathText.text(keyPath) }
            (self.index, kind) = (nil, nil)
            return
        }
        let property = schema.properties[index]
        (makeName, self.index, kind) = ({ property.name }, index, property.kind)
    }

    /// Whether it is a value that records contain.
    var isValue: Bool { if case .value = kind { true } else { false } }
    /// Whether it is a relationship to one object.
    var isToOne: Bool { if case .relationship(let relationship) = kind { relationship.shape == .one } else { false } }
    /// The index, if it is a relationship.
    var relationshipIndex: Int? { if case .relationship = kind { index } else { nil } }
}

/// Whether a property refers to an object, or to none.
struct LinkTest {
    let property: Int
    let name: String
    /// `nil` for no object.
    let target: (any StoredObject)?
    /// The target in a predicate, which the context looks up before it plans a query.
    var targetID: ObjectID?
    /// The identity of the store that the target in a predicate belongs to.
    var targetStore: UUID?
    var isNegated = false

    var text: String {
        let id = targetID.map { "\($0)" } ?? target.map { $0.objectID.map { "\($0)" } ?? "an object that is not stored" } ?? "nothing"
        return "\(name) \(isNegated ? "does not refer" : "refers") to \(id)"
    }
}

/// A test written as code.
struct OtherTest {
    private let makeText: () -> String
    /// Whether the test may look at more than the stored values: relationships, computed and transient properties.
    let isForeign: Bool
    let test: (any StoredObject) throws -> Bool
    /// The same test of records, if there is one.
    let recordTest: (() -> RecordTest)?
    var isNegated = false

    /// - Parameter text: its description, made on demand.
    init<Object: StoredObject>(
        _ text: @autoclosure @escaping () -> String,
        isForeign: Bool,
        recordTest: (() -> RecordTest)? = nil,
        _ test: @escaping (Object) throws -> Bool
    ) {
        makeText = text
        self.isForeign = isForeign
        self.recordTest = recordTest
        self.test = { try test(unsafe unsafeDowncast($0, to: Object.self)) }
    }

    var text: String { makeText() }
}

// MARK: Putting together

extension Condition {
    var text: String {
        switch self {
        case .always(let isTrue): isTrue ? "true" : "false"
        case .value(let test): test.text
        case .link(let test): test.text
        case .join(let test): test.text
        case .text(let test): test.text
        case .other(let test): test.isNegated ? "not (\(test.text))" : test.text
        case .all(let parts): parts.map { if case .any = $0 { "(\($0.text))" } else { $0.text } }.joined(separator: " and ")
        case .any(let parts): parts.map { if case .all = $0 { "(\($0.text))" } else { $0.text } }.joined(separator: " or ")
        }
    }

    var isAlways: Bool { if case .always(true) = self { true } else { false } }

    /// Whether an object must belong to the context to be tested.
    var isForeign: Bool {
        switch self {
        case .always, .link, .text: false
        // The references of a collection may be in chunks of their own.
        case .join(let test): !test.isToOne
        case .value(let test): test.property.index == nil
        case .other(let test): test.isForeign
        case .all(let parts), .any(let parts): parts.contains(where: \.isForeign)
        }
    }

    /// The negation; it moves inward to the parts that cannot be divided.
    var negated: Condition {
        switch self {
        case .always(let isTrue): return .always(!isTrue)
        case .value(let test):
            return .value(ValueTest(test.property, test.spans.complement, "not (\(test.text))"))
        case .link(var test):
            test.isNegated.toggle()
            return .link(test)
        case .join(var test):
            test.isNegated.toggle()
            return .join(test)
        case .text(var test):
            test.isNegated.toggle()
            return .text(test)
        case .other(var test):
            test.isNegated.toggle()
            return .other(test)
        case .all(let parts): return .anyOf(parts.map(\.negated))
        case .any(let parts): return .allOf(parts.map(\.negated))
        }
    }

    /// All of the conditions; those on one property are merged.
    static func allOf(_ conditions: [Condition]) -> Condition {
        var parts: [Condition] = []
        for condition in conditions {
            switch condition {
            case .always(true): continue
            case .always(false): return condition
            case .all(let more): for part in more { parts.add(part, isAll: true) }
            default: parts.add(condition, isAll: true)
            }
        }
        if parts.contains(where: { if case .value(let test) = $0 { test.spans.isEmpty } else { false } }) { return .always(false) }
        return parts.isEmpty ? .always(true) : parts.count == 1 ? parts[0] : .all(parts)
    }

    /// Any of the conditions.
    static func anyOf(_ conditions: [Condition]) -> Condition {
        var parts: [Condition] = []
        for condition in conditions {
            switch condition {
            case .always(false): continue
            case .always(true): return condition
            case .any(let more): for part in more { parts.add(part, isAll: false) }
            default: parts.add(condition, isAll: false)
            }
        }
        return parts.isEmpty ? .always(false) : parts.count == 1 ? parts[0] : .any(parts)
    }
}

extension Array {
    fileprivate mutating func add(_ condition: Condition, isAll: Bool) where Element == Condition {
        guard case .value(let test) = condition else { return append(condition) }
        for place in indices {
            guard case .value(let known) = self[place], known.property.keyPath == test.property.keyPath else { continue }
            let spans = isAll ? known.spans.intersection(test.spans) : known.spans.union(test.spans)
            self[place] = .value(
                ValueTest(known.property, spans, isAll ? "\(known.text) and \(test.text)" : "(\(known.text) or \(test.text))")
            )
            return
        }
        append(condition)
    }
}

// MARK: Asking

/// A condition as a function of an object. The encoder is passed in for reuse.
typealias ObjectTest = (any StoredObject, inout KeyEncoder) throws(ObjectStoreError) -> Bool

extension Condition {
    func compiled(_ targets: QueryTargets, _ stored: StoredClass) -> ObjectTest {
        switch self {
        case .always(let isTrue): return { _, _ throws(ObjectStoreError) in isTrue }
        case .value(let test):
            let (encode, spans) = (test.property.encode, test.spans)
            return { object, encoder throws(ObjectStoreError) in
                encoder.removeAll()
                encode(object, &encoder)
                return spans.contains(encoder.bytes)
            }
        case .link(let test):
            let (leads, isNegated) = (targets.test(test, stored), test.isNegated)
            return { object, _ throws(ObjectStoreError) in leads(object) != isNegated }
        case .join(let test):
            let (leads, isNegated) = (targets.test(test, stored), test.isNegated)
            return { object, _ throws(ObjectStoreError) in try leads(object) != isNegated }
        case .text(let test): return { object, _ throws(ObjectStoreError) in test.holds(object) }
        case .other(let test):
            let (body, isNegated) = (test.test, test.isNegated)
            return { object, _ throws(ObjectStoreError) in
                do { return try body(object) != isNegated } catch {
                    throw (error as? ObjectStoreError)
                        ?? ObjectStoreError(
                            .invalidPredicate,
                            "part of the predicate could not be evaluated: \(test.text)",
                            object: object.objectID,
                            cause: error
                        )
                }
            }
        case .all(let parts):
            let tests = parts.map { $0.compiled(targets, stored) }
            return { object, encoder throws(ObjectStoreError) in
                for test in tests { guard try test(object, &encoder) else { return false } }
                return true
            }
        case .any(let parts):
            let tests = parts.map { $0.compiled(targets, stored) }
            return { object, encoder throws(ObjectStoreError) in
                for test in tests { if try test(object, &encoder) { return true } }
                return false
            }
        }
    }
}
