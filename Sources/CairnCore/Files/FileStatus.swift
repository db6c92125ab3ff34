/// The system's information about a file.
package struct FileStatus: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case file, directory, other }

    /// Distinguishes files while they exist; if the identity behind a name has changed, the file was replaced.
    package struct Identity: Hashable, Sendable {
        package var device: UInt64 = 0
        package var inode: UInt64 = 0
    }

    package var kind = Kind.other
    package var identity = Identity()
    /// The size in bytes.
    package var size: Int64 = 0
    /// The permission bits, such as `0o644`.
    package var mode: UInt32 = 0
    /// The number of the user who owns the file.
    package var owner: UInt32 = 0
    /// The number of the file's names; 0 after the last was removed.
    package var linkCount: UInt64 = 0

    /// Whether the user of this process owns it.
    package var isOwn: Bool { owner == Platform.user }
}
