/// A type that full-text search can search: `String` and `String?`.
public protocol SearchableText {
    /// The text, or `nil` if there is none.
    var searchedText: String? { get }
}

extension String: SearchableText {
    public var searchedText: String? { self }
}

extension Optional: SearchableText where Wrapped == String {
    public var searchedText: String? { self }
}
