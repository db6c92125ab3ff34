/// A change of a ``MappedStore``, made by this process or another.
public enum MappedChange: Hashable, Sendable {
    /// A value was put under this key.
    case set(String)
    /// The value under this key was removed.
    case removed(String)
    /// Any key may have changed: read anew what matters. Told where changes cannot be listed: ``MappedStore/removeAll()``, more than the
    /// reader has room for, damage, or a store that was compacted more than once before anybody here looked.
    case everything

    /// The key that changed; `nil` for ``everything``.
    public var key: String? {
        switch self {
        case .set(let key), .removed(let key): key
        case .everything: nil
        }
    }
}
