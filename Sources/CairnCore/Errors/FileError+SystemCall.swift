extension FileError {
    /// Creates the error for a system call that failed during `attempt`, such as `"could not open"`, on `path`.
    ///
    /// This is the only place where error numbers become codes.
    package init(_ attempt: String, _ path: String, cause: SystemCallError) {
        let code = Platform.code(ofErrno: cause.errno)
        var message = "\(attempt) \(path.isEmpty ? "''" : path)"
        if let remedy = FileSystem.flaw(in: path) ?? Platform.remedy(ofErrno: cause.errno) ?? Self.remedy(for: code) {
            message += "; \(remedy)"
        }
        self.init(code, message, cause: cause)
    }

    /// The error for a file that cannot be created because, according to the system, its directory is missing.
    package static func missingDirectory(of path: String, cause: (any Error)? = nil) -> FileError {
        FileError(.notFound, "could not create \(path): \(FileSystem.parent(of: path).reason)", cause: cause)
    }

    private static func remedy(for code: Code) -> String? {
        switch code {
        case .notFound: "check that the path exists"
        case .alreadyExists: "remove the existing file or choose another path"
        case .permissionDenied: "permission was denied: check the owner and mode of the file and of its directory"
        case .readOnly: "the file system is read-only"
        case .noSpace: "free space on the disk or raise the quota, then try again"
        case .isDirectory: "it is a directory; give the path of a file"
        case .notADirectory: "a component of the path is a file, not a directory"
        case .notEmpty: "the directory is not empty"
        case .ioError: "the device failed; check the disk before trusting the latest writes"
        case .locked: "it is in use; close the other store or end the other process"
        case .tooLarge: "the size exceeds a system limit"
        case .tooManyOpenFiles: "close files or raise the limit (ulimit -n)"
        case .outOfMemory: "there is not enough memory or address space"
        case .crossesFileSystems: "both paths must be on the same file system"
        case .notSupported: "the file or its file system does not support this"
        default: nil
        }
    }
}

extension FileSystem.Parent {
    /// Why a file could not be created, and what to do about it.
    package var reason: String {
        switch self {
        case .missing: "its directory does not exist; create it first"
        case .unexpanded: "its directory does not exist; '~' is not expanded: give the path of the home directory"
        case .existing: "nothing can be created in its directory"
        }
    }
}

extension SystemCallError {
    /// Returns this error as a ``FileError`` about `attempt` on `path`.
    func during(_ attempt: String, _ path: String) -> FileError { FileError(attempt, path, cause: self) }
}
