import CRocks
import CairnCore

/// Owns an open C++ SST file reader.
@safe final class SSTFileHandle: CursorOwner {
    let pointer: OpaquePointer
    let path: String

    init(path: String, options: ColumnFamilyOptions) throws(RocksError) {
        try checkForZeroByte(in: path, "path")
        let optionsHandle = try ColumnFamilyOptionsHandle(options, sharedCache: nil)
        var pointer: OpaquePointer?
        try unsafe crk_sst_reader_open(path, optionsHandle.pointer, &pointer).checkPath("opening the sorted file '\(path)'")
        unsafe self.pointer = pointer!
        self.path = path
    }

    deinit { unsafe crk_sst_reader_free(pointer) }

    func attempt(_ verb: String) -> String { "\(verb) the sorted file '\(path)'" }
}

// RocksDB's reader may be used from any thread; the fields never change.
extension SSTFileHandle: @unchecked Sendable {}
