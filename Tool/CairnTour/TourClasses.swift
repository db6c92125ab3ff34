// made by scripts/expand-stored: what `@Stored` makes of these classes, so that this target builds no swift-syntax.
//
//| /// An item as an object.
//| @Stored final class Piece {
//|     @Unique var name: String
//|     @Indexed var group: String
//|     var size: Int?
//|     var text: String
//|     /// Determined by the shelves.
//|     @Relationship var shelves: ObjectSet<Shelf>
//| }
//|
//| /// Pieces in order.
//| @Stored final class Shelf {
//|     @Unique var title: String
//|     @Relationship(inverse: \Piece.shelves) var pieces: ObjectList<Piece>
//| }

import CairnRocksGraph

/// An item as an object.
final class Piece {
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
    var group: String {
        @storageRestrictions(initializes: _group)
        init(initialValue) {
            _group = initialValue
        }
        get {
            _$willRead(\.group)
            if let value = _group {
                return value
            }
            return _$missing(1, nil) as String
        }
        set {
            _$willChange(1, \.group)
            _group = newValue
            _$didChange(\.group)
        }
        _modify {
            _$willChange(1, \.group)
            defer {
                _$didChange(\.group)
            }
            if _group == nil {
                _group = _$missing(1, nil) as String
            }
            yield &_group!
        }
    }
    private var _group: Optional<String>
    var size: Int? {
        @storageRestrictions(initializes: _size)
        init(initialValue) {
            _size = initialValue
        }
        get {
            _$willRead(\.size)
            return _size
        }
        set {
            _$willChange(2, \.size)
            _size = newValue
            _$didChange(\.size)
        }
        _modify {
            _$willChange(2, \.size)
            defer {
                _$didChange(\.size)
            }
            yield &_size
        }
    }
    private var _size: Int?
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
            return _$missing(3, nil) as String
        }
        set {
            _$willChange(3, \.text)
            _text = newValue
            _$didChange(\.text)
        }
        _modify {
            _$willChange(3, \.text)
            defer {
                _$didChange(\.text)
            }
            if _text == nil {
                _text = _$missing(3, nil) as String
            }
            yield &_text!
        }
    }
    private var _text: Optional<String>
    /// Determined by the shelves.
    var shelves: ObjectSet<Shelf> {
        @storageRestrictions(initializes: _shelves)
        init(initialValue) {
            _shelves = initialValue._$taken
        }
        get {
            _$willRead(\.shelves)
            return ObjectSet<Shelf>(_$owner: self, 4, _$collection(&_shelves))
        }
        set {
            _$willRead(\.shelves)
            ObjectSet<Shelf>(_$owner: self, 4, _$collection(&_shelves))._$replace(with: newValue)
        }
    }
    private var _shelves: ObjectCollection?

    @safe @exclusivity(unchecked) var _$state = ObjectState()

    init(name: String, group: String, size: Int? = nil, text: String, shelves: ObjectSet<Shelf>? = nil) {
        self._name = name
        self._group = group
        self._size = size
        self._text = text
        self._shelves = shelves?._$taken
        if shelves != nil {
            _$follow()
        }
    }

    init(_$fault: Void) {
        _name = nil
        _group = nil
        _text = nil
    }

    func _$read(_ reader: inout RecordReader) throws(RecordError) {
        _name = try reader.read(0, default: nil) as String
        _group = try reader.read(1, default: nil) as String
        _size = try reader.read(2, default: nil) as Int?
        _text = try reader.read(3, default: nil) as String
        _shelves = try reader.readCollection(4)
    }

    func _$write(_ writer: inout RecordWriter, _ fields: FieldMap) {
        if let value = _name {
            writer.write(value, field: fields[0])
        }
        if let value = _group {
            writer.write(value, field: fields[1])
        }
        if let value = _size {
            writer.write(value, field: fields[2])
        }
        if let value = _text {
            writer.write(value, field: fields[3])
        }
        writer.write(_shelves, field: fields[4])
    }

    func _$clear() {
        _name = nil
        _group = nil
        _size = nil
        _text = nil
        _shelves = nil
    }

    static let objectSchema = ObjectSchema(
        Piece.self,
        name: "Piece",
        properties: [
            .value("name", \Piece.name),
            .value("group", \Piece.group),
            .value("size", \Piece.size),
            .value("text", \Piece.text),
            .set(
                "shelves",
                \Piece.shelves,
                storage: {
                    $0._shelves
                }
            ),
        ],
        indexes: [
            ObjectIndex(["name"], isUnique: true) { (object: Piece, encoder) in
                encoder.encode(object._name ?? object._$missing(0, nil) as String)
            },
            ObjectIndex(["group"]) { (object: Piece, encoder) in
                encoder.encode(object._group ?? object._$missing(1, nil) as String)
            },
        ]
    )
}

extension Piece: nonisolated StoredObject {
}

/// Pieces in order.
final class Shelf {
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
    var pieces: ObjectList<Piece> {
        @storageRestrictions(initializes: _pieces)
        init(initialValue) {
            _pieces = initialValue._$taken
        }
        get {
            _$willRead(\.pieces)
            return ObjectList<Piece>(_$owner: self, 1, _$collection(&_pieces))
        }
        set {
            _$willRead(\.pieces)
            ObjectList<Piece>(_$owner: self, 1, _$collection(&_pieces))._$replace(with: newValue)
        }
    }
    private var _pieces: ObjectCollection?

    @safe @exclusivity(unchecked) var _$state = ObjectState()

    init(title: String, pieces: ObjectList<Piece>? = nil) {
        self._title = title
        self._pieces = pieces?._$taken
        if pieces != nil {
            _$follow()
        }
    }

    init(_$fault: Void) {
        _title = nil
    }

    func _$read(_ reader: inout RecordReader) throws(RecordError) {
        _title = try reader.read(0, default: nil) as String
        _pieces = try reader.readCollection(1)
    }

    func _$write(_ writer: inout RecordWriter, _ fields: FieldMap) {
        if let value = _title {
            writer.write(value, field: fields[0])
        }
        writer.write(_pieces, field: fields[1])
    }

    func _$clear() {
        _title = nil
        _pieces = nil
    }

    static let objectSchema = ObjectSchema(
        Shelf.self,
        name: "Shelf",
        properties: [
            .value("title", \Shelf.title),
            .list(
                "pieces",
                \Shelf.pieces,
                inverse: \Piece.shelves,
                storage: {
                    $0._pieces
                }
            ),
        ],
        indexes: [
            ObjectIndex(["title"], isUnique: true) { (object: Shelf, encoder) in
                encoder.encode(object._title ?? object._$missing(0, nil) as String)
            }
        ]
    )
}

extension Shelf: nonisolated StoredObject {
}
