package import CairnCore
import Synchronization

/// Real system calls below one directory that are recorded, fail as planned, and remember what a power failure would leave.
///
/// ```swift
/// let disk = try FaultInjectingFileSystem(directory.path)
/// disk.inject(Fault(.fail(EIO), at: 2, of: [.fsync]))
/// ... use disk.fileSystem ...
/// #expect(disk.trace == ["open a", "pwrite a 0+5", "fsync a", "close a"])
/// try disk.cutPower(.losingAll)
/// ```
///
/// What exists at the start counts as synced. Any thread may call; no call may be in progress during `cutPower`.
package final class FaultInjectingFileSystem: SystemCallObserver {
    private struct State {
        var plan = FaultPlan()
        var trace: [String] = []
        /// The paths of open descriptors.
        var paths: [Int32: String] = [:]
        /// The files of mappings, by address.
        var mappings: [UInt: (path: String, identity: FileStatus.Identity, count: Int)] = [:]
        var disk: SyncedDisk

        /// Returns the mapping that contains an address.
        func mapping(at address: UInt) -> (start: UInt, path: String, identity: FileStatus.Identity)? {
            let found = mappings.first { $0.key <= address && address - $0.key < UInt($0.value.count) }
            return found.map { ($0.key, $0.value.path, $0.value.identity) }
        }
    }

    private let root: String
    private let state: Mutex<State>

    /// Observes everything below the directory `root`, an absolute path.
    package init(_ root: String) throws {
        self.root = root
        state = Mutex(State(disk: try SyncedDisk(root: root)))
    }

    /// The file system to pass to the code under test.
    package var fileSystem: FileSystem { FileSystem(observer: self) }

    /// The calls so far: name, path below the directory, arguments, and the error number of failed ones. Random names are shown as `*`.
    package var trace: [String] { state.withLock { $0.trace } }

    /// The number of calls that a fault affected.
    package var firedCount: Int { state.withLock { $0.plan.firedCount } }

    /// Adds a rule. Each rule counts calls from the time it is added.
    package func inject(_ fault: Fault) { state.withLock { $0.plan.add(fault) } }

    /// Removes all faults and empties the trace.
    package func reset() {
        state.withLock {
            $0.plan = FaultPlan()
            $0.trace = []
        }
    }

    /// Turns the directory into what a power failure would now leave, and removes all faults. Open files are then unusable.
    package func cutPower(_ cut: PowerCut) throws {
        try state.withLock {
            try $0.disk.cutPower(cut)
            $0.plan = FaultPlan()
        }
    }

    package func intercept(_ call: SystemCall, perform: (Int) -> Int) -> Int {
        let count = call.count ?? 0
        let (path, effect) = state.withLock { state in
            let path = call.path ?? call.descriptor.flatMap { state.paths[$0] } ?? call.address.flatMap { state.mapping(at: $0)?.path }
            return (path, state.plan.effect(on: call.kind, path: path))
        }
        // Calls that release resources are always made: a test with faults must not leak.
        let releases = [.close, .munmap, .unlock].contains(call.kind)
        let result: Int
        switch effect {
        // Which contents are synced is remembered here; waiting for the disk as well takes longer than everything else.
        case nil: result = Thorough.isOn || (call.kind != .fsync && call.kind != .msync) ? perform(count) : 0
        case .shorten(let limit): result = perform(min(limit, count))
        case .fail(let number):
            // An interrupted call will be repeated.
            if releases, number != interrupted { _ = perform(count) }
            result = -Int(number)
        case .stop:
            if releases { _ = perform(count) }
            result = -Int(inputOutputError)
        }
        state.withLock { state in
            state.trace.append(describe(call, path: path, result: result))
            update(&state, after: call, path: path, result: result, released: releases)
        }
        return result
    }

    private func update(_ state: inout State, after call: SystemCall, path: String?, result: Int, released: Bool) {
        if call.kind == .close, let descriptor = call.descriptor { state.paths[descriptor] = nil }
        if call.kind == .munmap, let address = call.address { state.mappings[address] = nil }
        guard result >= 0, let path, path == root || path.hasPrefix(root + "/") else { return }
        switch call.kind {
        case .open:
            state.paths[Int32(result)] = path
            state.disk.noticeFile(at: path)
        case .mmap:
            guard let descriptor = call.descriptor, let status = try? FileSystem.system.fstat(descriptor) else { return }
            state.mappings[UInt(result)] = (path, status.identity, call.count ?? 0)
        case .fsync:
            if let descriptor = call.descriptor { state.disk.synchronize(descriptor, path) }
        case .msync:
            guard let address = call.address, let mapping = state.mapping(at: address) else { return }
            let start = Int(address - mapping.start)
            state.disk.synchronize(mapping.identity, start..<start + (call.count ?? 0))
        default: break
        }
    }

    private func describe(_ call: SystemCall, path: String?, result: Int) -> String {
        var text = call.kind.rawValue
        if let path { text += " \(short(path))" }
        if let destination = call.destination { text += " \(short(destination))" }
        switch (call.offset, call.count) {
        case (let offset?, let count?): text += " \(offset)+\(count)"
        case (let offset?, nil): text += " \(offset)"
        case (nil, let count?): text += " \(count)"
        case (nil, nil): break
        }
        if result < 0 { text += " failed \(-result)" }
        return text
    }

    /// Returns the path below the root, with the random part of temporary names replaced.
    private func short(_ path: String) -> String {
        if path == root { return "." }
        let relative = path.hasPrefix(root + "/") ? path.dropFirst(root.utf8.count + 1) : path[...]
        return relative.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.hasPrefix(".cairn-") && $0.hasSuffix(".tmp") ? ".cairn-*.tmp" : $0 }.joined(separator: "/")
    }
}
