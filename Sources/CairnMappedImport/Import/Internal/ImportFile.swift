import CairnCore
import CairnMapped

/// Reads files to import.
enum ImportFile {
    /// The whole file.
    static func read(_ path: String, _ fileSystem: FileSystem) throws(MappedStoreError) -> [UInt8] {
        try MappedStoreError.translating { () throws(FileError) in
            let file = try File(path, [.read], fileSystem: fileSystem)
            let status = try file.status()
            guard status.kind == .file else {
                throw FileError(status.kind == .directory ? .isDirectory : .notSupported, "could not import \(path): it is not a file")
            }
            let bytes = try file.read(Int(clamping: status.size), at: 0)
            try file.close()
            return bytes
        }
    }

    /// The whole file; `nil` if there is none.
    static func readIfPresent(_ path: String, _ fileSystem: FileSystem) throws(MappedStoreError) -> [UInt8]? {
        do throws(MappedStoreError) { return try read(path, fileSystem) } catch {
            if error.code == .notFound { return nil }
            throw error
        }
    }
}

extension MappedStoreError {
    /// Converts an error about bytes to one about the file they came from.
    func inFile(_ path: String) -> MappedStoreError {
        MappedStoreError(code, "could not import \(path): \(message)", userData: userData, cause: cause)
    }

    static func importing<Value>(_ path: String, _ body: () throws(MappedStoreError) -> Value) throws(MappedStoreError) -> Value {
        do throws(MappedStoreError) { return try body() } catch { throw error.inFile(path) }
    }
}
