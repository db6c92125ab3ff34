import CCurl
import CairnCore
import CairnEngine
import Synchronization

/// A connection to an endpoint. Used by one thread at a time.
@safe final class EtcdConnection: @unchecked Sendable {
    private let handle: UnsafeMutablePointer<cairn_http>
    private let received = Received()
    private let timeout: Duration
    private let largestAnswer: Int

    /// What libcurl has received and nobody has taken yet.
    private final class Received {
        var bytes: [UInt8] = []
        /// How many of them were searched for the ends of lines.
        var searched = 0
        /// The number of bytes at which an answer is given up.
        var limit = 0
        var isTooLong = false
    }

    private static let curl: Void = {
        OpenSSL.staysUntilTheEnd
        cairn_http_start()
    }()

    /// Connects when it is first used, or when the connection is lost.
    init(_ target: EtcdTarget) throws(EtcdError) {
        Self.curl
        let options = target.options
        timeout = options.requestTimeout.timeout
        largestAnswer = options.largestAnswer + options.largestValueInAnswer
        let handle = unsafe cairn_http_create(
            options.connectTimeout.timeoutMilliseconds(atMost: Int(Int32.max)),
            options.certificateAuthority,
            options.clientCertificate,
            options.clientKey,
            { bytes, size, count, context in
                guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
                let received = unsafe Unmanaged<Received>.fromOpaque(context).takeUnretainedValue()
                guard received.bytes.count + size * count <= received.limit else {
                    received.isTooLong = true
                    return 0
                }
                unsafe received.bytes.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: size * count))
                return size * count
            },
            Unmanaged.passUnretained(received).toOpaque()
        )
        guard let handle = unsafe handle else { throw EtcdError(lost: "libcurl is out of memory", mayBePerformed: false) }
        unsafe self.handle = handle
    }

    deinit { unsafe cairn_http_free(handle) }

    /// Sends a request and waits for its answer, as long as more of either goes over the network.
    ///
    /// - Parameter limit: The number of bytes at which the answer is given up; `nil`: that of the largest answer of any kind.
    func post(_ url: String, _ token: String?, _ body: [UInt8], limit: Int? = nil) throws(EtcdError) -> EtcdReply {
        prepare(url, token, body, limit)
        unsafe cairn_http_begin(handle)
        // Ends the request, too, if it has no answer yet.
        defer { unsafe cairn_http_end(handle) }
        var code: Int32 = -1
        // How many bytes were sent or have arrived, and when the last of them.
        var (count, latest) = (0, ContinuousClock.now)
        var isSilent = false
        let end = TaskCancellation.wait(until: .now + .milliseconds(Int(Int32.max))) { milliseconds in
            let rest = timeout - latest.duration(to: .now)
            code = unsafe cairn_http_step(handle, Int32(min(milliseconds, rest.timeoutMilliseconds())))
            let now = received.bytes.count + Int(unsafe cairn_http_sent(handle))
            if now > count { (count, latest) = (now, .now) }
            isSilent = code < 0 && latest.duration(to: .now) >= timeout
            return code >= 0 || isSilent
        }
        guard end == .done else { throw .cancelled }
        guard !isSilent else {
            throw EtcdError(lost: "nothing arrived for \(timeout), after \(received.bytes.count) bytes of the response")
        }
        try check(code)
        return try reply(received.bytes)
    }

    private func prepare(_ url: String, _ token: String?, _ body: [UInt8], _ limit: Int?) {
        received.bytes.removeAll(keepingCapacity: received.bytes.count < 1 << 20)
        received.searched = 0
        received.isTooLong = false
        received.limit = limit ?? largestAnswer
        let authorization = token.map { "Authorization: \($0)" }
        unsafe body.withUnsafeBytes { body in
            unsafe cairn_http_prepare(handle, url, authorization, body.baseAddress, body.count, 0)
        }
    }

    private func check(_ code: Int32) throws(EtcdError) {
        guard code != 0 else { return }
        guard !received.isTooLong else { throw EtcdError(longerThan: received.limit) }
        let message = unsafe String(cString: cairn_http_message(handle, code))
        guard cairn_http_is_mistake(code) == 0 else { throw EtcdError(mistake: message) }
        let (wasUnsent, mayDifferInTLS) = (cairn_http_was_unsent(code) != 0, cairn_http_may_differ_in_tls(code) != 0)
        throw EtcdError(lost: message, mayBePerformed: !wasUnsent, mayDifferInTLS: mayDifferInTLS)
    }

    /// - Throws: The error that the answer reports. An HTTP error that is not etcd's, such as a load balancer's, counts as a lost answer.
    private func reply(_ text: [UInt8]) throws(EtcdError) -> EtcdReply {
        let http = unsafe cairn_http_status(handle)
        guard let reply = try? EtcdReply(json: text), http == 200 || reply.status != nil else {
            throw EtcdError(foreign: "the response, with HTTP status \(http),", ": is this the client port of etcd 3.4 or later?")
        }
        if let status = reply.status { throw EtcdError(status: status, reply.message) }
        return reply
    }

    // MARK: Answers without an end

    /// A request whose answer is one line after the other. One thread reads it, any may stop it.
    @safe final class Stream: @unchecked Sendable {
        private let connection: EtcdConnection
        private let isStopped = Atomic(false)

        init(_ connection: EtcdConnection, _ url: String, _ token: String?, _ body: [UInt8]) {
            connection.prepare(url, token, body, nil)
            unsafe cairn_http_begin(connection.handle)
            self.connection = connection
        }

        deinit { unsafe cairn_http_end(connection.handle) }

        /// Waits for the next lines; `nil` once the stream was stopped.
        func next() throws(EtcdError) -> [EtcdReply]? {
            while !isStopped.load(ordering: .acquiring) {
                let code = unsafe cairn_http_step(connection.handle, 60_000)
                let lines = connection.lines()
                guard lines.isEmpty else {
                    var replies: [EtcdReply] = []
                    for line in lines { replies.append(try connection.reply(line)) }
                    return replies
                }
                guard code < 0 else {
                    try connection.check(code)
                    throw EtcdError(lost: "the server ended the response")
                }
            }
            return nil
        }

        func stop() {
            isStopped.store(true, ordering: .releasing)
            unsafe cairn_http_wake(connection.handle)
        }
    }

    /// Takes the whole lines that were received.
    private func lines() -> [[UInt8]] {
        let end = received.bytes[received.searched...].lastIndex(of: UInt8(ascii: "\n"))
        received.searched = received.bytes.count - (end.map { $0 + 1 } ?? 0)
        guard let end else { return [] }
        let lines = received.bytes[..<end].split(separator: UInt8(ascii: "\n")).map(Array.init)
        received.bytes.removeSubrange(...end)
        return lines
    }
}
