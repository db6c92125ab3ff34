import CairnCore
import CairnForms
import CairnGraph
import CairnRocks
import CairnToolKit
import Dispatch
import Synchronization

/// The store that is shown.
final class InspectedStore: Sendable {
    private struct State {
        var pages: any StorePages
        /// What the files looked like before the store was opened; `nil` if this was not checked.
        var files: [FileMark]?
        /// How often it was opened again.
        var openings = 0
        /// Why it could not be opened again, and since when.
        var problem: (since: ContinuousClock.Instant, message: String)?

        /// What the page must be notified of.
        var seen: Seen { Seen(openings: openings, problem: visibleProblem) }

        /// Files that are being replaced may not be there for a moment.
        var visibleProblem: String? { problem.flatMap { $0.since.duration(to: .now) >= InspectedStore.patience ? $0.message : nil } }
    }

    private struct Seen: Equatable {
        let openings: Int
        let problem: String?
    }

    /// How long files may be missing, or damaged, before the page says so instead of showing what was there.
    private static let patience = Duration.seconds(2)

    private let name: String?
    private let reopening: Inspector.Reopening?
    private let state: Mutex<State>
    private let editing: (any StoreEditing)?

    init(_ source: Inspector.Source, _ options: Inspector.Options) throws(InspectorError) {
        name = options.name
        reopening = options.reopening
        state = Mutex(State(pages: Self.pages(source)))
        editing = options.isEditable ? try Self.editing(source, options) : nil
    }

    var isEditable: Bool { editing != nil }

    private static func editing(_ source: Inspector.Source, _ options: Inspector.Options) throws(InspectorError) -> any StoreEditing {
        guard options.reopening == nil else {
            throw InspectorError(.invalidOption, "a store that is reopened whenever it changes cannot be edited")
        }
        switch source {
        case .cdb: throw InspectorError(.invalidOption, "a constant database cannot be changed")
        case .mapped(let store): return EntryEditing(MappedEntries(store: store))
        case .database(let database):
            guard !database.isObjectStore else {
                throw InspectorError(
                    .invalidOption,
                    "the database is an object store: edit its objects, because edits of its entries would damage it"
                )
            }
            return EntryEditing(RocksEntries(database: database))
        case .store(let store):
            do { return try ObjectEditing(store) } catch {
                throw InspectorError(.invalidOption, "the store cannot be edited: \(error.message)", cause: error)
            }
        }
    }

    private static func pages(_ source: Inspector.Source) -> any StorePages {
        switch source {
        case .store(let store): ObjectPages(store: store)
        case .database(let database): RocksPages(database: database)
        case .mapped(let store): MappedPages(store: store)
        case .cdb(let reader): CDBPages(reader: reader)
        }
    }

    private var pages: any StorePages { state.withLock { $0.pages } }

    /// The answer to a question about the store, as JSON.
    func answer(_ question: String, _ query: PageQuery) throws -> JSONValue? {
        if question == "store" { refresh() }
        let (pages, problem) = state.withLock { ($0.pages, $0.visibleProblem) }
        if let problem { throw PageFault(.conflict, problem) }
        guard question == "store" else { return try pages.answer(question, query) }
        let head: [(name: String, value: JSONValue)] = [
            ("kind", .string(pages.kind)), ("name", .string(name ?? pages.name)), ("editing", editing?.history ?? .null),
        ]
        return .object(head + (try pages.overview()))
    }

    /// The result of an edit, as JSON; `nil` if there is no such command.
    func edit(_ command: String, _ edit: JSONTree) throws -> JSONValue? {
        guard let editing else { return nil }
        var name: String?
        let effects: [EditEffect]
        switch command {
        case "preview":
            let preview = try editing.preview(edit)
            (name, effects) = (preview.name, preview.effects)
        case "perform": effects = try editing.perform(try edit.text("edit"))
        case "undo": effects = try editing.undo()
        case "redo": effects = try editing.redo()
        default: return nil
        }
        let fields: [(name: String, value: JSONValue)] = [("edit", name.map { .string($0) } ?? .null), ("editing", editing.history)]
        return .object(EditEffect.json(effects) + fields)
    }

    /// Opens the store again if its files have changed. If it cannot be opened at the moment, the next call tries again. Returns what has come of that
    /// since the first call.
    @discardableResult private func refresh() -> Seen {
        guard let reopening else { return state.withLock { $0.seen } }
        let files = FileMark.all(at: reopening.path, withSizes: !pages.followsChanges)
        guard state.withLock({ $0.files != files || $0.problem != nil }) else { return state.withLock { $0.seen } }
        let opened = Result { () throws -> Inspector.Source in
            guard !files.isEmpty else { throw PageFault(.notFound, "'\(reopening.path)' no longer exists.") }
            return try reopening.open()
        }
        return state.withLock { state in
            switch opened {
            case .success(let source):
                // Questions that are still being answered keep the former one.
                state = State(pages: Self.pages(source), files: files, openings: state.openings + (state.files == nil ? 0 : 1))
            case .failure(let error):
                let message = (error as? PageFault)?.message ?? Failure(general: error)?.message ?? "\(error)"
                state.problem = (state.problem?.since ?? .now, message)
            }
            return state.seen
        }
    }

    /// What changes from now on.
    func news() -> AsyncStream<JSONValue> {
        guard reopening != nil else { return pages.news() }
        let (stream, continuation) = AsyncStream.makeStream(of: JSONValue.self, bufferingPolicy: .bufferingNewest(100))
        let task = Task(executorPreference: ServerThread.shared) {
            let queue = DispatchQueue(label: "Cairn inspector's files")
            var seen = self.state.withLock { $0.seen }
            var changes = self.forwardNews(to: continuation)
            defer { changes.cancel() }
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(1))
                let now = await withCheckedContinuation { waiting in
                    queue.async { waiting.resume(returning: self.refresh()) }
                }
                guard now != seen else { continue }
                if now.openings != seen.openings {
                    changes.cancel()
                    changes = self.forwardNews(to: continuation)
                }
                seen = now
                continuation.yield(.object([("everything", .bool(true))]))
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    /// Passes on the news of the store as it is open now.
    private func forwardNews(to continuation: AsyncStream<JSONValue>.Continuation) -> Task<Void, Never> {
        let news = pages.news()
        return Task(executorPreference: ServerThread.shared) { for await one in news { continuation.yield(one) } }
    }
}

/// What shows that a file has changed: it is another one, or has another size.
private struct FileMark: Hashable {
    let name: String
    let identity: FileStatus.Identity?
    let size: Int64?

    private init(_ name: String, _ status: FileStatus?, withSize: Bool) {
        self.name = name
        identity = status?.identity
        size = withSize ? status?.size : nil
    }

    /// The marks of a file, or of all files in a directory. RocksDB's text log is not part of a database's contents.
    static func all(at path: String, withSizes: Bool) -> [FileMark] {
        guard let status = try? FileSystem.system.stat(path) else { return [] }
        guard status.kind == .directory else { return [FileMark("", status, withSize: withSizes)] }
        let names = ((try? FileSystem.system.list(path)) ?? []).filter { !$0.hasPrefix("LOG") && $0 != "LOCK" }
        return names.sorted().map { FileMark($0, try? FileSystem.system.stat(FileSystem.join(path, $0)), withSize: withSizes) }
    }
}
