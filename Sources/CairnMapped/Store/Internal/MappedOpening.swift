import CCairn
import CairnCore

/// Opens the file of a store, and repairs it if needed.
struct MappedOpening {
    /// The path for messages.
    let path: String
    /// The path of the file, which stays valid after the current directory has changed.
    let place: String
    let options: MappedStoreOptions
    let cipher: (any MappedCipher)?
    let fileSystem: FileSystem
    let lock: WritersLock
    /// The identity of a new store, derived before there is a file: with a passphrase, that takes a second, and it may fail.
    var prepared: MappedIdentity?

    /// The minimum size of a mapping: address space is cheap, and as the file grows, the new part is already mapped.
    private static let leastWindow = 16 << 20

    /// Returns how much to map of a file of `size` bytes.
    static func window(_ size: Int) -> Int {
        var window = leastWindow
        while window < size &* 2 { window &*= 2 }
        return window
    }

    /// Opens the file at the path.
    func open() throws(MappedStoreError) -> (view: MappedView, report: MappedOpenReport) {
        var wasCreated = false
        var refusal: MappedStoreError?
        var tries = 0
        var firstTry: ContinuousClock.Instant?
        let opening = try prepareToCreate()
        while true {
            let file = try openFile()
            let (presence, isAlone) = try takePresence(file)
            // Between opening and locking, a compaction may have replaced the file, or the process creating it may have failed.
            guard try isInPlace(file) else { continue }
            if let result = try opening.open(file, presence, isAlone, &wasCreated, &refusal) { return result }
            // Measured from the first try that failed: before it, this may have waited for another process at work. On a machine under load, ten
            // seconds may pass in a few tries.
            tries += 1
            let start = firstTry ?? .now
            firstTry = start
            guard tries < 100 || start.duration(to: .now) < .seconds(refusal == nil ? 10 : 1) else {
                throw refusal ?? MappedStoreError(.busy, "could not open \(path): another process has it open, which prevents its repair")
            }
            MappedStore.yield()
        }
    }

    /// Opens the file that replaced `old`'s.
    func open(replacing old: MappedView) throws(MappedStoreError) -> MappedView {
        var options = options
        options.createIfMissing = false
        do throws(MappedStoreError) {
            return try MappedOpening(path: path, place: place, options: options, cipher: cipher, fileSystem: fileSystem, lock: lock).open()
                .view
        } catch {
            guard error.code == .notFound else { throw error }
            throw MappedStoreError(
                .replaced,
                "\(path) was removed while the store was open; close the store and open it again",
                cause: error
            )
        }
    }

    /// If there is no file, does what may fail, so that no empty file stays at the path: derives the identity, and throws if the name is too long for
    /// the file in which a new store is written.
    private func prepareToCreate() throws(MappedStoreError) -> MappedOpening {
        guard options.createIfMissing, !options.readOnly, try isMissing(place) else { return self }
        let (directory, name) = FileSystem.split(place)
        _ = try isMissing(FileSystem.join(directory, ".\(name).compact"))
        var opening = self
        opening.prepared = try MappedFile.prepare(cipher)
        return opening
    }

    /// Whether there is no file at `path`, although there could be one.
    private func isMissing(_ place: String) throws(MappedStoreError) -> Bool {
        do throws(SystemCallError) {
            _ = try fileSystem.stat(place)
            return false
        } catch {
            let failure = FileError("could not create or open", path, cause: error)
            if failure.code == .invalidPath { throw MappedStoreError(failure) }
            return failure.code == .notFound
        }
    }

    private func openFile() throws(MappedStoreError) -> File {
        try MappedStoreError.translating { () throws(FileError) in
            if options.readOnly { return try File(place, [.read], fileSystem: fileSystem) }
            let flags: FileSystem.OpenOptions = options.createIfMissing ? [.read, .write, .create] : [.read, .write]
            return try File(place, flags, mode: options.mode, fileSystem: fileSystem)
        }
    }

    /// Marks the file as in use, with a lock that all its users share. A user who gets it exclusively repairs the file first. Readers lock only the first
    /// byte, so that writers can find out whether there are other writers.
    private func takePresence(_ file: File) throws(MappedStoreError) -> (lock: FileLock, isAlone: Bool) {
        if !options.readOnly {
            do throws(FileError) { return (try FileLock(file, .exclusive, lastsUntilClosed: true), true) } catch {
                guard error.code == .locked else { throw MappedStoreError(error) }
            }
        }
        do throws(FileError) {
            let part = options.readOnly ? FileLock.Part.firstByte : .whole
            return (try FileLock.take(file, .shared, part, within: lock.limit, lastsUntilClosed: true), false)
        } catch {
            guard error.code == .locked else { throw MappedStoreError(error) }
            let message = "could not open \(path): another process has been creating or repairing it for \(lock.limit)"
            throw MappedStoreError(.busy, message, cause: error)
        }
    }

    /// Whether the path leads to `file`.
    func isInPlace(_ file: File) throws(MappedStoreError) -> Bool {
        let status = try MappedStoreError.translating { () throws(FileError) in try file.status() }
        do throws(SystemCallError) { return try fileSystem.stat(place).identity == status.identity } catch {
            let failure = FileError("could not examine", path, cause: error)
            if failure.code == .notFound { return false }
            throw MappedStoreError(failure)
        }
    }

    // MARK: A file in place

    /// Returns `nil` if a store was created, if the process creating the file gave up, or if a read-only user prevents the repair of the file: it
    /// must then be opened again.
    private func open(
        _ file: File,
        _ presence: FileLock,
        _ isAlone: Bool,
        _ wasCreated: inout Bool,
        _ refusal: inout MappedStoreError?
    ) throws(MappedStoreError) -> (view: MappedView, report: MappedOpenReport)? {
        var report = MappedOpenReport()
        report.wasCreated = wasCreated
        let status = try MappedStoreError.translating { () throws(FileError) in try file.status() }
        try status.requireFile("could not open \(path)")
        let size = status.size
        guard size <= Int64(Int.max / 4) else { throw MappedStoreError(.tooLarge, "\(path) is too large to map") }
        guard try !isBlank(file, Int(size)) else {
            if try replaceBlank(file, isAlone: isAlone) { wasCreated = true }
            return nil
        }
        let (identity, headerWasDamaged) = try MappedFile.identity(of: file, repairs: isAlone)
        report.headerWasDamaged = headerWasDamaged
        // Even the header may be incomplete.
        if isAlone, size < Int64(MappedLayout.headerSize) {
            try MappedStoreError.translating { () throws(FileError) in try file.reserve(Int64(MappedLayout.headerSize)) }
        }
        let bare = try map(file, presence, identity)
        let view: MappedView
        if options.readOnly {
            let found = try openForReading(bare, &report)
            // While the file is being replaced, or if the process replacing it died.
            let state = unsafe bare.header.state
            view = state == SharedHeader.State.current ? found : found.with(state: state)
            // A writer that finds the file damaged, or left by another boot of the machine, must have it exclusively.
            if view.privateTable != nil || !isSameBoot(view) { presence.release() }
        } else {
            guard unsafe isAlone || bare.header.boot == MappedFile.boot else { return nil }
            if unsafe !isAlone && WritersLock.isForeign(bare.header), let error = try adoptLock(of: bare) {
                refusal = error
                return nil
            }
            view = try openForWriting(bare, isAlone: isAlone, size: Int(size), &report)
        }
        guard bare.isIntact else { throw MappedStoreError(.truncated, "\(path) was truncated while it was opened") }
        if isAlone {
            // As long as nobody else can begin a rewrite.
            TemporaryPlace(path: path, place: place, suffix: "compact", fileSystem: fileSystem).removeLeftover()
            try MappedStoreError.translating { () throws(FileError) in try presence.share() }
        }
        return (view, report)
    }

    /// Maps the file; the view has no index yet, and is used to find one.
    private func map(_ file: File, _ presence: FileLock, _ identity: MappedIdentity) throws(MappedStoreError) -> MappedView {
        let session = try MappedFile.session(identity, cipher, path)
        let status = try MappedStoreError.translating { () throws(FileError) in try file.status() }
        let size = Int(clamping: status.size)
        let region = try MappedStoreError.translating { () throws(FileError) in
            try MappedRegion(window: file, count: Self.window(size), isWritable: !options.readOnly)
        }
        return unsafe MappedView(
            region: region,
            reach: size,
            file: file,
            fileIdentity: status.identity,
            presence: presence,
            identity: identity,
            cipher: session,
            isWritable: !options.readOnly,
            indexOffset: -1,
            table: .none
        )
    }

    /// Creates a store in place of an empty file; returns `false` if another process may be doing so.
    private func replaceBlank(_ file: File, isAlone: Bool) throws(MappedStoreError) -> Bool {
        if options.readOnly || isAlone && !options.createIfMissing {
            throw MappedStoreError(.foreignFile, "\(path) is empty: it is not a mapped store yet")
        }
        if isAlone { try makeStore(insteadOf: file) }
        return isAlone
    }

    /// Replaces an empty file with an empty store.
    ///
    /// The store is written to another file, and is on the disk before that file takes the name: a file with this name is empty or a complete store,
    /// whenever the process is killed or power is lost.
    private func makeStore(insteadOf empty: File) throws(MappedStoreError) {
        let identity = if let prepared { prepared } else { try MappedFile.prepare(cipher) }
        let (file, _) = try TemporaryPlace(path: path, place: place, suffix: "compact", fileSystem: fileSystem).take("create")
        do throws(MappedStoreError) {
            try MappedStoreError.translating { () throws(FileError) in
                try file.truncate(to: 0)
                try file.setMode(try empty.status().mode)
            }
            try MappedFile.fill(file, with: identity)
            try MappedStoreError.translating { () throws(FileError) in try file.rename(to: place) }
        } catch {
            try? fileSystem.unlink(file.path)
            throw error
        }
    }

    /// Whether the file is empty because the process creating it died.
    private func isBlank(_ file: File, _ size: Int) throws(MappedStoreError) -> Bool {
        if size == 0 { return true }
        // It may have been filled with zeros.
        guard size <= MappedFile.initialSize else { return false }
        let bytes = try MappedStoreError.translating { () throws(FileError) in try file.read(size, at: 0) }
        return bytes.allSatisfy { $0 == 0 }
    }

    func synchronizeDirectory() throws(MappedStoreError) {
        let directory = FileSystem.split(place).directory
        do throws(SystemCallError) { try fileSystem.fsyncDirectory(directory) } catch {
            throw MappedStoreError(FileError("could not sync the directory of \(path),", directory, cause: error))
        }
    }

    /// - Parameter firstSize: the size of the file before the header was repaired, which may extend it.
    private func openForWriting(
        _ bare: MappedView,
        isAlone: Bool,
        size firstSize: Int,
        _ report: inout MappedOpenReport
    ) throws(MappedStoreError) -> MappedView {
        let header = unsafe bare.header
        if isAlone {
            unsafe header.reset()
            unsafe try WritersLock.reset(header)
        }
        var opened = report
        func prepare() throws(MappedStoreError) -> MappedView {
            // The path leads to this file, whatever the header says.
            if unsafe header.state != SharedHeader.State.current, try isInPlace(bare.file) {
                unsafe header.state = SharedHeader.State.current
            }
            // No change is in progress now, even if others have the file open: either everything is consistent, or a writer died, or the file was
            // truncated or damaged.
            let size = try self.size(of: bare.file)
            let capacity = unsafe isAlone ? max(header.end, size - MappedLayout.spare(ofSize: size)) : header.capacity
            unsafe header.capacity = min(capacity, size)
            let isSameBoot = isSameBoot(bare)
            if isTrustworthy(bare, size: size), let view = indexed(bare, size: size) { return view }
            opened.missingRange = try bare.missingRange(size: isAlone ? firstSize : nil)
            var rebuild = MappedRebuild(view: bare, size: size, isSameBoot: isSameBoot)
            rebuild.run()
            opened = rebuild.report(opened)
            // Regardless of the limit: a store that cannot be opened cannot be made smaller.
            let view = try rebuild.writeTable(maximum: nil)
            // Records that count as settled from here on must survive the next power loss too.
            if !isSameBoot { try confirm(view) }
            return view
        }
        let view: MappedView
        if let found = try openBeside(bare, isAlone: isAlone, prepare) { view = found } else { view = try lock.withLock(bare, prepare) }
        report = opened
        // Last: if this process dies before, the next one still treats the file as left by another boot, and reads everything again.
        unsafe header.boot = MappedFile.boot
        return view
    }

    /// Opens the file with `prepare`, or without if another process holds the writers' lock for too long, since that process may be stopped: it found
    /// the file in order, and the next one that changes the file finds out how its change ended. Returns `nil` if this process has to wait
    /// nevertheless.
    private func openBeside(
        _ bare: MappedView,
        isAlone: Bool,
        _ prepare: () throws(MappedStoreError) -> MappedView
    ) throws(MappedStoreError) -> MappedView? {
        guard !isAlone, unsafe bare.header.state == SharedHeader.State.current else { return nil }
        do throws(MappedStoreError) { return try lock.withLock(bare, within: .milliseconds(100), prepare) } catch {
            guard error.code == .busy else { throw error }
            return indexed(bare, size: try size(of: bare.file))
        }
    }

    /// Makes the writers' lock usable in this PID namespace if only readers have the file open. Otherwise returns an error, for which there may also
    /// be a transient cause: another opening, or a process that was forked and does not run its program yet.
    private func adoptLock(of view: MappedView) throws(MappedStoreError) -> MappedStoreError? {
        do throws(FileError) { try view.presence.takeRest() } catch {
            guard error.code == .locked else { throw MappedStoreError(error) }
            return MappedStoreError(
                .busy,
                "could not open \(path): it is open in another PID namespace, such as another container's; close it there, or share the namespace"
            )
        }
        unsafe try WritersLock.reset(view.header)
        try MappedStoreError.translating { () throws(FileError) in try view.presence.share() }
        return nil
    }

    private func confirm(_ view: MappedView) throws(MappedStoreError) {
        let end = try MappedStoreError.translating { () throws(FileError) in try view.synchronize() }
        if let end { unsafe view.header.raiseSyncedEnd(to: end) }
    }

    private func openForReading(_ bare: MappedView, _ report: inout MappedOpenReport) throws(MappedStoreError) -> MappedView {
        let header = unsafe bare.header
        let first = unsafe header.totals.sequence
        let start = ContinuousClock.now
        // A writer in the middle of a change may have to wait for a processor, or have much to write; it may also be dead.
        var attempt = 0
        while attempt < 1000 || start.duration(to: .now) < .milliseconds(100) {
            attempt += 1
            let sequence = unsafe header.totals.sequence
            let size = try size(of: bare.file)
            if isTrustworthy(bare, size: size), let view = indexed(bare, size: size) { return view }
            // A writer at work makes the sums wrong for a moment: it found the file in order, or repaired it.
            let isMoving = unsafe header.totals.sequence != first
            if attempt > 10, isMoving, isSameBoot(bare), let view = indexed(bare, size: size) { return view }
            if unsafe header.totals.sequence == sequence, unsafe header.pendingEnd == 0 { break }
            MappedStore.yield()
        }
        report.missingRange = try bare.missingRange()
        var rebuild = MappedRebuild(view: bare, size: try size(of: bare.file), isSameBoot: isSameBoot(bare))
        rebuild.run()
        report = rebuild.report(report)
        return rebuild.privateView()
    }

    private func size(of file: File) throws(MappedStoreError) -> Int {
        try MappedStoreError.translating { () throws(FileError) in Int(clamping: try file.status().size) }
    }

    /// Returns the view with the index that the header points to; `nil` if there is none within the file.
    private func indexed(_ view: MappedView, size: Int) -> MappedView? {
        let index = unsafe view.header.index
        guard index >= MappedLayout.headerSize, index <= size - MappedLayout.recordHeaderSize else { return nil }
        guard let found = view.withTable(at: index), let record = view.record(at: index), record.end <= size else { return nil }
        return found
    }

    private func isSameBoot(_ view: MappedView) -> Bool { unsafe MappedFile.boot != 0 && view.header.boot == MappedFile.boot }

    /// Whether the index and totals are as the last writer left them, and reached the disk if the machine crashed since.
    private func isTrustworthy(_ view: MappedView, size: Int) -> Bool {
        let header = unsafe view.header
        guard unsafe header.pendingEnd == 0, unsafe header.isConsistent else { return false }
        let totals = unsafe header.totals
        guard unsafe isSameBoot(view) || header.syncedSequence == totals.sequence, totals.end >= MappedLayout.headerSize,
            totals.end <= size, let table = unsafe indexed(view, size: size)?.table
        else { return false }
        // Records after the end reached the disk after the header did: power was lost before the header followed.
        guard isSameBoot(view) || view.isBlank(totals.end..<size) else { return false }
        let sums = unsafe table.sums()
        return sums.indexSum == totals.indexSum && sums.usedSlots == totals.usedSlots
    }
}

extension FileStatus {
    /// Refuses devices such as `/dev/null`, pipes and sockets. They seem empty, and a store would take their place.
    func requireFile(_ attempt: @autoclosure () -> String) throws(MappedStoreError) {
        guard kind == .other else { return }
        throw MappedStoreError(.foreignFile, "\(attempt()): it is a device, a pipe or a socket, not a file")
    }
}
