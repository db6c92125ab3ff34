#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// Objects in `#Predicate`, as in `{ $0.artist == artist }`. The macro wraps what a predicate captures in `PredicateExpressions.Value`,
// which would have to be `Codable` and `Sendable`. For objects it finds these functions instead. Their names are the macro's.

extension PredicateExpressions {
    /// An object that a predicate captures: its identity. Does not retain the object.
    public struct StoredObjectValue<Target: StoredObject>: StandardPredicateExpression, CustomStringConvertible {
        public typealias Output = ObjectID?

        /// 0 for none.
        private let raw: UInt64
        /// The identity of the store that it belongs to.
        private let store: UUID?
        /// Whether the predicate asks for no object.
        let isNil: Bool
        var id: ObjectID? { raw == 0 ? nil : ObjectID(raw: raw) }

        init(_ object: Target?) {
            raw = object?.objectID?.raw ?? 0
            store = object.flatMap(Self.store)
            isNil = object == nil
        }

        public func evaluate(_ bindings: PredicateBindings) throws -> ObjectID? { id }

        public var description: String { id.map { "\($0)" } ?? (isNil ? "nil" : "an object that is not stored") }

        private static func store(_ object: Target) -> UUID? { object._$state.lastLink?.store.header.identity }

        fileprivate func matches(_ object: Target?) -> Bool {
            object.map { id != nil && $0.objectID == id && Self.store($0) == store } ?? isNil
        }

        /// The condition that a relationship leads to the object.
        fileprivate func condition(_ relationship: (any PredicateRelationship)?) -> Condition? {
            guard let relationship else { return nil }
            if isNil { return relationship.link(to: nil, of: nil) }
            // No stored object refers to an object that is not stored.
            return id.map { relationship.link(to: $0, of: store) } ?? .always(false)
        }
    }

    /// The condition that a relationship leads to an object.
    public struct LeadsToObject<Relationship: PredicateExpression, Target: StoredObject>: PredicateExpression
    where Relationship.Output == Target? {
        public typealias Output = Bool

        let relationship: Relationship
        let object: StoredObjectValue<Target>

        public func evaluate(_ bindings: PredicateBindings) throws -> Bool { object.matches(try relationship.evaluate(bindings)) }
    }

    /// The condition that a collection has an object.
    public struct ContainsObject<Objects: PredicateExpression, Target: StoredObject>: PredicateExpression
    where Objects.Output: Sequence, Objects.Output.Element == Target {
        public typealias Output = Bool

        let sequence: Objects
        let object: StoredObjectValue<Target>

        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try sequence.evaluate(bindings).contains { object.matches($0) }
        }
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static func build_Arg<Target: StoredObject>(_ object: Target) -> StoredObjectValue<Target> { StoredObjectValue(object) }
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static func build_Arg<Target: StoredObject>(_ object: Target?) -> StoredObjectValue<Target> { StoredObjectValue(object) }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static func build_Equal<Relationship, Target: StoredObject>(
        lhs: Relationship,
        rhs: StoredObjectValue<Target>
    ) -> LeadsToObject<Relationship, Target> where Relationship.Output == Target? { LeadsToObject(relationship: lhs, object: rhs) }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static func build_Equal<Relationship, Target: StoredObject>(
        lhs: StoredObjectValue<Target>,
        rhs: Relationship
    ) -> LeadsToObject<Relationship, Target> where Relationship.Output == Target? { LeadsToObject(relationship: rhs, object: lhs) }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static func build_NotEqual<Relationship, Target: StoredObject>(
        lhs: Relationship,
        rhs: StoredObjectValue<Target>
    ) -> Negation<LeadsToObject<Relationship, Target>> where Relationship.Output == Target? {
        build_Negation(LeadsToObject(relationship: lhs, object: rhs))
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static func build_NotEqual<Relationship, Target: StoredObject>(
        lhs: StoredObjectValue<Target>,
        rhs: Relationship
    ) -> Negation<LeadsToObject<Relationship, Target>> where Relationship.Output == Target? {
        build_Negation(LeadsToObject(relationship: rhs, object: lhs))
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static func build_contains<Objects, Target: StoredObject>(
        _ sequence: Objects,
        _ object: StoredObjectValue<Target>
    ) -> ContainsObject<Objects, Target> where Objects.Output: Sequence, Objects.Output.Element == Target {
        ContainsObject(sequence: sequence, object: object)
    }
}

extension PredicateExpressions.LeadsToObject: Sendable where Relationship: Sendable {}
extension PredicateExpressions.LeadsToObject: Encodable where Relationship: Encodable {}
extension PredicateExpressions.LeadsToObject: Decodable where Relationship: Decodable {}
extension PredicateExpressions.LeadsToObject: StandardPredicateExpression where Relationship: StandardPredicateExpression {}

extension PredicateExpressions.ContainsObject: Sendable where Objects: Sendable {}
extension PredicateExpressions.ContainsObject: Encodable where Objects: Encodable {}
extension PredicateExpressions.ContainsObject: Decodable where Objects: Decodable {}
extension PredicateExpressions.ContainsObject: StandardPredicateExpression where Objects: StandardPredicateExpression {}

// MARK: Translation

extension PredicateExpressions.LeadsToObject: TranslatedExpression {
    func condition<Object>(_ translation: PredicateTranslation<Object>) -> Condition? {
        object.condition(translation.relationship(of: relationship))
    }
}

extension PredicateExpressions.ContainsObject: TranslatedExpression {
    func condition<Object>(_ translation: PredicateTranslation<Object>) -> Condition? {
        object.condition(translation.relationship(of: sequence))
    }
}

extension Condition {
    /// Whether it names objects by their identities.
    private var namesTargets: Bool {
        switch self {
        case .all(let parts), .any(let parts): parts.contains { $0.namesTargets }
        case .link(let test): test.targetID != nil
        default: false
        }
    }

    /// With the objects that a predicate named by their identities.
    func resolved(in context: ObjectContext) throws(ObjectStoreError) -> Condition {
        guard namesTargets else { return self }
        switch self {
        case .all(let parts): return .all(try parts.map { part throws(ObjectStoreError) in try part.resolved(in: context) })
        case .any(let parts): return .any(try parts.map { part throws(ObjectStoreError) in try part.resolved(in: context) })
        case .link(let test):
            guard let id = test.targetID else { return self }
            guard test.targetStore == nil || test.targetStore == context.store.header.identity else {
                let reason = "the object that \(test.name) is compared with belongs to another store"
                throw ObjectStoreError(.invalidPredicate, reason, object: id)
            }
            guard let stored = context.store.storedClass(number: id.classNumber), stored.schema != nil else {
                return .always(test.isNegated)
            }
            let target = context.resolve(id, stored)
            return .link(LinkTest(property: test.property, name: test.name, target: target, isNegated: test.isNegated))
        default: return self
        }
    }
}
