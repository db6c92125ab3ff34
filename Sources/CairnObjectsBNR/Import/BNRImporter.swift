public import CairnGraph

/// Imports a BNRPersistence store into an object store.
///
/// ```swift
/// let importer = try BNRImporter(path: "Music.bnr", layout: layout)
/// let store = try ObjectStore(path: "Music.store", classes: [Song.self, Playlist.self])
/// print(try importer.check(for: store.catalog))          // what would be stored
/// let report = try importer.importObjects(into: store)   // all, or nothing
/// print(report.objectCount)
/// ```
///
/// - Objects keep their rows, unless the class already has objects in the store. Then they get new rows, and references to them are adjusted.
/// - References become relationships. References to missing objects are omitted and reported. If a relationship has a stored inverse, the side that the
///   layout fills determines both; if it fills both, the side that is a list does, or else the class that comes first in the layout.
/// - Named buffers become named values.
/// - Full-text indexes are ignored; the store builds its own.
///
/// The files are held in memory, and so are the objects until they are stored. For a single thread; nothing may write to either store meanwhile.
public struct BNRImporter: Sendable {
    /// The old store.
    public let directory: BNRDirectory
    /// The description of its files.
    public let layout: BNRLayout
    let sources: [ImportSource]
    let names: Result<TokyoCabinetHashFile?, BNRError>

    /// Opens the files of the classes in a layout.
    ///
    /// - Parameters:
    ///   - path: The directory.
    ///   - layout: The description of its files.
    ///   - passphrase: The `encryptionKey` of the old store. Unencrypted objects are still read.
    ///   - salvaging: Whether a class without a file is reported as damaged, so that the others can be imported, rather than an error.
    /// - Throws: ``BNRError``: `notFound` for the directory or the file of a class, `foreignFile` if no file is one of BNRPersistence's,
    ///   `permissionDenied`, `ioError`, `invalidLayout`. Damaged files, and a missing file of the names in the layout, are part of the report instead.
    public init(path: String, layout: BNRLayout, passphrase: String? = nil, salvaging: Bool = false) throws(BNRError) {
        try self.init(BNRDirectory(path: path), layout: layout, passphrase: passphrase, salvaging: salvaging)
    }

    /// Same as ``init(path:layout:passphrase:salvaging:)``, for a directory that is already open.
    public init(_ directory: BNRDirectory, layout: BNRLayout, passphrase: String? = nil, salvaging: Bool = false) throws(BNRError) {
        try layout.check()
        self.directory = directory
        self.layout = layout
        var sources: [ImportSource] = []
        for item in layout.classes {
            do throws(BNRError) {
                sources.append(ImportSource(layout: item, file: .success(try directory.openClass(item.name, passphrase: passphrase))))
            } catch {
                let reported: [BNRError.Code] = [.corruption, .notSupported, .foreignFile]
                guard reported.contains(error.code) || salvaging && error.code == .notFound else { throw error }
                sources.append(ImportSource(layout: item, file: .failure(error)))
            }
        }
        self.sources = sources
        do throws(BNRError) { names = .success(try directory.openNames()) } catch { names = .failure(error) }
    }

    /// Reads everything, and reports what would be imported into a store with these classes.
    ///
    /// - Throws: ``BNRError``: `invalidLayout` if the layout does not match the classes, `wrongPassphrase` if objects of a class seem to be encrypted and
    ///   none can be decrypted.
    /// - Complexity: O(n).
    public func check(for catalog: ObjectCatalog) throws(BNRError) -> BNRImportReport {
        var run = try ImportRun(self, catalog)
        try run.readAll()
        try run.forEachObject { _ in }
        try run.forEachName { _ in }
        return run.report
    }

    /// Imports everything in a single commit.
    ///
    /// - Parameters:
    ///   - store: The store, which may contain other objects.
    ///   - salvaging: Whether to import what can be read if some of it cannot. By default, this is an error.
    /// - Returns: A report on what was imported.
    /// - Throws: ``BNRError``: as in ``check(for:)``; `corruption` if something cannot be read, with the counts; `storeFailed` if the store does not
    ///   accept it. Nothing is stored then.
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
    /// The reason why nothing was stored.
    var error: BNRError {
        let claimed = classes.reduce(0) { $0 + $1.claimedCount }
        let reason =
            classes.lazy.compactMap { item in item.damage.first.map { "\(item.name): \($0)" } }.first ?? nameDamage.first ?? failures.first
        return BNRError(
            .corruption,
            "\(objectCount) of \(claimed) objects and \(nameCount) of \(nameCount + failedNameCount) names can be read, so nothing was stored; the first problem: \(reason ?? "unknown")"
        )
    }
}

/// A class in the layout, and its file.
struct ImportSource: Sendable {
    let layout: BNRClassLayout
    let file: Result<BNRClassFile, BNRError>
}
