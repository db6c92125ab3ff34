import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A socket that listens on loopback, on a port that was free.
public final class Listener: Sendable {
    let descriptor: Int32
    public let port: UInt16

    /// - Parameter wanted: 0 for any port.
    init(port wanted: UInt16 = 0) throws {
        let descriptor = socket(AF_INET, Self.stream, 0)
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = wanted.bigEndian
        unsafe address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, size) == 0 && listen(descriptor, 64) == 0 && getsockname(descriptor, pointer, &size) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isBound else { throw CocoaError(.fileReadUnknown) }
    }

    deinit { _ = close(descriptor) }

    /// Ports that nobody uses, for servers that are started next. They are below those that the system gives to connections: one of these may be taken before
    /// its server listens.
    public static func freePorts(_ count: Int) throws -> [UInt16] {
        var listeners: [Listener] = []
        var failures = 0
        while listeners.count < count {
            do {
                let listener = try Listener(port: .random(in: 10_000..<32_768))
                try reserve(listener.port)
                listeners.append(listener)
            } catch {
                failures += 1
                // Not for a port that is in use.
                if failures == 100 { throw error }
            }
        }
        return listeners.map(\.port)
    }

    /// Keeps the port of the same number for datagrams, which no server uses, until this process ends: so other processes do not choose the port before its server
    /// listens.
    private static func reserve(_ port: UInt16) throws {
        let descriptor = socket(AF_INET, datagram, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        unsafe address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let isBound = unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound else {
            _ = close(descriptor)
            throw CocoaError(.fileReadUnknown)
        }
        // Servers are not to keep it.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    static var stream: Int32 {
        #if canImport(Glibc)
        Int32(SOCK_STREAM.rawValue)
        #else
        SOCK_STREAM
        #endif
    }

    private static var datagram: Int32 {
        #if canImport(Glibc)
        Int32(SOCK_DGRAM.rawValue)
        #else
        SOCK_DGRAM
        #endif
    }
}
