import Foundation
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A proxy on loopback in front of a server, which loses or holds back what it is asked to.
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

    /// Where the server is.
    public enum Target: Sendable {
        case socket(path: String)
        case port(UInt16)
    }

    public let port: UInt16
    private let listener: Listener
    private let target: Target
    private let isCommit: @Sendable (ArraySlice<UInt8>) -> Bool
    private let state = Mutex(State())

    private struct State {
        var loss: Loss?
        /// How many answers were lost.
        var lost = 0
        var isCut = false
        var delay = Duration.zero
        var isSilent = false
        /// Whether to end a connection on which a client sends these bytes.
        var isRefused: (@Sendable (ArraySlice<UInt8>) -> Bool)?
        var refusals = 0
        var isClosed = false
        var connections: Set<Int32> = []
    }

    /// - Parameter isCommit: Whether bytes that a client sends are a commit.
    public init(to target: Target, isCommit: @escaping @Sendable (ArraySlice<UInt8>) -> Bool) throws {
        self.target = target
        self.isCommit = isCommit
        ignoreBrokenPipes()
        listener = try Listener()
        port = listener.port
        Thread { [self] in acceptAll() }.start()
    }

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

    /// Holds back for so long whatever is sent from now on, in both directions, or until one side ends the connection: what it had sent still arrives.
    public func delay(_ delay: Duration) { state.withLock { $0.delay = delay } }

    /// Loses all answers from now on, or no longer, without a sign: connections stay, and new ones are accepted.
    public func fallSilent(_ isSilent: Bool = true) { state.withLock { $0.isSilent = isSilent } }

    /// Ends all connections, and from now on those on which a client sends such bytes; `nil`: none of them.
    public func refuse(_ isRefused: (@Sendable (ArraySlice<UInt8>) -> Bool)?) {
        state.withLock { state in
            state.isRefused = isRefused
            for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
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
            guard client >= 0 else { continue }
            guard let server = connectToServer() else {
                _ = close(client)
                continue
            }
            Thread { [self] in serve(client, server) }.start()
        }
    }

    private func connectToServer() -> Int32? {
        switch target {
        case .socket(let path):
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
            return connection(AF_UNIX, address)
        case .port(let port):
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            unsafe address.sin_addr.s_addr = inet_addr("127.0.0.1")
            return connection(AF_INET, address)
        }
    }

    private func connection<Address>(_ family: Int32, _ address: Address) -> Int32? {
        let server = socket(family, Listener.stream, 0)
        let size = socklen_t(MemoryLayout<Address>.size)
        let isConnected = unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(server, $0, size) == 0 }
        }
        if isConnected { return server }
        _ = close(server)
        return nil
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
        var held = HeldBytes()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            var descriptors = [
                pollfd(fd: client, events: Int16(POLLIN), revents: 0), pollfd(fd: server, events: Int16(POLLIN), revents: 0),
            ]
            guard unsafe poll(&descriptors, 2, held.patience) >= 0 else { return }
            for (from, to) in [(client, server), (server, client)] where descriptors[from == client ? 0 : 1].revents != 0 {
                let count = unsafe read(from, &buffer, buffer.count)
                guard count > 0 else {
                    _ = held.send(all: true)
                    return
                }
                if from == server, let loss {
                    if loss == .silently { continue }
                    if loss == .replyAndServer { cut() }
                    return
                }
                let isLost =
                    from == server
                    && state.withLock { state in
                        if state.isSilent { state.lost += 1 }
                        return state.isSilent
                    }
                if isLost { continue }
                if from == client, let isRefused = state.withLock({ $0.isRefused }), isRefused(buffer[..<count]) { return }
                if from == client, isCommit(buffer[..<count]) {
                    loss = state.withLock { state in
                        if state.loss != nil { state.lost += 1 }
                        return state.loss.take()
                    }
                    if loss == .requestAndServer { return cut() }
                }
                held.add(buffer[..<count], to: to, for: state.withLock { $0.delay })
            }
            guard held.send() else { return }
        }
    }
}
