public import CairnCDB
public import CairnCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension MappedStore {
    /// Puts the values that were read from the file of another library into the store: all of them or, after a failure or a kill, none.
    ///
    /// ```swift
    /// let old = try MappedImport.mmkv(path: "settings")
    /// try store.import(old)
    /// ```
    ///
    /// Values keep their deadlines; those whose time is over are left out. Values without one live as long as
    /// ``MappedStoreOptions/expiresAfter`` says.
    ///
    /// - Parameters:
    ///   - other: Where the values come from.
    ///   - keepsExisting: Whether what is there under a key stays. Default: `false`, it is replaced.
    /// - Returns: The number of values that were put into the store.
    /// - Throws: As ``set(_:for:expiresAfter:)-(Value?,_,_)``.
    /// - Complexity: O(n). Other writers wait meanwhile.
    @discardableResult
    public func `import`(_ other: MappedImport, keepsExisting: Bool = false) throws(MappedStoreError) -> Int {
        do {
            return try transaction { changes in
                var count = 0
                let now = milliseconds
                for entry in other.entries {
                    let deadline = entry.expires.map { Int64(exactly: ($0.timeIntervalSince1970 * 1000).rounded(.down)) ?? .max }
                    if let deadline, deadline <= now { continue }
                    if keepsExisting, try changes.contains(entry.key) { continue }
                    try changes.set(entry.value, for: entry.key, deadline: deadline ?? self.deadline(after: nil))
                    count += 1
                }
                return count
            }
        } catch {
            throw error as? MappedStoreError ?? MappedStoreError(.codec, "could not import into \(path)", cause: error)
        }
    }
}

extension MappedExport {
    /// Writes all values of a store as JSON to a file, as ``json(_:to:durability:)`` does; ``MappedImport/json(path:)`` reads it.
    ///
    /// Damaged values are left out: ``MappedStore/verify(progress:)`` tells of them.
    public static func json(
        _ store: MappedStore,
        to path: String,
        durability: Durability = .synced
    ) throws(MappedStoreError) {
        try json(store.entries(), to: path, durability: durability)
    }

    /// Writes all values of a store as a constant database, as ``cdb(_:to:values:dialect:durability:)`` does.
    ///
    /// Damaged values are left out: ``MappedStore/verify(progress:)`` tells of them.
    public static func cdb(
        _ store: MappedStore,
        to path: String,
        values: CDBValues = .typed,
        dialect: CDBDialect = .standard,
        durability: Durability = .synced
    ) throws(MappedStoreError) {
        try cdb(store.entries(), to: path, values: values, dialect: dialect, durability: durability)
    }
}
