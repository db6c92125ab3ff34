import CCairn
import Synchronization

/// The beginning of a file, mapped into memory and shared with everyone who reads or writes the file.
///
/// The mapping ends with the last reference, and outlives the ``File`` it came from. To see more of a file that grew, create a new region and
/// release the old one: spans of the old one stay valid while it exists.
///
/// Reads cost no system call. Unless the mapping is guarded, a read error of the disk, or another process that truncates the file, kills this process (`SIGBUS`): map only
/// files whose writers append, or replace the file as ``AtomicFileWriter`` does.
@safe
package final class MappedRegion {
    /// The number of mapped bytes.
    package let count: Int

    /// The start of the mapping; meaningless if `count` is 0, since nothing is mapped then.
    @usableFromInline let base: UnsafeMutableRawPointer
    private let isWritable: Bool
    /// The guard of a mapping created with `init(window:)` or `init(guarding:)`: its token, and the word that says that a page was lost.
    private var guardian: (token: Int32, lost: UnsafeMutablePointer<Atomic<UInt32>>)?
    let path: String
    let fileSystem: FileSystem

    /// Maps the first `count` bytes of `file` for reading; by default all of them.
    ///
    /// - Throws: ``FileError``: `truncated` if the file is shorter, `isDirectory`, `outOfMemory`, `notSupported` if it is not a regular file.
    package convenience init(reading file: File, count: Int? = nil) throws(FileError) {
        let size = try file.statusOfFile().size
        guard let all = Int(exactly: size) else {
            throw FileError(.tooLarge, "could not map \(file.path): its \(size) bytes exceed the address space")
        }
        let count = count ?? all
        guard count >= 0, count <= all else {
            throw FileError(.truncated, "could not map \(count) bytes of \(file.path): it has only \(all); it was truncated")
        }
        try self.init(file, count: count, isWritable: false)
    }

    /// Extends `file` to at least `count` bytes, allocates the disk space for them, and maps them for reading and writing.
    ///
    /// - Throws: ``FileError``: `noSpace` now, rather than `SIGBUS` at a later write; `outOfMemory`, `notSupported`.
    package convenience init(writing file: File, count: Int) throws(FileError) {
        guard count >= 0 else { throw FileError(.other, "could not map \(count) bytes of \(file.path): the count is negative") }
        try file.reserve(Int64(count))
        try self.init(file, count: count, isWritable: true)
    }

    /// Maps `count` bytes of `file`, however long it is, so that the mapping already covers what it grows by later.
    ///
    /// Touching a page beyond the end of the file, or one that the disk cannot supply, does not kill the process: the page is replaced by
    /// private zeros, and ``isIntact`` is false from then on. The same happens if another process truncates the file.
    package convenience init(window file: File, count: Int, isWritable: Bool) throws(FileError) {
        try self.init(file, count: count, isWritable: isWritable)
        guard count == 0 || guardPages() else {
            throw FileError(.outOfMemory, "could not map \(file.path): too many mapped stores are open in this process")
        }
    }

    /// Maps all of `file` for reading, as ``init(reading:count:)`` does; pages that are lost do not kill the process, as with
    /// ``init(window:count:isWritable:)``. If 4,096 mappings are guarded already, they still kill it.
    package convenience init(guarding file: File) throws(FileError) {
        try self.init(reading: file)
        if count > 0 { _ = guardPages() }
    }

    /// Returns false if too many mappings are guarded.
    private func guardPages() -> Bool {
        let lost = UnsafeMutablePointer<Atomic<UInt32>>.allocate(capacity: 1)
        unsafe lost.initialize(to: Atomic(0))
        let token = unsafe cairn_guard(base, count, UnsafeMutableRawPointer(lost).assumingMemoryBound(to: UInt32.self))
        guard token >= 0 else {
            unsafe lost.deallocate()
            return false
        }
        unsafe guardian = (token, lost)
        return true
    }

    private init(_ file: File, count: Int, isWritable: Bool) throws(FileError) {
        self.count = count
        self.isWritable = isWritable
        path = file.path
        fileSystem = file.fileSystem
        guard count > 0 else {
            // The system refuses to map zero bytes. Any address will do for an empty span.
            unsafe base = UnsafeMutableRawPointer(bitPattern: Platform.pageSize)!
            return
        }
        let bytes = unsafe try file.perform("could not map \(count) bytes of") { descriptor throws(SystemCallError) in
            unsafe try file.fileSystem.mmap(descriptor, count: count, writable: isWritable)
        }
        unsafe base = bytes.baseAddress!
    }

    deinit {
        if let guardian = unsafe guardian { unsafe cairn_unguard(guardian.token) }
        // Fails only for ranges that were never mapped.
        if count > 0 { unsafe try? fileSystem.munmap(UnsafeMutableRawBufferPointer(start: base, count: count)) }
        if let guardian = unsafe guardian { unsafe guardian.lost.deallocate() }
    }

    /// Whether every page touched so far existed. Only mappings created with `init(window:)` or `init(guarding:)` can lose pages and survive.
    package var isIntact: Bool {
        guard let guardian = unsafe guardian else { return true }
        return unsafe guardian.lost.pointee.load(ordering: .relaxed) == 0
    }

    /// The word that is not 0 once a page was lost, valid while this region exists; `nil` where none can be lost.
    @unsafe package var lost: UnsafePointer<UInt32>? {
        unsafe guardian.map { unsafe UnsafeRawPointer($0.lost).assumingMemoryBound(to: UInt32.self) }
    }

    /// The start of the mapping, valid while this region exists.
    @unsafe package var start: UnsafeMutableRawPointer { unsafe base }
}

// The pointer never changes, and only `deinit` unmaps it. The memory is shared with other processes in any case, so the store above decides who
// may write which part when; `withMutableBytes` says so.
extension MappedRegion: @unchecked Sendable {}

extension MappedRegion {
    /// The bytes, valid as long as this region exists. They reflect what others write to the file.
    package var bytes: RawSpan {
        @inlinable @_lifetime(borrow self) get {
            let span = unsafe RawSpan(_unsafeStart: base, byteCount: count)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// Lends the bytes for writing. Every reader immediately sees the changes; ``synchronize(_:)`` writes them to disk.
    ///
    /// The caller must keep other threads from writing, and from reading what is written. Traps for a region created for reading.
    package func withMutableBytes<Value, Failure: Error>(
        _ body: (inout MutableRawSpan) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        precondition(isWritable, "withMutableBytes on a MappedRegion made with init(reading:)")
        var span = unsafe MutableRawSpan(_unsafeStart: base, byteCount: count)
        return try body(&span)
    }
}

extension MappedRegion: ByteSource {
    @inlinable
    package func withBytes<Value, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Value) throws(Failure) -> Value {
        try body(bytes)
    }
}
