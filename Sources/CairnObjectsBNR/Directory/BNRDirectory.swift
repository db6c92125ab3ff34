import CairnCore

/// A BNRPersistence store: a directory with a hash file for each class, which has the name of the class, and one for named buffers.
///
/// ```swift
/// let old = try BNRDirectory(path: "Music.bnr")
/// print(old.classNames)
/// let songs = try old.openClass("Song")
/// print(songs.rows.count, songs.metadata?.version ?? 0)
/// ```
///
/// Read-only. No program should have the store open for writing at the same time; this is not detected.
public struct BNRDirectory: Sendable {
    public let path: String
    /// The classes that have a file.
    public let classNames: [String]
    /// Whether there is a file of named buffers, even if it is damaged.
    public let hasNames: Bool
    /// All files but logs.
    private let files: Set<String>
    /// The files that do not begin like those of classes: others, or damaged ones.
    package let otherNames: [String]

    private static let names = "NamedBuffers"

    /// Finds the Tokyo Cabinet files in a directory. Other files, such as text indexes, are ignored.
    ///
    /// - Throws: ``BNRError``: `notFound`, `permissionDenied`, `ioError`, `foreignFile` if there is no file of BNRPersistence.
    public init(path: String) throws(BNRError) {
        self.path = path
        var files: [String] = []
        do throws(SystemCallError) {
            for name in try FileSystem.system.list(path) where !name.hasSuffix(".wal") {
                if (try? FileSystem.system.stat(FileSystem.join(path, name)))?.kind == .file { files.append(name) }
            }
        } catch {
            let error = FileError("could not list the directory", path, cause: error)
            throw BNRError(error)
        }
        let hashFiles = files.filter { Self.isHashFile(FileSystem.join(path, $0)) }
        guard !hashFiles.isEmpty else {
            throw BNRError(.foreignFile, "\(path) is not a BNRPersistence store: none of its files is a Tokyo Cabinet database")
        }
        classNames = hashFiles.filter { $0 != Self.names }
        hasNames = files.contains(Self.names)
        self.files = Set(files)
        otherNames = files.filter { !hashFiles.contains($0) && $0 != Self.names && !$0.hasPrefix(".") }
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
    ///   - passphrase: The passphrase of the store, if it was encrypted. Unencrypted objects are still read.
    /// - Throws: ``BNRError``: `notFound` if the class has no file; `foreignFile` if its file does not begin like one; `corruption` if a passphrase is given
    ///   and the salt, which is in row 1, cannot be read; and as in ``TokyoCabinetHashFile/init(path:)``.
    public func openClass(_ name: String, passphrase: String? = nil) throws(BNRError) -> BNRClassFile {
        guard files.contains(name) else {
            let others = classNames.isEmpty ? "it has no file of a class" : "it has: \(classNames.joined(separator: ", "))"
            throw BNRError(.notFound, "\(path) has no file for the class \(name.isEmpty ? "''" : name); \(others)")
        }
        return try BNRClassFile(name, TokyoCabinetHashFile(path: FileSystem.join(path, name)), passphrase: passphrase)
    }

    /// Opens the file of named buffers, whose keys are names in UTF-8. Returns `nil` if there is none.
    ///
    /// - Throws: ``BNRError``, as in ``TokyoCabinetHashFile/init(path:)``.
    public func openNames() throws(BNRError) -> TokyoCabinetHashFile? {
        hasNames ? try TokyoCabinetHashFile(path: FileSystem.join(path, Self.names)) : nil
    }
}
