import CairnCore
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension MappedStore {
    static func yield() { sched_yield() }

    var closedError: MappedStoreError { MappedStoreError(.closed, "the store \(path) is closed") }

    var truncatedError: MappedStoreError {
        MappedStoreError(.truncated, "\(path) was truncated while it was open, or its disk failed; close the store and open it again")
    }

    var damagedError: MappedStoreError {
        MappedStoreError(
            .corruption,
            "the header or the index of \(path) is damaged; close the store and open it again, which rebuilds the index"
        )
    }

    /// Replaces `old` with `view`, if `old` is still the current view.
    func replace(_ old: MappedView, with view: MappedView) {
        let new = unsafe Unmanaged.passRetained(view)
        let (exchanged, _) = unsafe current.compareExchange(
            expected: Unmanaged.passUnretained(old),
            desired: new,
            ordering: .sequentiallyConsistent
        )
        if exchanged {
            state.withLock { unsafe $0.retired.append((Unmanaged.passUnretained(old), .max)) }
            releaseRetired()
        } else {
            unsafe new.release()
        }
    }

    /// Releases views that no reader uses any more; returns whether none are left.
    @discardableResult
    func releaseRetired() -> Bool {
        let (free, isEmpty) = unsafe state.withLock { state -> ([Unmanaged<MappedView>], Bool) in
            guard unsafe !state.retired.isEmpty else { return unsafe ([], true) }
            // Checked after the last of these was retired: readers that came before are still counted.
            guard gate.fence() else {
                // Their readers can no longer be determined: they stay as long as the process exists.
                unsafe state.retired = []
                return unsafe ([], true)
            }
            let idle = gate.idleLines
            var free: [Unmanaged<MappedView>] = unsafe []
            for index in unsafe state.retired.indices {
                unsafe state.retired[index].lines &= ~idle
                if unsafe state.retired[index].lines == 0 { unsafe free.append(state.retired[index].view) }
            }
            unsafe state.retired.removeAll { unsafe $0.lines == 0 }
            return unsafe (free, state.retired.isEmpty)
        }
        unsafe free.forEach { unsafe $0.release() }
        return isEmpty
    }

    var opening: MappedOpening {
        MappedOpening(path: path, place: place, options: options, cipher: cipher.withLock { $0 }, fileSystem: fileSystem, lock: lock)
    }

    /// Finds the view to continue with after `old`, which readers or writers found to be out of date. Must not be called as a reader.
    func refresh(_ old: MappedView) throws(MappedStoreError) {
        guard unsafe current.load(ordering: .acquiring) != nil else { throw closedError }
        guard !isOutdated(old) else { return }
        guard old.isIntact else { throw truncatedError }
        var state = unsafe old.header.state
        if state == SharedHeader.State.ending, !options.readOnly {
            // Another process is replacing the file right now, or died while doing so. With the lock, the file either is the store or was replaced.
            state = try lock.withLock(old) { () throws(MappedStoreError) in try settle(old) }
        }
        // With the current cipher: it may have changed during the wait.
        let opening = opening
        // The replacement is still in progress, or its process died: while the path leads to this file, it is the store.
        let isInPlace = try isStore(old, state, opening)
        if isInPlace, old.privateTable == nil {
            if let view = try withCurrentIndex(old, state: state) { replace(old, with: view) }
        } else {
            try reopen(old, opening)
        }
    }

    /// Continues with the file that replaced `old`'s.
    private func reopen(_ old: MappedView, _ opening: MappedOpening) throws(MappedStoreError) {
        do throws(MappedStoreError) {
            replace(old, with: try opening.open(replacing: old))
        } catch {
            let turn = compaction.current
            guard error.code == .wrongKey || error.code == .keyNeeded, !turn.isMine else { throw error }
            // This store may be changing its cipher right now: the new file is in place before the store has its view.
            turn.lock.withLock { _ in }
            guard isOutdated(old) else { throw error }
        }
    }

    private func isOutdated(_ view: MappedView) -> Bool {
        guard let now = unsafe current.load(ordering: .sequentiallyConsistent) else { return true }
        return unsafe now.toOpaque() != Unmanaged.passUnretained(view).toOpaque()
    }

    /// Whether a file in this state is the store.
    private func isStore(_ view: MappedView, _ state: UInt64, _ opening: MappedOpening) throws(MappedStoreError) -> Bool {
        if state == SharedHeader.State.current { return true }
        return state == SharedHeader.State.ending ? try opening.isInPlace(view.file) : false
    }

    /// With the writers' lock, and counted as a reader: returns the view to continue with after `old`, which was not usable.
    func successor(of old: MappedView) throws(MappedStoreError) -> MappedView {
        guard let reference = unsafe current.load(ordering: .sequentiallyConsistent) else { throw closedError }
        let now = unsafe reference.takeUnretainedValue()
        if now !== old, now.file === old.file, now.isCurrent, now.length >= old.length { return now }
        guard let view = try withCurrentIndex(old) else { throw damagedError }
        replace(old, with: view)
        return view
    }

    /// With the writers' lock: if a process died while it replaced the file, determines how that ended.
    func settle(_ view: MappedView) throws(MappedStoreError) -> UInt64 {
        let header = unsafe view.header
        if unsafe header.state == SharedHeader.State.ending {
            unsafe header.state = try opening.isInPlace(view.file) ? SharedHeader.State.current : SharedHeader.State.replaced
        }
        return unsafe header.state
    }

    /// Returns the view of the same file with its current index, and a mapping that covers the file; `nil` if `view` has both.
    private func withCurrentIndex(
        _ view: MappedView,
        state: UInt64 = SharedHeader.State.current
    ) throws(MappedStoreError) -> MappedView? {
        let header = unsafe view.header
        let size = try MappedStoreError.translating { () throws(FileError) in Int(clamping: try view.file.status().size) }
        let index = unsafe header.index
        guard size >= MappedLayout.headerSize, size >= view.indexOffset else { throw truncatedError }
        var wide = view
        if unsafe header.capacity > view.length {
            guard size > view.length else { throw damagedError }
            wide = try enlarged(view, to: size)
        }
        if wide === view, index == view.indexOffset, state == view.state { return nil }
        guard index < size, let found = wide.withTable(at: index) else {
            guard view.isIntact, wide.isIntact else { throw truncatedError }
            throw damagedError
        }
        return state == SharedHeader.State.current ? found : found.with(state: state)
    }

    /// Returns the view with a mapping of at least `size` bytes.
    func enlarged(_ view: MappedView, to size: Int) throws(MappedStoreError) -> MappedView {
        let region = try MappedStoreError.translating { () throws(FileError) in
            try MappedRegion(window: view.file, count: MappedOpening.window(size), isWritable: view.isWritable)
        }
        let bare = unsafe view.with(region: region, reach: size, indexOffset: -1, table: .none)
        guard let found = bare.withTable(at: view.indexOffset) else { throw view.isIntact ? damagedError : truncatedError }
        return found
    }

    /// Returns the view to use now. Keeping it keeps the file open.
    func currentView() throws(MappedStoreError) -> MappedView { try reading { $0 } }

    /// For calls that have nothing to do.
    @usableFromInline
    func requireOpen() throws(MappedStoreError) { _ = try presentView() }

    /// Returns the view used last, even if out of date; never waits.
    func presentView() throws(MappedStoreError) -> MappedView {
        let line = gate.enter()
        defer { gate.leave(line) }
        guard let reference = unsafe current.load(ordering: .sequentiallyConsistent) else { throw closedError }
        return unsafe reference.takeUnretainedValue()
    }

    /// Runs `body` as a reader of the current view; `body` returns `nil` if it needs another one.
    @inline(__always)
    func reading<Result>(_ body: (MappedView) throws(MappedStoreError) -> Result?) throws(MappedStoreError) -> Result {
        while true {
            let line = gate.enter()
            guard let reference = unsafe current.load(ordering: .sequentiallyConsistent) else {
                gate.leave(line)
                throw closedError
            }
            let outcome: Result?
            do throws(MappedStoreError) {
                outcome = try unsafe reference.lending { view throws(MappedStoreError) in
                    guard view.isCurrent else { return nil }
                    // While the file is being replaced, it is the store as long as the path leads to it.
                    if view.state != SharedHeader.State.current, !(try opening.isInPlace(view.file)) { return nil }
                    return try body(view)
                }
            } catch {
                gate.leave(line)
                throw error
            }
            if let outcome {
                gate.leave(line)
                return outcome
            }
            // Retained beyond the end of reading.
            let view = unsafe reference.takeUnretainedValue()
            gate.leave(line)
            try refresh(view)
        }
    }
}
