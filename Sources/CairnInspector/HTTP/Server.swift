import CairnCore
import FlyingSocks
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Listens, and serves the clients that connect.
final class Server: Sendable {
    let url: URL
    private let socket: Socket
    private let answering: Answering
    private let count = Mutex(0)

    /// More connections than a few browsers have.
    private static let mostConnections = 64

    init(_ store: InspectedStore, _ options: Inspector.Options) throws(InspectorError) {
        let isOpen = ["0.0.0.0", "::"].contains(options.address)
        guard !isOpen || options.hostName != nil else {
            throw InspectorError(
                .invalidOption,
                "the address \(options.address) means every address of this machine: give the host name that browsers use"
            )
        }
        let isVersion6 = options.address.contains(":")
        socket = try Self.listen(options, isVersion6)
        let port: UInt16
        switch try? socket.sockname() {
        case .ip4(_, let number), .ip6(_, let number): port = number
        default: throw InspectorError(.ioError, "the system does not report which port the inspector listens on")
        }
        let name = (options.hostName ?? (isVersion6 ? "[\(options.address)]" : options.address)).lowercased()
        var names: Set = [name]
        if ["127.0.0.1", "::1"].contains(options.address) { names.insert("localhost") }
        let door = Doorkeeper(
            token: Doorkeeper.makeToken(),
            // Browsers leave the usual port out.
            hosts: Set(names.map { "\($0):\(port)" } + (port == 80 ? names : []))
        )
        guard Self.isHost(name), let url = URL(string: "http://\(name):\(port)/\(door.token)/") else {
            try? socket.close()
            throw InspectorError(.invalidOption, "'\(name)' is not the name of a host")
        }
        self.url = url
        answering = Answering(store, door)
    }

    deinit { try? socket.close() }

    /// Whether a text can be the name of a host, or an address of IPv6 in brackets.
    private static func isHost(_ name: String) -> Bool {
        let inner = name.hasPrefix("[") && name.hasSuffix("]") ? Substring(name.dropFirst().dropLast()) : name[...]
        let others: [Character] = inner.count < name.count ? [":", "."] : ["-", ".", "_"]
        return !inner.isEmpty && inner.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || others.contains($0) }
    }

    private static func listen(_ options: Inspector.Options, _ isVersion6: Bool) throws(InspectorError) -> Socket {
        let (version4, version6) = (
            try? sockaddr_in.inet(ip4: options.address, port: options.port),
            try? sockaddr_in6.inet6(ip6: options.address, port: options.port)
        )
        guard isVersion6 ? version6 != nil : version4 != nil else {
            throw InspectorError(.invalidOption, "'\(options.address)' is not an address, such as 127.0.0.1 or ::1")
        }
        do {
            let socket = try Socket(domain: isVersion6 ? AF_INET6 : AF_INET, type: .stream)
            do {
                try socket.setValue(true, for: .localAddressReuse)
                #if canImport(Darwin)
                try socket.setValue(true, for: .noSIGPIPE)
                #endif
                if let version4 { try socket.bind(to: version4) }
                if let version6 { try socket.bind(to: version6) }
                try socket.listen()
                return socket
            } catch {
                try? socket.close()
                throw error
            }
        } catch {
            throw Self.error(error, options)
        }
    }

    private static func error(_ error: any Error, _ options: Inspector.Options) -> InspectorError {
        let place = "port \(options.port) of \(options.address)"
        guard case .failed(_, let errno, _) = error as? SocketError else {
            return InspectorError(.ioError, "listening on \(place) failed", cause: error)
        }
        let cause = SystemCallError(call: "bind", errno: errno)
        return switch errno {
        case EADDRINUSE: InspectorError(.locked, "another program is listening on \(place)", cause: cause)
        case EACCES, EPERM: InspectorError(.permissionDenied, "the system does not allow listening on \(place)", cause: cause)
        case EADDRNOTAVAIL: InspectorError(.invalidOption, "this machine does not have the address \(options.address)", cause: cause)
        default: InspectorError(.ioError, "listening on \(place) failed", cause: cause)
        }
    }

    /// Serves until the task is cancelled.
    func run() async throws(InspectorError) {
        try await withTaskExecutorPreference(ServerThread.shared) { () async throws(InspectorError) in try await serve() }
    }

    private func serve() async throws(InspectorError) {
        let pool = SocketPool<Poll>.make()
        do {
            try await pool.prepare()
            let listener = try makeSocket(socket, pool)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await pool.run() }
                group.addTask { await self.accept(listener) }
                defer { group.cancelAll() }
                try await group.next()
            }
        } catch {
            if Task.isCancelled { return }
            throw InspectorError(.ioError, "the inspector's server failed", cause: error)
        }
    }

    private func makeSocket(_ socket: Socket, _ pool: some AsyncSocketPool) throws -> AsyncSocket {
        try AsyncSocket(socket: socket, pool: pool)
    }

    private func accept(_ listener: AsyncSocket) async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                guard let client = try? await listener.accept() else {
                    // Cancelled, or the process has too many files open.
                    try? await Task.sleep(for: .milliseconds(100))
                    continue
                }
                guard await takePlace() else {
                    try? client.close()
                    continue
                }
                group.addTask {
                    await Connection(socket: client, answering: self.answering, isCrowded: { self.isCrowded }).serve()
                    self.count.withLock { $0 -= 1 }
                }
            }
            group.cancelAll()
        }
    }

    /// Whether there is no place for another client.
    private var isCrowded: Bool { count.withLock { $0 >= Self.mostConnections } }

    /// Waits for a place while idle clients are sent away, but not for clients that all have something to ask.
    private func takePlace() async -> Bool {
        let deadline = ContinuousClock.now + Connection.crowdedPatience * 3
        while true {
            let isTaken = count.withLock { count in
                guard count < Self.mostConnections else { return false }
                count += 1
                return true
            }
            if isTaken { return true }
            guard ContinuousClock.now < deadline, (try? await Task.sleep(for: .milliseconds(20))) != nil else { return false }
        }
    }
}
