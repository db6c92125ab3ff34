import CairnHummingbird
import CairnMapped
import CairnRocks
import Foundation
import Hummingbird
import Logging

/// `KeyValueService serve DIRECTORY [PORT]` serves the stores in a directory until it is told to stop, and `worker` does the same beside it. The other
/// commands are clients for tests.
@main enum Service {
    static func main() async throws {
        // If the other side hangs up, that one write fails.
        signal(SIGPIPE, SIG_IGN)
        let arguments = Array(CommandLine.arguments.dropFirst())
        let numbers = arguments.dropFirst().map { Int($0) ?? -1 }
        switch (arguments.first, arguments.count) {
        case ("serve", 2...3): try await serve(arguments[1], port: numbers.count > 1 ? numbers[1] : 8080, isWorker: false)
        case ("worker", 2...3): try await serve(arguments[1], port: numbers.count > 1 ? numbers[1] : 8081, isWorker: true)
        case ("load", 2...4):
            guard let port = UInt16(exactly: numbers[0]), numbers.allSatisfy({ $0 > 0 }) else { return usage() }
            let (seconds, clients) = (numbers.count > 1 ? numbers[1] : 5, numbers.count > 2 ? numbers[2] : 8)
            exit(LoadTest(port: port, seconds: seconds, clients: clients).run() ? 0 : 1)
        case ("record", 3), ("verify", 3):
            guard let port = UInt16(exactly: numbers[0]) else { return usage() }
            let record = Record(port: port, path: arguments[2])
            exit(try arguments[0] == "record" ? record.write() : record.verify())
        default: usage()
        }
    }

    private static func usage() {
        log("usage: KeyValueService serve|worker DIRECTORY [PORT] | load PORT [SECONDS] [CLIENTS] | record|verify PORT FILE")
        exit(2)
    }

    /// Each takes a descriptor. A quarter of them is for the stores.
    private static var mostConnections: Int {
        let descriptors = sysconf(Int32(_SC_OPEN_MAX))
        return descriptors > 0 ? descriptors / 4 * 3 : .max
    }

    private static func serve(_ directory: String, port: Int, isWorker: Bool) async throws {
        var logger = Logger(label: "KeyValueService")
        logger.logLevel = .notice
        let stores = try Stores(directory: directory, isWorker: isWorker)
        let sessions = MappedPersistDriver(store: stores.sessions, logger: logger)
        let cache = ResponseCacheMiddleware<BasicRequestContext>(store: stores.responses, logger: logger)
        let counts = RequestCounts()

        let router = Router()
        router.add(middleware: counts)
        KeyRoutes(database: stores.keys, isWorker: isWorker).add(to: router)
        SessionRoutes(sessions: sessions).add(to: router)
        StatusRoutes(stores: stores, cache: cache, counts: counts).add(to: router)

        // Beyond these, the clients that have been idle longest give way to new ones; the others, after ten seconds.
        let connections = Connections(most: mostConnections)
        var app = Application(
            router: router,
            server: .http1(configuration: .init(additionalChannelHandlers: [WaitingHandler(connections)], idleTimeout: .seconds(10))),
            // For this machine only: put what has TLS before it.
            configuration: .init(
                address: .hostname("127.0.0.1", port: port),
                availableConnectionsDelegate: connections
            ),
            onServerRunning: { say("Listening on 127.0.0.1:\($0.localAddress?.port ?? 0)") },
            logger: logger
        )
        app.addServices(sessions)
        // Ends with SIGTERM or SIGINT, once what was asked is answered.
        try await app.runService()
        try stores.close()
        say("Closed.")
    }
}

/// A line on standard output at once, also into a pipe.
func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

/// A line on standard error.
func log(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
