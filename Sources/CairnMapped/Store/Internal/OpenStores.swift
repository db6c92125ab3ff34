import CCairn
import CairnCore
import Synchronization

/// The stores that this process has open, by the place of their file: when another file is put there by this process, those with the former file find
/// out at once, and refuse changes that nobody would find at the path.
///
/// Not used in the child of a fork: a thread that only the parent has may hold the lock forever. Stores there find out on all other occasions.
enum OpenStores {
    /// A place in a directory, however its path is spelled.
    struct Place: Hashable, Sendable {
        private let directory: FileStatus.Identity
        private let name: String

        /// - Parameter path: An absolute path; `nil` if its directory cannot be examined.
        init?(_ path: String) {
            let (directory, name) = FileSystem.split(path)
            guard let identity = try? FileSystem.system.stat(directory).identity else { return nil }
            (self.directory, self.name) = (identity, name)
        }
    }

    private struct Entry: Sendable {
        weak var store: MappedStore?
    }

    private static let entries = Mutex<[Place: [ObjectIdentifier: Entry]]>([:])
    private static var isUsable: Bool { cairn_fork_count() == 0 }

    /// Adds a store that was opened with the file `identity`.
    static func add(_ store: MappedStore, _ identity: FileStatus.Identity) {
        guard isUsable, let place = store.registration else { return }
        entries.withLock { $0[place, default: [:]][ObjectIdentifier(store)] = Entry(store: store) }
        tell(storesAt: place, about: identity)
    }

    /// Removes a store that is closed, or ceases to exist. Takes no reference to it.
    static func remove(_ store: MappedStore) {
        guard isUsable, let place = store.registration else { return }
        let number = ObjectIdentifier(store)
        entries.withLock { entries in
            entries[place]?[number] = nil
            if entries[place]?.isEmpty == true { entries[place] = nil }
        }
    }

    /// Lets the stores at `place` that have another file than `identity` find out where theirs is.
    static func tell(storesAt place: Place, about identity: FileStatus.Identity) {
        guard isUsable else { return }
        // Released after the lock: a last reference removes its store, which takes the lock.
        let stores = entries.withLock { $0[place]?.values.compactMap(\.store) ?? [] }
        for store in stores { store.compare(with: identity) }
    }
}

extension MappedStore {
    /// Finds out whether the path still leads to this store's file, which is not `other`, the one that was just opened there or put there.
    fileprivate func compare(with other: FileStatus.Identity) {
        guard !refusesChanges.load(ordering: .relaxed), let view = try? presentView(), view.fileIdentity != other else { return }
        _ = notePlace(view)
    }
}
