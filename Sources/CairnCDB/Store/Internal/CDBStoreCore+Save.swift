import CairnCore
import Synchronization

extension CDBStoreCore {
    /// Called with the completed fraction of a save; may end the save by throwing.
    typealias Step = (_ part: Double) throws(CDBError) -> Void

    /// Writes the changes to a new file that replaces the old one; returns false if there is nothing to write.
    @discardableResult
    func save(onConflict policy: CDBConflictPolicy, _ step: Step = { _ in }) throws(CDBError) -> Bool {
        try saving.withLock { _ throws(CDBError) in
            let (saved, isUnsynced) = try with("save") { state throws(CDBError) in
                state.isSaving = !state.changes.isEmpty
                return ((state.changes, state.view), state.isDirectoryUnsynced)
            }
            defer {
                state.withLock { state in
                    state.isSaving = false
                    // A key that was set back to its value in the file while the save failed is no longer changed. If the file is damaged, the
                    // changes stay as they are.
                    if state.changes.stamp != saved.0.stamp, let rest = try? state.changes.moved(to: state.view) { state.changes = rest }
                    // A scheduled save is no longer needed.
                    if state.changes.isEmpty {
                        state.soon?.cancel()
                        state.soon = nil
                    }
                }
            }
            if isUnsynced { try syncDirectory() }
            guard !saved.0.isEmpty else { return false }
            try write(saved.0, over: saved.1, policy, step)
            return true
        }
    }

    private func write(
        _ saved: CDBChanges,
        over view: CDBView,
        _ policy: CDBConflictPolicy,
        _ step: Step
    ) throws(CDBError) {
        // The file itself cannot be locked: its lock would disappear with it. The lock file stays.
        let permissions = options.mode ?? (try? fileSystem.stat(place).mode)
        let lock = try CDBError.translating { () throws(FileError) in
            try FileLock(path: place + ".lock", .exclusive, permissions: permissions, waits: true, fileSystem: fileSystem)
        }
        defer { lock.release() }

        var (changes, base) = (saved, view)
        repeat {
            if try identity() != base.identity {
                guard policy == .merge else { throw conflict() }
                base = try CDBView(path: place, name: path, options: options, fileSystem: fileSystem)
                changes = try saved.moved(to: base)
            }
        } while try !replace(base, by: newFile(changes, over: base, step), saved)
    }

    /// Returns the new file, which is not in place yet.
    private func newFile(_ changes: CDBChanges, over base: CDBView, _ step: Step) throws(CDBError) -> CDBWriter {
        try base.check()
        let writer = try CDBWriter(
            path: place,
            dialect: options.dialect,
            durability: options.durability,
            mode: options.mode,
            limit: nil,
            fileSystem: fileSystem
        )
        let expected = try (changes.hidesFile ? 0 : base.count()) + changes.addedCount
        var count = 0
        do {
            try Self.merge(changes, base) { key, value in
                if count & 0xFFF == 0 { try step(min(Double(count) / Double(max(expected, 1)), 0.999)) }
                count += 1
                _ = try writer.put(value: value, key: key, .add)
            }
        } catch let error as CDBError {
            throw error
        } catch {
            preconditionFailure("only this module's errors are thrown here, not \(error)")
        }
        guard writer.count == expected else {
            throw CDBError(
                .corruption,
                "could not save \(path): \(writer.count) keys were found, but its hash tables have \(expected); the file is damaged"
            )
        }
        return writer
    }

    /// Replaces `base` with the new file and reads from it from now on, both at once; returns false if another file came in between. A failure before
    /// that leaves everything unchanged.
    private func replace(_ base: CDBView, by writer: CDBWriter, _ saved: CDBChanges) throws(CDBError) -> Bool {
        let file = try writer.finishTables()
        do throws(CDBError) {
            let opened = try CDBError.translating { () throws(FileError) in try File(file.temporaryPath, [.read], fileSystem: fileSystem) }
            let identity = try CDBError.translating { () throws(FileError) in try opened.status().identity }
            let reader = try CDBReader(file: opened, name: path, access: options.access, dialect: options.dialect)
            let view = CDBView(reader: reader, identity: identity, count: writer.count)
            try CDBError.translating { () throws(FileError) in try file.complete() }
            let isInPlace = try state.withLock { (state) throws(CDBError) in
                guard try self.identity() == base.identity else { return false }
                let rest = try state.changes.since(saved, in: view)
                try CDBError.translating { () throws(FileError) in try file.takePlace() }
                if base !== state.view { state.outdateAll() }
                (state.view, state.changes) = (view, rest)
                state.isDirectoryUnsynced = options.durability == .synced
                return true
            }
            guard isInPlace else {
                writer.cancel()
                return false
            }
        } catch {
            writer.cancel()
            throw error
        }
        if options.durability == .synced { try syncDirectory() }
        return true
    }

    private func syncDirectory() throws(CDBError) {
        let directory = FileSystem.split(place).directory
        do throws(SystemCallError) {
            try fileSystem.fsyncDirectory(directory)
        } catch {
            throw CDBError(FileError("replaced \(path), but could not sync its directory", directory, cause: error))
        }
        state.withLock { $0.isDirectoryUnsynced = false }
    }

    /// Returns the identity of the file now at the path; `nil` if there is none.
    func identity() throws(CDBError) -> FileStatus.Identity? {
        do throws(SystemCallError) {
            return try fileSystem.stat(place).identity
        } catch {
            let failure = FileError("could not examine", path, cause: error)
            if failure.code == .notFound { return nil }
            throw CDBError(failure)
        }
    }

    private func conflict() -> CDBError {
        CDBError(
            .conflict,
            "could not save \(path): another store or program has replaced it since it was read; save(onConflict: .merge) applies the changes "
                + "to the new file, revert() discards them"
        )
    }
}

// MARK: - Following the file, closing

extension CDBStoreCore {
    /// Reads the file now at the path; the changes are kept or discarded.
    func reload(keepingChanges: Bool) throws(CDBError) {
        try changing("reload") { _ throws(CDBError) in }
        // Must not run between a save's check of the file and its end.
        try saving.withLock { _ throws(CDBError) in
            let view = try CDBView(path: place, name: path, options: options, fileSystem: fileSystem)
            try with("read") { state throws(CDBError) in
                state.changes = keepingChanges ? try state.changes.moved(to: view) : CDBChanges()
                state.view = view
                state.outdateAll()
            }
        }
    }

    /// Saves and closes everything.
    func close() throws(CDBError) {
        // Changes made during a save are left for the next one.
        while !state.withLock({ $0.isClosed || $0.endIfSaved() }) {
            do throws(CDBError) {
                try save(onConflict: options.onConflict)
            } catch {
                if error.code != .closed { throw error }
            }
        }
    }
}

extension CDBStoreCore.State {
    /// Closes the store unless there is something to save.
    fileprivate mutating func endIfSaved() -> Bool {
        guard changes.isEmpty, !isDirectoryUnsynced else { return false }
        isClosed = true
        autosave?.cancel()
        soon?.cancel()
        autosave = nil
        soon = nil
        view = CDBView(reader: nil, identity: nil, count: 0)
        return true
    }
}
