/// The system calls for files: one function each, adding nothing but typed errors.
///
/// Production code takes a `FileSystem` as a parameter with ``system`` as its default. Tests pass one with an observer that records calls and
/// makes them fail. Without an observer, a call costs one comparison more than the bare call. Any thread may call.
///
/// Prefer ``File``, ``AtomicFileWriter``, ``MappedRegion`` and ``FileLock`` to these calls where they fit.
package struct FileSystem: Sendable {
    /// The real system calls.
    package static let system = FileSystem(observer: nil)

    private let observer: (any SystemCallObserver)?

    /// Creates a file system whose calls pass through `observer`, if there is one.
    package init(observer: (any SystemCallObserver)?) { self.observer = observer }

    /// Performs `call`; the only place that retries interrupted calls.
    ///
    /// `body` receives the number of bytes to transfer, and returns the result or the negated error number.
    @discardableResult
    func perform(_ call: @autoclosure () -> SystemCall, count: Int = 0, _ body: (Int) -> Int) throws(SystemCallError) -> Int {
        while true {
            let result = if let observer { observer.intercept(call(), perform: body) } else { body(count) }
            if result >= 0 { return result }
            if result == -Platform.interrupted { continue }
            throw SystemCallError(call: call().kind.rawValue, errno: Int32(-result))
        }
    }
}

// MARK: - Descriptors

extension FileSystem {
    /// How a file is opened.
    package struct OpenOptions: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let read = OpenOptions(rawValue: 1)
        package static let write = OpenOptions(rawValue: 2)
        /// Creates the file if there is none.
        package static let create = OpenOptions(rawValue: 4)
        /// With ``create``: fails if something exists, even a symbolic link.
        package static let exclusive = OpenOptions(rawValue: 8)
        /// Truncates the file to zero length.
        package static let truncate = OpenOptions(rawValue: 16)
        /// Every ``FileSystem/write(_:_:)`` goes to the end of the file.
        package static let append = OpenOptions(rawValue: 32)
        /// Fails if it is not a directory.
        package static let directory = OpenOptions(rawValue: 64)
        /// Fails if the path itself is a symbolic link.
        package static let noFollow = OpenOptions(rawValue: 128)
    }

    /// Opens `path`, closed on exec; a new file has the mode `mode` less the process's umask.
    package func open(_ path: String, _ options: OpenOptions, mode: UInt32 = 0o666) throws(SystemCallError) -> Int32 {
        Int32(try perform(SystemCall(.open, path: path)) { _ in Platform.openFile(path, options, mode) })
    }

    /// Closes `descriptor`, even if this throws.
    package func close(_ descriptor: Int32) throws(SystemCallError) {
        try perform(SystemCall(.close, descriptor: descriptor)) { _ in Platform.closeFile(descriptor) }
    }

    package func fstat(_ descriptor: Int32) throws(SystemCallError) -> FileStatus {
        var status = FileStatus()
        try perform(SystemCall(.fstat, descriptor: descriptor)) { _ in Platform.status(of: descriptor, &status) }
        return status
    }

    package func fchmod(_ descriptor: Int32, mode: UInt32) throws(SystemCallError) {
        try perform(SystemCall(.fchmod, descriptor: descriptor)) { _ in Platform.setMode(descriptor, mode) }
    }

    package func ftruncate(_ descriptor: Int32, to size: Int64) throws(SystemCallError) {
        try perform(SystemCall(.ftruncate, descriptor: descriptor, offset: size)) { _ in Platform.setSize(descriptor, size) }
    }

    /// Syncs the file's contents and size to disk (`F_FULLFSYNC` on Apple platforms, where `fsync` guarantees less).
    ///
    /// After an error, the system may have dropped what it could not write: a later call that succeeds proves nothing.
    package func fsync(_ descriptor: Int32) throws(SystemCallError) {
        try perform(SystemCall(.fsync, descriptor: descriptor)) { _ in Platform.synchronize(descriptor) }
    }

    /// Extends the file to at least `size`, with disk space allocated for every byte before it: no later write there finds the disk full.
    /// If this fails, the file has its former size again.
    package func reserve(_ descriptor: Int32, size: Int64) throws(SystemCallError) {
        try perform(SystemCall(.reserve, descriptor: descriptor, offset: size)) { _ in Platform.reserve(descriptor, size) }
    }

    /// Throws `ENOSPC` if the disk surely has no room for the file to grow to `size`. Changes nothing.
    package func requireRoom(_ descriptor: Int32, for size: Int64) throws(SystemCallError) {
        let excess = size - (try fstat(descriptor).size)
        guard excess <= 0 || Platform.mayHold(descriptor, excess) else { throw SystemCallError(call: "fstatvfs", errno: Platform.noSpace) }
    }

    /// Locks the file that the descriptor was opened for; throws `EAGAIN` if another holds a lock and `waits` is false.
    package func lock(
        _ descriptor: Int32,
        _ part: FileLock.Part = .whole,
        exclusive: Bool,
        waits: Bool
    ) throws(SystemCallError) {
        try perform(SystemCall(.lock, descriptor: descriptor)) { _ in Platform.lock(descriptor, part, exclusive: exclusive, waits: waits) }
    }

    package func unlock(_ descriptor: Int32) throws(SystemCallError) {
        try perform(SystemCall(.unlock, descriptor: descriptor)) { _ in Platform.unlock(descriptor) }
    }
}
