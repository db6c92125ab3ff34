/// A stored class whose objects are encrypted with keys of their own, for groups of them: with the key of a group, its objects are gone.
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
/// The store must be encrypted (``ObjectStoreOptions/cipher``), with a cipher that can do it; opening any other one with the class throws
/// ``ObjectStoreError/Code/notSupported``. A record takes 65 bytes more, and is encrypted and decrypted once more than its page.
public protocol ShreddableObject: StoredObject {
    /// What ``ObjectStore/shred(_:progress:)`` is to be told so that this object cannot be read any more: a user's id, or something of this object alone.
    /// `nil`: nothing; the object is encrypted as those of other classes are.
    ///
    /// Asked by each save of the object. Make it of the object's own values: relationships may not be followed then. Texts are the same group if they are
    /// the same bytes of UTF-8.
    var shredGroup: String? { get }
}
