public import CairnCore

/// A record, or a value in it, that cannot be read or written.
public struct RecordError: CairnError {
    /// The kinds of failure. An open set: see `CairnError`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case truncated, malformed, typeMismatch, outOfRange, invalidText, missingField, tooDeep, failed, misused, unknownClass
            case shredded
        }
        private let kind: Kind
        public var description: String { kind.rawValue }

        /// The bytes end before the record does.
        public static let truncated = Code(kind: .truncated)
        /// The bytes follow no rule of the format.
        public static let malformed = Code(kind: .malformed)
        /// A value of another type is stored.
        public static let typeMismatch = Code(kind: .typeMismatch)
        /// The type asked for cannot hold the value that is stored: a number too large, an unknown raw value.
        public static let outOfRange = Code(kind: .outOfRange)
        /// Text that is not UTF-8.
        public static let invalidText = Code(kind: .invalidText)
        /// The field is not in the record, and there is neither a default nor a blank value of its type.
        public static let missingField = Code(kind: .missingField)
        /// Values are nested deeper than a record may be.
        public static let tooDeep = Code(kind: .tooDeep)
        /// The coder of a `Codable` type failed; its error is the cause.
        public static let failed = Code(kind: .failed)
        /// A relationship leads to an object of a class that the store was opened without.
        public static let unknownClass = Code(kind: .unknownClass)
        /// The key of the object was deleted: see ``ObjectStore/shred(_:progress:)``.
        public static let shredded = Code(kind: .shredded)
        /// A type wrote more than one value for itself, or a field has a number that no field can have.
        public static let misused = Code(kind: .misused)
    }

    /// One reference, so that throwing costs a register.
    private final class Storage: Sendable {
        let code: Code
        let message: String
        let userData: String?
        let cause: (any Error)?
        let field: Int?
        let index: Int?

        init(_ code: Code, _ message: String, _ userData: String?, _ cause: (any Error)?, _ field: Int?, _ index: Int?) {
            self.code = code
            self.message = message
            self.userData = userData
            self.cause = cause
            self.field = field
            self.index = index
        }
    }
    private let storage: Storage

    public var code: Code { storage.code }
    /// What was found where what was asked for. Holds no stored value.
    public var message: String { storage.message }
    /// The value concerned, where it is known; shown only by `fullDescription`.
    public var userData: String? { storage.userData }
    public var cause: (any Error)? { storage.cause }
    /// The number of the field concerned, as the store's catalog has it; `nil` where the record as a whole is concerned.
    public var field: Int? { storage.field }
    /// The index of the property in the program, where it was asked for by one.
    public var index: Int? { storage.index }

    /// Makes an error; `userData` is shown only by `fullDescription`. Readers add the field.
    public init(_ code: Code, _ message: String, userData: String? = nil, cause: (any Error)? = nil) {
        storage = Storage(code, message, userData, cause, nil, nil)
    }

    private init(_ storage: Storage) { self.storage = storage }

    /// The error with the field and the property concerned, where it has none yet.
    @usableFromInline @inline(never)
    func about(field: Int?, index: Int? = nil) -> RecordError {
        RecordError(
            Storage(storage.code, storage.message, storage.userData, storage.cause, storage.field ?? field, storage.index ?? index)
        )
    }
}

extension RecordError {
    /// `found` is stored where `wanted` was asked for.
    @usableFromInline @inline(never)
    static func mismatch(_ found: UInt8, _ wanted: String) -> RecordError {
        guard let kind = WireKind(rawValue: found) else {
            return RecordError(.misused, "\(wanted) was asked for where the one value there is was taken already")
        }
        return RecordError(.typeMismatch, "\(kind.phrase) is stored where \(wanted) was asked for; did the property's type change?")
    }

    @usableFromInline @inline(never)
    static func outOfRange(_ type: Any.Type, _ value: String) -> RecordError {
        RecordError(.outOfRange, "the number stored does not fit \(type)", userData: "the number \(value)")
    }

    @usableFromInline @inline(never)
    static func noRawValue(_ type: Any.Type, _ value: String) -> RecordError {
        RecordError(.outOfRange, "\(type) has nothing for the raw value that is stored", userData: "the raw value \(value)")
    }

    @usableFromInline @inline(never)
    static func truncated() -> RecordError {
        RecordError(.truncated, "the record ends within a value")
    }

    @usableFromInline @inline(never)
    static func malformed(_ what: String) -> RecordError {
        RecordError(.malformed, "\(what); the record is damaged")
    }

    @usableFromInline @inline(never)
    static func invalidText(_ count: Int) -> RecordError {
        RecordError(.invalidText, "the \(count) bytes stored are not valid UTF-8; is the property text, or bytes?")
    }

    @usableFromInline @inline(never)
    static func tooDeep() -> RecordError {
        RecordError(.tooDeep, "values are nested more than \(WireKind.deepest) deep")
    }

    @usableFromInline @inline(never)
    static func missing(_ type: Any.Type, field: UInt32, index: Int?) -> RecordError {
        RecordError(.missingField, "the record has no value of \(type), which has no blank one; declare a default, or an optional property")
            .about(field: field == 0 ? nil : Int(field), index: index)
    }
}
