/// A change to a ``MappedStore``, made by this process or another.
public enum MappedChange: Hashable, Sendable {
    /// The value for this key was set.
    case set(String)
    /// The value for this key was removed.
    case removed(String)
    /// Any key may have changed, so read everything you need again. Reported when changes cannot be listed: after
    /// ``MappedStore/removeAll()``, after more changes than the reader has room for, after damage, or if a store was compacted more than
    /// once before this process looked.
    case everything

    /// The key that changed; `nil` for ``everything``.
    public var key: String? {
        switch self {
        case .set(let key), .removed(let key): key
        case .everything: nil
        }
    }
}
