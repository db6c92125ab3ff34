// made by scripts/expand-stored: what `@Stored` makes of these classes, so that this target builds no swift-syntax.
//
//| /// An object to save and to find.
//| @Stored final class Note {
//|     @Unique var title: String
//|     var text: String
//| }

import CairnRocksGraph

/// An object to save and to find.
final class Note {
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

    @safe @exclusivity(unchecked) var _$state = ObjectState()

    init(title: String, text: String) {
        self._title = title
        self._text = text
    }

    init(_$fault: Void) {
        _title = nil
        _text = nil
    }

    func _$read(_ reader: inout RecordReader) throws(RecordError) {
        _title = try reader.read(0, default: nil) as String
        _text = try reader.read(1, default: nil) as String
    }

    func _$write(_ writer: inout RecordWriter, _ fields: FieldMap) {
        if let value = _title {
            writer.write(value, field: fields[0])
        }
        if let value = _text {
            writer.write(value, field: fields[1])
        }
    }

    func _$clear() {
        _title = nil
        _text = nil
    }

    static let objectSchema = ObjectSchema(
        Note.self,
        name: "Note",
        properties: [
            .value("title", \Note.title),
            .value("text", \Note.text),
        ],
        indexes: [
            ObjectIndex(["title"], isUnique: true) { (object: Note, encoder) in
                encoder.encode(object._title ?? object._$missing(0, nil) as String)
            }
        ]
    )
}

extension Note: nonisolated StoredObject {
}
