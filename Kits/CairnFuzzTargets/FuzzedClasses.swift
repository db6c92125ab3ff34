// made by scripts/expand-stored: what `@Stored` makes of these classes, so that this target builds no swift-syntax.
//
//| @Stored final class FuzzedSong {
//|     @Indexed var title: String
//|     @Indexed var seconds: Int
//|     @Relationship var next: FuzzedSong?
//|     @Relationship(inverse: \FuzzedAlbum.songs) var album: FuzzedAlbum?
//| }
//|
//| @Stored(indexes: [["code", "rating"]]) final class FuzzedAlbum {
//|     @Unique var code: String
//|     var rating: Double?
//|     var cover: [UInt8] = []
//|     @Relationship(onDelete: .cascade) var songs: ObjectList<FuzzedSong>
//|     @Relationship var shelves: ObjectSet<FuzzedShelf>
//| }
//|
//| @Stored final class FuzzedShelf {
//|     var name: String
//|     var sizes: [String: [Int?]] = [:]
//|     @Relationship(inverse: \FuzzedAlbum.shelves) var albums: ObjectSet<FuzzedAlbum>
//|     @Relationship var byCode: ObjectDictionary<String, FuzzedAlbum>
//| }
//|
//| @Stored final class FuzzedLetter {
//|     @Indexed var user: String?
//|     @Searchable var text: String
//|     var paper: [UInt8]
//| }
//|
//| @Stored final class FuzzedText {
//|     @Searchable var text: String
//| }

import CairnGraph

final class FuzzedSong {
    var title: String {
        @storageRestrictions(initializes: _title)
        init(initialValue) {
            _title = initialValue
        }
        get {
            _$willRead(\.title)
            if let value = _title {
                return value
            }
            return _$missing(0, nil) as String
        }
        set {
            _$willChange(0, \.title)
            _title = newValue
            _$didChange(\.title)
        }
        _modify {
            _$willChange(0, \.title)
            defer {
                _$didChange(\.title)
            }
            if _title == nil {
                _title = _$missing(0, nil) as String
            }
            yield &_title!
        }
    }
    private var _title: Optional<String>
    var seconds: Int {
        @storageRestrictions(initializes: _seconds)
        init(initialValue) {
            _seconds = initialValue
        }
        get {
            _$willRead(\.seconds)
            if let value = _seconds {
                return value
            }
            return _$missing(1, nil) as Int
        }
        set {
            _$willChange(1, \.seconds)
            _seconds = newValue
            _$didChange(\.seconds)
        }
        _modify {
            _$willChange(1, \.seconds)
            defer {
                _$didChange(\.seconds)
            }
            if _seconds == nil {
                _seconds = _$missing(1, nil) as Int
            }
            yield &_seconds!
        }
    }
    private var _seconds: Optional<Int>
    var next: FuzzedSong? {
        @storageRestrictions(initializes: _next)
        init(initialValue) {
            _next = ObjectReference(_$to: initialValue)
        }
        get {
            _$willRead(\.next)
            return _$object(_next, as: (FuzzedSong).self)
        }
        set {
            _$setReference(newValue, 2, \.next)
        }
    }
    private var _next: ObjectReference
    var album: FuzzedAlbum? {
        @storageRestrictions(initializes: _album)
        init(initialValue) {
            _album = ObjectReference(_$to: initialValue)
        }
        get {
            _$willRead(\.album)
            return _$object(_album, as: (FuzzedAlbum).self)
        }
        set {
            _$setReference(newValue, 3, \.album)
        }
    }
    private var _album: ObjectReference

    @safe @exclusivity(unchecked) var _$state = ObjectState()

    init(title: String, seconds: Int, next: FuzzedSong? = nil, album: FuzzedAlbum? = nil) {
        self._title = title
        self._seconds = seconds
        self._next = ObjectReference(_$to: next)
        self._album = ObjectReference(_$to: album)
        if next != nil || album != nil {
            _$follow()
        }
    }

    init(_$fault: Void) {
        _title = nil
        _seconds = nil
    }

    func _$read(_ reader: inout RecordReader) throws(RecordError) {
        _title = try reader.read(0, default: nil) as String
        _seconds = try reader.read(1, default: nil) as Int
        _next = try reader.readReference(2)
        _album = try reader.readReference(3)
    }

    func _$write(_ writer: inout RecordWriter, _ fields: FieldMap) {
        if let value = _title {
            writer.write(value, field: fields[0])
        }
        if let value = _seconds {
            writer.write(value, field: fields[1])
        }
        writer.write(_next, field: fields[2])
        writer.write(_album, field: fields[3])
    }

    func _$clear() {
        _title = nil
        _seconds = nil
        _next = .none
        _album = .none
    }

    static let objectSchema = ObjectSchema(
        FuzzedSong.self,
        name: "FuzzedSong",
        properties: [
            .value("title", \FuzzedSong.title),
            .value("seconds", \FuzzedSong.seconds),
            .toOne(
                "next",
                \FuzzedSong.next,
                get: {
                    $0._next
                },
                set: {
                    $0._next = $1
                }
            ),
            .toOne(
                "album",
                \FuzzedSong.album,
                inverse: \FuzzedAlbum.songs,
                get: {
                    $0._album
                },
                set: {
                    $0._album = $1
                }
            ),
        ],
        indexes: [
            ObjectIndex(["title"]) { (object: FuzzedSong, encoder) in
                encoder.encode(object._title ?? object._$missing(0, nil) as String)
            },
            ObjectIndex(["seconds"]) { (object: FuzzedSong, encoder) in
                encoder.encode(object._seconds ?? object._$missing(1, nil) as Int)
            },
        ]
    )
}

extension FuzzedSong: nonisolated StoredObject {
}

final class FuzzedAlbum {
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
    var rating: Double? {
        @storageRestrictions(initializes: _rating)
        init(initialValue) {
            _rating = initialValue
        }
        get {
            _$willRead(\.rating)
            return _rating
        }
        set {
            _$willChange(1, \.rating)
            _rating = newValue
            _$didChange(\.rating)
        }
        _modify {
            _$willChange(1, \.rating)
            defer {
                _$didChange(\.rating)
            }
            yield &_rating
        }
    }
    private var _rating: Double?
    var cover: [UInt8] = [] {
        @storageRestrictions(initializes: _cover)
        init(initialValue) {
            _cover = initialValue
        }
        get {
            _$willRead(\.cover)
            if let value = _cover {
                return value
            }
            return _$missing(2, .some([])) as [UInt8]
        }
        set {
            _$willChange(2, \.cover)
            _cover = newValue
            _$didChange(\.cover)
        }
        _modify {
            _$willChange(2, \.cover)
            defer {
                _$didChange(\.cover)
            }
            if _cover == nil {
                _cover = _$missing(2, .some([])) as [UInt8]
            }
            yield &_cover!
        }
    }
    private var _cover: Optional<[UInt8]>
    var songs: ObjectList<FuzzedSong> {
        @storageRestrictions(initializes: _songs)
        init(initialValue) {
            _songs = initialValue._$taken
        }
        get {
            _$willRead(\.songs)
            return ObjectList<FuzzedSong>(_$owner: self, 3, _$collection(&_songs))
        }
        set {
            _$willRead(\.songs)
            ObjectList<FuzzedSong>(_$owner: self, 3, _$collection(&_songs))._$replace(with: newValue)
        }
    }
    private var _songs: ObjectCollection?
    var shelves: ObjectSet<FuzzedShelf> {
        @storageRestrictions(initializes: _shelves)
        init(initialValue) {
            _shelves = initialValue._$taken
        }
        get {
            _$willRead(\.shelves)
            return ObjectSet<FuzzedShelf>(_$owner: self, 4, _$collection(&_shelves))
        }
        set {
            _$willRead(\.shelves)
            ObjectSet<FuzzedShelf>(_$owner: self, 4, _$collection(&_shelves))._$replace(with: newValue)
        }
    }
    private var _shelves: ObjectCollection?

    @safe @exclusivity(unchecked) var _$state = ObjectState()

    init(
        code: String,
        rating: Double? = nil,
        cover: [UInt8] = [],
        songs: ObjectList<FuzzedSong>? = nil,
        shelves: ObjectSet<FuzzedShelf>? = nil
    ) {
        self._code = code
        self._rating = rating
        self._cover = cover
        self._songs = songs?._$taken
        self._shelves = shelves?._$taken
        if songs != nil || shelves != nil {
            _$follow()
        }
    }

    init(_$fault: Void) {
        _code = nil
    }

    func _$read(_ reader: inout RecordReader) throws(RecordError) {
        _code = try reader.read(0, default: nil) as String
        _rating = try reader.read(1, default: nil) as Double?
        _cover = try reader.read(2, default: .some([])) as [UInt8]
        _songs = try reader.readCollection(3)
        _shelves = try reader.readCollection(4)
    }

    func _$write(_ writer: inout RecordWriter, _ fields: FieldMap) {
        if let value = _code {
            writer.write(value, field: fields[0])
        }
        if let value = _rating {
            writer.write(value, field: fields[1])
        }
        if let value = _cover {
            writer.write(value, field: fields[2])
        }
        writer.write(_songs, field: fields[3])
        writer.write(_shelves, field: fields[4])
    }

    func _$clear() {
        _code = nil
        _rating = nil
        _cover = nil
        _songs = nil
        _shelves = nil
    }

    static let objectSchema = ObjectSchema(
        FuzzedAlbum.self,
        name: "FuzzedAlbum",
        properties: [
            .value("code", \FuzzedAlbum.code),
            .value("rating", \FuzzedAlbum.rating),
            .value("cover", \FuzzedAlbum.cover, hasDefault: true),
            .list(
                "songs",
                \FuzzedAlbum.songs,
                onDelete: .cascade,
                storage: {
                    $0._songs
                }
            ),
            .set(
                "shelves",
                \FuzzedAlbum.shelves,
                storage: {
                    $0._shelves
                }
            ),
        ],
        indexes: [
            ObjectIndex(["code"], isUnique: true) { (object: FuzzedAlbum, encoder) in
                encoder.encode(object._code ?? object._$missing(0, nil) as String)
            },
            ObjectIndex(["code", "rating"]) { (object: FuzzedAlbum, encoder) in
                encoder.encode(object._code ?? object._$missing(0, nil) as String)
                encoder.encode(object._rating)
            },
        ]
    )
}

extension FuzzedAlbum: nonisolated StoredObject {
}

final class FuzzedShelf {
    var name: String {
        @storageRestrictions(initializes: _name)
        init(initialValue) {
            _name = initialValue
        }
        get {
            _$willRead(\.name)
            if let value = _name {
                return value
            }
            return _$missing(0, nil) as String
        }
        set {
            _$willChange(0, \.name)
            _name = newValue
            _$didChange(\.name)
        }
        _modify {
            _$willChange(0, \.name)
            defer {
                _$didChange(\.name)
            }
            if _name == nil {
                _name = _$missing(0, nil) as String
            }
            yield &_name!
        }
    }
    private var _name: Optional<String>
    var sizes: [String: [Int?]] = [:] {
        @storageRestrictions(initializes: _sizes)
        init(initialValue) {
            _sizes = initialValue
        }
        get {
            _$willRead(\.sizes)
            if let value = _sizes {
                return value
            }
            return _$missing(1, .some([:])) as [String: [Int?]]
        }
        set {
            _$willChange(1, \.sizes)
            _sizes = newValue
            _$didChange(\.sizes)
        }
        _modify {
            _$willChange(1, \.sizes)
            defer {
                _$didChange(\.sizes)
            }
            if _sizes == nil {
                _sizes = _$missing(1, .some([:])) as [String: [Int?]]
            }
            yield &_sizes!
        }
    }
    private var _sizes: Optional<[String: [Int?]]>
    var albums: ObjectSet<FuzzedAlbum> {
        @storageRestrictions(initializes: _albums)
        init(initialValue) {
            _albums = initialValue._$taken
        }
        get {
            _$willRead(\.albums)
            return ObjectSet<FuzzedAlbum>(_$owner: self, 2, _$collection(&_albums))
        }
        set {
            _$willRead(\.albums)
            ObjectSet<FuzzedAlbum>(_$owner: self, 2, _$collection(&_albums))._$replace(with: newValue)
        }
    }
    private var _albums: ObjectCollection?
    var byCode: ObjectDictionary<String, FuzzedAlbum> {
        @storageRestrictions(initializes: _byCode)
        init(initialValue) {
            _byCode = initialValue._$taken
        }
        get {
            _$willRead(\.byCode)
            return ObjectDictionary<String, FuzzedAlbum>(_$owner: self, 3, _$collection(&_byCode))
        }
        set {
            _$willRead(\.byCode)
            ObjectDictionary<String, FuzzedAlbum>(_$owner: self, 3, _$collection(&_byCode))._$replace(with: newValue)
        }
    }
    private var _byCode: ObjectCollection?

    @safe @exclusivity(unchecked) var _$state = ObjectState()

    init(
        name: String,
        sizes: [String: [Int?]] = [:],
        albums: ObjectSet<FuzzedAlbum>? = nil,
        byCode: ObjectDictionary<String, FuzzedAlbum>? = nil
    ) {
        self._name = name
        self._sizes = sizes
        self._albums = albums?._$taken
        self._byCode = byCode?._$taken
        if albums != nil || byCode != nil {
            _$follow()
        }
    }

    init(_$fault: Void) {
        _name = nil
    }

    func _$read(_ reader: inout RecordReader) throws(RecordError) {
        _name = try reader.read(0, default: nil) as String
        _sizes = try reader.read(1, default: .some([:])) as [String: [Int?]]
        _albums = try reader.readCollection(2)
        _byCode = try reader.readCollection(3)
    }

    func _$write(_ writer: inout RecordWriter, _ fields: FieldMap) {
        if let value = _name {
            writer.write(value, field: fields[0])
        }
        if let value = _sizes {
            writer.write(value, field: fields[1])
        }
        writer.write(_albums, field: fields[2])
        writer.write(_byCode, field: fields[3])
    }

    func _$clear() {
        _name = nil
        _sizes = nil
        _albums = nil
        _byCode = nil
    }

    static let objectSchema = ObjectSchema(
        FuzzedShelf.self,
        name: "FuzzedShelf",
        properties: [
            .value("name", \FuzzedShelf.name),
            .value("sizes", \FuzzedShelf.sizes, hasDefault: true),
            .set(
                "albums",
                \FuzzedShelf.albums,
                inverse: \FuzzedAlbum.shelves,
                storage: {
                    $0._albums
                }
            ),
            .dictionary(
                "byCode",
                \FuzzedShelf.byCode,
                storage: {
                    $0._byCode
                }
            ),
        ]
    )
}

extension FuzzedShelf: nonisolated StoredObject {
}

final class FuzzedLetter {
    var user: String? {
        @storageRestrictions(initializes: _user)
        init(initialValue) {
            _user = initialValue
        }
        get {
            _$willRead(\.user)
            return _user
        }
        set {
            _$willChange(0, \.user)
            _user = newValue
            _$didChange(\.user)
        }
        _modify {
            _$willChange(0, \.user)
            defer {
                _$didChange(\.user)
            }
            yield &_user
        }
    }
    private var _user: String?
    var text: String {
        @storageRestrictions(initializes: _text)
        init(initialValue) {
            _text = initialValue
        }
        get {
            _$willRead(\.text)
            if let value = _text {
                return value
            }
            return _$missing(1, nil) as String
        }
        set {
            _$willChange(1, \.text)
            _text = newValue
            _$didChange(\.text)
        }
        _modify {
            _$willChange(1, \.text)
            defer {
                _$didChange(\.text)
            }
            if _text == nil {
                _text = _$missing(1, nil) as String
            }
            yield &_text!
        }
    }
    private var _text: Optional<String>
    var paper: [UInt8] {
        @storageRestrictions(initializes: _paper)
        init(initialValue) {
            _paper = initialValue
        }
        get {
            _$willRead(\.paper)
            if let value = _paper {
                return value
            }
            return _$missing(2, nil) as [UInt8]
        }
        set {
            _$willChange(2, \.paper)
            _paper = newValue
            _$didChange(\.paper)
        }
        _modify {
            _$willChange(2, \.paper)
            defer {
                _$didChange(\.paper)
            }
            if _paper == nil {
                _paper = _$missing(2, nil) as [UInt8]
            }
            yield &_paper!
        }
    }
    private var _paper: Optional<[UInt8]>

    @safe @exclusivity(unchecked) var _$state = ObjectState()

    init(user: String? = nil, text: String, paper: [UInt8]) {
        self._user = user
        self._text = text
        self._paper = paper
    }

    init(_$fault: Void) {
        _text = nil
        _paper = nil
    }

    func _$read(_ reader: inout RecordReader) throws(RecordError) {
        _user = try reader.read(0, default: nil) as String?
        _text = try reader.read(1, default: nil) as String
        _paper = try reader.read(2, default: nil) as [UInt8]
    }

    func _$write(_ writer: inout RecordWriter, _ fields: FieldMap) {
        if let value = _user {
            writer.write(value, field: fields[0])
        }
        if let value = _text {
            writer.write(value, field: fields[1])
        }
        if let value = _paper {
            writer.write(value, field: fields[2])
        }
    }

    func _$clear() {
        _user = nil
        _text = nil
        _paper = nil
    }

    static let objectSchema = ObjectSchema(
        FuzzedLetter.self,
        name: "FuzzedLetter",
        properties: [
            .value("user", \FuzzedLetter.user),
            .value("text", \FuzzedLetter.text),
            .value("paper", \FuzzedLetter.paper),
        ],
        indexes: [
            ObjectIndex(["user"]) { (object: FuzzedLetter, encoder) in
                encoder.encode(object._user)
            }
        ],
        searchable: ["text"]
    )
}

extension FuzzedLetter: nonisolated StoredObject {
}

final class FuzzedText {
    var text: String {
        @storageRestrictions(initializes: _text)
        init(initialValue) {
            _text = initialValue
        }
        get {
            _$willRead(\.text)
            if let value = _text {
                return value
            }
            return _$missing(0, nil) as String
        }
        set {
            _$willChange(0, \.text)
            _text = newValue
            _$didChange(\.text)
        }
        _modify {
            _$willChange(0, \.text)
            defer {
                _$didChange(\.text)
            }
            if _text == nil {
                _text = _$missing(0, nil) as String
            }
            yield &_text!
        }
    }
    private var _text: Optional<String>

    @safe @exclusivity(unchecked) var _$state = ObjectState()

    init(text: String) {
        self._text = text
    }

    init(_$fault: Void) {
        _text = nil
    }

    func _$read(_ reader: inout RecordReader) throws(RecordError) {
        _text = try reader.read(0, default: nil) as String
    }

    func _$write(_ writer: inout RecordWriter, _ fields: FieldMap) {
        if let value = _text {
            writer.write(value, field: fields[0])
        }
    }

    func _$clear() {
        _text = nil
    }

    static let objectSchema = ObjectSchema(
        FuzzedText.self,
        name: "FuzzedText",
        properties: [
            .value("text", \FuzzedText.text)
        ],
        searchable: ["text"]
    )
}

extension FuzzedText: nonisolated StoredObject {
}
