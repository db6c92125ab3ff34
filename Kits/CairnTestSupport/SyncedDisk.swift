import CairnCore
import Foundation

/// What a power failure leaves of data that was never synced.
package struct PowerCut: Sendable, CustomStringConvertible {
    package enum Contents: Sendable {
        /// Files have the contents of their last sync; they are empty if never synced.
        case lost
        /// Files have their latest contents.
        case kept
        /// Each block of 512 bytes, and the size, is randomly the synced or the latest one.
        case torn(seed: UInt64)
    }

    package enum Names: Sendable {
        /// Directories have the names of their last sync.
        case lost
        /// Directories have their latest names.
        case kept
    }

    package var contents: Contents
    package var names: Names

    package init(contents: Contents, names: Names) {
        self.contents = contents
        self.names = names
    }

    /// The worst that the standard allows.
    package static let losingAll = PowerCut(contents: .lost, names: .lost)
    /// The result of a system that writes names before contents: a renamed file that is empty.
    package static let losingContents = PowerCut(contents: .lost, names: .kept)
    /// Contents without the names.
    package static let losingNames = PowerCut(contents: .kept, names: .lost)
    /// The death of the process alone: nothing is lost that was handed to the system.
    package static let losingNothing = PowerCut(contents: .kept, names: .kept)

    /// The four extremes, and a torn state for `seed`.
    package static func all(seed: UInt64) -> [PowerCut] {
        [.losingAll, .losingContents, .losingNames, .losingNothing, PowerCut(contents: .torn(seed: seed), names: .kept)]
    }

    package var description: String { "contents \(contents), names \(names)" }
}

/// Remembers which contents and names of a directory tree are synced, and can restore them.
struct SyncedDisk {
    private struct Entry {
        var identity: FileStatus.Identity
        var isDirectory: Bool
    }

    /// A file that was seen. It is kept open, so that its identity is not reused and lost names can be restored.
    private struct Shadow {
        var file: File
        var synced: [UInt8]
    }

    private let root: String
    private var shadows: [FileStatus.Identity: Shadow] = [:]
    /// Synced names, by the path of the directory.
    private var names: [String: [String: Entry]] = [:]

    init(root: String) throws {
        self.root = root
        try takeAsSynced(root)
    }

    /// Treats everything that exists as synced.
    private mutating func takeAsSynced(_ directory: String) throws {
        let entries = try entries(of: directory)
        names[directory] = entries
        for (name, entry) in entries {
            let path = FileSystem.join(directory, name)
            if entry.isDirectory {
                try takeAsSynced(path)
            } else {
                let file = try File(path, [.read])
                shadows[entry.identity] = Shadow(file: file, synced: try contents(of: file))
            }
        }
    }

    /// Tracks a file that was just opened; one not seen before is new, so nothing of it is synced.
    mutating func noticeFile(at path: String) {
        guard let file = try? File(path, [.read]), let status = try? file.status() else { return }
        guard status.kind == .file, shadows[status.identity] == nil else { return }
        shadows[status.identity] = Shadow(file: file, synced: [])
    }

    /// Records that a descriptor was synced.
    mutating func synchronize(_ descriptor: Int32, _ path: String) {
        guard let status = try? FileSystem.system.fstat(descriptor) else { return }
        if status.kind == .directory {
            names[path] = try? entries(of: path)
        } else {
            synchronize(status.identity)
        }
    }

    /// Records that a file's contents were synced.
    mutating func synchronize(_ identity: FileStatus.Identity) {
        guard let file = shadows[identity]?.file, let contents = try? contents(of: file) else { return }
        shadows[identity]?.synced = contents
    }

    /// Records that the pages that hold a range of a file, and its size, were synced.
    mutating func synchronize(_ identity: FileStatus.Identity, _ range: Range<Int>) {
        guard let file = shadows[identity]?.file, let contents = try? contents(of: file) else { return }
        let page = 4096
        let pages = range.lowerBound / page * page..<min((range.upperBound + page - 1) / page * page, contents.count)
        var synced = shadows[identity]?.synced ?? []
        synced = Array(synced.prefix(contents.count)) + [UInt8](repeating: 0, count: max(contents.count - synced.count, 0))
        if !pages.isEmpty { synced.replaceSubrange(pages, with: contents[pages]) }
        shadows[identity]?.synced = synced
    }

    /// Rebuilds the tree from what the power failure leaves. All of it then counts as synced.
    mutating func cutPower(_ cut: PowerCut) throws {
        let survivors = try survivors(of: cut, in: root)
        for name in try FileSystem.system.list(root) { try FileManager.default.removeItem(atPath: FileSystem.join(root, name)) }
        for (path, contents) in survivors {
            guard let contents else {
                try FileSystem.system.mkdir(path)
                continue
            }
            try File(path, [.write, .create, .exclusive], mode: contents.mode).write(contents.bytes, at: 0)
        }
        shadows = [:]
        names = [:]
        try takeAsSynced(root)
    }

    private typealias Survivor = (path: String, contents: (bytes: [UInt8], mode: UInt32)?)

    /// Returns the tree below `directory`, parents first; directories have no contents.
    private func survivors(of cut: PowerCut, in directory: String) throws -> [Survivor] {
        let entries =
            switch cut.names {
            case .lost: names[directory] ?? [:]
            case .kept: try entries(of: directory)
            }
        var survivors: [Survivor] = []
        for (name, entry) in entries {
            let path = FileSystem.join(directory, name)
            if entry.isDirectory {
                survivors.append((path, nil))
                survivors += try self.survivors(of: cut, in: path)
            } else if let shadow = shadows[entry.identity] {
                let latest = try contents(of: shadow.file)
                let bytes =
                    switch cut.contents {
                    case .lost: shadow.synced
                    case .kept: latest
                    case .torn(let seed): torn(shadow.synced, latest, seed: seed)
                    }
                survivors.append((path, (bytes, try shadow.file.status().mode)))
            }
        }
        return survivors
    }

    private func torn(_ old: [UInt8], _ new: [UInt8], seed: UInt64) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        let size = generator.oneIn(2) ? old.count : new.count
        var bytes: [UInt8] = []
        while bytes.count < size {
            let source = generator.oneIn(2) ? old : new
            let block = bytes.count..<min(bytes.count + 512, size)
            bytes += block.map { $0 < source.count ? source[$0] : 0 }
        }
        return bytes
    }

    private func entries(of directory: String) throws -> [String: Entry] {
        var entries: [String: Entry] = [:]
        for name in try FileSystem.system.list(directory) {
            let status = try FileSystem.system.stat(FileSystem.join(directory, name))
            entries[name] = Entry(identity: status.identity, isDirectory: status.kind == .directory)
        }
        return entries
    }

    private func contents(of file: File) throws -> [UInt8] { try file.read(Int(try file.status().size), at: 0) }
}
