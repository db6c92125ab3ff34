#if canImport(Darwin)
import Darwin
private let stream = SOCK_STREAM
#elseif canImport(Musl)
import Musl
private let stream = Int32(SOCK_STREAM)
#else
import Glibc
private let stream = Int32(SOCK_STREAM.rawValue)
#endif

struct SocketError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
    init(call: String) { description = "\(call): \(String(cString: strerror(errno)))" }
}

/// A TCP socket on the loopback interface. Closed with `close`, by the one who uses it.
struct Socket: Sendable {
    let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    /// A client of the server at a port of this machine.
    static func connected(port: UInt16) throws -> Socket {
        let result = try make()
        guard withAddress(port, { connect(result.descriptor, $0, $1) }) == 0 else {
            let error = SocketError(call: "connecting to port \(port)")
            result.close()
            throw error
        }
        result.sendAtOnce()
        return result
    }

    private static func make() throws -> Socket {
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw SocketError(call: "socket") }
        return Socket(descriptor: descriptor)
    }

    private static func withAddress(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }

    /// Requests are short, and the client waits for the answer.
    private func sendAtOnce() {
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    /// What has come, which is empty at the end.
    func receive() throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count >= 0 { return Array(buffer.prefix(count)) }
            if errno != EINTR { throw SocketError(call: "recv") }
        }
    }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + sent, $0.count - sent) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SocketError(call: "send") }
            sent += count
        }
    }

    func close() {
        #if canImport(Darwin)
        _ = Darwin.close(descriptor)
        #elseif canImport(Musl)
        _ = Musl.close(descriptor)
        #else
        _ = Glibc.close(descriptor)
        #endif
    }
}
