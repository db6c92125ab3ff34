import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A client of a server on this machine that sends any bytes, and reads what comes back.
package struct Client: ~Copyable {
    private let socket: Int32

    package struct Refused: Error {}

    package init(port: UInt16) throws {
        #if canImport(Darwin)
        socket = Foundation.socket(AF_INET, SOCK_STREAM, 0)
        #else
        socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = unsafe withUnsafePointer(to: address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(socket, $0, size) }
        }
        guard status == 0 else { throw Refused() }
        // A test that waits forever says nothing. A busy machine may need long.
        var timeout = timeval(tv_sec: 300, tv_usec: 0)
        unsafe setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(socket) }

    package func send(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes[sent...].withUnsafeBytes {
                unsafe Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Ends the input of the server: nothing more will be sent.
    package func endSending() { _ = shutdown(socket, Int32(SHUT_WR)) }

    /// What has come next; empty at the end of the connection.
    package func receive() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(socket, $0.baseAddress, $0.count, 0) }
        return Array(buffer.prefix(max(0, count)))
    }

    /// Everything until the server closes the connection.
    package func receiveAll() -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let some = receive()
            if some.isEmpty { return all }
            all += some
        }
    }

    /// Reads until the text has come. Of events, that is the end of one with contents, `}` and an empty line: signs of life may come before it.
    package func receive(until text: String) -> String {
        var all: [UInt8] = []
        while !String(decoding: all, as: UTF8.self).contains(text) {
            let some = receive()
            if some.isEmpty { break }
            all += some
        }
        return String(decoding: all, as: UTF8.self)
    }
}

/// An answer by HTTP, taken apart.
package struct Answer {
    package let status: Int
    /// By their names in lower case.
    package let headers: [String: String]
    package let body: [UInt8]

    package struct Malformed: Error { let text: String }

    package init(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { throw Malformed(text: text) }
        let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count > 1, let status = Int(words[1]) else { throw Malformed(text: text) }
        self.status = status
        headers = Dictionary(
            uniqueKeysWithValues: lines.dropFirst().map { line in
                let parts = line.split(separator: ":", maxSplits: 1)
                return (parts[0].lowercased(), parts[1].trimmingCharacters(in: .whitespaces))
            }
        )
        body = Array(text[end.upperBound...].utf8)
    }

    package var text: String { String(decoding: body, as: UTF8.self) }
}
