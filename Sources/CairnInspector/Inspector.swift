public import CairnCDB
import CairnCore
public import CairnGraph
public import CairnMapped
public import CairnRocks
import FlyingSocks
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A page that shows the contents of a store in a browser, served on this machine: for a program that is being developed, or runs on a server.
/// `cairn inspect` does the same for stores of other programs.
///
/// ```swift
/// let inspector = try Inspector(.store(music))
/// print("The store is at \(inspector.url)")
/// try await inspector.run()
/// ```
///
/// Anyone on this machine who has the address, which contains 128 random bits, can see the page (``Options/address``). It changes nothing, unless it is
/// allowed to (``Options/isEditable``).
/// The guide [Inspector](https://github.com/cairn-swift/cairn/blob/main/docs/guides/inspector.md) describes what the page shows, and what protects it.
///
/// Requests of the page are answered on separate threads, at most one for each of at most 64 connections. They read from the store as
/// any other reader does, without delaying writers. May be used from any thread.
public final class Inspector: Sendable {
    /// What is shown.
    public enum Source: Sendable {
        /// An object store on any engine.
        case store(ObjectStore)
        /// A RocksDB database.
        case database(RocksDB)
        /// A mapped store.
        case mapped(MappedStore)
        /// A constant database.
        case cdb(CDBReader)
    }

    /// The address of the page, with its token: not for logs that others read.
    public let url: URL

    private let server: Server
    private let hasRun = Atomic(false)

    /// Makes an inspector, and binds its port, so that the page can be opened as soon as ``run()`` is called.
    ///
    /// - Parameters:
    ///   - source: What to show. It stays open while the inspector runs.
    ///   - options: Where to serve.
    /// - Throws: ``InspectorError``: `invalidOption`, also if the page is editable but the store cannot be changed; `locked` if another program listens on the port,
    ///   `permissionDenied`, `ioError`.
    public init(_ source: Source, options: Options = Options()) throws(InspectorError) {
        server = try Server(InspectedStore(source, options), options)
        url = server.url
    }

    /// Serves the page until the task is cancelled. An inspector runs once.
    ///
    /// - Throws: ``InspectorError``: `closed` if it has run before, `ioError`.
    public func run() async throws(InspectorError) {
        guard !hasRun.exchange(true, ordering: .relaxed) else { throw InspectorError(.closed, "the inspector has already run") }
        try await server.run()
    }
}

extension Inspector {
    /// Where the page is served, and how it names the store.
    public struct Options: Sendable {
        /// The address to listen on. The default, `127.0.0.1`, and `::1` are reached from this machine only. Traffic is not encrypted: for another machine,
        /// use a tunnel, such as `ssh -L`.
        public var address = "127.0.0.1"
        /// The port. Default: 0, any that is free.
        public var port: UInt16 = 0
        /// The name under which browsers reach the address, if they use another one: requests for any other name are refused. Default: `nil`.
        public var hostName: String?
        /// What the page calls the store. Default: `nil`, its path.
        public var name: String?

        /// Whether the page may change the store, which must be open for writing. It shows what a change will do before it is made, and can undo it
        /// while the inspector runs. A constant database cannot be changed, nor can the entries of a database that holds an object store. Default:
        /// false.
        public var isEditable = false

        /// How to open the store again when its files have changed. Default: `nil`, it is never opened again.
        public var reopening: Reopening?

        /// Makes options.
        public init(
            address: String = "127.0.0.1",
            port: UInt16 = 0,
            hostName: String? = nil,
            name: String? = nil,
            isEditable: Bool = false,
            reopening: Reopening? = nil
        ) {
            self.address = address
            self.port = port
            self.hostName = hostName
            self.name = name
            self.isEditable = isEditable
            self.reopening = reopening
        }
    }

    /// How to open a store again: for RocksDB databases, object stores in them and constant databases, which were opened for reading and so show only
    /// what was written before; for mapped stores and object stores in SQLite files, when the file is replaced.
    public struct Reopening: Sendable {
        let path: String
        let open: @Sendable () throws -> Source

        /// - Parameters:
        ///   - path: The file, or the directory. While the page is open, the inspector looks every second whether files in it were added, replaced or
        ///     removed, or have another size; the size of a file whose changes the open store shows does not matter.
        ///   - open: Opens the store, on a thread of its own. If it throws, it is called again a second later; after two seconds, the page shows
        ///     the error instead of the former store.
        public init(path: String, _ open: @escaping @Sendable () throws -> Source) {
            self.path = path
            self.open = open
        }
    }
}
