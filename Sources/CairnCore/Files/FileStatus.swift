/// What the system knows about a file.
package struct FileStatus: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case file, directory, other }

    /// Tells files apart while they exist; a name that leads to another identity was replaced.
    package struct Identity: Hashable, Sendable {
        package var device: UInt64 = 0
        package var inode: UInt64 = 0
    }

    package var kind = Kind.other
    package var identity = Identity()
    /// In bytes.
    package var size: Int64 = 0
    /// The permission bits, such as `0o644`.
    package var mode: UInt32 = 0
    /// How many names the file has; 0 after the last was removed.
    package var linkCount: UInt64 = 0
}
