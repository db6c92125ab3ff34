public import CairnCore

/// Ordered bytes with point-in-time views and atomic commits: what an object store is kept in.
///
/// Keys are ordered by their unsigned bytes. The zero-length value is a value, and so is, unless ``limits`` say otherwise, the empty key.
///
/// ```swift
/// let view = try engine.makeView()
/// let count = try view.get("count")
/// var commit = EngineCommit()
/// commit.read("count", in: view)
/// commit.put(next(count), for: "count")
/// try engine.commit(commit)               // .conflict if somebody else has changed it since
/// ```
///
/// All methods may be called from any thread and block it while the engine works. An engine of your own must pass the checks of
/// `CairnObjectsConformance`.
public protocol StorageEngine: AnyObject, Sendable {
    /// What the engine can hold; does not change.
    var limits: EngineLimits { get }

    /// Whether ``commit(_:durability:)`` throws ``EngineError/Code/readOnly``.
    var isReadOnly: Bool { get }

    /// Makes a view of all that was committed before, which stays as it is until its last reference goes.
    ///
    /// A view keeps the engine from closing, and what it sees from being cleaned up: do not hold one for long.
    ///
    /// - Throws: ``EngineError/Code/closed``.
    /// - Complexity: About a microsecond on local engines.
    func makeView() throws(EngineError) -> any EngineView

    /// Performs all writes of `commit`, or none; afterwards, all views made see them.
    ///
    /// A commit without writes is checked for conflicts all the same.
    ///
    /// - Parameters:
    ///   - commit: The writes, and the reads that they rest on.
    ///   - durability: What the writes survive once the call has returned, at least. Commits survive in their order: none without those before.
    /// - Returns: The version from which on views see the writes.
    /// - Throws: ``EngineError/Code/conflict`` if the value of a key that was read, or the entries of a range that was read, differ from what
    ///   the view of the reading has; ``EngineError/Code/tooLarge``; ``EngineError/Code/notSupported``; ``EngineError/Code/noSpace``;
    ///   ``EngineError/Code/ioError``; ``EngineError/Code/corruption``; ``EngineError/Code/readOnly``; ``EngineError/Code/closed``. Nothing is
    ///   written then; see ``EngineError/Code/ioError`` for the one exception.
    @discardableResult
    func commit(_ commit: EngineCommit, durability: Durability) throws(EngineError) -> EngineVersion

    /// The commits after `version`, as they happen.
    ///
    /// They come in their order, each once, whoever made them in this process. Some of the newest are kept in memory: `version` may lie so far
    /// back. What is no longer kept, or was never known (a version of an earlier opening, or from elsewhere), comes as one
    /// ``EngineChange`` that tells no keys: anything may have changed. The same happens to a reader so slow that commits which it has not
    /// read are no longer kept; so it costs no memory.
    ///
    /// The sequence ends when the engine is closed, which it does not hinder, behind the commits made before; or when the task is cancelled.
    ///
    /// - Parameter version: That of the view that the reader knows; `nil`: the newest now.
    /// - Throws: ``EngineError/Code/closed``, ``EngineError/Code/notSupported``.
    func changes(after version: EngineVersion?) throws(EngineError) -> EngineChanges

    /// Removes from the engine's files what is no longer part of the data: overwritten and deleted values, logs of commits. What views still see stays.
    ///
    /// For secrets that must not be left anywhere. An engine that keeps nothing of the kind need not implement it.
    ///
    /// - Parameter range: Where it matters; more may be removed.
    /// - Throws: ``EngineError/Code/readOnly``, ``EngineError/Code/noSpace``, ``EngineError/Code/ioError``, ``EngineError/Code/closed``. The data are as
    ///   they were.
    /// - Complexity: May rewrite all data.
    func removeFormerData(in range: KeyRange) throws(EngineError)

    /// Makes a copy of all that was committed before, in the directory `path`, with which an engine of the same kind can be opened. Commits go on
    /// meanwhile.
    ///
    /// An engine that has no files need not implement it.
    ///
    /// - Parameter path: A directory that does not exist yet; its parent must.
    /// - Throws: ``EngineError/Code/invalidArgument`` where something is at the path; ``EngineError/Code/notSupported``;
    ///   ``EngineError/Code/readOnly``, ``EngineError/Code/noSpace``, ``EngineError/Code/ioError``, ``EngineError/Code/closed``; ``EngineError/Code/locked``
    ///   or ``EngineError/Code/corruption`` where the store has to be opened for writing first. There is no copy then.
    func makeCheckpoint(at path: String) throws(EngineError)

    /// Gives up all files and memory. Closing again does nothing; all else throws ``EngineError/Code/closed`` afterwards. The last reference
    /// closes too.
    ///
    /// - Throws: ``EngineError/Code/busy`` while views are held, also by commits; the engine stays open. Any other error is about what could
    ///   not be tidied up: the engine is closed all the same.
    func close() throws(EngineError)
}

extension StorageEngine {
    public func removeFormerData(in range: KeyRange) throws(EngineError) {}

    public func makeCheckpoint(at path: String) throws(EngineError) {
        throw EngineError(.notSupported, "making a copy at '\(path)': this engine makes no copies")
    }

    /// As ``commit(_:durability:)``, surviving the death of the process.
    @discardableResult
    public func commit(_ commit: EngineCommit) throws(EngineError) -> EngineVersion { try self.commit(commit, durability: .buffered) }

    /// The commits from now on; see ``changes(after:)``.
    public func changes() throws(EngineError) -> EngineChanges { try changes(after: nil) }

    /// Calls `body` with a view.
    public func withView<Value>(_ body: (any EngineView) throws -> Value) throws -> Value { try body(makeView()) }
}
