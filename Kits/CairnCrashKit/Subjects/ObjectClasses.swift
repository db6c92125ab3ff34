// made by scripts/expand-stored: what `@Stored` makes of these classes, so that this target builds no swift-syntax.
//
//| /// A key of the space `songs`, with its value. Its record is apart where the value is long.
//| @Stored(indexes: [["size", "first"]]) final class CrashSong: HandCodedObject {
//|     @Unique var code: String
//|     @Indexed var size: Int
//|     var first: UInt8
//|     var content: [UInt8]
//|     @Relationship(inverse: \CrashEntry.song) var entries: ObjectSet<CrashEntry>
//|
//|     convenience init(code: String, content: [UInt8]) {
//|         self.init(code: code, size: 0, first: 0, content: [])
//|         set(content)
//|     }
//|
//|     func set(_ content: [UInt8]) {
//|         self.content = content
//|         size = content.count
//|         first = content.first ?? 0
//|     }
//|
//|     func read(from record: inout RecordReader) throws(RecordError) {
//|         code = try record.read()
//|         size = try record.read()
//|         first = try record.read()
//|         content = try record.read()
//|     }
//|
//|     func write(to record: inout RecordWriter) {
//|         record.write(code)
//|         record.write(size)
//|         record.write(first)
//|         record.write(content)
//|     }
//| }
//|
//| /// A key of the space `playlists`: its value is the numbers of the entries, in their order.
//| @Stored final class CrashPlaylist {
//|     @Unique var code: String
//|     /// The value as it was put; the entries may have moved since.
//|     var numbers: [UInt8]
//|     @Relationship(inverse: \CrashEntry.playlist, onDelete: .cascade) var entries: ObjectList<CrashEntry>
//| }
//|
//| /// A byte of a playlist's value. It leads to the song of that number while there is one.
//| @Stored final class CrashEntry {
//|     @Indexed var number: UInt8
//|     @Relationship var song: CrashSong?
//|     @Relationship var playlist: CrashPlaylist?
//| }

import CairnRocksGraph

/// A key of the space `songs`, with its value. Its record is apart where the value is long.
final class CrashSong: HandCodedObject {
    var code: String {
        @storageRestrictions(initializes: _code)
        init(initialValue) {
            _code = initialValue
        }
        get {
            _$willRead(\.code)
            if let value = _code {
                return value
            }
            return _$missing(0, nil) as String
        }
        set {
            _$willChange(0, \.code)
            _code = newValue
            _$didChange(\.code)
        }
        _modify {
            _$willChange(0, \.code)
            defer {
                _$didChange(\.code)
            }
            if _code == nil {
                _code = _$missing(0, nil) as String
            }
            yield &_code!
        }
    }
    private var _code: Optional<String>
    var size: Int {
        @storageRestrictions(initializes: _size)
        init(initialValue) {
            _size = initialValue
        }
        get {
            _$willRead(\.size)
            if let value = _size {
                return value
            }
            return _$missing(1, nil) as Int
        }
        set {
            _$willChange(1, \.size)
            _size = newValue
            _$didChange(\.size)
        }
        _modify {
            _$willChange(1, \.size)
            defer {
                _$didChange(\.size)
            }
            if _size == nil {
                _size = _$missing(1, nil) as Int
            }
            yield &_size!
        }
    }
    private var _size: Optional<Int>
    var first: UInt8 {
        @storageRestrictions(initializes: _first)
        init(initialValue) {
            _first = initialValue
        }
        get {
            _$willRead(\.first)
            if let value = _first {
                return value
            }
            return _$missing(2, nil) as UInt8
        }
        set {
            _$willChange(2, \.first)
            _first = newValue
            _$didChange(\.first)
        }
        _modify {
            _$willChange(2, \.first)
            defer {
                _$didChange(\.first)
            }
            if _first == nil {
                _first = _$missing(2, nil) as UInt8
            }
            yield &_first!
        }
    }
    private var _first: Optional<UInt8>
    var content: [UInt8] {
        @storageRestrictions(initializes: _content)
        init(initialValue) {
            _content = initialValue
        }
        get {
            _$willRead(\.content)
            if let value = _content {
                return value
            }
            return _$missing(3, nil) as [UInt8]
        }
        set {
            _$willChange(3, \.content)
            _content = newValue
            _$didChange(\.content)
        }
        _modify {
            _$willChange(3, \.content)
            defer {
                _$didChange(\.content)
            }
            if _content == nil {
                _content = _$missing(3, nil) as [UInt8]
            }
            yield &_content!
        }
    }
    private var _content: Optional<[UInt8]>
    var entries: ObjectSet<CrashEntry> {
        @storageRestrictions(initializes: _entries)
        init(initialValue) {
            _entries = initialValue._$taken
        }
        get {
            _$willRead(\.entries)
            return ObjectSet<CrashEntry>(_$owner: self, 4, _$collection(&_entries))
        }
        set {
            _$willRead(\.entries)
            ObjectSet<CrashEntry>(_$owner: self, 4, _$collection(&_entries))._$replace(with: newValue)
        }
    }
    private var _entries: ObjectCollection?

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

    @safe @exclusivity(unchecked) var _$state = ObjectState()

    init(code: String, size: Int, first: UInt8, content: [UInt8], entries: ObjectSet<CrashEntry>? = nil) {
        self._code = code
        self._size = size
        self._first = first
        self._content = content
        self._entries = entries?._$taken
        if entries != nil {
            _$follow()
        }
    }

    init(_$fault: Void) {
        _code = nil
        _size = nil
        _first = nil
        _content = nil
    }

    func _$read(_ reader: inout RecordReader) throws(RecordError) {
        try self._$readByHand(&reader)
        _entries = try reader.readCollection(4)
    }

    func _$write(_ writer: inout RecordWriter, _ fields: FieldMap) {
        self._$writeByHand(&writer)
        writer.write(_entries, field: fields[4])
    }

    func _$clear() {
        _code = nil
        _size = nil
        _first = nil
        _content = nil
        _entries = nil
    }

    static let objectSchema = ObjectSchema(
        CrashSong.self,
        name: "CrashSong",
        properties: [
            .value("code", \CrashSong.code),
            .value("size", \CrashSong.size),
            .value("first", \CrashSong.first),
            .value("content", \CrashSong.content),
            .set(
                "entries",
                \CrashSong.entries,
                inverse: \CrashEntry.song,
                storage: {
                    $0._entries
                }
            ),
        ],
        indexes: [
            ObjectIndex(["code"], isUnique: true) { (object: CrashSong, encoder) in
                encoder.encode(object._code ?? object._$missing(0, nil) as String)
            },
            ObjectIndex(["size"]) { (object: CrashSong, encoder) in
                encoder.encode(object._size ?? object._$missing(1, nil) as Int)
            },
            ObjectIndex(["size", "first"]) { (object: CrashSong, encoder) in
                encoder.encode(object._size ?? object._$missing(1, nil) as Int)
                encoder.encode(object._first ?? object._$missing(2, nil) as UInt8)
            },
        ],
        isHandCoded: true
    )
}

extension CrashSong: nonisolated StoredObject {
}

/// A key of the space `playlists`: its value is the numbers of the entries, in their order.
final class CrashPlaylist {
    var code: String {
        @storageRestrictions(initializes: _code)
        init(initialValue) {
            _code = initialValue
        }
        get {
            _$willRead(\.code)
            if let value = _code {
                return value
            }
            return _$missing(0, nil) as String
        }
        set {
            _$willChange(0, \.code)
            _code = newValue
            _$didChange(\.code)
        }
        _modify {
            _$willChange(0, \.code)
            defer {
                _$didChange(\.code)
            }
            if _code == nil {
                _code = _$missing(0, nil) as String
            }
            yield &_code!
        }
    }
    private var _code: Optional<String>
    /// The value as it was put; the entries may have moved since.
    var numbers: [UInt8] {
        @storageRestrictions(initializes: _numbers)
        init(initialValue) {
            _numbers = initialValue
        }
        get {
            _$willRead(\.numbers)
            if let value = _numbers {
                return value
            }
            return _$missing(1, nil) as [UInt8]
        }
        set {
            _$willChange(1, \.numbers)
            _numbers = newValue
            _$didChange(\.numbers)
        }
        _modify {
            _$willChange(1, \.numbers)
            defer {
                _$didChange(\.numbers)
            }
            if _numbers == nil {
                _numbers = _$missing(1, nil) as [UInt8]
            }
            yield &_numbers!
        }
    }
    private var _numbers: Optional<[UInt8]>
    var entries: ObjectList<CrashEntry> {
        @storageRestrictions(initializes: _entries)
        init(initialValue) {
            _entries = initialValue._$taken
        }
        get {
            _$willRead(\.entries)
            return ObjectList<CrashEntry>(_$owner: self, 2, _$collection(&_entries))
        }
        set {
            _$willRead(\.entries)
            ObjectList<CrashEntry>(_$owner: self, 2, _$collection(&_entries))._$replace(with: newValue)
        }
    }
    private var _entries: ObjectCollection?

    @safe @exclusivity(unchecked) var _$state = ObjectState()

    init(code: String, numbers: [UInt8], entries: ObjectList<CrashEntry>? = nil) {
        self._code = code
        self._numbers = numbers
        self._entries = entries?._$taken
        if entries != nil {
            _$follow()
        }
    }

    init(_$fault: Void) {
        _code = nil
        _numbers = nil
    }

    func _$read(_ reader: inout RecordReader) throws(RecordError) {
        _code = try reader.read(0, default: nil) as String
        _numbers = try reader.read(1, default: nil) as [UInt8]
        _entries = try reader.readCollection(2)
    }

    func _$write(_ writer: inout RecordWriter, _ fields: FieldMap) {
        if let value = _code {
            writer.write(value, field: fields[0])
        }
        if let value = _numbers {
            writer.write(value, field: fields[1])
        }
        writer.write(_entries, field: fields[2])
    }

    func _$clear() {
        _code = nil
        _numbers = nil
        _entries = nil
    }

    static let objectSchema = ObjectSchema(
        CrashPlaylist.self,
        name: "CrashPlaylist",
        properties: [
            .value("code", \CrashPlaylist.code),
            .value("numbers", \CrashPlaylist.numbers),
            .list(
                "entries",
                \CrashPlaylist.entries,
                inverse: \CrashEntry.playlist,
                onDelete: .cascade,
                storage: {
                    $0._entries
                }
            ),
        ],
        indexes: [
            ObjectIndex(["code"], isUnique: true) { (object: CrashPlaylist, encoder) in
                encoder.encode(object._code ?? object._$missing(0, nil) as String)
            }
        ]
    )
}

extension CrashPlaylist: nonisolated StoredObject {
}

/// A byte of a playlist's value. It leads to the song of that number while there is one.
final class CrashEntry {
    var number: UInt8 {
        @storageRestrictions(initializes: _number)
        init(initialValue) {
            _number = initialValue
        }
        get {
            _$willRead(\.number)
            if let value = _number {
                return value
            }
            return _$missing(0, nil) as UInt8
        }
        set {
            _$willChange(0, \.number)
            _number = newValue
            _$didChange(\.number)
        }
        _modify {
            _$willChange(0, \.number)
            defer {
                _$didChange(\.number)
            }
            if _number == nil {
                _number = _$missing(0, nil) as UInt8
            }
            yield &_number!
        }
    }
    private var _number: Optional<UInt8>
    var song: CrashSong? {
        @storageRestrictions(initializes: _song)
        init(initialValue) {
            _song = ObjectReference(_$to: initialValue)
        }
        get {
            _$willRead(\.song)
            return _$object(_song, as: (CrashSong).self)
        }
        set {
            _$setReference(newValue, 1, \.song)
        }
    }
    private var _song: ObjectReference
    var playlist: CrashPlaylist? {
        @storageRestrictions(initializes: _playlist)
        init(initialValue) {
            _playlist = ObjectReference(_$to: initialValue)
        }
        get {
            _$willRead(\.playlist)
            return _$object(_playlist, as: (CrashPlaylist).self)
        }
        set {
            _$setReference(newValue, 2, \.playlist)
        }
    }
    private var _playlist: ObjectReference

    @safe @exclusivity(unchecked) var _$state = ObjectState()

    init(number: UInt8, song: CrashSong? = nil, playlist: CrashPlaylist? = nil) {
        self._number = number
        self._song = ObjectReference(_$to: song)
        self._playlist = ObjectReference(_$to: playlist)
        if song != nil || playlist != nil {
            _$follow()
        }
    }

    init(_$fault: Void) {
        _number = nil
    }

    func _$read(_ reader: inout RecordReader) throws(RecordError) {
        _number = try reader.read(0, default: nil) as UInt8
        _song = try reader.readReference(1)
        _playlist = try reader.readReference(2)
    }

    func _$write(_ writer: inout RecordWriter, _ fields: FieldMap) {
        if let value = _number {
            writer.write(value, field: fields[0])
        }
        writer.write(_song, field: fields[1])
        writer.write(_playlist, field: fields[2])
    }

    func _$clear() {
        _number = nil
        _song = .none
        _playlist = .none
    }

    static let objectSchema = ObjectSchema(
        CrashEntry.self,
        name: "CrashEntry",
        properties: [
            .value("number", \CrashEntry.number),
            .toOne(
                "song",
                \CrashEntry.song,
                get: {
                    $0._song
                },
                set: {
                    $0._song = $1
                }
            ),
            .toOne(
                "playlist",
                \CrashEntry.playlist,
                get: {
                    $0._playlist
                },
                set: {
                    $0._playlist = $1
                }
            ),
        ],
        indexes: [
            ObjectIndex(["number"]) { (object: CrashEntry, encoder) in
                encoder.encode(object._number ?? object._$missing(0, nil) as UInt8)
            }
        ]
    )
}

extension CrashEntry: nonisolated StoredObject {
}
