/// A stored class that reads and writes its values by two methods of its own, instead of those that `@Stored` writes.
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
/// Everything else is as for other classes: tracking, observation, indexes, initialisers, and relationships, which are written without the methods.
/// What the store cannot do is to show the values without the program, and to read records in which fields were added or removed; the methods see to
/// that, by ``RecordReader/version`` and ``RecordReader/isAtEnd``.
public protocol HandCodedObject: StoredObject {
    /// Takes the values of all properties from a record, in the order in which ``write(to:)`` wrote them.
    ///
    /// Assigning to properties here counts as no change, and nobody is told.
    ///
    /// - Throws: ``RecordError``, as the reader does. The object then counts as damaged; other objects are not concerned.
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

    private func pauseTracking() -> (ObjectState.Flags, UInt64) {
        let tracking = (_$state.flags, _$state.changed)
        _$state.flags = []
        _$state.changed = .max
        return tracking
    }

    private func resumeTracking(_ tracking: (ObjectState.Flags, UInt64)) {
        (_$state.flags, _$state.changed) = tracking
    }
}
