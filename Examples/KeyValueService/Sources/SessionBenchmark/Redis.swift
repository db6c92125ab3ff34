import Foundation

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

/// A Redis server on a free port of loopback that keeps nothing on disk, and one connection to it: the plain protocol on a socket, as fast as a client
/// can be that waits for each answer.
final class Redis {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let server = Process()
    private let descriptor: Int32
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    init(directory: String) throws {
        let port = UInt16.random(in: 20_000..<60_000)
        server.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        server.arguments = [
            "redis-server", "--port", "\(port)", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", directory,
        ]
        server.standardOutput = FileHandle.nullDevice
        try server.run()
        descriptor = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        for attempt in 0... {
            let result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            if result == 0 { break }
            guard attempt < 100, server.isRunning else { throw Failure(description: "redis-server does not answer; is it installed?") }
            usleep(50_000)
        }
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    func stop() {
        close(descriptor)
        // It has nothing to save, and may have inherited a mask that holds up other signals.
        kill(server.processIdentifier, SIGKILL)
        server.waitUntilExit()
    }

    func get(_ key: String) throws -> Data {
        try send("*2\r\n$3\r\nGET\r\n$\(key.utf8.count)\r\n\(key)\r\n")
        return try bulk()
    }

    func set(_ key: String, _ value: Data) throws {
        try sendSet(key, value)
        try receiveSet()
    }

    /// Sends a SET, whose answer `receiveSet` reads.
    func sendSet(_ key: String, _ value: Data) throws {
        let text = String(decoding: value, as: UTF8.self)
        try send("*5\r\n$3\r\nSET\r\n$\(key.utf8.count)\r\n\(key)\r\n$\(value.count)\r\n\(text)\r\n$2\r\nEX\r\n$5\r\n43200\r\n")
    }

    func receiveSet() throws {
        var answer: [UInt8] = []
        while answer.count < 5 {
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress!, 5 - answer.count) }
            guard count > 0 else { throw Failure(description: "the server hung up") }
            answer += buffer[..<count]
        }
        guard answer == Array("+OK\r\n".utf8) else { throw Failure(description: "SET was refused") }
    }

    /// Seconds of processor time that the server has used.
    func processorTime() throws -> Double {
        try send("*2\r\n$4\r\nINFO\r\n$3\r\ncpu\r\n")
        let lines = String(decoding: try bulk(), as: UTF8.self).split(whereSeparator: \.isNewline)
        return lines.filter { $0.hasPrefix("used_cpu_user:") || $0.hasPrefix("used_cpu_sys:") }.compactMap {
            Double($0.split(separator: ":")[1])
        }.reduce(0, +)
    }

    private func bulk() throws -> Data {
        var count = try receive(atLeast: 4)
        guard buffer[0] == UInt8(ascii: "$"), let end = buffer[..<count].firstIndex(of: 13),
            let size = Int(String(decoding: buffer[1..<end], as: UTF8.self)),
            size >= 0, end + 4 + size <= buffer.count
        else { throw Failure(description: "an answer that was not expected") }
        while count < end + 4 + size { count += try receive(from: count) }
        return Data(buffer[end + 2..<end + 2 + size])
    }

    private func send(_ text: String) throws {
        var text = text
        let count = text.withUTF8 { write(descriptor, $0.baseAddress, $0.count) }
        guard count == text.utf8.count else { throw Failure(description: "the server hung up") }
    }

    private func receive(atLeast count: Int) throws -> Int {
        var received = 0
        while received < count { received += try receive(from: received) }
        return received
    }

    private func receive(from start: Int) throws -> Int {
        let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + start, $0.count - start) }
        guard count > 0 else { throw Failure(description: "the server hung up") }
        return count
    }
}
