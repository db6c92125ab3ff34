import CairnCore
import CairnObjects
import CairnRocks
import Testing

/// An engine that does something else instead of removing former data.
final class UncleanEngine: StorageEngine {
    private let base: any StorageEngine
    private let remove: @Sendable () throws(EngineError) -> Void
    private let keeps: Bool

    /// - Parameter keeps: Whether it says that only others can remove it.
    init(_ base: any StorageEngine, keeps: Bool = false, _ remove: @escaping @Sendable () throws(EngineError) -> Void) {
        (self.base, self.remove, self.keeps) = (base, remove, keeps)
    }

    var limits: EngineLimits { base.limits }
    var isReadOnly: Bool { base.isReadOnly }
    var latestVersion: EngineVersion { base.latestVersion }
    func makeView() throws(EngineError) -> any EngineView { try base.makeView() }
    func changes(after version: EngineVersion?) throws(EngineError) -> EngineChanges { try base.changes(after: version) }
    func commit(_ commit: EngineCommit, durability: Durability) throws(EngineError) -> EngineVersion {
        try base.commit(commit, durability: durability)
    }
    func removeFormerData(in range: KeyRange) throws(EngineError) { try remove() }
    func keepsFormerData(in range: KeyRange) throws(EngineError) -> Bool { keeps }
    func close() throws(EngineError) { try base.close() }
}

/// What the header of an encrypted store says of former data.
func marks(_ engine: any StorageEngine) throws -> [String] {
    let header = try #require(try engine.makeView().get([0, 4] as [UInt8]))
    let text = String(decoding: header, as: UTF8.self)
    return ["holdsFormer", "holdsFormerKeys"].filter { text.contains("\"\($0)\":true") }
}

/// An engine that compresses nothing, so that values can be looked for in its files.
func uncompressed(_ path: String) throws -> RocksEngine {
    var options = RocksEngineOptions()
    options.compression = .none
    return try RocksEngine(path: path, options: options)
}
