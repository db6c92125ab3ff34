import CairnCore
import Synchronization

/// Stands for a class of a catalog at run time: each of these types makes ``UntypedObject`` another class.
protocol UntypedTag: SendableMetatype {}

/// Any number of types, each made of binary digits.
private enum NoDigits: UntypedTag {}
private enum Zero<Rest: UntypedTag>: UntypedTag {}
private enum One<Rest: UntypedTag>: UntypedTag {}

/// Classes for objects whose Swift classes the program does not have, made from a catalog.
final class UntypedClasses: Sendable {
    private struct Registry {
        var schemas: [ObjectIdentifier: ObjectSchema] = [:]
        /// The numbers of unused types.
        var free: [Int] = []
        var count = 0
    }

    private static let registry = Mutex(Registry())

    /// The schema of the class that a tag stands for.
    static func schema(of tag: any UntypedTag.Type) -> ObjectSchema {
        guard let schema = registry.withLock({ $0.schemas[ObjectIdentifier(tag)] }) else {
            preconditionFailure("an object of a class that was not made")
        }
        return schema
    }

    let types: [any StoredObject.Type]
    /// Why objects of the other classes cannot be changed without their classes.
    let obstacles: [String: String]
    private let numbers: [Int]

    /// - Parameter entries: The classes of a store.
    init(_ entries: [CatalogEntry]) {
        obstacles = UntypedClasses.obstacles(entries)
        let editable = entries.filter { [obstacles] in obstacles[$0.name] == nil }
        numbers = Self.registry.withLock { registry in
            editable.map { _ in
                if let number = registry.free.popLast() { return number }
                registry.count += 1
                return registry.count
            }
        }
        let tags = Dictionary(zip(editable.map(\.name), numbers.map(Self.tag)), uniquingKeysWith: { first, _ in first })
        let makers = editable.compactMap { entry in tags[entry.name].map { UntypedSchema(entry, $0, tags, editable) } }
        let schemas = makers.map { ($0.tag, $0.schema) }
        Self.registry.withLock { registry in
            for (tag, schema) in schemas { registry.schemas[ObjectIdentifier(tag)] = schema }
        }
        types = schemas.map(\.1.type)
    }

    // Types are reused, since the runtime never frees them.
    deinit { Self.registry.withLock { [numbers] in $0.free += numbers } }

    private static func tag(_ number: Int) -> any UntypedTag.Type {
        func zero<Tag: UntypedTag>(_ tag: Tag.Type) -> any UntypedTag.Type { Zero<Tag>.self }
        func one<Tag: UntypedTag>(_ tag: Tag.Type) -> any UntypedTag.Type { One<Tag>.self }
        var tag: any UntypedTag.Type = NoDigits.self
        var rest = number
        while rest > 0 {
            tag = rest & 1 == 0 ? zero(tag) : one(tag)
            rest >>= 1
        }
        return tag
    }

    // MARK: What cannot be changed

    private static func obstacles(_ entries: [CatalogEntry]) -> [String: String] {
        var obstacles: [String: String] = [:]
        let names = Set(entries.map(\.name))
        for entry in entries { obstacles[entry.name] = obstacle(entry, among: names) }
        // Deleting an object, or setting a relationship, may change the objects that it leads to.
        while let (entry, why) = entries.lazy.compactMap({ entry in leadsAway(entry, obstacles).map { (entry, $0) } }).first {
            obstacles[entry.name] = why
        }
        return obstacles
    }

    private static func obstacle(_ entry: CatalogEntry, among names: Set<String>) -> String? {
        if entry.isHandCoded == true { return "\(entry.name) writes its values by hand" }
        if entry.isShreddable == true { return "objects of \(entry.name) have groups, which only the class knows" }
        for property in entry.properties where property.isGone == nil {
            // The target class was renamed since this class was last opened.
            guard let target = property.relationship?.target, !names.contains(target) else { continue }
            return "\(entry.name).\(property.name) refers to objects of \(target), which the store does not have"
        }
        let types = entry.types
        for (place, property) in entry.properties.enumerated() where property.isGone == nil && property.relationship == nil {
            guard let type = types[place + 1] else { return "the type of \(entry.name).\(property.name) is unknown: \(property.type)" }
            guard entry.indexes.contains(where: { $0.properties.contains(property.name) }), !type.hasKnownKey else { continue }
            return "the index of \(entry.name).\(property.name) has keys that only the class knows"
        }
        return nil
    }

    private static func leadsAway(_ entry: CatalogEntry, _ obstacles: [String: String]) -> String? {
        guard obstacles[entry.name] == nil else { return nil }
        for property in entry.properties where property.isGone == nil {
            guard let relationship = property.relationship else { continue }
            if let target = relationship.target, let why = obstacles[target] {
                return "\(entry.name).\(property.name) refers to objects that cannot be changed: \(why)"
            }
            if relationship.target == nil, relationship.deleteRule != "\(DeleteRule.nullify)", let why = obstacles.values.sorted().first {
                return "\(entry.name).\(property.name) may refer to objects that cannot be changed: \(why)"
            }
        }
        return nil
    }
}

extension StoredType {
    /// Whether ``TypedValue/keyElement`` knows the key of values.
    fileprivate var hasKnownKey: Bool {
        switch self {
        case .raw(let type, _), .optional(let type): type.hasKnownKey
        case .bool, .integer, .float, .double, .string, .bytes, .date, .uuid: true
        case .url, .decimal, .array, .set, .dictionary, .codable: false
        }
    }
}
