import CRocks
import CairnCore
import Synchronization

extension RocksDB {
    /// Exports a column family, as it is now, to a separate directory from which another database can import it.
    ///
    /// ```swift
    /// try db.exportColumnFamily("songs", to: "songs.export")
    /// try other.importColumnFamily("songs", from: "songs.export")
    /// ```
    ///
    /// The memtable is flushed. Within the same file system, files are linked, not copied. The directory gets the permissions of the database's
    /// directory. A process that is killed during the export leaves behind a directory that cannot be imported, or one whose name begins with `path`
    /// and a dot; delete it.
    ///
    /// - Parameters:
    ///   - name: The column family.
    ///   - path: The directory to create; it must not exist, but its parent must.
    /// - Throws: ``RocksError/Code/columnFamilyNotFound``; ``RocksError/Code/invalidArgument`` if the directory exists;
    ///   ``RocksError/Code/notSupported`` if values are in blob files, or if the database is not in the default environment;
    ///   ``RocksError/Code/readOnly``, ``RocksError/Code/noSpace``, ``RocksError/Code/ioError``.
    public func exportColumnFamily(_ name: String, to path: String) throws(RocksError) {
        try checkForZeroByte(in: path, "path")
        let family = try columnFamily(name).handle
        let attempt = family.attempt("exporting") + " to '\(path)'"
        let collected = ExportCollector()
        let context = unsafe Unmanaged.passUnretained(collected).toOpaque()
        let status = unsafe crk_export_column_family(
            family.pointer,
            path,
            context,
            { context, name in
                unsafe Unmanaged<ExportCollector>.fromOpaque(context).takeUnretainedValue().export.comparator = name.text
            },
            { context, file in
                let file = unsafe file.pointee
                unsafe Unmanaged<ExportCollector>.fromOpaque(context).takeUnretainedValue().export.files.append(
                    ColumnFamilyExport.File(
                        name: file.name.text,
                        level: file.level,
                        size: file.size,
                        smallestSequenceNumber: file.smallest_sequence_number,
                        largestSequenceNumber: file.largest_sequence_number,
                        smallest: [UInt8](copying: file.smallest.span),
                        largest: [UInt8](copying: file.largest.span)
                    )
                )
            }
        )
        extendLifetime(collected)
        try status.check(attempt)
        do throws(FileError) {
            try FileSystem.system.replaceFile(at: path + "/" + ColumnFamilyExport.fileName, with: collected.export.encoded)
        } catch {
            // An export without its list cannot be imported, and would block the next attempt.
            for file in collected.export.files { try? FileSystem.system.unlink(path + "/" + file.name) }
            try? FileSystem.system.rmdir(path)
            throw RocksError(error, attempt)
        }
    }

    /// Creates a column family from the files written by ``exportColumnFamily(_:to:)``, in this database or another one.
    ///
    /// - Parameters:
    ///   - name: The name of the new column family; any name not in use.
    ///   - path: The directory of the export.
    ///   - options: The comparator must be the one of the exported column family. If the files hold merge operands, the merge operator is required.
    ///   - movesFiles: Whether to move the files instead of copying them; the export cannot be imported again afterwards. Default: false.
    /// - Throws: ``RocksError/Code/invalidArgument`` if the name is in use or the order differs; ``RocksError/Code/notFound`` if there is no export;
    ///   ``RocksError/Code/foreignFile`` if its list of files is a file of another kind; ``RocksError/Code/corruption`` if the export is damaged;
    ///   ``RocksError/Code/ioError`` if a file is missing; ``RocksError/Code/readOnly``, ``RocksError/Code/noSpace``.
    @discardableResult
    public func importColumnFamily(
        _ name: String,
        from path: String,
        options: ColumnFamilyOptions = ColumnFamilyOptions(),
        movesFiles: Bool = false
    ) throws(RocksError) -> ColumnFamily {
        try checkColumnFamilyName(name)
        try checkForZeroByte(in: path, "path")
        let attempt = "importing column family '\(name)' of '\(self.path)' from '\(path)'"
        let bytes: [UInt8]
        do throws(FileError) {
            let file = try File(path + "/" + ColumnFamilyExport.fileName, .read)
            bytes = try file.read(Int(clamping: file.status().size), at: 0)
        } catch {
            throw RocksError(error, attempt)
        }
        let export: ColumnFamilyExport
        do throws(RocksError) {
            export = try ColumnFamilyExport(decoding: bytes)
        } catch {
            throw RocksError(error.code, attempt + ": \(error.message)")
        }
        return try changingFamilies.withLock { (_) throws(RocksError) in
            let optionsHandle = try ColumnFamilyOptionsHandle(options, sharedCache: sharedCache)
            var pointer: OpaquePointer?
            let status = unsafe export.withShimFiles { files in
                unsafe crk_import_column_family(
                    handle.pointer,
                    name,
                    optionsHandle.pointer,
                    path,
                    movesFiles,
                    export.comparator,
                    files.count,
                    files,
                    &pointer
                )
            }
            try status.check(attempt)
            return unsafe register(pointer!, name: name, options: options)
        }
    }
}

private final class ExportCollector {
    var export = ColumnFamilyExport(comparator: "", files: [])
}

extension ColumnFamilyExport {
    /// Passes the files to `body` in the shim's form.
    fileprivate func withShimFiles(_ body: ([crk_exported_file]) -> crk_status) -> crk_status {
        let buffer = files.flatMap { Array($0.name.utf8) + $0.smallest + $0.largest }
        return unsafe buffer.withUnsafeBytes { bytes in
            var offset = 0
            func lend(_ count: Int) -> crk_bytes {
                defer { offset += count }
                return unsafe crk_bytes(data: bytes.baseAddress.map { unsafe $0 + offset }, size: count)
            }
            return unsafe body(
                files.map { file in
                    unsafe crk_exported_file(
                        name: lend(file.name.utf8.count),
                        level: file.level,
                        size: file.size,
                        smallest_sequence_number: file.smallestSequenceNumber,
                        largest_sequence_number: file.largestSequenceNumber,
                        smallest: lend(file.smallest.count),
                        largest: lend(file.largest.count)
                    )
                }
            )
        }
    }
}
