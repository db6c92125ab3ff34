import CCairn

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

// By names that the functions below do not shadow.
private func libcRename(_ path: String, _ destination: String) -> Int32 { unsafe rename(path, destination) }
private func libcWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { unsafe write(descriptor, bytes, count) }

/// The bare system calls, and all platform differences. Each call returns its value or the negated error number.
///
/// Only ``FileSystem`` calls these, so that tests see every call.
enum Platform {
    /// The maximum size of a transfer: Linux stops below 2 GiB, and Darwin refuses more.
    private static let largestTransfer = 1 << 30

    /// The argument must be the call itself, so that nothing comes between it and `errno`.
    private static func result(_ value: some SignedInteger) -> Int { value < 0 ? -Int(errno) : Int(value) }

    /// Calls `body` unless `path` contains a zero byte, which C would treat as its end.
    private static func withPath(_ path: String, _ body: (String) -> Int) -> Int {
        path.utf8.contains(0) || path.isEmpty ? -Int(EILSEQ) : body(path)
    }

    // MARK: Descriptors

    static func openFile(_ path: String, _ options: FileSystem.OpenOptions, _ mode: UInt32) -> Int {
        // A pipe that nobody writes to then opens at once, so that it can be refused; this has no effect on files.
        var flags = O_CLOEXEC | O_NONBLOCK
        if options.contains(.write) { flags |= options.contains(.read) ? O_RDWR : O_WRONLY }
        if options.contains(.create) { flags |= O_CREAT }
        if options.contains(.exclusive) { flags |= O_EXCL }
        if options.contains(.truncate) { flags |= O_TRUNC }
        if options.contains(.append) { flags |= O_APPEND }
        if options.contains(.directory) { flags |= O_DIRECTORY }
        if options.contains(.noFollow) { flags |= O_NOFOLLOW }
        return withPath(path) { unsafe result(open($0, flags, mode_t(truncatingIfNeeded: mode))) }
    }

    static func closeFile(_ descriptor: Int32) -> Int {
        let value = result(close(descriptor))
        // The descriptor is closed even after EINTR: a second close might hit a file that another thread just opened.
        return value == -interrupted ? 0 : value
    }

    static func status(of descriptor: Int32, _ status: inout FileStatus) -> Int {
        var raw = stat()
        let value = unsafe result(fstat(descriptor, &raw))
        status = FileStatus(raw)
        return value
    }

    static func setMode(_ descriptor: Int32, _ mode: UInt32) -> Int { result(fchmod(descriptor, mode_t(truncatingIfNeeded: mode))) }

    static func setSize(_ descriptor: Int32, _ size: Int64) -> Int { result(ftruncate(descriptor, off_t(size))) }

    static func synchronize(_ descriptor: Int32) -> Int {
        #if canImport(Darwin)
        let value = result(fcntl(descriptor, F_FULLFSYNC))
        // Not every file system supports it; the others get a plain `fsync`.
        return [-Int(ENOTSUP), -Int(EINVAL), -Int(ENOTTY)].contains(value) ? result(fsync(descriptor)) : value
        #else
        return result(fsync(descriptor))
        #endif
    }

    static func reserve(_ descriptor: Int32, _ size: Int64) -> Int {
        #if canImport(Darwin)
        var raw = stat()
        guard unsafe fstat(descriptor, &raw) == 0 else { return -Int(errno) }
        guard size > raw.st_size else { return 0 }
        var store = fstore_t()
        store.fst_flags = UInt32(F_ALLOCATEALL)
        store.fst_posmode = F_PEOFPOSMODE
        store.fst_length = size - raw.st_size
        let value = unsafe result(fcntl(descriptor, F_PREALLOCATE, &store))
        return value < 0 ? value : result(ftruncate(descriptor, size))
        #else
        // The call refuses a size of 0.
        guard size != 0 else { return 0 }
        var raw = stat()
        guard unsafe fstat(descriptor, &raw) == 0 else { return -Int(errno) }
        let former = Int64(raw.st_size)
        if size > former, !mayHold(descriptor, size - former) { return -Int(ENOSPC) }
        // Returns the error number. glibc writes zeros where the file system cannot allocate.
        let error = posix_fallocate(descriptor, 0, off_t(size))
        // On most file systems, what was allocated before the disk was full stays allocated.
        if error != 0 { _ = ftruncate(descriptor, off_t(former)) }
        return -Int(error)
        #endif
    }

    /// Whether the disk may have room for `count` more bytes: an early answer, so that a request for too much does not fill the disk for a moment.
    /// Counts blocks that only some users may take, and knows nothing of quotas.
    static func mayHold(_ descriptor: Int32, _ count: Int64) -> Bool {
        #if canImport(Darwin)
        // The counts have 32 bits, and those of large disks do not fit.
        return true
        #else
        var disk = statvfs()
        // Some file systems do not count their blocks.
        guard unsafe fstatvfs(descriptor, &disk) == 0, disk.f_blocks > 0 else { return true }
        let (free, isHuge) = UInt64(disk.f_bfree).multipliedReportingOverflow(by: UInt64(disk.f_frsize))
        return isHuge || UInt64(count) <= free
        #endif
    }

    static func lock(_ descriptor: Int32, _ part: FileLock.Part, exclusive: Bool, waits: Bool) -> Int {
        let (start, count): (Int64, Int64) =
            switch part {
            case .whole: (0, 0)
            case .firstByte: (0, 1)
            case .rest: (1, 0)
            }
        return result(cairn_lock(descriptor, exclusive ? 1 : 0, waits ? 1 : 0, start, count))
    }

    static func unlock(_ descriptor: Int32) -> Int { result(cairn_unlock(descriptor)) }

    // MARK: Transfer

    static func read(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer, _ offset: Int64) -> Int {
        unsafe result(pread(descriptor, bytes.baseAddress, min(bytes.count, largestTransfer), off_t(offset)))
    }

    static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ offset: Int64) -> Int {
        unsafe result(pwrite(descriptor, bytes.baseAddress, min(bytes.count, largestTransfer), off_t(offset)))
    }

    static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        unsafe result(libcWrite(descriptor, bytes.baseAddress, min(bytes.count, largestTransfer)))
    }

    // MARK: Names

    static func status(at path: String, _ status: inout FileStatus) -> Int {
        var raw = stat()
        let value = withPath(path) { path in unsafe result(stat(path, &raw)) }
        status = FileStatus(raw)
        return value
    }

    /// The target of a symbolic link; `nil` if `path` is not one.
    static func target(ofLink path: String) -> String? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            let count = unsafe readlink(path, buffer.baseAddress!, buffer.count)
            guard count > 0 else { return nil }
            return unsafe String(decoding: UnsafeRawBufferPointer(buffer).prefix(count), as: UTF8.self)
        }
    }

    /// The current directory; `nil` if it was removed.
    static var currentDirectory: String? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let start = unsafe getcwd(buffer.baseAddress!, buffer.count) else { return nil }
            return unsafe String(cString: start)
        }
    }

    static func rename(_ path: String, _ destination: String) -> Int {
        withPath(path) { path in withPath(destination) { result(libcRename(path, $0)) } }
    }

    static func removeFile(_ path: String) -> Int { withPath(path) { unsafe result(unlink($0)) } }

    static func makeDirectory(_ path: String, _ mode: UInt32) -> Int {
        withPath(path) { unsafe result(mkdir($0, mode_t(truncatingIfNeeded: mode))) }
    }

    /// The absolute path of the file at `path`, without symbolic links; `nil` if nothing exists there.
    static func realPath(_ path: String) -> String? {
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    static func removeDirectory(_ path: String) -> Int { withPath(path) { unsafe result(rmdir($0)) } }

    /// The kind of an item is `nil` if the directory does not say what it is or leads to.
    static func list(_ path: String, _ items: inout [(name: String, kind: FileStatus.Kind?)]) -> Int {
        items = []
        return withPath(path) { path in
            guard let directory = unsafe opendir(path) else { return -Int(errno) }
            defer { unsafe closedir(directory) }
            while true {
                errno = 0
                guard let entry = unsafe readdir(directory) else { return -Int(errno) }
                let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    unsafe String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                if let name, name != ".", name != ".." { items.append((name, kind(unsafe Int(entry.pointee.d_type)))) }
            }
        }
    }

    private static func kind(_ type: Int) -> FileStatus.Kind? {
        switch type {
        case Int(DT_UNKNOWN), Int(DT_LNK): nil
        case Int(DT_REG): .file
        case Int(DT_DIR): .directory
        default: .other
        }
    }

    // MARK: Mappings

    static func map(_ descriptor: Int32, _ count: Int, writable: Bool) -> Int {
        let protection = writable ? PROT_READ | PROT_WRITE : PROT_READ
        // MAP_FAILED is all ones, and no other mapping's address is negative.
        return unsafe result(Int(bitPattern: mmap(nil, count, protection, MAP_SHARED, descriptor, 0)))
    }

    static func unmap(_ bytes: UnsafeMutableRawBufferPointer) -> Int {
        guard let start = bytes.baseAddress else { return 0 }
        return unsafe result(munmap(start, bytes.count))
    }

    static func synchronizeMapping(_ bytes: UnsafeMutableRawBufferPointer) -> Int {
        guard let start = bytes.baseAddress else { return 0 }
        return unsafe result(msync(start, bytes.count, Int32(MS_SYNC)))
    }

    static func advise(_ bytes: UnsafeMutableRawBufferPointer, _ advice: FileSystem.Advice) -> Int {
        guard let start = bytes.baseAddress else { return 0 }
        if advice == .willWrite { return unsafe result(cairn_populate(start, bytes.count)) }
        let value =
            switch advice {
            case .normal, .willWrite: POSIX_MADV_NORMAL
            case .random: POSIX_MADV_RANDOM
            case .sequential: POSIX_MADV_SEQUENTIAL
            case .willNeed: POSIX_MADV_WILLNEED
            }
        // Returns the error number.
        return unsafe -Int(posix_madvise(start, bytes.count, value))
    }

    static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
}
