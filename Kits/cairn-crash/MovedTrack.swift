// made by scripts/expand-stored: what `@Stored` makes of these classes, so that this target builds no swift-syntax.
//
//| /// What is moved. The first one counts the saves since.
//| @Stored final class MovedTrack {
//|     @Unique var number: Int
//|     @Indexed var plays: Int
//|     var title: String
//| }

import CairnGraph

/// What is moved. The first one counts the saves since.
final class MovedTrack {
    var number: Int {
        @storageRestrictions(initializes: _number)
        init(initialValue) {
            _number = initialValue
        }
        get {
            _$willRead(\.number)
            if let value = _number {
                return value
            }
            return _$missing(0, nil) as Int
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
                _number = _$missing(0, nil) as Int
            }
            yield &_number!
        }
    }
    private var _number: Optional<Int>
    var plays: Int {
        @storageRestrictions(initializes: _plays)
        init(initialValue) {
            _plays = initialValue
        }
        get {
            _$willRead(\.plays)
            if let value = _plays {
                return value
            }
            return _$missing(1, nil) as Int
        }
        set {
            _$willChange(1, \.plays)
            _plays = newValue
            _$didChange(\.plays)
        }
        _modify {
            _$willChange(1, \.plays)
            defer {
                _$didChange(\.plays)
            }
            if _plays == nil {
                _plays = _$missing(1, nil) as Int
            }
            yield &_plays!
        }
    }
    private var _plays: Optional<Int>
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
            return _$missing(2, nil) as String
        }
        set {
            _$willChange(2, \.title)
            _title = newValue
            _$didChange(\.title)
        }
        _modify {
            _$willChange(2, \.title)
            defer {
                _$didChange(\.title)
            }
            if _title == nil {
                _title = _$missing(2, nil) as String
            }
            yield &_title!
        }
    }
    private var _title: Optional<String>

    @safe @exclusivity(unchecked) var _$state = ObjectState()

    init(number: Int, plays: Int, title: String) {
        self._number = number
        self._plays = plays
        self._title = title
    }

    init(_$fault: Void) {
        _number = nil
        _plays = nil
        _title = nil
    }

    func _$read(_ reader: inout RecordReader) throws(RecordError) {
        _number = try reader.read(0, default: nil) as Int
        _plays = try reader.read(1, default: nil) as Int
        _title = try reader.read(2, default: nil) as String
    }

    func _$write(_ writer: inout RecordWriter, _ fields: FieldMap) {
        if let value = _number {
            writer.write(value, field: fields[0])
        }
        if let value = _plays {
            writer.write(value, field: fields[1])
        }
        if let value = _title {
            writer.write(value, field: fields[2])
        }
    }

    func _$clear() {
        _number = nil
        _plays = nil
        _title = nil
    }

    static let objectSchema = ObjectSchema(
        MovedTrack.self,
        name: "MovedTrack",
        properties: [
            .value("number", \MovedTrack.number),
            .value("plays", \MovedTrack.plays),
            .value("title", \MovedTrack.title),
        ],
        indexes: [
            ObjectIndex(["number"], isUnique: true) { (object: MovedTrack, encoder) in
                encoder.encode(object._number ?? object._$missing(0, nil) as Int)
            },
            ObjectIndex(["plays"]) { (object: MovedTrack, encoder) in
                encoder.encode(object._plays ?? object._$missing(1, nil) as Int)
            },
        ]
    )
}

extension MovedTrack: nonisolated StoredObject {
}
