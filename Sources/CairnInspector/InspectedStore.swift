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
        /// What the files looked like before the store was opened; `nil`: nobody has looked.
        var files: [FileMark]?
        /// How often it was opened again.
        var openings = 0
    }

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
            throw InspectorError(.invalidOption, "a store that is opened again whenever it changes cannot be edited")
        }
        switch source {
        case .cdb: throw InspectorError(.invalidOption, "a constant database cannot be changed")
        case .mapped(let store): return EntryEditing(MappedEntries(store: store))
        case .database(let database):
            guard !database.isObjectStore else {
                throw InspectorError(
                    .invalidOption,
                    "the database is an object store: edit its objects, since other entries would damage it"
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
        guard question == "store" else { return try pages.answer(question, query) }
        refresh()
        let pages = pages
        let head: [(name: String, value: JSONValue)] = [
            ("kind", .string(pages.kind)), ("name", .string(name ?? pages.name)), ("editing", editing?.history ?? .null),
        ]
        return .object(head + (try pages.overview()))
    }

    /// What becomes of an edit, as JSON; `nil` if there is no such command.
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

    /// Opens the store again if its files have changed. If it cannot be opened at the moment, the next call tries again. Returns how often it was opened
    /// again since the first call.
    @discardableResult private func refresh() -> Int {
        guard let reopening else { return 0 }
        let files = FileMark.all(at: reopening.path)
        if state.withLock({ $0.files != files }), let source = try? reopening.open() {
            // What is still being answered keeps the former one.
            state.withLock { $0 = State(pages: Self.pages(source), files: files, openings: $0.openings + ($0.files == nil ? 0 : 1)) }
        }
        return state.withLock { $0.openings }
    }

    /// What changes from now on.
    func news() -> AsyncStream<JSONValue> {
        guard reopening != nil else { return pages.news() }
        let (stream, continuation) = AsyncStream.makeStream(of: JSONValue.self, bufferingPolicy: .bufferingNewest(1))
        let task = Task(executorPreference: ServerThread.shared) {
            let queue = DispatchQueue(label: "Cairn inspector's files")
            var seen = self.state.withLock { $0.openings }
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(1))
                let openings = await withCheckedContinuation { waiting in
                    queue.async { waiting.resume(returning: self.refresh()) }
                }
                defer { seen = openings }
                if openings != seen { continuation.yield(.object([("everything", .bool(true))])) }
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}

/// What shows that a file has changed: it is another one, or longer.
private struct FileMark: Hashable {
    let name: String
    let status: FileStatus?

    /// Those of a file, or of all in a directory. RocksDB's text log is not part of a database's contents.
    static func all(at path: String) -> [FileMark] {
        guard let status = try? FileSystem.system.stat(path) else { return [] }
        guard status.kind == .directory else { return [FileMark(name: "", status: status)] }
        let names = ((try? FileSystem.system.list(path)) ?? []).filter { !$0.hasPrefix("LOG") && $0 != "LOCK" }
        return names.sorted().map { FileMark(name: $0, status: try? FileSystem.system.stat(FileSystem.join(path, $0))) }
    }
}
