extension FileSystem {
    /// Replaces the file at `path` with one that holds `bytes`, as ``AtomicFileWriter`` does.
    package func replaceFile(
        at path: String,
        with bytes: some ByteSource & ~Escapable,
        durability: Durability = .synced,
        mode: UInt32? = nil
    ) throws(FileError) {
        let writer = try AtomicFileWriter(replacing: path, durability: durability, mode: mode, fileSystem: self)
        try writer.write(bytes)
        try writer.finish()
    }
}
