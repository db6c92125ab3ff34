// made by scripts/expand-stored: what `@Stored` makes of these classes, so that this target builds no swift-syntax.
//
//| /// The one object that all writers change.
//| @Stored final class CrashHouse {
//|     @Unique var name: String
//|     /// How many guests have come.
//|     var arrivals: Int
//|     /// The latest of them, in the order in which they came.
//|     @Relationship(inverse: \CrashGuest.house, onDelete: .cascade) var guests: ObjectList<CrashGuest>
//| }
//|
//| /// A visit of a writer.
//| @Stored final class CrashGuest {
//|     @Unique var bed: Int
//|     var writer: Int
//|     var visit: Int
//|     /// Names writer and visit.
//|     @Searchable var note: String
//|     /// Who came before, of whichever writer, while that guest is there.
//|     @Relationship var host: CrashGuest?
//|     @Relationship var house: CrashHouse?
//| }
//|
//| /// What a writer changes alone, according to what it reads of the others.
//| @Stored final class CrashDesk {
//|     @Unique var writer: Int
//|     @Indexed var place: Int
//|     var visits: Int
//| }

import CairnRocksGraph

/// The one object that all writers change.
final class CrashHouse {
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
    /// How many guests have come.
    var arrivals: Int {
        @storageRestrictions(initializes: _arrivals)
        init(initialValue) {
            _arrivals = initialValue
        }
        get {
            _$willRead(\.arrivals)
            if let value = _arrivals {
                return value
            }
            return _$missing(1, nil) as Int
        }
        set {
            _$willChange(1, \.arrivals)
            _arrivals = newValue
            _$didChange(\.arrivals)
        }
        _modify {
            _$willChange(1, \.arrivals)
            defer {
                _$didChange(\.arrivals)
            }
            if _arrivals == nil {
                _arrivals = _$missing(1, nil) as Int
            }
            yield &_arrivals!
        }
    }
    private var _arrivals: Optional<Int>
    /// The latest of them, in the order in which they came.
    var guests: ObjectList<CrashGuest> {
        @storageRestrictions(initializes: _guests)
        init(initialValue) {
            _guests = initialValue._$taken
        }
        get {
            _$willRead(\.guests)
            return ObjectList<CrashGuest>(_$owner: self, 2, _$collection(&_guests))
        }
        set {
            _$willRead(\.guests)
            ObjectList<CrashGuest>(_$owner: self, 2, _$collection(&_guests))._$replace(with: newValue)
        }
    }
    private var _guests: ObjectCollection?

    @safe @exclusivity(unchecked) var _$state = ObjectState()

    init(name: String, arrivals: Int, guests: ObjectList<CrashGuest>? = nil) {
        self._name = name
        self._arrivals = arrivals
        self._guests = guests?._$taken
        if guests != nil {
            _$follow()
        }
    }

    init(_$fault: Void) {
        _name = nil
        _arrivals = nil
    }

    func _$read(_ reader: inout RecordReader) throws(RecordError) {
        _name = try reader.read(0, default: nil) as String
        _arrivals = try reader.read(1, default: nil) as Int
        _guests = try reader.readCollection(2)
    }

    func _$write(_ writer: inout RecordWriter, _ fields: FieldMap) {
        if let value = _name {
            writer.write(value, field: fields[0])
        }
        if let value = _arrivals {
            writer.write(value, field: fields[1])
        }
        writer.write(_guests, field: fields[2])
    }

    func _$clear() {
        _name = nil
        _arrivals = nil
        _guests = nil
    }

    static let objectSchema = ObjectSchema(
        CrashHouse.self,
        name: "CrashHouse",
        properties: [
            .value("name", \CrashHouse.name),
            .value("arrivals", \CrashHouse.arrivals),
            .list(
                "guests",
                \CrashHouse.guests,
                inverse: \CrashGuest.house,
                onDelete: .cascade,
                storage: {
                    $0._guests
                }
            ),
        ],
        indexes: [
            ObjectIndex(["name"], isUnique: true) { (object: CrashHouse, encoder) in
                encoder.encode(object._name ?? object._$missing(0, nil) as String)
            }
        ]
    )
}

extension CrashHouse: nonisolated StoredObject {
}

/// A visit of a writer.
final class CrashGuest {
    var bed: Int {
        @storageRestrictions(initializes: _bed)
        init(initialValue) {
            _bed = initialValue
        }
        get {
            _$willRead(\.bed)
            if let value = _bed {
                return value
            }
            return _$missing(0, nil) as Int
        }
        set {
            _$willChange(0, \.bed)
            _bed = newValue
            _$didChange(\.bed)
        }
        _modify {
            _$willChange(0, \.bed)
            defer {
                _$didChange(\.bed)
            }
            if _bed == nil {
                _bed = _$missing(0, nil) as Int
            }
            yield &_bed!
        }
    }
    private var _bed: Optional<Int>
    var writer: Int {
        @storageRestrictions(initializes: _writer)
        init(initialValue) {
            _writer = initialValue
        }
        get {
            _$willRead(\.writer)
            if let value = _writer {
                return value
            }
            return _$missing(1, nil) as Int
        }
        set {
            _$willChange(1, \.writer)
            _writer = newValue
            _$didChange(\.writer)
        }
        _modify {
            _$willChange(1, \.writer)
            defer {
                _$didChange(\.writer)
            }
            if _writer == nil {
                _writer = _$missing(1, nil) as Int
            }
            yield &_writer!
        }
    }
    private var _writer: Optional<Int>
    var visit: Int {
        @storageRestrictions(initializes: _visit)
        init(initialValue) {
            _visit = initialValue
        }
        get {
            _$willRead(\.visit)
            if let value = _visit {
                return value
            }
            return _$missing(2, nil) as Int
        }
        set {
            _$willChange(2, \.visit)
            _visit = newValue
            _$didChange(\.visit)
        }
        _modify {
            _$willChange(2, \.visit)
            defer {
                _$didChange(\.visit)
            }
            if _visit == nil {
                _visit = _$missing(2, nil) as Int
            }
            yield &_visit!
        }
    }
    private var _visit: Optional<Int>
    /// Names writer and visit.
    var note: String {
        @storageRestrictions(initializes: _note)
        init(initialValue) {
            _note = initialValue
        }
        get {
            _$willRead(\.note)
            if let value = _note {
                return value
            }
            return _$missing(3, nil) as String
        }
        set {
            _$willChange(3, \.note)
            _note = newValue
            _$didChange(\.note)
        }
        _modify {
            _$willChange(3, \.note)
            defer {
                _$didChange(\.note)
            }
            if _note == nil {
                _note = _$missing(3, nil) as String
            }
            yield &_note!
        }
    }
    private var _note: Optional<String>
    /// Who came before, of whichever writer, while that guest is there.
    var host: CrashGuest? {
        @storageRestrictions(initializes: _host)
        init(initialValue) {
            _host = ObjectReference(_$to: initialValue)
        }
        get {
            _$willRead(\.host)
            return _$object(_host, as: (CrashGuest).self)
        }
        set {
            _$setReference(newValue, 4, \.host)
        }
    }
    private var _host: ObjectReference
    var house: CrashHouse? {
        @storageRestrictions(initializes: _house)
        init(initialValue) {
            _house = ObjectReference(_$to: initialValue)
        }
        get {
            _$willRead(\.house)
            return _$object(_house, as: (CrashHouse).self)
        }
        set {
            _$setReference(newValue, 5, \.house)
        }
    }
    private var _house: ObjectReference

    @safe @exclusivity(unchecked) var _$state = ObjectState()

    init(bed: Int, writer: Int, visit: Int, note: String, host: CrashGuest? = nil, house: CrashHouse? = nil) {
        self._bed = bed
        self._writer = writer
        self._visit = visit
        self._note = note
        self._host = ObjectReference(_$to: host)
        self._house = ObjectReference(_$to: house)
        if host != nil || house != nil {
            _$follow()
        }
    }

    init(_$fault: Void) {
        _bed = nil
        _writer = nil
        _visit = nil
        _note = nil
    }

    func _$read(_ reader: inout RecordReader) throws(RecordError) {
        _bed = try reader.read(0, default: nil) as Int
        _writer = try reader.read(1, default: nil) as Int
        _visit = try reader.read(2, default: nil) as Int
        _note = try reader.read(3, default: nil) as String
        _host = try reader.readReference(4)
        _house = try reader.readReference(5)
    }

    func _$write(_ writer: inout RecordWriter, _ fields: FieldMap) {
        if let value = _bed {
            writer.write(value, field: fields[0])
        }
        if let value = _writer {
            writer.write(value, field: fields[1])
        }
        if let value = _visit {
            writer.write(value, field: fields[2])
        }
        if let value = _note {
            writer.write(value, field: fields[3])
        }
        writer.write(_host, field: fields[4])
        writer.write(_house, field: fields[5])
    }

    func _$clear() {
        _bed = nil
        _writer = nil
        _visit = nil
        _note = nil
        _host = .none
        _house = .none
    }

    static let objectSchema = ObjectSchema(
        CrashGuest.self,
        name: "CrashGuest",
        properties: [
            .value("bed", \CrashGuest.bed),
            .value("writer", \CrashGuest.writer),
            .value("visit", \CrashGuest.visit),
            .value("note", \CrashGuest.note),
            .toOne(
                "host",
                \CrashGuest.host,
                get: {
                    $0._host
                },
                set: {
                    $0._host = $1
                }
            ),
            .toOne(
                "house",
                \CrashGuest.house,
                get: {
                    $0._house
                },
                set: {
                    $0._house = $1
                }
            ),
        ],
        indexes: [
            ObjectIndex(["bed"], isUnique: true) { (object: CrashGuest, encoder) in
                encoder.encode(object._bed ?? object._$missing(0, nil) as Int)
            }
        ],
        searchable: ["note"]
    )
}

extension CrashGuest: nonisolated StoredObject {
}

/// What a writer changes alone, according to what it reads of the others.
final class CrashDesk {
    var writer: Int {
        @storageRestrictions(initializes: _writer)
        init(initialValue) {
            _writer = initialValue
        }
        get {
            _$willRead(\.writer)
            if let value = _writer {
                return value
            }
            return _$missing(0, nil) as Int
        }
        set {
            _$willChange(0, \.writer)
            _writer = newValue
            _$didChange(\.writer)
        }
        _modify {
            _$willChange(0, \.writer)
            defer {
                _$didChange(\.writer)
            }
            if _writer == nil {
                _writer = _$missing(0, nil) as Int
            }
            yield &_writer!
        }
    }
    private var _writer: Optional<Int>
    var place: Int {
        @storageRestrictions(initializes: _place)
        init(initialValue) {
            _place = initialValue
        }
        get {
            _$willRead(\.place)
            if let value = _place {
                return value
            }
            return _$missing(1, nil) as Int
        }
        set {
            _$willChange(1, \.place)
            _place = newValue
            _$didChange(\.place)
        }
        _modify {
            _$willChange(1, \.place)
            defer {
                _$didChange(\.place)
            }
            if _place == nil {
                _place = _$missing(1, nil) as Int
            }
            yield &_place!
        }
    }
    private var _place: Optional<Int>
    var visits: Int {
        @storageRestrictions(initializes: _visits)
        init(initialValue) {
            _visits = initialValue
        }
        get {
            _$willRead(\.visits)
            if let value = _visits {
                return value
            }
            return _$missing(2, nil) as Int
        }
        set {
            _$willChange(2, \.visits)
            _visits = newValue
            _$didChange(\.visits)
        }
        _modify {
            _$willChange(2, \.visits)
            defer {
                _$didChange(\.visits)
            }
            if _visits == nil {
                _visits = _$missing(2, nil) as Int
            }
            yield &_visits!
        }
    }
    private var _visits: Optional<Int>

    @safe @exclusivity(unchecked) var _$state = ObjectState()

    init(writer: Int, place: Int, visits: Int) {
        self._writer = writer
        self._place = place
        self._visits = visits
    }

    init(_$fault: Void) {
        _writer = nil
        _place = nil
        _visits = nil
    }

    func _$read(_ reader: inout RecordReader) throws(RecordError) {
        _writer = try reader.read(0, default: nil) as Int
        _place = try reader.read(1, default: nil) as Int
        _visits = try reader.read(2, default: nil) as Int
    }

    func _$write(_ writer: inout RecordWriter, _ fields: FieldMap) {
        if let value = _writer {
            writer.write(value, field: fields[0])
        }
        if let value = _place {
            writer.write(value, field: fields[1])
        }
        if let value = _visits {
            writer.write(value, field: fields[2])
        }
    }

    func _$clear() {
        _writer = nil
        _place = nil
        _visits = nil
    }

    static let objectSchema = ObjectSchema(
        CrashDesk.self,
        name: "CrashDesk",
        properties: [
            .value("writer", \CrashDesk.writer),
            .value("place", \CrashDesk.place),
            .value("visits", \CrashDesk.visits),
        ],
        indexes: [
            ObjectIndex(["writer"], isUnique: true) { (object: CrashDesk, encoder) in
                encoder.encode(object._writer ?? object._$missing(0, nil) as Int)
            },
            ObjectIndex(["place"]) { (object: CrashDesk, encoder) in
                encoder.encode(object._place ?? object._$missing(1, nil) as Int)
            },
        ]
    )
}

extension CrashDesk: nonisolated StoredObject {
}
