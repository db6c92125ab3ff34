import CairnCore
import Synchronization

extension CDBStoreCore {
    /// Writes the changes to a new file that takes the place of the old one; returns false if there is nothing to write.
    @discardableResult
    func save(onConflict policy: CDBConflictPolicy, isCancelled: () -> Bool = { false }) throws(CDBError) -> Bool {
        try saving.withLock { _ throws(CDBError) in
            let (saved, isUnsynced) = try with("save") { state throws(CDBError) in
                state.soon?.cancel()
                state.soon = nil
                state.isSaving = !state.changes.isEmpty
                return ((state.changes, state.view), state.isDirectoryUnsynced)
            }
            defer {
                state.withLock { state in
                    state.isSaving = false
                    // What was put back while the save failed is no change after all. Damage leaves the changes as they are.
                    if state.changes.stamp != saved.0.stamp, let rest = try? state.changes.moved(to: state.view) { state.changes = rest }
                }
            }
            if isUnsynced { try syncDirectory() }
            guard !saved.0.isEmpty else { return false }
            try write(saved.0, over: saved.1, policy, isCancelled)
            return true
        }
    }

    private func write(
        _ saved: CDBChanges,
        over view: CDBView,
        _ policy: CDBConflictPolicy,
        _ isCancelled: () -> Bool
    ) throws(CDBError) {
        // The file itself cannot be locked: its lock would go away with it. The lock's file stays.
        let lock = try CDBError.translating { () throws(FileError) in
            try FileLock(path: path + ".lock", .exclusive, waits: true, fileSystem: fileSystem)
        }
        defer { lock.release() }

        var (changes, base) = (saved, view)
        if try identity() != view.identity {
            guard policy == .merge else { throw conflict() }
            base = try CDBView(path: path, options: options, fileSystem: fileSystem)
            changes = try saved.moved(to: base)
        }
        try base.check()

        let writer = try CDBWriter(
            path: path,
            dialect: options.dialect,
            durability: options.durability,
            mode: nil,
            limit: nil,
            fileSystem: fileSystem
        )
        var fromFile = 0
        do {
            try Self.merge(changes, base) { key, value in
                if fromFile & 0xFFF == 0, isCancelled() { throw CDBError(.cancelled, "gave up saving \(path): the task was cancelled") }
                fromFile += 1
                _ = try writer.put(value: value, key: key, .add)
            }
        } catch let error as CDBError {
            throw error
        } catch {
            preconditionFailure("only this module's errors are thrown here, not \(error)")
        }
        let expected = try (changes.hidesFile ? 0 : base.count()) + changes.addedCount
        guard writer.count == expected else {
            throw CDBError(
                .corruption,
                "could not save \(path): \(writer.count) keys were found and \(expected) are in its hash tables; the file is damaged"
            )
        }
        try replace(writer, saved)
    }

    /// Finishes the file, opens it, and puts it in place: what fails before that leaves all as it was.
    private func replace(_ writer: CDBWriter, _ saved: CDBChanges) throws(CDBError) {
        let count = writer.count
        let file = try writer.finishTables()
        let identity: FileStatus.Identity
        let reader: CDBReader
        do throws(CDBError) {
            let opened = try CDBError.translating { () throws(FileError) in try File(file.temporaryPath, [.read], fileSystem: fileSystem) }
            identity = try CDBError.translating { () throws(FileError) in try opened.status().identity }
            reader = try CDBReader(file: opened, name: path, access: options.access, dialect: options.dialect)
        } catch {
            writer.cancel()
            throw error
        }
        var failure: FileError?
        do throws(FileError) { try file.finish() } catch { failure = error }
        if let failure {
            // In place, if only the sync of the directory failed.
            guard (try? self.identity()) == identity else { throw CDBError(failure) }
        }
        let view = CDBView(reader: reader, identity: identity, count: count)
        try state.withLock { (state) throws(CDBError) in
            state.changes = try state.changes.since(saved, in: view)
            state.view = view
            state.isDirectoryUnsynced = failure != nil
        }
        if let failure { throw CDBError(failure) }
    }

    private func syncDirectory() throws(CDBError) {
        let directory = FileSystem.split(path).directory
        do throws(SystemCallError) {
            try fileSystem.fsyncDirectory(directory)
        } catch {
            throw CDBError(FileError("saved \(path), but could not sync its directory", directory, cause: error))
        }
        state.withLock { $0.isDirectoryUnsynced = false }
    }

    /// What is at the path now; `nil` if nothing.
    func identity() throws(CDBError) -> FileStatus.Identity? {
        do throws(SystemCallError) {
            return try fileSystem.stat(path).identity
        } catch {
            let failure = FileError("could not examine", path, cause: error)
            if failure.code == .notFound { return nil }
            throw CDBError(failure)
        }
    }

    private func conflict() -> CDBError {
        CDBError(
            .conflict,
            "could not save \(path): another store or program replaced it since it was read; save(onConflict: .merge) puts the changes on "
                + "top of the new file, revert() drops them"
        )
    }
}

// MARK: - Following the file, closing

extension CDBStoreCore {
    /// Reads the file that is at the path now; the changes stay, or are dropped.
    func reload(keepingChanges: Bool) throws(CDBError) {
        // Not between a save's check of the file and its end.
        try saving.withLock { _ throws(CDBError) in
            _ = try snapshot("read")
            let view = try CDBView(path: path, options: options, fileSystem: fileSystem)
            try with("read") { state throws(CDBError) in
                state.changes = keepingChanges ? try state.changes.moved(to: view) : CDBChanges()
                state.view = view
                state.version += 1
            }
        }
    }

    /// Saves unless that is not wanted, and ends everything.
    func close(saving: Bool) throws(CDBError) {
        guard !state.withLock({ $0.isClosed }) else { return }
        if saving { try save(onConflict: options.onConflict) }
        state.withLock { state in
            state.isClosed = true
            state.autosave?.cancel()
            state.soon?.cancel()
            state.autosave = nil
            state.soon = nil
            state.changes = CDBChanges()
            state.view = CDBView(reader: nil, identity: nil, count: 0)
        }
    }
}
