// made by scripts/expand-stored: what `@Stored` makes of these classes, so that this target builds no swift-syntax.
//
//| /// A list that clients append to, and a balance that they change.
//| @Stored final class HistoryAccount {
//|     @Unique var number: Int
//|     @Indexed var balance: Int
//|     var entries: [Int]
//| }

import CairnGraph

/// A list that clients append to, and a balance that they change.
final class HistoryAccount {
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
    var balance: Int {
        @storageRestrictions(initializes: _balance)
        init(initialValue) {
            _balance = initialValue
        }
        get {
            _$willRead(\.balance)
            if let value = _balance {
                return value
            }
            return _$missing(1, nil) as Int
        }
        set {
            _$willChange(1, \.balance)
            _balance = newValue
            _$didChange(\.balance)
        }
        _modify {
            _$willChange(1, \.balance)
            defer {
                _$didChange(\.balance)
            }
            if _balance == nil {
                _balance = _$missing(1, nil) as Int
            }
            yield &_balance!
        }
    }
    private var _balance: Optional<Int>
    var entries: [Int] {
        @storageRestrictions(initializes: _entries)
        init(initialValue) {
            _entries = initialValue
        }
        get {
            _$willRead(\.entries)
            if let value = _entries {
                return value
            }
            return _$missing(2, nil) as [Int]
        }
        set {
            _$willChange(2, \.entries)
            _entries = newValue
            _$didChange(\.entries)
        }
        _modify {
            _$willChange(2, \.entries)
            defer {
                _$didChange(\.entries)
            }
            if _entries == nil {
                _entries = _$missing(2, nil) as [Int]
            }
            yield &_entries!
        }
    }
    private var _entries: Optional<[Int]>

    @safe @exclusivity(unchecked) var _$state = ObjectState()

    init(number: Int, balance: Int, entries: [Int]) {
        self._number = number
        self._balance = balance
        self._entries = entries
    }

    init(_$fault: Void) {
        _number = nil
        _balance = nil
        _entries = nil
    }

    func _$read(_ reader: inout RecordReader) throws(RecordError) {
        _number = try reader.read(0, default: nil) as Int
        _balance = try reader.read(1, default: nil) as Int
        _entries = try reader.read(2, default: nil) as [Int]
    }

    func _$write(_ writer: inout RecordWriter, _ fields: FieldMap) {
        if let value = _number {
            writer.write(value, field: fields[0])
        }
        if let value = _balance {
            writer.write(value, field: fields[1])
        }
        if let value = _entries {
            writer.write(value, field: fields[2])
        }
    }

    func _$clear() {
        _number = nil
        _balance = nil
        _entries = nil
    }

    static let objectSchema = ObjectSchema(
        HistoryAccount.self,
        name: "HistoryAccount",
        properties: [
            .value("number", \HistoryAccount.number),
            .value("balance", \HistoryAccount.balance),
            .value("entries", \HistoryAccount.entries),
        ],
        indexes: [
            ObjectIndex(["number"], isUnique: true) { (object: HistoryAccount, encoder) in
                encoder.encode(object._number ?? object._$missing(0, nil) as Int)
            },
            ObjectIndex(["balance"]) { (object: HistoryAccount, encoder) in
                encoder.encode(object._balance ?? object._$missing(1, nil) as Int)
            },
        ]
    )
}

extension HistoryAccount: nonisolated StoredObject {
}
