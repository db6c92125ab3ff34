import CairnCore
import CairnToolKit

/// What the page asks about a store of one kind.
protocol StorePages: Sendable {
    /// The name of the kind, for the page.
    var kind: String { get }
    /// What the page calls the store if the program does not say.
    var name: String { get }
    /// What the page shows of the store as a whole. Reads little: it is the first thing that the page asks for.
    func overview() throws -> [(name: String, value: JSONValue)]
    /// The answer to a question; `nil` if there is no such question.
    func answer(_ question: String, _ query: PageQuery) throws -> JSONValue?
    /// What changes from now on.
    func news() -> AsyncStream<JSONValue>
    /// Whether an open store shows what other programs write to its files, unless they are replaced.
    var followsChanges: Bool { get }
}

extension StorePages {
    var followsChanges: Bool { false }
}

/// Why a question has no answer, for the page.
struct PageFault: Error {
    let status: HTTPResponse.Status
    let message: String

    init(_ status: HTTPResponse.Status = .badRequest, _ message: String) {
        self.status = status
        self.message = message
    }
}

/// The parameters of a question.
struct PageQuery {
    let fields: [String: String]
    /// Set once nobody waits for the answer any more.
    let cancellation: CancellationFlag

    /// Throws if nobody waits for the answer any more.
    func checkCancellation() throws { if cancellation.isSet { throw CancellationError() } }

    /// `nil` only if it is missing: keys can be empty.
    subscript(name: String) -> String? { fields[name] }

    /// `nil` if it is missing or empty: for fields that may be left empty.
    func filled(_ name: String) -> String? { fields[name].flatMap { $0.isEmpty ? nil : $0 } }

    func text(_ name: String) throws -> String {
        guard let text = fields[name] else { throw PageFault(.badRequest, "The parameter '\(name)' is missing.") }
        return text
    }

    func number<Number: FixedWidthInteger>(_ name: String, default fallback: Number) throws -> Number {
        guard let text = filled(name) else { return fallback }
        guard let number = Number(text), number >= 0 else {
            throw PageFault(.badRequest, "The parameter '\(name)' is not a non-negative number.")
        }
        return number
    }

    /// How many entries a page has.
    func limit() throws -> Int { min(max(try number("limit", default: 50), 1), 500) }

    /// Bytes that the page was given as hexadecimal digits.
    func bytes(_ name: String) throws -> [UInt8]? {
        guard let digits = fields[name] else { return nil }
        guard let bytes = Hex.bytes(digits.utf8) else {
            throw PageFault(.badRequest, "The parameter '\(name)' does not consist of hexadecimal digits.")
        }
        return bytes
    }
}

/// Data from a store, for the page, which shows it only as text.
enum Shown {
    /// How much of a value is shown in a list of entries, and on the page of one.
    static let (inList, alone) = (200, 64 << 10)

    /// Text; if it is longer than the limit, its beginning and its size.
    static func text(_ text: String, limit: Int) -> JSONValue {
        guard text.utf8.count > limit else { return .object([("text", .string(text))]) }
        return .object([("text", .string(String(beginning(text, limit: limit)))), ("size", .int(Int64(text.utf8.count)))])
    }

    /// The scalars of a text that fit into the limit: characters may be long.
    static func beginning(_ text: String, limit: Int) -> Substring {
        guard text.utf8.count > limit else { return text[...] }
        var end = text.utf8.index(text.startIndex, offsetBy: limit)
        while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return text[..<end]
    }

    /// Why a text cannot be edited in the page; `nil` if it can.
    static func obstacle(_ text: String) -> String? {
        if text.utf8.count > alone { return "too large to edit here" }
        // Browsers change these.
        return text.utf8.contains(UInt8(ascii: "\r")) ? "has line breaks (CR) that a browser would change" : nil
    }

    /// Bytes: as text if they are text, else as hexadecimal digits.
    static func bytes(_ bytes: [UInt8], limit: Int) -> JSONValue {
        if let text = String(validating: bytes, as: UTF8.self), !text.unicodeScalars.contains(where: isUnprintable) {
            return self.text(text, limit: limit)
        }
        let digits = JSONValue.string(String(decoding: Hex.digits(Array(bytes.prefix(limit / 2))), as: UTF8.self))
        return .object([("hex", digits), ("size", .int(Int64(bytes.count)))])
    }

    private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
        !EscapedText.isPrintable(scalar) && !["\n", "\r", "\t"].contains(scalar)
    }

    static func digits(_ bytes: [UInt8]) -> JSONValue { .string(String(decoding: Hex.digits(bytes), as: UTF8.self)) }

    static func count(_ number: some BinaryInteger) -> JSONValue { .int(Int64(clamping: number)) }

    static func size(_ size: ByteCount) -> JSONValue { .int(size.bytes) }
}
