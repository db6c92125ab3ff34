import CCairn

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension Platform {
    static let interrupted = Int(EINTR)
    static let invalidArgument = Int(EINVAL)
    static let isDirectory = EISDIR
    static let noSpace = ENOSPC
    /// The user who owns new files.
    static var user: UInt32 { UInt32(geteuid()) }
    static let inputOutputError = EIO

    /// Whether an error number of locking means that the file system has no locks.
    static func meansNoLocks(_ number: Int32) -> Bool { [EINVAL, ENOLCK, ENOSYS, ENOTSUP, EOPNOTSUPP].contains(number) }

    /// Returns the system's message for an error number.
    static func text(ofErrno number: Int32) -> String {
        // The system's text is about characters.
        if number == EILSEQ { return "Invalid path" }
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            unsafe cairn_error_text(number, buffer.baseAddress, buffer.count)
            return unsafe buffer.baseAddress.map { unsafe String(cString: $0) } ?? ""
        }
    }

    /// Returns what is wrong with a path, which the code alone does not say.
    static func remedy(ofErrno number: Int32) -> String? {
        switch number {
        case ELOOP: "its symbolic links form a loop, or it is a symbolic link where none is allowed"
        case ENAMETOOLONG: "the path, or a name in it, is too long"
        case ENXIO: "it is a socket, or a device that does not exist"
        case EILSEQ: "the path contains a character that is not allowed in paths"
        default: nil
        }
    }

    /// Returns the kind of failure that an error number means.
    static func code(ofErrno number: Int32) -> FileError.Code {
        switch number {
        case ENOENT: .notFound
        case EEXIST: .alreadyExists
        case EACCES, EPERM: .permissionDenied
        case EROFS: .readOnly
        case ENOSPC, EDQUOT: .noSpace
        case EISDIR: .isDirectory
        case ENOTDIR: .notADirectory
        case ENOTEMPTY: .notEmpty
        case EIO, ENXIO: .ioError
        case EAGAIN, EBUSY, ETXTBSY: .locked
        case EFBIG, EOVERFLOW: .tooLarge
        case ENAMETOOLONG, ELOOP, EILSEQ: .invalidPath
        case EMFILE, ENFILE: .tooManyOpenFiles
        case ENOMEM: .outOfMemory
        case EXDEV: .crossesFileSystems
        case ENOTSUP, EOPNOTSUPP, ENOSYS, ENODEV: .notSupported
        default: .other
        }
    }
}

extension FileStatus {
    init(_ raw: stat) {
        kind =
            switch raw.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            default: .other
            }
        identity = Identity(device: UInt64(truncatingIfNeeded: raw.st_dev), inode: UInt64(raw.st_ino))
        size = Int64(raw.st_size)
        mode = UInt32(raw.st_mode) & 0o7777
        owner = UInt32(raw.st_uid)
        linkCount = UInt64(raw.st_nlink)
    }
}
