import CairnCore

/// A store of BNRPersistence: a directory with a hash file for each class, named like it, and one for named buffers.
///
/// ```swift
/// let old = try BNRDirectory(path: "Music.bnr")
/// print(old.classNames)
/// let songs = try old.openClass("Song")
/// print(songs.rows.count, songs.metadata?.version ?? 0)
/// ```
///
/// Reads only. No program should have the store open for writing meanwhile: nothing would notice.
public struct BNRDirectory: Sendable {
    public let path: String
    /// The classes that have a file.
    public let classNames: [String]
    /// Whether there are named buffers.
    public let hasNames: Bool

    private static let names = "NamedBuffers"

    /// Looks which files of Tokyo Cabinet are in a directory. Others, such as the text indexes, are passed over.
    ///
    /// - Throws: ``BNRError``: `notFound`, `ioError`, `foreignFile` where no file is one of BNRPersistence.
    public init(path: String) throws(BNRError) {
        self.path = path
        var files: [String] = []
        do throws(SystemCallError) {
            for name in try FileSystem.system.list(path) where !name.hasSuffix(".wal") {
                if (try? FileSystem.system.stat(FileSystem.join(path, name)))?.kind == .file { files.append(name) }
            }
        } catch {
            let error = FileError("could not list the directory", path, cause: error)
            throw BNRError(error.code == .notFound ? .notFound : .ioError, error.message, cause: error)
        }
        files.removeAll { !Self.isHashFile(FileSystem.join(path, $0)) }
        guard !files.isEmpty else {
            throw BNRError(.foreignFile, "\(path) holds no store of BNRPersistence: none of its files is a database of Tokyo Cabinet")
        }
        classNames = files.filter { $0 != Self.names }
        hasNames = files.contains(Self.names)
    }

    private static func isHashFile(_ path: String) -> Bool {
        guard let file = try? File(path, [.read]), let status = try? file.status() else { return false }
        defer { try? file.close() }
        let count = min(HashFileHeader.magic.count, Int(clamping: status.size))
        return (try? file.read(count, at: 0)) == HashFileHeader.magic
    }

    /// Opens the file of a class.
    ///
    /// - Parameters:
    ///   - name: The name of the class in BNRPersistence.
    ///   - passphrase: That of the store, if it was encrypted; objects that are plain are read all the same.
    /// - Throws: ``BNRError``: `notFound` where the class has no file, and as ``TokyoCabinetHashFile/init(path:)``; `corruption` where the objects are to
    ///   be decrypted and the salt is gone, which is in row 1.
    public func openClass(_ name: String, passphrase: String? = nil) throws(BNRError) -> BNRClassFile {
        guard classNames.contains(name) else {
            throw BNRError(.notFound, "\(path) has no file for the class \(name); it has: \(classNames.joined(separator: ", "))")
        }
        return try BNRClassFile(name, TokyoCabinetHashFile(path: FileSystem.join(path, name)), passphrase: passphrase)
    }

    /// Opens the file of named buffers: names are keys, in UTF-8. `nil` where there is none.
    ///
    /// - Throws: ``BNRError``, as ``TokyoCabinetHashFile/init(path:)``.
    public func openNames() throws(BNRError) -> TokyoCabinetHashFile? {
        hasNames ? try TokyoCabinetHashFile(path: FileSystem.join(path, Self.names)) : nil
    }
}
