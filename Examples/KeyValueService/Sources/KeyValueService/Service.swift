import CairnRocks
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// `KeyValueService serve PATH [PORT]` serves a database until it is told to stop; `KeyValueService load PORT [SECONDS] [CLIENTS]` puts it under load.
@main enum Service {
    static func main() {
        // If a client hangs up during its answer, that one write fails.
        signal(SIGPIPE, SIG_IGN)
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch (arguments.first, arguments.count) {
            case ("serve", 2...3): try serve(path: arguments[1], port: UInt16(arguments.count > 2 ? arguments[2] : "8080"))
            case ("load", 2...4):
                let numbers = arguments.dropFirst().map { Int($0) ?? -1 }
                guard let port = UInt16(exactly: numbers[0]), numbers.allSatisfy({ $0 > 0 }) else { return usage() }
                let (seconds, clients) = (numbers.count > 1 ? numbers[1] : 5, numbers.count > 2 ? numbers[2] : 8)
                exit(LoadTest(port: port, seconds: seconds, clients: clients).run() ? 0 : 1)
            default: usage()
            }
        } catch {
            log("Error: \(error)")
            exit(1)
        }
    }

    private static func usage() {
        log("usage: KeyValueService serve PATH [PORT] | load PORT [SECONDS] [CLIENTS]")
        exit(2)
    }

    /// A line at once, also into a pipe.
    private static func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

    private static func serve(path: String, port: UInt16?) throws {
        guard let port else { return usage() }
        // Before any thread begins: all of them leave these signals to this one, which waits for them.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &signals, nil)

        let database = try RocksDB(path: path, options: DatabaseOptions(createIfMissing: true))
        let routes = Routes(database: database)
        let server = try Server(port: port) { request in routes.answer(request) }
        say("Listening on 127.0.0.1:\(server.port)")
        var received: Int32 = 0
        sigwait(&signals, &received)
        // No call is in the database any more once the server has stopped; closing writes what is in memory.
        server.stop()
        try database.close()
        say("Closed.")
    }
}
