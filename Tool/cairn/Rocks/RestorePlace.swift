import CairnCore
import CairnRocks
import CairnToolKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The directory that a backup is restored to. The backup is restored beside it and takes its place once it is complete; until then, what is there stays
/// as it is.
///
/// Meanwhile there is a directory `PATH.restoring`, which a process that is killed leaves behind. The next restore to the path removes it, after it has
/// put back what was moved there.
///
/// | in it | what it is |
/// | --- | --- |
/// | `LOCK` | locked while a process restores |
/// | `new` | the backup, as far as it was restored |
/// | `old` | what was at the path; if there is no `new`, the backup has taken its place |
struct RestorePlace {
    /// As the user gave it.
    let given: String
    private let path: String
    private let work: String

    /// Where the backup is restored first.
    var new: String { work + "/new" }
    private var old: String { work + "/old" }

    init(_ given: String) {
        self.given = given
        path = FileSystem.resolved(FileSystem.followingLink(given))
        work = path + ".restoring"
    }

    /// Whether another file system is mounted at the path, so that nothing can take its place.
    var isMountPoint: Bool {
        guard let here = Self.status(of: path), let above = Self.status(of: FileSystem.join(path, "..")) else { return false }
        return here.identity.device != above.identity.device || here.identity == above.identity
    }

    /// Whether an interrupted restore has moved what was at the path.
    var wasMovedAway: Bool { Self.status(of: path) == nil && Self.status(of: old) != nil }

    /// Puts back what a killed process left beside the path, and refuses a directory in use, or one with files unless `replaces`.
    func check(replaces: Bool) throws {
        if let names = try? FileSystem.system.list(work) {
            guard Set(names).isSubset(of: ["LOCK", "new", "old"]) else {
                throw Failure(.database, "'\(work)' exists, but was not created by a restore.", hint: "Move it elsewhere first.")
            }
            let lock = try lockWork()
            try cleanUp()
            remove(lock)
        }
        guard let status = Self.status(of: path) else { return }
        guard status.kind == .directory else { throw Failure(.database, "'\(given)' is a file, not a directory.") }
        let names = try translating("could not read", path) { () throws(SystemCallError) in try FileSystem.system.list(path) }
        guard !names.isEmpty else { return }
        guard replaces else {
            throw names.contains("CURRENT")
                ? Failure(.database, "There is already a database at '\(given)'.", hint: "--replace restores the backup in its place.")
                : Failure(
                    .database,
                    "There are already files in '\(given)'.",
                    hint: "--replace deletes them and restores the backup there."
                )
        }
        // Those of a database are RocksDB's own.
        let others = names.filter { !["archive", "lost"].contains($0) && Self.status(of: FileSystem.join(path, $0))?.kind == .directory }
        if let other = others.first {
            throw Failure(
                .database,
                "'\(given)' contains the directory '\(other)', which does not belong to a database.",
                hint: "--replace would delete it; move it elsewhere first."
            )
        }
    }

    /// Calls `restore`, which fills the directory ``new``, and puts that in place. If it throws, what was at the path is there as before.
    func fill(_ restore: () throws -> Void) throws {
        let database = try lockDatabase()
        defer { extendLifetime(database) }
        do throws(SystemCallError) {
            try FileSystem.system.mkdir(work, mode: 0o700)
        } catch {
            let parent = FileSystem.split(path).directory
            if isMissing(error.errno) { throw Failure(.database, "'\(given)' cannot be created; create the directory '\(parent)' first.") }
            throw Failure(
                .database,
                FileError("could not create", work, cause: error).sentence,
                hint: "A backup is restored beside its place first, so '\(parent)' must be writable."
            )
        }
        let lock = try lockWork()
        do {
            try restore()
            try putInPlace()
        } catch {
            // What cannot be put back stays: the next restore does it.
            try? cleanUp()
            remove(lock)
            throw error
        }
        // What was there is removed only once it is sure that the backup is found.
        try translating("could not sync", path) { () throws(SystemCallError) in
            try FileSystem.system.fsyncDirectory(FileSystem.split(path).directory)
            try FileSystem.system.fsyncDirectory(work)
        }
        try? FileManager.default.removeItem(atPath: old)
        remove(lock)
        if Self.status(of: old) != nil {
            Failure.warn("The old contents of '\(given)' could not be removed completely; they are at '\(old)'.")
        }
    }

    private func putInPlace() throws {
        if let status = Self.status(of: path) {
            try translating("could not set the permissions of", new) { () throws(SystemCallError) in
                try FileSystem.system.setMode(ofDirectory: new, status.mode)
            }
            try rename(path, to: old)
        }
        try rename(new, to: path)
    }

    /// Brings the path into the state before or after the last restore, and removes what that left.
    private func cleanUp() throws {
        let names = (try? FileSystem.system.list(work)) ?? []
        if names.contains("old") {
            if Self.status(of: path) == nil {
                try rename(old, to: path)
                Failure.warn("The old contents of '\(given)' were put back: an interrupted restore had moved them.")
            } else if names.contains("new") {
                throw Failure(
                    .database,
                    "A restore to '\(given)' was interrupted: it moved the old contents to '\(old)', and now something else is in their place.",
                    hint: "Move one of them elsewhere, then remove '\(work)'."
                )
            }
        }
        for directory in [new, old] where Self.status(of: directory) != nil { try? FileManager.default.removeItem(atPath: directory) }
    }

    /// Locks the database at the path, if there is one: nothing else may have it open.
    private func lockDatabase() throws -> DirectoryLock? {
        guard Self.status(of: FileSystem.join(path, "LOCK")) != nil else { return nil }
        return try DirectoryLock(path: path)
    }

    private func lockWork() throws -> DirectoryLock {
        do { return try DirectoryLock(path: work) } catch {
            guard error.code == .locked else { throw error }
            throw Failure(.database, "Another process is restoring a backup to '\(given)'.")
        }
    }

    /// Removes the directory beside the path, unless something is left in it, and releases its lock.
    private func remove(_ lock: DirectoryLock) {
        let names = (try? FileSystem.system.list(work)) ?? []
        if names == ["LOCK"] {
            try? FileSystem.system.unlink(work + "/LOCK")
            try? FileSystem.system.rmdir(work)
        }
        extendLifetime(lock)
    }

    private func rename(_ path: String, to other: String) throws {
        try translating("could not rename", path) { () throws(SystemCallError) in try FileSystem.system.rename(path, to: other) }
    }

    private func translating<Value>(_ attempt: String, _ path: String, _ body: () throws(SystemCallError) -> Value) throws -> Value {
        do throws(SystemCallError) { return try body() } catch {
            throw Failure(.database, FileError(attempt, path, cause: error).sentence)
        }
    }

    private static func status(of path: String) -> FileStatus? { try? FileSystem.system.stat(path) }
}
