import SwiftSyntax

/// Where a declaration is visible.
enum AccessLevel: Int, Comparable {
    case `private`, `fileprivate`, `internal`, `package`, `public`

    static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }

    init(_ modifiers: DeclModifierListSyntax) {
        self = .internal
        for modifier in modifiers where modifier.detail == nil {
            switch modifier.name.tokenKind {
            case .keyword(.private): self = .private
            case .keyword(.fileprivate): self = .fileprivate
            case .keyword(.package): self = .package
            case .keyword(.public), .keyword(.open): self = .public
            default: continue
            }
        }
    }

    /// The modifier that makes members as visible as their class: none for a class that is visible at most in its module.
    var memberModifier: String {
        switch self {
        case .public: "public "
        case .package: "package "
        case .internal, .fileprivate, .private: ""
        }
    }

    /// The modifier that gives exactly this level.
    var modifier: String {
        switch self {
        case .internal: ""
        case .private: "private "
        case .fileprivate: "fileprivate "
        case .package: "package "
        case .public: "public "
        }
    }
}
