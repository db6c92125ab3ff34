/// The classes of the model test, as the model knows them.
enum ModelKind: Int, CaseIterable, Sendable {
    case hub, part, line, tag
}

/// Their relationships.
enum ModelProperty: String, CaseIterable, Sendable {
    case parts, friend, next, tags, byKey
    case hub, lines, pins
    case items, tag, held, things
    case hubs, line

    enum Shape { case one, list, set, keyed }
    enum Rule { case nullify, cascade, deny }

    var owner: ModelKind {
        switch self {
        case .parts, .friend, .next, .tags, .byKey: .hub
        case .hub, .lines, .pins: .part
        case .items, .tag, .held, .things: .line
        case .hubs, .line: .tag
        }
    }

    /// `nil`: any.
    var target: ModelKind? {
        switch self {
        case .parts, .byKey, .items: .part
        case .friend, .next, .hub, .hubs: .hub
        case .tags, .pins, .tag, .held: .tag
        case .lines, .line: .line
        case .things: nil
        }
    }

    var shape: Shape {
        switch self {
        case .friend, .next, .hub, .tag, .line: .one
        case .parts, .items, .things: .list
        case .tags, .lines, .pins, .held, .hubs: .set
        case .byKey: .keyed
        }
    }

    var inverse: ModelProperty? {
        switch self {
        case .parts: .hub
        case .hub: .parts
        case .friend: .friend
        case .tags: .hubs
        case .hubs: .tags
        case .items: .lines
        case .lines: .items
        case .tag: .line
        case .line: .tag
        case .next, .byKey, .pins, .held, .things: nil
        }
    }

    /// Whether the model keeps it; otherwise it follows from its inverse.
    var isKept: Bool { self != .lines && self != .hubs }

    var rule: Rule {
        switch self {
        case .parts, .next: .cascade
        case .pins, .held: .deny
        default: .nullify
        }
    }

    static func of(_ kind: ModelKind) -> [ModelProperty] { allCases.filter { $0.owner == kind } }
}
