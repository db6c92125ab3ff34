/// A stored class that reads and writes its values with its own two methods, instead of those that `@Stored` generates.
///
/// ```swift
/// @Stored final class Song: HandCodedObject {
///     @Indexed var artist: String
///     var seconds: Int
///
///     func read(from record: inout RecordReader) throws(RecordError) {
///         artist = try record.read()
///         seconds = try record.read()
///     }
///
///     func write(to record: inout RecordWriter) {
///         record.write(artist)
///         record.write(seconds)
///     }
/// }
/// ```
///
/// Everything else works as for other classes: tracking, observation, indexes, initializers, and relationships, which are written without these methods. The
/// store cannot show the values without the program, nor read records in which fields were added or removed: the methods handle that, using
/// ``RecordReader/version`` and ``RecordReader/isAtEnd``. Large values are read and written with the record, not apart from it.
public protocol HandCodedObject: StoredObject {
    /// Reads the values of all properties from a record, in the order in which ``write(to:)`` wrote them.
    ///
    /// Assigning to properties here does not count as a change, and observers are not notified.
    ///
    /// - Throws: ``RecordError``, as the reader does. The object then counts as damaged; other objects are not affected.
    func read(from record: inout RecordReader) throws(RecordError)

    /// Writes the values of all properties.
    func write(to record: inout RecordWriter)
}

extension HandCodedObject {
    /// ``read(from:)`` without tracking.
    public func _$readByHand(_ reader: inout RecordReader) throws(RecordError) {
        let tracking = pauseTracking()
        defer { resumeTracking(tracking) }
        try read(from: &reader)
    }

    /// ``write(to:)`` without tracking.
    public func _$writeByHand(_ writer: inout RecordWriter) {
        let tracking = pauseTracking()
        defer { resumeTracking(tracking) }
        write(to: &writer)
    }
}

extension StoredObject {
    /// Stops counting assignments to properties as changes, and notifying observers of them, until ``resumeTracking(_:)``.
    func pauseTracking() -> (ObjectState.Flags, UInt64) {
        let tracking = (_$state.flags, _$state.changed)
        _$state.flags = []
        _$state.changed = .max
        return tracking
    }

    func resumeTracking(_ tracking: (ObjectState.Flags, UInt64)) {
        (_$state.flags, _$state.changed) = tracking
    }
}
