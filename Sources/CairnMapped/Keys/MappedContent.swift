/// What a ``MappedKey`` can stand for: every ``MappedValue``, and an optional of one, which is `nil` where nothing is stored.
///
/// Types of your own conform by conforming to ``MappedValue``.
public protocol MappedContent {
    /// What is stored.
    associatedtype Stored: MappedValue

    /// The content where `stored` was found, or nothing.
    static func mappedContent(_ stored: Stored?, default fallback: Self) -> Self

    /// What to store for `content`; `nil` for nothing.
    static func mappedValue(of content: Self) -> Stored?
}

extension MappedValue {
    /// The value, or the fallback where there is none.
    @inlinable
    public static func mappedContent(_ stored: Self?, default fallback: Self) -> Self { stored ?? fallback }

    /// The value itself.
    @inlinable
    public static func mappedValue(of content: Self) -> Self? { content }
}

extension Optional: MappedContent where Wrapped: MappedValue {
    /// The value, or the fallback, by default `nil`, where there is none.
    @inlinable
    public static func mappedContent(_ stored: Wrapped?, default fallback: Wrapped?) -> Wrapped? { stored ?? fallback }

    /// The value; nothing for `nil`.
    @inlinable
    public static func mappedValue(of content: Wrapped?) -> Wrapped? { content }
}
