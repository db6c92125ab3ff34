import CairnCore

/// A step that brings the objects of a store up to date: for changes that affect several classes, such as splitting one, moving values, or
/// removing duplicates.
///
/// ```swift
/// let migrations = [
///     ObjectMigration("albums of songs") { context in
///         for song in try context.allObjects(Song.self) where song.album == nil {
///             song.album = try context.first(Album.self, where: \.title == song.albumTitle) ?? Album(title: song.albumTitle)
///         }
///     },
///     ObjectMigration("seconds", forEach: Song.self) { song, context in song.seconds = Int(song.minutes * 60) },
/// ]
/// let store = try ObjectStore(path: "Music.store", classes: [Song.self, Album.self], options: ObjectStoreOptions(migrations: migrations))
/// ```
///
/// Opening a store runs the steps that it has not run yet, in the order in which they are given, and records each in the store by its name,
/// in the same save as its changes. So each step runs once in each store, even in a new, empty one. Never rename, change, or reorder
/// steps that may have run; add new ones to the end. A step can be removed when no store needs it any more.
///
/// A change of one class alone needs no step: ``StoredObject/migrate(from:)`` is called as objects are read.
public struct ObjectMigration: Sendable {
    /// The name under which it is recorded.
    public let name: String
    let work: Work

    enum Work: Sendable {
        case whole(@Sendable (ObjectContext) throws -> Void)
        case batches(any StoredObject.Type, @Sendable (any StoredObject, ObjectContext) throws -> Void)
    }

    /// Makes a step that is saved as a whole or not at all.
    ///
    /// - Parameters:
    ///   - name: Not empty, and different from those of all other steps.
    ///   - body: Changes objects in the context, which is saved afterwards; `save()` in `body` throws `notSupported`. If `body` throws, nothing
    ///     of the step is saved, and the store is not opened. All its changes are in memory until they are saved: for many objects, use
    ///     ``init(_:forEach:_:)``.
    public init(_ name: String, _ body: @escaping @Sendable (_ context: ObjectContext) throws -> Void) {
        self.name = name
        work = .whole(body)
    }

    /// Makes a step that goes through the objects of a class, a thousand at a time, each batch saved as a whole. If it ends early, by an
    /// error or the death of the process, the next opening continues after the last batch that was saved.
    ///
    /// - Parameters:
    ///   - name: Not empty, and different from those of all other steps.
    ///   - type: The class. Objects that are inserted meanwhile are left out.
    ///   - body: Called once for each object, in the order in which they were inserted, and may change others; `save()` throws
    ///     `notSupported`. Objects that cannot be read are skipped: ``ObjectStore/verify(progress:)`` finds them.
    public init<Object: StoredObject>(
        _ name: String,
        forEach type: Object.Type,
        _ body: @escaping @Sendable (_ object: Object, _ context: ObjectContext) throws -> Void
    ) {
        self.name = name
        work = .batches(type) { object, context in if let object = object as? Object { try body(object, context) } }
    }
}

extension ObjectMigration {
    /// The prefix of the names with which a store records migrations.
    static let prefix = "cairn.migration."

    /// Whether a name is one of these.
    package static func isRecord(_ name: String) -> Bool { name.hasPrefix(prefix) }

    var record: String { Self.prefix + name }

    /// The name of the migration that a record belongs to.
    static func name(ofRecord record: String) -> String? { isRecord(record) ? String(record.dropFirst(prefix.count)) : nil }
}

extension ObjectStore {
    /// The names of the migrations that the store has run, sorted.
    ///
    /// - Throws: ``ObjectStoreError``: `closed`, `ioError`, `corruption`.
    public func finishedMigrations() throws(ObjectStoreError) -> [String] {
        guard !isClosed else { throw ObjectStoreError(.closed, "\(name) was closed") }
        let view = try StoreView(engine)
        var names: [String] = []
        try view.lendEntries(in: KeyRange(prefix: Keyspace.name("")), reverse: false) { key, _ in
            let name = String(decoding: [UInt8](copying: key).dropFirst(), as: UTF8.self)
            if let migration = ObjectMigration.name(ofRecord: name) { names.append(migration) }
            return true
        }
        var finished: [String] = []
        for name in names where try MigrationRun(self, ObjectMigration(name) { _ in }).isFinished() { finished.append(name) }
        return finished
    }

    /// Runs the migrations that the store has not run yet.
    func migrate() throws(ObjectStoreError) {
        guard !options.migrations.isEmpty else { return }
        var names: Set<String> = []
        for migration in options.migrations where migration.name.isEmpty || !names.insert(migration.name).inserted {
            throw ObjectStoreError(.invalidArgument, "two migrations of \(name) have the name \"\(migration.name)\", or one has no name")
        }
        for migration in options.migrations {
            let run = MigrationRun(self, migration)
            guard try !run.isFinished() else { continue }
            guard !isReadOnly else {
                throw ObjectStoreError(.readOnly, "\(name) was opened for reading only, but needs the migration \"\(migration.name)\"")
            }
            try run.run()
        }
    }
}
