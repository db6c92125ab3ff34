import Foundation
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A proxy on loopback in front of a server's socket, which loses what it is asked to.
public final class Proxy: Sendable {
    /// What is lost of a commit.
    public enum Loss: Sendable {
        /// The answer: the server has committed by then.
        case reply
        /// The answer, and all connections until ``cut(_:)``.
        case replyAndServer
        /// The request, and all connections.
        case requestAndServer
        /// The answer, without a sign: the connection stays.
        case silently
    }

    public let port: UInt16
    private let listener: Listener
    private let target: String
    private let state = Mutex(State())

    private struct State {
        var loss: Loss?
        /// Answers of how many commits were lost.
        var lost = 0
        var isCut = false
        var refusals = 0
        var isClosed = false
        var connections: Set<Int32> = []
    }

    /// - Parameter directory: Where the server has its socket.
    public init(to directory: String) throws {
        target = directory + "/.s.PGSQL.5432"
        listener = try Listener()
        port = listener.port
        Thread { [self] in acceptAll() }.start()
    }

    public var url: String { "postgresql://postgres@127.0.0.1:\(port)/postgres" }

    /// Loses something of the next commit, and the connection.
    public func lose(_ loss: Loss) { state.withLock { $0.loss = loss } }

    /// How often it has lost something.
    public var losses: Int { state.withLock { $0.lost } }

    /// How many connections it has refused.
    public var refusals: Int { state.withLock { $0.refusals } }

    /// Ends all connections and refuses new ones, or no longer.
    public func cut(_ isCut: Bool = true) {
        state.withLock { state in
            state.isCut = isCut
            if isCut { for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) } }
        }
    }

    public func stop() {
        cut()
        state.withLock { $0.isClosed = true }
        shutdown(listener.descriptor, Int32(SHUT_RDWR))
    }

    private func acceptAll() {
        while true {
            let client = accept(listener.descriptor, nil, nil)
            guard !state.withLock({ $0.isClosed }) else { return }
            guard client >= 0, let server = connectToServer() else { continue }
            Thread { [self] in serve(client, server) }.start()
        }
    }

    private func connectToServer() -> Int32? {
        let server = socket(AF_UNIX, Listener.stream, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: target.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(server, $0, size) == 0 }
        }
        return isConnected ? server : nil
    }

    private func serve(_ client: Int32, _ server: Int32) {
        let isRefused = state.withLock { state in
            if state.isCut { state.refusals += 1 } else { state.connections.formUnion([client, server]) }
            return state.isCut
        }
        if !isRefused { exchange(client, server) }
        state.withLock { state in
            state.connections.subtract([client, server])
            _ = close(client)
            _ = close(server)
        }
    }

    private func exchange(_ client: Int32, _ server: Int32) {
        var loss: Loss?
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            var descriptors = [
                pollfd(fd: client, events: Int16(POLLIN), revents: 0), pollfd(fd: server, events: Int16(POLLIN), revents: 0),
            ]
            guard unsafe poll(&descriptors, 2, -1) > 0 else { return }
            for (from, to) in [(client, server), (server, client)] where descriptors[from == client ? 0 : 1].revents != 0 {
                let count = unsafe read(from, &buffer, buffer.count)
                guard count > 0 else { return }
                if from == server, let loss {
                    if loss == .silently { continue }
                    if loss == .replyAndServer { cut() }
                    return
                }
                // The name of the prepared statement.
                if from == client, Self.contains(buffer[..<count], "commit") {
                    loss = state.withLock { state in
                        if state.loss != nil { state.lost += 1 }
                        return state.loss.take()
                    }
                    if loss == .requestAndServer { return cut() }
                }
                guard unsafe write(to, buffer, count) == count else { return }
            }
        }
    }

    private static func contains(_ bytes: ArraySlice<UInt8>, _ name: String) -> Bool {
        Data(bytes).range(of: Data([0] + name.utf8 + [0])) != nil
    }
}
