public import CairnCore

/// An ordered key-value store with snapshots and atomic commits, in which an object store is kept.
///
/// Keys sort by their unsigned bytes. Empty values are allowed, and so is the empty key, unless ``limits`` says otherwise.
///
/// ```swift
/// let view = try engine.makeView()
/// let count = try view.get("count")
/// var commit = EngineCommit()
/// commit.read("count", in: view)
/// commit.put(next(count), for: "count")
/// try engine.commit(commit)               // .conflict if another commit has changed it since
/// ```
///
/// All methods can be called from any thread, which they block while the engine works. Custom engines must pass the checks of
/// `CairnEngineConformance`.
public protocol StorageEngine: AnyObject, Sendable {
    /// The limits of the engine, which do not change.
    var limits: EngineLimits { get }

    /// Whether ``commit(_:durability:)`` throws ``EngineError/Code/readOnly``.
    var isReadOnly: Bool { get }

    /// Whether several threads that read from one view at once are faster than one. Queries that read most of a class then share the work among
    /// threads. Default: false.
    ///
    /// Views can be used from any thread in any case. Answer false if threads would wait for each other, such as for a connection.
    var readsInParallel: Bool { get }

    /// Whether reading waits for a server, so that few calls matter more than little data. Lists whose objects are used one after the other then read more
    /// objects ahead, and live queries make views and follow commits on separate threads. Default: false.
    var isRemote: Bool { get }

    /// Whether other engines, such as those of other processes, may commit to the same data while this one is open. Default: false.
    ///
    /// If not, opening the same store again throws ``EngineError/Code/locked``. If so, views see what others have committed before they were made, commits are
    /// compared with those of others, ``changes(after:)`` reports these, and closing one engine leaves the others open.
    var isShared: Bool { get }

    /// The version of the latest commit that the engine knows of: views made from now on have it, or a later one. Never decreases.
    ///
    /// Callers that keep a view compare its version with this one to find out whether it is still the latest. An engine that others commit to must look
    /// for their commits here, or learn of them soon.
    ///
    /// - Complexity: Nanoseconds on engines in memory and on disk; called before almost every read of an object.
    var latestVersion: EngineVersion { get }

    /// Prepares for commits, so that the first takes no longer than others. Called before a context that may save is used. Need not be implemented.
    ///
    /// Reports no errors: the first commit does.
    func prepareForCommits()

    /// Makes a view of everything committed before, which stays the same until its last reference is released.
    ///
    /// A view prevents closing the engine and cleaning up the data that it sees: do not hold one for long.
    ///
    /// - Throws: ``EngineError/Code/closed``; engines with files or servers also `unavailable`, `ioError`, `corruption` and, if what is to be read keeps
    ///   changing, `expired`.
    /// - Complexity: About a microsecond on local engines.
    func makeView() throws(EngineError) -> any EngineView

    /// Performs all writes of `commit`, or none; all views made afterwards see them.
    ///
    /// A commit without writes is also checked for conflicts.
    ///
    /// - Parameters:
    ///   - commit: The writes, and the reads that they depend on.
    ///   - durability: What the writes survive, at least, once the call has returned. Commits survive in order: none without those before.
    /// - Returns: The first version whose views see the writes.
    /// - Throws: ``EngineError/Code/conflict`` if the value of a key or the entries of a range that was read differ from those in the view that was
    ///   read, or the view has expired and the engine cannot tell; ``EngineError/Code/tooLarge``; ``EngineError/Code/notSupported``;
    ///   ``EngineError/Code/noSpace``; ``EngineError/Code/ioError``; ``EngineError/Code/corruption``; ``EngineError/Code/readOnly``;
    ///   ``EngineError/Code/closed``; ``EngineError/Code/unavailable`` if the engine cannot find out whether the commit was performed. Nothing has been
    ///   written after any other error, with one exception: see ``EngineError/Code/ioError``.
    @discardableResult
    func commit(_ commit: EngineCommit, durability: Durability) throws(EngineError) -> EngineVersion

    /// Whether ``sync()`` completes commits that survive less than `Durability.synced`: threads that commit one after the other can then wait for
    /// the disk together. Default: false.
    var syncsApart: Bool { get }

    /// Makes everything committed before survive power loss, as if committed with `Durability.synced`. Threads that call this at the same time share
    /// the work. Called only if ``syncsApart`` is true.
    ///
    /// - Throws: ``EngineError/Code/ioError``, ``EngineError/Code/noSpace``, ``EngineError/Code/closed``: what was committed may or may not survive.
    func sync() throws(EngineError)

    /// Returns the commits after `version`, as they happen.
    ///
    /// Each commit made by this engine is returned once, in order and with its keys; so are commits of others, if the engine is shared, without waiting for a
    /// commit of this engine. Some of the latest are kept, so `version` may be somewhat older. Commits that are no longer kept, or were never known (a version
    /// from before this engine was opened, or of another store), are returned as one ``EngineChange`` without keys: anything may have changed. The same
    /// happens if a commit wrote very many keys, or a reader is too slow; so it costs no memory.
    ///
    /// The sequence does not keep the engine open. It ends after the last commit once the engine is closed, or when the task is cancelled.
    ///
    /// - Parameter version: The version of the view that the reader knows; `nil`: the latest.
    /// - Throws: ``EngineError/Code/closed``, ``EngineError/Code/notSupported``.
    func changes(after version: EngineVersion?) throws(EngineError) -> EngineChanges

    /// Removes obsolete data from the engine's files: overwritten and deleted values, logs of commits. Data that views still see is kept, or the views end: reading
    /// from them then throws ``EngineError/Code/expired``.
    ///
    /// For secrets that must not be left anywhere. Engines that keep no such data, or cannot remove it, need not implement it.
    ///
    /// - Parameter range: The keys concerned; more may be removed.
    /// - Throws: ``EngineError/Code/readOnly``, ``EngineError/Code/noSpace``, ``EngineError/Code/ioError``, ``EngineError/Code/closed``. The data is
    ///   then unchanged.
    /// - Complexity: May rewrite all data.
    func removeFormerData(in range: KeyRange) throws(EngineError)

    /// Whether overwritten or deleted values may still be read after ``removeFormerData(in:)``, because only others can remove them, such as the operator of a
    /// server. Default: false.
    ///
    /// - Parameter range: The keys concerned; values of others may count, too.
    /// - Throws: ``EngineError/Code/closed``, ``EngineError/Code/unavailable``, ``EngineError/Code/ioError``.
    func keepsFormerData(in range: KeyRange) throws(EngineError) -> Bool

    /// Rewrites the engine's files without the space of overwritten and deleted data, and returns that space to the file system. Data that views still see is
    /// kept.
    ///
    /// Engines whose server does that need not implement it.
    ///
    /// - Throws: ``EngineError/Code/notSupported``, ``EngineError/Code/readOnly``, ``EngineError/Code/busy`` if others kept it locked,
    ///   ``EngineError/Code/noSpace``, ``EngineError/Code/ioError``, ``EngineError/Code/corruption``, ``EngineError/Code/closed``. What is stored is then
    ///   unchanged.
    /// - Complexity: Rewrites all data.
    func compact() throws(EngineError)

    /// Copies everything committed before to the directory `path`, which an engine of the same kind can open. Commits continue in the meantime.
    ///
    /// Engines without files need not implement it.
    ///
    /// - Parameter path: A directory that does not exist yet; its parent must.
    /// - Throws: ``EngineError/Code/invalidArgument`` if something exists at the path, or it is inside the engine's own directory;
    ///   ``EngineError/Code/notFound`` if its parent does not exist; ``EngineError/Code/notSupported``; ``EngineError/Code/readOnly``,
    ///   ``EngineError/Code/noSpace``, ``EngineError/Code/ioError``, ``EngineError/Code/closed``;
    ///   ``EngineError/Code/locked`` or ``EngineError/Code/corruption`` if the store must first be opened for writing. There is then no copy.
    func makeCheckpoint(at path: String) throws(EngineError)

    /// Releases all files and memory. Closing again does nothing; all other calls then throw ``EngineError/Code/closed``. Releasing the last
    /// reference also closes the engine.
    ///
    /// - Throws: ``EngineError/Code/busy`` while views are held, including by commits; the engine stays open. Any other error concerns cleanup only:
    ///   the engine is closed nevertheless.
    func close() throws(EngineError)
}

extension StorageEngine {
    public var readsInParallel: Bool { false }

    public var isRemote: Bool { false }

    public var isShared: Bool { false }

    public var syncsApart: Bool { false }

    public func sync() throws(EngineError) {
        throw EngineError(.notSupported, "this engine syncs on every commit")
    }

    public func prepareForCommits() {}

    public func removeFormerData(in range: KeyRange) throws(EngineError) {}

    public func keepsFormerData(in range: KeyRange) throws(EngineError) -> Bool { false }

    public func compact() throws(EngineError) {
        throw EngineError(.notSupported, "compacting: this engine does not do it on request")
    }

    public func makeCheckpoint(at path: String) throws(EngineError) {
        throw EngineError(.notSupported, "making a copy at '\(path)': this engine does not support copies")
    }

    /// Same as ``commit(_:durability:)``, surviving the death of the process.
    @discardableResult
    public func commit(_ commit: EngineCommit) throws(EngineError) -> EngineVersion { try self.commit(commit, durability: .buffered) }

    /// Returns the commits from now on; see ``changes(after:)``.
    public func changes() throws(EngineError) -> EngineChanges { try changes(after: nil) }

    /// Calls `body` with a view.
    public func withView<Value>(_ body: (any EngineView) throws -> Value) throws -> Value { try body(makeView()) }
}
