public import CairnGraph

/// Imports what BNRPersistence stored into an object store.
///
/// ```swift
/// let importer = try BNRImporter(path: "Music.bnr", layout: layout)
/// let store = try ObjectStore(path: "Music.store", classes: [Song.self, Playlist.self])
/// print(try importer.check(for: store.catalog))          // what would be stored
/// let report = try importer.importObjects(into: store)   // all, or nothing
/// print(report.objectCount)
/// ```
///
/// - Objects keep their rows, unless the class has objects in the store already: they come behind those then, and what leads to them follows.
/// - References become relationships. Those to objects that are not there are left out and reported. Where a relationship has an inverse that is stored,
///   the side that the layout fills tells both; of two sides, the one that is a list does, or the class that comes first in the layout.
/// - Named buffers become named values.
/// - Full-text indexes are left; the store makes its own.
///
/// The files are in memory, and so are the objects until they are stored. For one thread; nobody may write to either store meanwhile.
public struct BNRImporter: Sendable {
    /// The old store.
    public let directory: BNRDirectory
    /// What its files do not say.
    public let layout: BNRLayout
    let sources: [ImportSource]
    let names: Result<TokyoCabinetHashFile?, BNRError>

    /// Opens the files of the classes in a layout.
    ///
    /// - Parameters:
    ///   - path: The directory.
    ///   - layout: What its files do not say.
    ///   - passphrase: The `encryptionKey` of the old store. Objects that are plain are read all the same.
    /// - Throws: ``BNRError``: `notFound` for the directory or the file of a class, `foreignFile`, `ioError`, `invalidLayout`. Files that are damaged
    ///   are no error but in the report.
    public init(path: String, layout: BNRLayout, passphrase: String? = nil) throws(BNRError) {
        try self.init(BNRDirectory(path: path), layout: layout, passphrase: passphrase)
    }

    /// Opens the files of the classes in a layout, as ``init(path:layout:passphrase:)``.
    public init(_ directory: BNRDirectory, layout: BNRLayout, passphrase: String? = nil) throws(BNRError) {
        try layout.check()
        self.directory = directory
        self.layout = layout
        var sources: [ImportSource] = []
        for item in layout.classes {
            do throws(BNRError) {
                sources.append(ImportSource(layout: item, file: .success(try directory.openClass(item.name, passphrase: passphrase))))
            } catch {
                guard error.code == .corruption || error.code == .notSupported else { throw error }
                sources.append(ImportSource(layout: item, file: .failure(error)))
            }
        }
        self.sources = sources
        do throws(BNRError) { names = .success(try directory.openNames()) } catch { names = .failure(error) }
    }

    /// Reads everything, and tells what would be stored in a store with these classes.
    ///
    /// - Throws: ``BNRError``: `invalidLayout` where the layout does not go with the classes, `wrongPassphrase` where objects of a class seem to be
    ///   encrypted and none can be decrypted.
    /// - Complexity: O(n).
    public func check(for catalog: ObjectCatalog) throws(BNRError) -> BNRImportReport {
        var run = try ImportRun(self, catalog)
        try run.readAll()
        try run.forEachObject { _ in }
        try run.forEachName { _ in }
        return run.report
    }

    /// Reads everything, and stores it: all or nothing, in one commit.
    ///
    /// - Parameters:
    ///   - store: Where to; it may hold other objects.
    ///   - salvaging: Whether to store what can be read where something cannot. By default that is an error.
    /// - Returns: What was stored.
    /// - Throws: ``BNRError``: as ``check(for:)``; `corruption` where something cannot be read, with the counts; `storeFailed` where the store refuses it.
    ///   Nothing was stored then.
    /// - Complexity: O(n log n).
    public func importObjects(into store: ObjectStore, salvaging: Bool = false) throws(BNRError) -> BNRImportReport {
        var run = try ImportRun(self, store.catalog)
        try run.readAll()
        let importer = try Self.storing { () throws(ObjectStoreError) in try ObjectImporter(store) }
        for source in run.classes {
            try Self.storing { () throws(ObjectStoreError) in try importer.add(source.stored) }
            guard let last = source.file?.metadata?.lastRow else { continue }
            try Self.storing { () throws(ObjectStoreError) in try importer.reserveRows(through: UInt64(last), of: source.stored) }
        }
        try run.forEachObject { dump throws(BNRError) in try Self.storing { () throws(ObjectStoreError) in try importer.add(dump) } }
        try run.forEachName { name throws(BNRError) in try Self.storing { () throws(ObjectStoreError) in try importer.add(name) } }
        guard salvaging || run.report.isWhole else { throw run.report.error }
        run.report.incompleteIndexes = try Self.storing { () throws(ObjectStoreError) in try importer.finish() }.incompleteIndexes
        return run.report
    }

    private static func storing<Value>(_ body: () throws(ObjectStoreError) -> Value) throws(BNRError) -> Value {
        do throws(ObjectStoreError) { return try body() } catch {
            throw BNRError(.storeFailed, "the objects cannot be stored: \(error.message)", userData: error.userData, cause: error)
        }
    }
}

extension BNRImportReport {
    /// Why nothing was stored.
    var error: BNRError {
        let claimed = classes.reduce(0) { $0 + $1.claimedCount }
        let reason =
            classes.lazy.compactMap { item in item.damage.first.map { "\(item.name): \($0)" } }.first ?? nameDamage.first ?? failures.first
        return BNRError(
            .corruption,
            "\(objectCount) of \(claimed) objects and \(nameCount) of \(nameCount + failedNameCount) names can be read, and nothing was stored; the first that cannot: \(reason ?? "unknown")"
        )
    }
}

/// A class in the layout, and its file.
struct ImportSource: Sendable {
    let layout: BNRClassLayout
    let file: Result<BNRClassFile, BNRError>
}
