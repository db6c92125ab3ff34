import CRocks
import CairnCore

/// Owns one C++ transaction. Releasing it rolls the transaction back, unless it is prepared.
@safe final class TransactionHandle {
    let pointer: OpaquePointer
    let database: DatabaseHandle

    init(database: DatabaseHandle, options: TransactionOptions, writeOptions: WriteOptions) throws(RocksError) {
        var pointer: OpaquePointer?
        var shimOptions = options.shimOptions
        var shimWriteOptions = writeOptions.shimOptions
        try unsafe crk_transaction_begin(database.pointer, &shimWriteOptions, &shimOptions, &pointer)
            .check("beginning a transaction of '\(database.path)'")
        unsafe self.pointer = pointer!
        self.database = database
    }

    init(owning pointer: OpaquePointer, database: DatabaseHandle) {
        unsafe self.pointer = pointer
        self.database = database
    }

    deinit { unsafe crk_transaction_free(pointer) }

    /// "committing a transaction of '/data/music'", for error messages.
    func attempt(_ verb: String) -> String { "\(verb) a transaction of '\(database.path)'" }
}
