import Foundation

/// Listens on the loopback interface, and answers each connection on a thread of its own: RocksDB's calls block, and take microseconds.
final class Server: Sendable {
    private let listener: Socket
    private let clients = Clients()
    let port: UInt16

    /// One more client takes the place of the one that has let the service wait longest for a request: each has a thread, and perhaps a body in memory.
    static let mostClients = 128

    init(port: UInt16, handler: @escaping @Sendable (Request) -> Response) throws {
        listener = try Socket.listening(port: port)
        self.port = listener.port
        Thread.detachNewThread { [listener, clients] in Self.accept(listener, clients, handler) }
    }

    private static func accept(_ listener: Socket, _ clients: Clients, _ handler: @escaping @Sendable (Request) -> Response) {
        while true {
            do {
                let socket = try listener.accepted()
                if clients.areLeaving {
                    socket.close()
                    return listener.close()
                }
                let connection = Connection(socket, handler)
                guard clients.add(connection) else {
                    try? socket.send(Response(Refusal(.unavailable, "there are too many clients")).head(closes: true))
                    socket.close()
                    continue
                }
                Thread.detachNewThread {
                    connection.run { !clients.areLeaving }
                    clients.remove(connection)
                }
            } catch {
                // Out of descriptors or memory: others may end meanwhile.
                log("\(error)")
                Thread.sleep(forTimeInterval: 0.1)
            }
        }
    }

    /// Takes no new clients, lets the answers go out that are under way, and returns when the last client has gone.
    func stop() {
        clients.leave()
        // Whatever system this is: one more client wakes the thread that waits for clients, and it sees that it is over.
        (try? Socket.connected(port: port))?.close()
        clients.waitForAll()
    }
}

/// Who is connected.
private final class Clients: @unchecked Sendable {  // All is read and changed under the lock.
    private let lock = NSCondition()
    private var connections: [ObjectIdentifier: Connection] = [:]
    private var isOver = false

    var areLeaving: Bool { lock.withLock { isOver } }

    /// False where there are too many that are all being answered, or the server stops.
    func add(_ connection: Connection) -> Bool {
        lock.withLock {
            guard !isOver else { return false }
            if connections.count >= Server.mostClients {
                let waiting = connections.values.compactMap { connection in connection.waitsSince.map { (connection, $0) } }
                // Those that were sent away are gone in a moment.
                guard connections.count < 2 * Server.mostClients, let (idle, _) = waiting.min(by: { $0.1 < $1.1 }) else { return false }
                idle.sendAway()
            }
            connections[ObjectIdentifier(connection)] = connection
            return true
        }
    }

    func remove(_ connection: Connection) {
        lock.withLock {
            connections[ObjectIdentifier(connection)] = nil
            // Not before: `leave` must not end another connection that has got the same descriptor.
            connection.close()
            lock.broadcast()
        }
    }

    func leave() {
        lock.withLock {
            isOver = true
            for connection in connections.values { connection.end() }
        }
    }

    func waitForAll() {
        lock.withLock { while !connections.isEmpty { lock.wait() } }
    }
}

/// A line on standard error.
func log(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
