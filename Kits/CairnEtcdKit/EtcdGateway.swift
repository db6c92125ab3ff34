import Foundation
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A gateway on loopback in front of a server of etcd, such as a load balancer, which answers some requests itself.
///
/// It does not ask the server for watches: those that it does not answer itself stay silent.
public final class EtcdGateway: Sendable {
    /// A request: its path, and what it says.
    public struct Request: Sendable {
        public let path: String
        public let body: String
        fileprivate let server: UInt16

        /// Lets the server answer it.
        public func forward() throws -> Answer {
            let answer = try EtcdSession(port: server).send(path, Array(body.utf8))
            return Answer(answer.status, answer.bytes)
        }
    }

    /// How the body of an answer is sent.
    public enum Sending: Sendable {
        case atOnce
        /// Again and again, until the client hangs up.
        case endless
        /// Piece by piece, with a pause before each.
        case slowly(pieces: Int, pause: Duration)
        /// Only the first half; then nothing, until the client hangs up.
        case half
    }

    public struct Answer: Sendable {
        public var status: Int
        public var body: [UInt8]
        public var sending = Sending.atOnce

        public init(_ status: Int, _ body: [UInt8]) {
            self.status = status
            self.body = body
        }

        public init(_ status: Int, _ body: String) { self.init(status, Array(body.utf8)) }

        /// An answer with `bytes` again and again.
        public static func endless(_ bytes: [UInt8]) -> Answer {
            var answer = Answer(200, bytes)
            answer.sending = .endless
            return answer
        }

        /// Changes the fields of the answer.
        public mutating func change(_ change: (inout [String: Any]) throws -> Void) throws {
            var fields = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:]
            try change(&fields)
            body = [UInt8](try JSONSerialization.data(withJSONObject: fields))
        }
    }

    /// How to answer a request; `nil`: as the server does.
    public typealias Rule = @Sendable (Request) throws -> Answer?

    public let port: UInt16
    private let descriptor: Int32
    private let server: UInt16
    private let rule = Mutex<Rule?>(nil)
    private let repeated = Mutex(0)

    public init(to server: UInt16) throws {
        self.server = server
        descriptor = socket(AF_INET, Self.stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        unsafe address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (descriptor, wanted) = (descriptor, size)
        let listens = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, wanted) == 0 && listen(descriptor, 64) == 0 && getsockname(descriptor, pointer, &size) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard listens else { throw CocoaError(.fileReadUnknown) }
        Thread { [self] in acceptAll() }.start()
    }

    /// Answers all requests by a rule from now on; `nil`: as the server does.
    public func answer(_ rule: Rule?) { self.rule.withLock { $0 = rule } }

    /// How many bytes of endless answers were sent.
    public var endlessByteCount: Int { repeated.withLock { $0 } }

    /// The URL of a store behind it.
    public func url(_ prefix: String) -> String { "etcd://127.0.0.1:\(port)/\(prefix)" }

    private func acceptAll() {
        while true {
            let client = accept(descriptor, nil, nil)
            guard client >= 0 else { continue }
            Thread { [self] in
                serve(client)
                _ = close(client)
            }.start()
        }
    }

    /// Answers the requests of a connection, one after the other.
    private func serve(_ client: Int32) {
        #if canImport(Darwin)
        var isOn: Int32 = 1
        unsafe setsockopt(client, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        #endif
        var input = Input(client)
        while let request = input.request(to: server) {
            let rule = rule.withLock { $0 }
            guard let answer = try? rule?(request) ?? (request.path.hasSuffix("/watch") ? nil : request.forward()) else {
                // Until the client hangs up.
                while input.receive() {}
                return
            }
            guard send(answer, client, &input) else { return }
        }
    }

    /// Sends an answer; returns whether the client is still there.
    private func send(_ answer: Answer, _ client: Int32, _ input: inout Input) -> Bool {
        let length = if case .endless = answer.sending { "Connection: close" } else { "Content-Length: \(answer.body.count)" }
        let head = Array("HTTP/1.1 \(answer.status) -\r\nContent-Type: application/json\r\n\(length)\r\n\r\n".utf8)
        switch answer.sending {
        case .atOnce: return Self.send(head + answer.body, client)
        case .endless:
            guard Self.send(head, client) else { return false }
            while Self.send(answer.body, client) { repeated.withLock { $0 += answer.body.count } }
            return false
        case .slowly(let pieces, let pause):
            guard Self.send(head, client) else { return false }
            for piece in 0..<pieces {
                Thread.sleep(forTimeInterval: pause / .seconds(1))
                let range = answer.body.count * piece / pieces..<answer.body.count * (piece + 1) / pieces
                guard Self.send(Array(answer.body[range]), client) else { return false }
            }
            return true
        case .half:
            guard Self.send(head + answer.body[..<(answer.body.count / 2)], client) else { return false }
            while input.receive() {}
            return false
        }
    }

    /// What a client has sent.
    private struct Input {
        private let client: Int32
        private var bytes = Data()
        private var buffer = [UInt8](repeating: 0, count: 1 << 16)

        init(_ client: Int32) { self.client = client }

        /// Waits for more; returns whether any has come.
        mutating func receive() -> Bool {
            let count = unsafe recv(client, &buffer, buffer.count, 0)
            guard count > 0 else { return false }
            bytes.append(contentsOf: buffer[..<count])
            return true
        }

        /// Takes the next request; `nil` once the client has hung up.
        mutating func request(to server: UInt16) -> Request? {
            var head: Range<Data.Index>?
            while head == nil {
                head = bytes.range(of: Data("\r\n\r\n".utf8))
                guard head != nil || receive() else { return nil }
            }
            guard let head else { return nil }
            let lines = String(decoding: bytes[..<head.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
            let length = lines.first { $0.lowercased().hasPrefix("content-length:") }?.split(separator: " ").last.flatMap { Int($0) } ?? 0
            while bytes.endIndex - head.upperBound < length { guard receive() else { return nil } }
            let body = bytes[head.upperBound..<head.upperBound + length]
            defer { bytes = Data(bytes[body.endIndex...]) }
            let path = lines[0].split(separator: " ").dropFirst().first ?? ""
            return Request(path: String(path), body: String(decoding: body, as: UTF8.self), server: server)
        }
    }

    /// Sends bytes; returns whether the client is still there.
    private static func send(_ bytes: [UInt8], _ client: Int32) -> Bool {
        #if canImport(Darwin)
        let flags: Int32 = 0
        #else
        let flags = Int32(MSG_NOSIGNAL)
        #endif
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { unsafe Foundation.send(client, $0.baseAddress! + sent, $0.count - sent, flags) }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    private static var stream: Int32 {
        #if canImport(Glibc)
        Int32(SOCK_STREAM.rawValue)
        #else
        SOCK_STREAM
        #endif
    }
}
