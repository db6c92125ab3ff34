/// A system call as a test sees it: its name and what distinguishes it from others.
package struct SystemCall: Sendable {
    /// The name of the call, as in a trace and in ``SystemCallError/call``.
    package enum Kind: String, Sendable, CaseIterable {
        case open, close, pread, pwrite, write, ftruncate, fstat, stat, fchmod, fsync, rename, unlink, mkdir, rmdir
        case mmap, munmap, msync, madvise, reserve, lock, unlock, list
    }

    package let kind: Kind
    /// The path, for calls that take one.
    package var path: String?
    /// The destination of a rename.
    package var destination: String?
    /// The descriptor, for calls that take one.
    package var descriptor: Int32?
    /// The address given to `munmap`, `msync` and `madvise`.
    package var address: UInt?
    /// The offset in the file, or the new size for `ftruncate` and `reserve`.
    package var offset: Int64?
    /// The number of bytes to transfer, map or sync.
    package var count: Int?

    init(
        _ kind: Kind,
        path: String? = nil,
        to destination: String? = nil,
        descriptor: Int32? = nil,
        address: UInt? = nil,
        offset: Int64? = nil,
        count: Int? = nil
    ) {
        self.kind = kind
        self.path = path
        self.destination = destination
        self.descriptor = descriptor
        self.address = address
        self.offset = offset
        self.count = count
    }
}

/// Intercepts every system call of a ``FileSystem``: records it, passes it on, shortens it or makes it fail.
package protocol SystemCallObserver: AnyObject, Sendable {
    /// Takes the place of `call`.
    ///
    /// `perform` makes the real call with at most the given number of bytes (ignored by calls that transfer none). Its result, and the result to
    /// return, is the call's value or the negated error number. Called from any thread.
    func intercept(_ call: SystemCall, perform: (_ count: Int) -> Int) -> Int
}
