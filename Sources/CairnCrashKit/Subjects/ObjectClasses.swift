import CairnObjects

/// A key of the space `songs`, with its value. Its record is apart where the value is long.
@Stored(indexes: [["size", "first"]]) final class CrashSong: HandCodedObject {
    @Unique var code: String
    @Indexed var size: Int
    var first: UInt8
    var content: [UInt8]
    @Relationship(inverse: \CrashEntry.song) var entries: ObjectSet<CrashEntry>

    convenience init(code: String, content: [UInt8]) {
        self.init(code: code, size: 0, first: 0, content: [])
        set(content)
    }

    func set(_ content: [UInt8]) {
        self.content = content
        size = content.count
        first = content.first ?? 0
    }

    func read(from record: inout RecordReader) throws(RecordError) {
        code = try record.read()
        size = try record.read()
        first = try record.read()
        content = try record.read()
    }

    func write(to record: inout RecordWriter) {
        record.write(code)
        record.write(size)
        record.write(first)
        record.write(content)
    }
}

/// A key of the space `playlists`: its value is the numbers of the entries, in their order.
@Stored final class CrashPlaylist {
    @Unique var code: String
    /// The value as it was put; the entries may have moved since.
    var numbers: [UInt8]
    @Relationship(inverse: \CrashEntry.playlist, onDelete: .cascade) var entries: ObjectList<CrashEntry>
}

/// A byte of a playlist's value. It leads to the song of that number while there is one.
@Stored final class CrashEntry {
    @Indexed var number: UInt8
    @Relationship var song: CrashSong?
    @Relationship var playlist: CrashPlaylist?
}
