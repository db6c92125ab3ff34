import CPostgres
import CairnCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A connection to the server, with its prepared statements. Used by one thread at a time.
@safe final class PostgresConnection: @unchecked Sendable {
    private let handle: OpaquePointer
    private let schema: PostgresSchema
    /// How long an answer may take: longer than the server's own limit.
    private let patience: Duration
    private var prepared: Set<PostgresQuery> = []
    /// What is sent is one pipeline: a statement can be prepared and used in one round trip.
    private var isPipeline = false

    /// Connects, and prepares the session.
    init(_ target: PostgresTarget) throws(PostgresError) {
        OpenSSL.staysUntilTheEnd
        schema = target.schema
        patience = target.options.statementTimeout.timeout * 1.25 + .seconds(1)
        unsafe handle = Self.connect(target.keywords)
        if let error = refusal() { throw error }
        unsafe PQsetnonblocking(handle, 1)
        // libpq would print them.
        unsafe PQsetNoticeProcessor(handle, { _, _ in }, nil)
        _ = try run(target.preparation)
    }

    deinit { unsafe PQfinish(handle) }

    /// Whether there is no other host to turn to, as libpq has read the URL and its environment.
    var hasOneHost: Bool {
        let found = unsafe PQconninfo(handle)
        defer { unsafe PQconninfoFree(found) }
        return ["host", "hostaddr"].allSatisfy { unsafe PostgresTarget.parts(found)[$0]?.contains(",") != true }
    }

    private static func connect(_ keywords: [(key: String, value: String)]) -> OpaquePointer {
        let keys = unsafe keywords.map { unsafe UnsafePointer(strdup($0.key)) } + [nil]
        let values = unsafe keywords.map { unsafe UnsafePointer(strdup($0.value)) } + [nil]
        defer { unsafe (keys + values).forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) } }
        // `nil` only if there is no memory.
        return unsafe PQconnectdbParams(keys, values, 1)!
    }

    /// Why there is no connection; `nil` if there is one.
    private func refusal() -> PostgresError? {
        guard unsafe PQstatus(handle) != CONNECTION_OK else { return nil }
        let message = unsafe Self.text(PQerrorMessage(handle))
        guard PostgresError.isFromServer(message) else { return PostgresError(connecting: message, code: nil) }
        // The server says it in its own language. libpq reports the SQLSTATE of a refusal only in the place of the text, if it connects again.
        unsafe PQsetErrorVerbosity(handle, PQERRORS_SQLSTATE)
        unsafe PQreset(handle)
        unsafe PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
        guard unsafe PQstatus(handle) != CONNECTION_OK else { return nil }
        let second = unsafe Self.text(PQerrorMessage(handle))
        guard let code = PostgresError.code(in: second) else { return PostgresError(connecting: second, code: nil) }
        return PostgresError(connecting: message, code: code)
    }

    /// Runs statements without parameters, and returns the first column of the last row, as text.
    func run(_ sql: String) throws(PostgresError) -> String? {
        leavePipeline()
        guard unsafe PQsendQuery(handle, sql) == 1 else { throw lost() }
        guard let rows = try finish(), rows.count > 0, !rows.isNull(0, 0) else { return nil }
        return String(decoding: [UInt8](copying: rows.bytes(rows.count - 1, 0)), as: UTF8.self)
    }

    /// Runs a prepared statement on the store with an identity, in one round trip, even if it is the first time.
    func run(_ query: PostgresQuery, on identity: String, _ parameters: PostgresParameters) throws(PostgresError) -> PostgresRows {
        try enterPipeline()
        let isNew = !prepared.contains(query)
        if isNew { try check(unsafe PQsendPrepare(handle, query.rawValue, query.sql(schema, identity: identity), 0, nil)) }
        try check(send(query, parameters))
        try check(unsafe PQpipelineSync(handle))
        guard let rows = try finish(preparing: query) else { throw PostgresError("", "the server sent no rows", isLoss: true) }
        return rows
    }

    private func send(_ query: PostgresQuery, _ parameters: PostgresParameters) -> Int32 {
        let count = parameters.ends.count
        return unsafe parameters.bytes.withUnsafeBytes { bytes in
            // An empty array has no address; a parameter without one would be NULL.
            var nothing: CChar = 0
            return unsafe withUnsafePointer(to: &nothing) { nothing in
                let base = unsafe bytes.baseAddress.map { unsafe $0.assumingMemoryBound(to: CChar.self) } ?? nothing
                let starts = [0] + parameters.ends.dropLast()
                let values = unsafe starts.prefix(count).map { unsafe Optional(base + $0) }
                let lengths = zip(starts, parameters.ends).map { Int32($1 - $0) }
                let formats = [Int32](repeating: 1, count: count)
                return unsafe PQsendQueryPrepared(handle, query.rawValue, Int32(count), values, lengths, formats, 1)
            }
        }
    }

    private func enterPipeline() throws(PostgresError) {
        guard !isPipeline else { return }
        try check(unsafe PQenterPipelineMode(handle))
        isPipeline = true
    }

    private func leavePipeline() {
        guard isPipeline else { return }
        unsafe PQexitPipelineMode(handle)
        isPipeline = false
    }

    private func check(_ succeeded: Int32) throws(PostgresError) { guard succeeded == 1 else { throw lost() } }

    // MARK: Results

    /// Sends what is waiting and reads all results: the last rows, or the first error.
    private func finish(preparing query: PostgresQuery? = nil) throws(PostgresError) -> PostgresRows? {
        let start = ContinuousClock.now
        while true {
            let state = unsafe PQflush(handle)
            guard state >= 0 else { throw lost() }
            if state == 0 { break }
            // The server may take more only once its output is read.
            try wait(forWriting: true, since: start)
            try check(unsafe PQconsumeInput(handle))
        }
        var rows: PostgresRows?
        var failure: PostgresError?
        while true {
            while unsafe PQisBusy(handle) == 1 {
                try wait(forWriting: false, since: start)
                try check(unsafe PQconsumeInput(handle))
            }
            guard let result = unsafe PQgetResult(handle) else {
                guard unsafe PQstatus(handle) == CONNECTION_OK else { throw failure ?? lost() }
                if isPipeline { continue }
                break
            }
            switch unsafe PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC:
                unsafe PQclear(result)
                if let failure { throw failure }
                return rows
            case PGRES_TUPLES_OK: rows = unsafe PostgresRows(result)
            case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE:
                failure = unsafe failure ?? error(of: result)
                unsafe PQclear(result)
            default:
                // A statement stays prepared, even if it then fails.
                if let query, unsafe PQresultStatus(result) == PGRES_COMMAND_OK { prepared.insert(query) }
                unsafe PQclear(result)
            }
        }
        if let failure { throw failure }
        return rows
    }

    private func error(of result: OpaquePointer) -> PostgresError {
        func field(_ code: UnicodeScalar) -> String? { unsafe PQresultErrorField(result, Int32(code.value)).map { unsafe Self.text($0) } }
        let isLoss = unsafe PQstatus(handle) != CONNECTION_OK
        // The primary text, and the detail, which may contain keys.
        guard let code = field("C") else { return unsafe PostgresError("", Self.text(PQresultErrorMessage(result)), isLoss: isLoss) }
        return PostgresError(code, field("M") ?? "", userData: field("D"), isLoss: isLoss)
    }

    private func lost() -> PostgresError { unsafe PostgresError("", Self.text(PQerrorMessage(handle)), isLoss: true) }

    private static func text(_ text: UnsafePointer<CChar>?) -> String {
        guard let text = unsafe text else { return "" }
        var line = unsafe String(cString: text)
        while line.last?.isNewline == true { line.removeLast() }
        return line
    }

    private func wait(forWriting: Bool, since start: ContinuousClock.Instant) throws(PostgresError) {
        var descriptor = pollfd(fd: unsafe PQsocket(handle), events: Int16(forWriting ? POLLIN | POLLOUT : POLLIN), revents: 0)
        switch TaskCancellation.wait(since: start, until: start + patience, { unsafe poll(&descriptor, 1, Int32($0)) != 0 }) {
        case .done: return
        case .late: throw PostgresError("", "the server did not respond within \(patience)", isLoss: true)
        case .cancelled: throw .cancelled
        }
    }

    // MARK: Notifications

    var descriptor: Int32 { unsafe PQsocket(handle) }

    /// Reads what the server has sent of its own accord; returns the texts of notifications.
    func notifications() throws(PostgresError) -> [String] {
        try check(unsafe PQconsumeInput(handle))
        var texts: [String] = []
        while let notification = unsafe PQnotifies(handle) {
            texts.append(unsafe Self.text(notification.pointee.extra))
            unsafe PQfreemem(notification)
        }
        return texts
    }
}
