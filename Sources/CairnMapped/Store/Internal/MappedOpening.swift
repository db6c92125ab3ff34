import CCairn
import CairnCore

/// Opens the file of a store, and brings it into order where that is needed.
struct MappedOpening {
    let path: String
    let options: MappedStoreOptions
    let cipher: (any MappedCipher)?
    let fileSystem: FileSystem
    let lock: WritersLock

    /// The least room of a mapping: address space is cheap, and what the file grows by is mapped already.
    private static let leastWindow = 16 << 20

    /// How much to map of a file of `size` bytes.
    static func window(_ size: Int) -> Int {
        var window = leastWindow
        while window < size &* 2 { window &*= 2 }
        return window
    }

    /// Opens the file that the path leads to.
    func open() throws(MappedStoreError) -> (view: MappedView, report: MappedOpenReport) {
        while true {
            let file = try openFile()
            let (presence, isAlone) = try takePresence(file)
            // Between opening and locking, a compaction may have put another file in its place, or whoever made it may have failed.
            guard try isInPlace(file) else { continue }
            if let result = try open(file, presence, isAlone) { return result }
        }
    }

    /// Opens the file that took the place of `old`'s.
    func open(replacing old: MappedView) throws(MappedStoreError) -> MappedView {
        var options = options
        options.createIfMissing = false
        do throws(MappedStoreError) {
            return try MappedOpening(path: path, options: options, cipher: cipher, fileSystem: fileSystem, lock: lock).open().view
        } catch {
            guard error.code == .notFound else { throw error }
            throw MappedStoreError(.notFound, "\(path) was removed while it was open", cause: error)
        }
    }

    private func openFile() throws(MappedStoreError) -> File {
        try MappedStoreError.translating { () throws(FileError) in
            if options.readOnly { return try File(path, [.read], fileSystem: fileSystem) }
            let flags: FileSystem.OpenOptions = options.createIfMissing ? [.read, .write, .create] : [.read, .write]
            return try File(path, flags, mode: 0o600, fileSystem: fileSystem)
        }
    }

    /// Says that the file is in use, by a lock that all who use it share. Whoever gets it alone brings the file into order before.
    private func takePresence(_ file: File) throws(MappedStoreError) -> (lock: FileLock, isAlone: Bool) {
        if !options.readOnly {
            do throws(FileError) { return (try FileLock(file, .exclusive), true) } catch {
                guard error.code == .locked else { throw MappedStoreError(error) }
            }
        }
        return (try MappedStoreError.translating { () throws(FileError) in try FileLock(file, .shared, waits: true) }, false)
    }

    /// Whether the path leads to `file`.
    func isInPlace(_ file: File) throws(MappedStoreError) -> Bool {
        let status = try MappedStoreError.translating { () throws(FileError) in try file.status() }
        do throws(SystemCallError) { return try fileSystem.stat(path).identity == status.identity } catch {
            let failure = FileError("could not examine", path, cause: error)
            if failure.code == .notFound { return false }
            throw MappedStoreError(failure)
        }
    }

    // MARK: A file in place

    /// `nil` where whoever was making the file gave up: the file is to be opened again.
    private func open(
        _ file: File, _ presence: FileLock, _ isAlone: Bool
    ) throws(MappedStoreError) -> (view: MappedView, report: MappedOpenReport)? {
        var report = MappedOpenReport()
        let size = try MappedStoreError.translating { () throws(FileError) in try file.status().size }
        guard size <= Int64(Int.max / 4) else { throw MappedStoreError(.limitExceeded, "\(path) is too large to be mapped") }
        if try isBlank(file, Int(size)) {
            guard isAlone else {
                if options.readOnly { throw MappedStoreError(.foreignFile, "\(path) is empty: it is no mapped store yet") }
                return nil
            }
            guard options.createIfMissing else { throw MappedStoreError(.foreignFile, "\(path) is empty: it is no mapped store yet") }
            try MappedFile.fill(file, with: MappedFile.prepare(cipher), size: Int(size))
            try synchronizeDirectory()
            report.wasCreated = true
        }
        let (identity, headerWasDamaged) = try MappedFile.identity(of: file)
        report.headerWasDamaged = headerWasDamaged
        let session = try MappedFile.session(identity, cipher, path)
        let currentSize = try MappedStoreError.translating { () throws(FileError) in Int(try file.status().size) }
        let region = try MappedStoreError.translating { () throws(FileError) in
            try MappedRegion(window: file, count: Self.window(currentSize), isWritable: !options.readOnly)
        }
        // Without an index: to find one with.
        let bare = unsafe MappedView(
            region: region, file: file, presence: presence, identity: identity, cipher: session, isWritable: !options.readOnly,
            indexOffset: -1, table: .none)
        let view =
            options.readOnly
            ? try openForReading(bare, size: currentSize, &report) : try openForWriting(bare, size: currentSize, isAlone: isAlone, &report)
        guard region.isIntact else { throw MappedStoreError(.truncated, "\(path) was cut short while it was opened") }
        if isAlone { try MappedStoreError.translating { () throws(FileError) in try presence.share() } }
        return (view, report)
    }

    /// Whether there is nothing in the file: whoever was making it died.
    private func isBlank(_ file: File, _ size: Int) throws(MappedStoreError) -> Bool {
        if size == 0 { return true }
        // What was begun is small.
        guard size <= MappedFile.initialSize else { return false }
        let bytes = try MappedStoreError.translating { () throws(FileError) in try file.read(size, at: 0) }
        return bytes.allSatisfy { $0 == 0 }
    }

    func synchronizeDirectory() throws(MappedStoreError) {
        let directory = FileSystem.split(path).directory
        do throws(SystemCallError) { try fileSystem.fsyncDirectory(directory) } catch {
            throw MappedStoreError(FileError("could not sync the directory of \(path),", directory, cause: error))
        }
    }

    private func openForWriting(
        _ bare: MappedView, size: Int, isAlone: Bool, _ report: inout MappedOpenReport
    ) throws(MappedStoreError) -> MappedView {
        let header = unsafe bare.header
        if isAlone {
            unsafe header.reset()
            unsafe try WritersLock.reset(header)
            unsafe header.capacity = size
        }
        var opened = report
        let view = unsafe try lock.withLock(header) { () throws(MappedStoreError) -> MappedView in
            // Who comes second finds a file in order, unless a writer died since.
            let isInOrder = isAlone ? isTrustworthy(bare) : unsafe header.pendingEnd == 0
            if isInOrder, let view = bare.withTable(at: unsafe header.index) { return view }
            var rebuild = MappedRebuild(view: bare, size: isAlone ? size : unsafe header.capacity, isSameBoot: isSameBoot(bare))
            rebuild.run()
            opened = rebuild.report(opened)
            return try rebuild.writeTable(maximum: options.maximumSize)
        }
        report = opened
        unsafe header.boot = MappedFile.boot
        return view
    }

    private func openForReading(
        _ bare: MappedView, size: Int, _ report: inout MappedOpenReport
    ) throws(MappedStoreError) -> MappedView {
        let header = unsafe bare.header
        // A writer at work leaves the header inconsistent for a moment.
        for _ in 0..<1000 {
            let sequence = unsafe header.totals.sequence
            if isTrustworthy(bare), let view = bare.withTable(at: unsafe header.index) { return view }
            if unsafe header.totals.sequence == sequence, unsafe header.pendingEnd == 0 { break }
            MappedStore.yield()
        }
        var rebuild = MappedRebuild(view: bare, size: size, isSameBoot: isSameBoot(bare))
        rebuild.run()
        report = rebuild.report(report)
        return rebuild.privateView()
    }

    private func isSameBoot(_ view: MappedView) -> Bool { unsafe MappedFile.boot != 0 && view.header.boot == MappedFile.boot }

    /// Whether index and totals are as the last writer left them, and reached the disk if the machine went down since.
    private func isTrustworthy(_ view: MappedView) -> Bool {
        let header = unsafe view.header
        guard unsafe header.pendingEnd == 0, unsafe header.isConsistent else { return false }
        let totals = unsafe header.totals
        guard unsafe isSameBoot(view) || header.syncedSequence == totals.sequence, totals.end >= MappedLayout.headerSize,
            unsafe totals.end <= header.capacity, let table = unsafe view.table(at: header.index)
        else { return false }
        var sum: UInt64 = 0
        var usedSlots = 0
        for position in 0..<(unsafe table.count) {
            let slot = unsafe table[position]
            guard slot != 0 else { continue }
            unsafe sum &+= IndexTable.sum(slot, at: position)
            usedSlots += 1
        }
        return sum == totals.indexSum && usedSlots == totals.usedSlots
    }
}
