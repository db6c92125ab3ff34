public import CairnCore

/// An error of the server, or of libpq on the way to it: the `cause` of an `EngineError` of a ``PostgresEngine``.
public struct PostgresError: CairnError {
    /// An SQLSTATE. See <https://www.postgresql.org/docs/current/errcodes-appendix.html>.
    public struct Code: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The first two characters.
        var family: Substring { rawValue.prefix(2) }
        public var description: String { rawValue.isEmpty ? "libpq" : "SQLSTATE \(rawValue)" }
    }

    /// What the server reported; empty if the error is from libpq.
    public let code: Code
    /// The text of the server or of libpq, which contains no password.
    public let message: String
    /// What the server adds to its text, which may contain keys.
    public let userData: String?
    /// Always `nil`.
    public let cause: (any Error)?
    /// Whether the connection is lost, and so perhaps an answer.
    let isLoss: Bool
    /// Whether a parameter, or a file that it names, was rejected: the server or libpq does not understand it, or no host of the URL can be used with it.
    let isMistake: Bool

    init(_ code: String, _ message: String, userData: String? = nil, isLoss: Bool = false, isMistake: Bool = false) {
        self.code = Code(rawValue: code)
        self.message = message
        self.userData = userData
        self.isLoss = isLoss
        self.isMistake = isMistake
        cause = nil
    }

    /// An attempt to connect that failed.
    ///
    /// libpq has no SQLSTATEs for errors of its own: those that another attempt would not change are recognized by their text. In another language than English,
    /// they are taken for a loss.
    ///
    /// - Parameter code: The SQLSTATE that the server reported; `nil` if the error is from libpq.
    init(connecting message: String, code: String?) {
        if let code {
            self.init(code, message, isMistake: Self.rejections.contains(code))
        } else if message.contains(Self.noPassword) {
            self.init("28P01", message)
        } else {
            let isMistake = Self.isMistake(message)
            self.init("", message, isLoss: !isMistake, isMistake: isMistake)
        }
    }

    private static let noPassword = "no password supplied"

    /// Whether the text of a failed attempt to connect seems to have a part from the server, which begins with how severe the error is.
    static func isFromServer(_ message: String) -> Bool { message.contains(severityEnd) }

    /// The SQLSTATE in the text of a failed attempt to connect in which it takes the place of what the server says; the last one if hosts were tried in turn.
    static func code(in message: String) -> String? {
        for line in message.split(whereSeparator: \.isNewline).reversed() {
            let end = line.suffix(severityEnd.count + 5)
            let code = end.dropFirst(severityEnd.count)
            if end.hasPrefix(severityEnd), code.allSatisfy({ "0"..."9" ~= $0 || "A"..."Z" ~= $0 }) { return String(code) }
        }
        return nil
    }

    /// What libpq writes after the severity.
    private static let severityEnd = ":  "

    /// What a server says of parameters of a session that it does not know, or whose values it does not accept.
    private static let rejections: Set = ["22023", "42601", "42704", "55P02"]
}

extension PostgresError {
    /// A row that each store has is missing. The server's functions say it in the same way.
    static let incomplete = PostgresError("P0002", "the store has no row that identifies it, or no commit")

    /// The store is not the one that was opened.
    static let replaced = PostgresError("", "the store has a different identity")
    var isReplaced: Bool { code == Self.replaced.code && message == Self.replaced.message }

    /// The task did not wait for the answer.
    static let cancelled = PostgresError("", "the task was cancelled")
    var isCancelled: Bool { code == Self.cancelled.code && message == Self.cancelled.message }

    /// The server may have removed the name of the commit that was sent, and has not looked further: see ``PostgresSchema/commitFunction``.
    static let forgotten = PostgresError("", "the server no longer has the names of all commits since the last one that was seen")
    var isForgotten: Bool { code == Self.forgotten.code && message == Self.forgotten.message }

    /// Whether another connection, perhaps to another host, may succeed: the server is stopping or starting, is a standby, or has no connection left.
    var wantsOtherConnection: Bool {
        isLoss || ["08", "57P01", "57P02", "57P03", "57P05", "53300", "25006"].contains { code.rawValue.hasPrefix($0) }
    }

    /// Whether the request may have been performed: the connection is lost, or the server is stopping, and may have committed before. Other servers that speak
    /// the protocol use a code of their own.
    var mayBePerformed: Bool { isLoss || ["08", "57P01", "57P02", "57P05", "40003"].contains { code.rawValue.hasPrefix($0) } }

    /// Whether the server is a standby, or allows the user only to read.
    var isReadOnly: Bool { code.rawValue == "25006" }

    private static func isMistake(_ message: String) -> Bool {
        // The last attempt counts for each host, which can have several addresses: the first ones may not be in use.
        var hosts: [String: Bool] = [:]
        for line in message.split(whereSeparator: \.isNewline) {
            let words = line.split(separator: " ")
            let place = words.prefix { $0 != "failed:" }
            let isAttempt = line.hasPrefix("connection to server ") && place.count < words.count
            // Advice follows on lines of its own.
            guard isAttempt || hosts.isEmpty else { continue }
            let host = isAttempt ? place.filter { !$0.hasPrefix("(") }.joined(separator: " ") : ""
            let reason = (isAttempt ? words.dropFirst(place.count + 1) : words[...]).joined(separator: " ")
            hosts[host] = reason.hasPrefix("invalid ") || mistakes.contains { reason.contains($0) }
        }
        return !hosts.isEmpty && hosts.values.allSatisfy { $0 }
    }

    /// Parts of libpq's texts, in English.
    private static let mistakes = [
        "could not match", "definition of service", "service file",
        "SSL was required", "certificate for", "certificate verify failed", "certificate file", "certificate present", "private key file",
        "alert unknown ca", "GSSAPI encryption required", "channel binding required", "requirepeer specifies",
        // Standbys are promoted, so one may become suitable later; the opposite hardly happens.
        "session is not read-only", "server is not in hot standby mode",
    ]

    /// Whether the server asks for a password, and there is none.
    var lacksPassword: Bool { code.rawValue == "28P01" && message.contains(Self.noPassword) }

    /// Whether something else than PostgreSQL has answered an attempt to connect, as libpq says in English.
    var isFromStranger: Bool {
        code.rawValue.isEmpty
            && ["received invalid response to", "expected authentication request"].contains { message.contains($0) }
    }

    /// Whether the server that was reached does not meet target_session_attrs.
    var isUnsuitable: Bool {
        code.rawValue.isEmpty
            && ["session is read-only", "server is in hot standby mode"].contains { message.contains($0) }
    }

    /// Whether the server refused the statement because of concurrent ones, so that it can be repeated at once.
    var isCollision: Bool { code.family == "40" || code.rawValue == "23505" }

    /// Whether the statement exceeded its time limit.
    var isTimeout: Bool { code.rawValue == "57014" }

    /// Whether there is no such store.
    var isMissing: Bool { ["3F000", "42P01"].contains(code.rawValue) }

    /// Whether something of that name exists.
    var isDuplicate: Bool { ["42P06", "42P07", "42710", "42723", "23505"].contains(code.rawValue) }
}
