/// The content a ``MappedKey`` can have: any ``MappedValue``, or an optional of one, which is `nil` if nothing is stored.
///
/// Your own types conform by conforming to ``MappedValue``.
public protocol MappedContent {
    /// The type of the stored value.
    associatedtype Stored: MappedValue

    /// Returns the content for the stored value, or for `nil` if nothing is stored.
    static func mappedContent(_ stored: Stored?, default fallback: Self) -> Self

    /// Returns the value to store for `content`; `nil` for nothing.
    static func mappedValue(of content: Self) -> Stored?
}

extension MappedValue {
    /// Returns the value, or the fallback if there is none.
    @inlinable
    public static func mappedContent(_ stored: Self?, default fallback: Self) -> Self { stored ?? fallback }

    /// Returns the value itself.
    @inlinable
    public static func mappedValue(of content: Self) -> Self? { content }
}

extension Optional: MappedContent where Wrapped: MappedValue {
    /// Returns the value, or the fallback (by default `nil`) if there is none.
    @inlinable
    public static func mappedContent(_ stored: Wrapped?, default fallback: Wrapped?) -> Wrapped? { stored ?? fallback }

    /// Returns the value; nothing for `nil`.
    @inlinable
    public static func mappedValue(of content: Wrapped?) -> Wrapped? { content }
}
