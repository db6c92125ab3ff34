/// A stored class whose objects are encrypted in groups, each with its own key: deleting a group's key makes its objects unreadable.
///
/// ```swift
/// @Stored final class Message {
///     var user: String
///     var text: String
/// }
///
/// extension Message: ShreddableObject {
///     var shredGroup: String? { user }
/// }
///
/// try store.shred("ada")          // what ada wrote cannot be read any more
/// ```
///
/// The store must be encrypted (``ObjectStoreOptions/cipher``), with a cipher that supports group keys; opening any other store with the
/// class throws ``ObjectStoreError/Code/notSupported``. A record takes 65 bytes more, and is encrypted and decrypted once more in addition
/// to its page.
public protocol ShreddableObject: StoredObject {
    /// The group to pass to ``ObjectStore/shred(_:progress:)`` to make this object unreadable: a user's ID, or something unique to this
    /// object. `nil`: none; the object is encrypted like those of other classes.
    ///
    /// Read by each save of the object. Compute it from the object's own values: relationships may not be followed then. Two texts name the
    /// same group if their UTF-8 bytes are equal.
    var shredGroup: String? { get }
}
