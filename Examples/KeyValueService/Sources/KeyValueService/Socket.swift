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

    /// Waits for clients at a port of 127.0.0.1: no other machine reaches it. Port 0 is any that is free.
    static func listening(port: UInt16) throws -> Socket {
        let result = try make()
        var isOn: Int32 = 1
        setsockopt(result.descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        guard withAddress(port, { bind(result.descriptor, $0, $1) }) == 0, listen(result.descriptor, 128) == 0 else {
            let error = SocketError(call: "listening on port \(port)")
            result.close()
            throw error
        }
        return result
    }

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

    /// The port that a listening socket has.
    var port: UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    /// The next client.
    func accepted() throws -> Socket {
        while true {
            let client = accept(descriptor, nil, nil)
            if client >= 0 {
                let result = Socket(descriptor: client)
                result.sendAtOnce()
                return result
            }
            switch errno {
            // The client has gone already.
            case EINTR, ECONNABORTED: continue
            default: throw SocketError(call: "accept")
            }
        }
    }

    /// Answers are short, and clients wait for them.
    private func sendAtOnce() {
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    func setTimeouts(seconds: Int) {
        var time = timeval()
        time.tv_sec = seconds
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// What has come, which is empty at the end; `nil` where nothing came in time.
    func receive() throws -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count >= 0 { return Array(buffer.prefix(count)) }
            if errno == EAGAIN || errno == EWOULDBLOCK { return nil }
            if errno != EINTR { throw SocketError(call: "recv") }
        }
    }

    /// A slow reader holds a thread for a minute, and no longer.
    func send(_ bytes: [UInt8]) throws {
        let deadline = ContinuousClock.now + .seconds(60)
        var sent = 0
        while sent < bytes.count {
            guard .now < deadline else { throw SocketError("the client reads too slowly") }
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + sent, $0.count - sent) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SocketError(call: "send") }
            sent += count
        }
    }

    /// Ends `receive`, now and later; sending continues.
    func endReading() { shutdown(descriptor, Int32(SHUT_RD)) }

    /// Reads what the client still sends, for a moment: closing earlier would discard the answer that is on its way.
    func drain() {
        shutdown(descriptor, Int32(SHUT_WR))
        setTimeouts(seconds: 1)
        var pieces = 0
        while pieces < 64, let bytes = try? receive(), !bytes.isEmpty { pieces += 1 }
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
