/// The values of an object at some time: a record, and its long lists apart. These share what they have in memory with the object, and keep the state of
/// the store that has the rest.
struct ObjectSnapshot {
    var record: [UInt8] = []
    /// By field number.
    var lists: [UInt16: LongList] = [:]
    /// The large values that could not be read (``ObjectState/unread``): they stay as they are.
    var unread: UInt16 = 0
}
