import CairnCore

extension TokyoCabinetHashFile {
    /// Reads a file, and the transaction log beside it (`PATH.wal`), if there is one. Changes neither.
    ///
    /// - Throws: As in ``init(bytes:log:)``, with the path in the message; `notFound`, `isDirectory`, `permissionDenied`, `ioError`.
    public init(path: String) throws(BNRError) {
        let bytes = try Self.contents(of: path)
        var log: [UInt8]?
        do throws(BNRError) { log = try Self.contents(of: path + ".wal") } catch {
            guard error.code == .notFound else { throw error }
        }
        do throws(BNRError) { try self.init(bytes: bytes, log: log) } catch {
            throw BNRError(error.code, "\(path) cannot be read: \(error.message)", cause: error.cause)
        }
    }

    private static func contents(of path: String) throws(BNRError) -> [UInt8] {
        do throws(FileError) {
            let file = try File(path, [.read])
            let status = try file.status()
            guard status.kind == .file else {
                throw FileError(status.kind == .directory ? .isDirectory : .notSupported, "\(path) is not a file")
            }
            let bytes = try file.read(Int(clamping: status.size), at: 0)
            try file.close()
            return bytes
        } catch {
            throw BNRError(error)
        }
    }
}
