import CairnCore
public import CairnMapped

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension MappedStore {
    /// Stores the values read from another library's file: all of them or, after a failure or a kill, none.
    ///
    /// ```swift
    /// let old = try MappedImport.mmkv(path: "settings")
    /// try store.import(old)
    /// ```
    ///
    /// Values keep their deadlines, and expired ones are left out. Values without a deadline live as long as `MappedStoreOptions.expiresAfter`
    /// says.
    ///
    /// - Parameters:
    ///   - other: The values to import.
    ///   - keepsExisting: Whether to keep an existing value. Default: `false`, it is replaced.
    ///   - progress: Called from time to time with the completed fraction, from 0 to 1.
    /// - Returns: The number of values stored.
    /// - Throws: Same as `MappedStore.set(_:for:expiresAfter:)`.
    /// - Complexity: O(n). Other writers wait until it ends.
    @discardableResult
    public func `import`(
        _ other: MappedImport,
        keepsExisting: Bool = false,
        progress: (_ part: Double) -> Void = { _ in }
    ) throws(MappedStoreError) -> Int {
        try importing(other, keepsExisting) { part throws(MappedStoreError) in progress(part) }
    }

    /// Same as ``import(_:keepsExisting:progress:)``, on a thread outside the cooperative pool; ends early if the task is cancelled.
    ///
    /// - Throws: Same as ``import(_:keepsExisting:progress:)``, and `cancelled`; the store is then unchanged.
    @discardableResult
    public func importInBackground(
        _ other: MappedImport,
        keepsExisting: Bool = false,
        progress: @escaping @Sendable (_ part: Double) -> Void = { _ in }
    ) async throws(MappedStoreError) -> Int {
        try await offPool("import into", progress) { step throws(MappedStoreError) in try self.importing(other, keepsExisting, step) }
    }

    private func importing(
        _ other: MappedImport,
        _ keepsExisting: Bool,
        _ step: (Double) throws(MappedStoreError) -> Void
    ) throws(MappedStoreError) -> Int {
        try step(0)
        let count: Int
        do {
            count = try transaction { changes in
                var count = 0
                let now = milliseconds
                for (place, entry) in other.entries.enumerated() {
                    if place % 1024 == 1023 { try step(Double(place) / Double(other.entries.count)) }
                    let deadline = entry.expires.map(Self.milliseconds)
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
        try step(1)
        return count
    }

    /// A date in milliseconds since 1970: the earliest or latest number if it is out of range, the earliest if it is not a number.
    private static func milliseconds(_ date: Date) -> Int64 {
        let exact = (date.timeIntervalSince1970 * 1000).rounded(.down)
        return Int64(exactly: exact) ?? (exact > 0 ? .max : .min)
    }
}
