import ArgumentParser
import CairnCDB
import CairnToolKit

#if Inspector
import CairnInspector
import Dispatch
import Synchronization
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#endif

/// `cairn inspect`: shows a store in a browser.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show a store in a browser: its contents, its size, and how queries are answered.",
        discussion: """
            For object stores on any engine, RocksDB databases, mapped stores and constant databases, including those of other programs. Prints the \
            address of a page, and serves it until the command is ended with Ctrl-C.

              cairn inspect music.db
              cairn inspect Music.store --port 8080

            The store is opened for reading, without disturbing a program that has it open. With --edit, the page can change it: it shows what a \
            change will do before it is made, and can undo it until the command ends. No other program may then have the store open if it is a RocksDB \
            database, or an object store in one. Anyone on this machine who has the address can use the page; with --address, others too. Nothing from \
            the store is printed.
            """
    )

    @Argument(
        help:
            "The file or directory of the store, also as rocksdb:PATH or sqlite:PATH, postgresql://USER@HOST/DATABASE#STORE, or etcd://HOST:PORT/PREFIX.",
        completion: .file()
    )
    var path: String
    @Flag(help: "Show the RocksDB database that an object store is in, instead of its objects.") var database = false
    @Flag(help: "Let the page change the store.") var edit = false
    @Option(help: "The port; 0 is any free port.") var port: UInt16 = 0
    @Option(help: "The address to listen on. Other machines can reach any address but 127.0.0.1 and ::1, and nothing is encrypted.")
    var address = "127.0.0.1"
    @Option(help: ArgumentHelp("The name by which browsers reach the address; required for 0.0.0.0 and ::.", valueName: "name"))
    var hostName: String?
    @OptionGroup var key: KeyArguments
    @OptionGroup var password: PasswordArguments
    @Option(help: "The order of keys, to read a database whose comparator only its program has. A wrong order finds wrong entries.")
    var order: KeyOrder?
    @Option(help: "The layout of a constant database. (default: what the file looks like)") var dialect: CDBDialect?
    @Flag(help: "Print the address as a JSON object.") var json = false

    func validate() throws { try password.validate(for: path) }

    #if Inspector
    func run() throws {
        var options = Inspector.Options(address: address, port: port, hostName: hostName)
        options.name = path
        options.isEditable = edit
        let place = InspectedPlace(
            text: path,
            location: StoreLocation.takesPassword(path) ? try password.location(path) : nil,
            key: try key.read(),
            order: order,
            dialect: dialect,
            isDatabase: database,
            isEditable: edit
        )
        options.reopening = place.reopening
        let source = try place.open()
        let inspector: Inspector
        do throws(InspectorError) { inspector = try Inspector(source, options: options) } catch {
            throw Failure(error.code == .invalidOption ? .usage : .database, error.sentence)
        }
        try printing { output in
            if json { return try output.write(.object([("url", .string(inspector.url.absoluteString))])) }
            try output.writeLine("'\(EscapedText.string(Array(path.utf8)))' is at \(inspector.url.absoluteString)")
            try output.writeLine("Press Ctrl-C to stop.")
        }
        let outcome = Mutex<Result<Void, any Error>>(.success(()))
        let isDone = DispatchSemaphore(value: 0)
        Task {
            do { try await inspector.run() } catch { outcome.withLock { $0 = .failure(error) } }
            isDone.signal()
        }
        isDone.wait()
        try outcome.withLock { $0 }.get()
    }
    #else
    func run() throws {
        throw Failure(
            .usage,
            "This 'cairn' was built without the inspector.",
            hint: "Build it with the trait 'Inspector', which is enabled by default."
        )
    }
    #endif
}
