import Testing

struct ExpansionTests {
    @Test func valuesGetAccessorsStorageCodecAndSchema() {
        expect(
            """
            @Stored final class Song {
                @Indexed var artist: String
                var seconds: Int = 0
                var released: Date?
            }
            """,
            becomes: """
                final class Song {
                    var artist: String {
                        @storageRestrictions(initializes: _artist)
                        init(initialValue) {
                            _artist = initialValue
                        }
                        get {
                            _$willRead(\\.artist)
                            if let value = _artist {
                                return value
                            }
                            return _$missing(0, nil) as String
                        }
                        set {
                            _$willChange(0, \\.artist)
                            _artist = newValue
                            _$didChange(\\.artist)
                        }
                        _modify {
                            _$willChange(0, \\.artist)
                            defer {
                                _$didChange(\\.artist)
                            }
                            if _artist == nil {
                                _artist = _$missing(0, nil) as String
                            }
                            yield &_artist!
                        }
                    }

                    private var _artist: Optional<String>
                    var seconds: Int {
                        @storageRestrictions(initializes: _seconds)
                        init(initialValue) {
                            _seconds = initialValue
                        }
                        get {
                            _$willRead(\\.seconds)
                            if let value = _seconds {
                                return value
                            }
                            return _$missing(1, .some(0)) as Int
                        }
                        set {
                            _$willChange(1, \\.seconds)
                            _seconds = newValue
                            _$didChange(\\.seconds)
                        }
                        _modify {
                            _$willChange(1, \\.seconds)
                            defer {
                                _$didChange(\\.seconds)
                            }
                            if _seconds == nil {
                                _seconds = _$missing(1, .some(0)) as Int
                            }
                            yield &_seconds!
                        }
                    }

                    private var _seconds: Optional<Int>
                    var released: Date? {
                        @storageRestrictions(initializes: _released)
                        init(initialValue) {
                            _released = initialValue
                        }
                        get {
                            _$willRead(\\.released)
                            return _released
                        }
                        set {
                            _$willChange(2, \\.released)
                            _released = newValue
                            _$didChange(\\.released)
                        }
                        _modify {
                            _$willChange(2, \\.released)
                            defer {
                                _$didChange(\\.released)
                            }
                            yield &_released
                        }
                    }

                    private var _released: Date?

                    @safe @exclusivity(unchecked) var _$state = CairnGraph.ObjectState()

                    init(artist: String, seconds: Int = 0, released: Date? = nil) {
                        self._artist = artist
                        self._seconds = seconds
                        self._released = released
                    }

                    init(_$fault: Void) {
                        _artist = nil
                    }

                    func _$read(_ reader: inout CairnGraph.RecordReader) throws(CairnGraph.RecordError) {
                        _artist = try reader.read(0, default: nil) as String
                        _seconds = try reader.read(1, default: .some(0)) as Int
                        _released = try reader.read(2, default: nil) as Date?
                    }

                    func _$write(_ writer: inout CairnGraph.RecordWriter, _ fields: CairnGraph.FieldMap) {
                        if let value = _artist {
                            writer.write(value, field: fields[0])
                        }
                        if let value = _seconds {
                            writer.write(value, field: fields[1])
                        }
                        if let value = _released {
                            writer.write(value, field: fields[2])
                        }
                    }

                    func _$clear() {
                        _artist = nil
                        _seconds = nil
                        _released = nil
                    }

                    static let objectSchema = CairnGraph.ObjectSchema(
                        Song.self,
                        name: "Song",
                        properties: [
                        .value("artist", \\Song.artist),
                        .value("seconds", \\Song.seconds, hasDefault: true),
                        .value("released", \\Song.released),
                        ],
                        indexes: [
                        CairnGraph.ObjectIndex(["artist"]) { (object: Song, encoder) in
                            encoder.encode(object._artist ?? object._$missing(0, nil) as String)
                        },
                        ]
                    )
                }

                extension Song: nonisolated CairnGraph.StoredObject {
                }
                """
        )
    }

    @Test func relationshipsGetReferencesAndCollections() {
        expect(
            """
            @Stored(name: "LP", version: 2) public final class Album {
                @Relationship(inverse: \\Artist.albums, onDelete: .cascade) public var artist: Artist?
                @Relationship(inverse: "album") public var songs: [Song]
                @Relationship var tags: ObjectSet<Tag>
            }
            """,
            becomes: """
                public final class Album {
                    public var artist: Artist? {
                        @storageRestrictions(initializes: _artist)
                        init(initialValue) {
                            _artist = CairnGraph.ObjectReference(_$to: initialValue)
                        }
                        get {
                            _$willRead(\\.artist)
                            return _$object(_artist, as: (Artist).self)
                        }
                        set {
                            _$setReference(newValue, 0, \\.artist)
                        }
                    }

                    private var _artist: CairnGraph.ObjectReference
                    public var songs: [Song] {
                        @storageRestrictions(initializes: _songs)
                        init(initialValue) {
                            _songs = ObjectList<Song>(initialValue)._$taken
                        }
                        get {
                            _$willRead(\\.songs)
                            return Array(ObjectList<Song>(_$owner: self, 1, _$collection(&_songs)))
                        }
                        set {
                            _$willRead(\\.songs)
                            ObjectList<Song>(_$owner: self, 1, _$collection(&_songs))._$replace(with: ObjectList<Song>(newValue))
                        }
                    }

                    private var _songs: CairnGraph.ObjectCollection?

                    public var $songs: ObjectList<Song> {
                        _$willRead(\\.songs)
                        return ObjectList<Song>(_$owner: self, 1, _$collection(&_songs))
                    }
                    var tags: ObjectSet<Tag> {
                        @storageRestrictions(initializes: _tags)
                        init(initialValue) {
                            _tags = initialValue._$taken
                        }
                        get {
                            _$willRead(\\.tags)
                            return ObjectSet<Tag>(_$owner: self, 2, _$collection(&_tags))
                        }
                        set {
                            _$willRead(\\.tags)
                            ObjectSet<Tag>(_$owner: self, 2, _$collection(&_tags))._$replace(with: newValue)
                        }
                    }

                    private var _tags: CairnGraph.ObjectCollection?

                    @safe @exclusivity(unchecked) public var _$state = CairnGraph.ObjectState()

                    public init(artist: Artist? = nil, songs: [Song] = []) {
                        self._artist = CairnGraph.ObjectReference(_$to: artist)
                        self._songs = ObjectList<Song>(songs)._$taken
                        if artist != nil || !songs.isEmpty {
                            _$follow()
                        }
                    }

                    public init(_$fault: Void) {
                    }

                    public func _$read(_ reader: inout CairnGraph.RecordReader) throws(CairnGraph.RecordError) {
                        _artist = try reader.readReference(0)
                        _songs = try reader.readCollection(1)
                        _tags = try reader.readCollection(2)
                    }

                    public func _$write(_ writer: inout CairnGraph.RecordWriter, _ fields: CairnGraph.FieldMap) {
                        writer.write(_artist, field: fields[0])
                        writer.write(_songs, field: fields[1])
                        writer.write(_tags, field: fields[2])
                    }

                    public func _$clear() {
                        _artist = .none
                        _songs = nil
                        _tags = nil
                    }

                    public static let objectSchema = CairnGraph.ObjectSchema(
                        Album.self,
                        name: "LP",
                        version: 2,
                        properties: [
                        .toOne("artist", \\Album.artist, inverse: \\Artist.albums, onDelete: .cascade, get: {
                                $0._artist
                            }, set: {
                                $0._artist = $1
                            }),
                        .list("songs", \\Album.songs, inverse: \\Song.album, storage: {
                                $0._songs
                            }),
                        .set("tags", \\Album.tags, storage: {
                                $0._tags
                            }),
                        ]
                    )
                }

                extension Album: nonisolated CairnGraph.StoredObject {
                }
                """
        )
    }

    @Test func aClassWithAnInitialiserGetsNoOther() {
        expect(
            """
            @Stored final class Song {
                var isLoud: Bool
                init() { isLoud = true }
            }
            """,
            becomes: """
                final class Song {
                    var isLoud: Bool {
                        @storageRestrictions(initializes: _isLoud)
                        init(initialValue) {
                            _isLoud = initialValue
                        }
                        get {
                            _$willRead(\\.isLoud)
                            if let value = _isLoud {
                                return value
                            }
                            return _$missing(0, nil) as Bool
                        }
                        set {
                            _$willChange(0, \\.isLoud)
                            _isLoud = newValue
                            _$didChange(\\.isLoud)
                        }
                        _modify {
                            _$willChange(0, \\.isLoud)
                            defer {
                                _$didChange(\\.isLoud)
                            }
                            if _isLoud == nil {
                                _isLoud = _$missing(0, nil) as Bool
                            }
                            yield &_isLoud!
                        }
                    }

                    private var _isLoud: Optional<Bool>
                    init() { isLoud = true }

                    @safe @exclusivity(unchecked) var _$state = CairnGraph.ObjectState()

                    init(_$fault: Void) {
                        _isLoud = nil
                    }

                    func _$read(_ reader: inout CairnGraph.RecordReader) throws(CairnGraph.RecordError) {
                        _isLoud = try reader.read(0, default: nil) as Bool
                    }

                    func _$write(_ writer: inout CairnGraph.RecordWriter, _ fields: CairnGraph.FieldMap) {
                        if let value = _isLoud {
                            writer.write(value, field: fields[0])
                        }
                    }

                    func _$clear() {
                        _isLoud = nil
                    }

                    static let objectSchema = CairnGraph.ObjectSchema(
                        Song.self,
                        name: "Song",
                        properties: [
                        .value("isLoud", \\Song.isLoud),
                        ]
                    )
                }

                extension Song: nonisolated CairnGraph.StoredObject {
                }
                """
        )
    }

    @Test func aHandCodedClassReadsAndWritesByItsMethods() {
        expect(
            """
            @Stored final class Song: HandCodedObject {
                @Searchable var `class`: String
                @Relationship var next: Song?
                init() {}
            }
            """,
            becomes: """
                final class Song: HandCodedObject {
                    var `class`: String {
                        @storageRestrictions(initializes: _class)
                        init(initialValue) {
                            _class = initialValue
                        }
                        get {
                            _$willRead(\\.`class`)
                            if let value = _class {
                                return value
                            }
                            return _$missing(0, nil) as String
                        }
                        set {
                            _$willChange(0, \\.`class`)
                            _class = newValue
                            _$didChange(\\.`class`)
                        }
                        _modify {
                            _$willChange(0, \\.`class`)
                            defer {
                                _$didChange(\\.`class`)
                            }
                            if _class == nil {
                                _class = _$missing(0, nil) as String
                            }
                            yield &_class!
                        }
                    }

                    private var _class: Optional<String>
                    var next: Song? {
                        @storageRestrictions(initializes: _next)
                        init(initialValue) {
                            _next = CairnGraph.ObjectReference(_$to: initialValue)
                        }
                        get {
                            _$willRead(\\.next)
                            return _$object(_next, as: (Song).self)
                        }
                        set {
                            _$setReference(newValue, 1, \\.next)
                        }
                    }

                    private var _next: CairnGraph.ObjectReference
                    init() {}

                    @safe @exclusivity(unchecked) var _$state = CairnGraph.ObjectState()

                    init(_$fault: Void) {
                        _class = nil
                    }

                    func _$read(_ reader: inout CairnGraph.RecordReader) throws(CairnGraph.RecordError) {
                        try self._$readByHand(&reader)
                        _next = try reader.readReference(1)
                    }

                    func _$write(_ writer: inout CairnGraph.RecordWriter, _ fields: CairnGraph.FieldMap) {
                        self._$writeByHand(&writer)
                        writer.write(_next, field: fields[1])
                    }

                    func _$clear() {
                        _class = nil
                        _next = .none
                    }

                    static let objectSchema = CairnGraph.ObjectSchema(
                        Song.self,
                        name: "Song",
                        properties: [
                        .value("class", \\Song.`class`),
                        .toOne("next", \\Song.next, get: {
                                $0._next
                            }, set: {
                                $0._next = $1
                            }),
                        ],
                        searchable: ["class"],
                        isHandCoded: true
                    )
                }

                extension Song: nonisolated CairnGraph.StoredObject {
                }
                """
        )
    }

    @Test func whatHasNoStorageOrIsTransientIsLeftAlone() {
        expect(
            """
            @Stored final class Song {
                static var count: Int { 3 }
                var double: Int { 2 }
                @Transient let number = 3
                @Transient lazy var slow: Int = 3
            }
            """,
            becomes: """
                final class Song {
                    static var count: Int { 3 }
                    var double: Int { 2 }
                    let number = 3
                    lazy var slow: Int = 3

                    @safe @exclusivity(unchecked) var _$state = CairnGraph.ObjectState()

                    init() {
                    }

                    init(_$fault: Void) {
                    }

                    func _$read(_ reader: inout CairnGraph.RecordReader) throws(CairnGraph.RecordError) {
                    }

                    func _$write(_ writer: inout CairnGraph.RecordWriter, _ fields: CairnGraph.FieldMap) {
                    }

                    func _$clear() {
                    }

                    static let objectSchema = CairnGraph.ObjectSchema(
                        Song.self,
                        name: "Song",
                        properties: []
                    )
                }

                extension Song: nonisolated CairnGraph.StoredObject {
                }
                """
        )
    }
}
