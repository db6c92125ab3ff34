public import CairnCore

/// An error in reading or writing a record, or a value in it.
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
        /// The bytes violate the format.
        public static let malformed = Code(kind: .malformed)
        /// A value of another type is stored.
        public static let typeMismatch = Code(kind: .typeMismatch)
        /// The requested type cannot represent the stored value, such as a number that is too large or an unknown raw value.
        public static let outOfRange = Code(kind: .outOfRange)
        /// Text that is not UTF-8.
        public static let invalidText = Code(kind: .invalidText)
        /// The record lacks the field, and its type has neither a default nor a blank value.
        public static let missingField = Code(kind: .missingField)
        /// Values are nested too deeply.
        public static let tooDeep = Code(kind: .tooDeep)
        /// The coder of a `Codable` type failed; its error is the cause.
        public static let failed = Code(kind: .failed)
        /// A relationship refers to an object of a class that the store was opened without.
        public static let unknownClass = Code(kind: .unknownClass)
        /// The key of the object was deleted: see ``ObjectStore/shred(_:progress:)``.
        public static let shredded = Code(kind: .shredded)
        /// A type wrote more than one value for itself, or a field number is invalid.
        public static let misused = Code(kind: .misused)
    }

    /// A single reference, so that throwing costs one register.
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
    /// What was found and what was expected. Contains no stored values.
    public var message: String { storage.message }
    /// The value concerned, if known; shown only by `fullDescription`.
    public var userData: String? { storage.userData }
    public var cause: (any Error)? { storage.cause }
    /// The number of the field concerned, from the store's catalog; `nil` if the error concerns the whole record.
    public var field: Int? { storage.field }
    /// The index of the property in the program, if it was read by index.
    public var index: Int? { storage.index }

    /// Makes an error; `userData` is shown only by `fullDescription`. Readers add the field.
    public init(_ code: Code, _ message: String, userData: String? = nil, cause: (any Error)? = nil) {
        storage = Storage(code, message, userData, cause, nil, nil)
    }

    private init(_ storage: Storage) { self.storage = storage }

    /// The error with the field and property concerned, if it has none yet.
    @usableFromInline @inline(never)
    func about(field: Int?, index: Int? = nil) -> RecordError {
        RecordError(
            Storage(storage.code, storage.message, storage.userData, storage.cause, storage.field ?? field, storage.index ?? index)
        )
    }
}

extension RecordError {
    /// The error for a stored `found` where `wanted` was requested.
    @usableFromInline @inline(never)
    static func mismatch(_ found: UInt8, _ wanted: String) -> RecordError {
        guard let kind = WireKind(rawValue: found) else {
            return RecordError(.misused, "\(wanted) was requested, but the only value was already read")
        }
        return RecordError(.typeMismatch, "expected \(wanted), but found \(kind.phrase); did the property's type change?")
    }

    @usableFromInline @inline(never)
    static func outOfRange(_ type: Any.Type, _ value: String) -> RecordError {
        RecordError(.outOfRange, "the stored number does not fit in \(type)", userData: "the number \(value)")
    }

    @usableFromInline @inline(never)
    static func noRawValue(_ type: Any.Type, _ value: String) -> RecordError {
        RecordError(.outOfRange, "the stored raw value is not one of \(type)", userData: "the raw value \(value)")
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
        RecordError(.missingField, "the record lacks a value, and \(type) has no blank value; declare a default, or an optional property")
            .about(field: field == 0 ? nil : Int(field), index: index)
    }
}
