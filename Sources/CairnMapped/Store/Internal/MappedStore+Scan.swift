import CairnCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Entries that a scan cannot read.
enum DamagedEntry {
    /// The value of a key is damaged; looking it up throws too.
    case value(of: String)
    /// The key is damaged too.
    case unreadable
    /// The number of entries that are counted, but that the index does not lead to; at least 1 if it is unknown.
    case unlisted(Int)
}

extension MappedStore {
    /// Calls `body` with the record of each key that has a value, damaged or not, in the order in which they were written. None of them changes during the
    /// iteration.
    func forEachRecord(
        _ body: (MappedRecord, MappedView) throws(MappedStoreError) -> Void
    ) throws(MappedStoreError) {
        let scope = gate.enter(isScope: true)
        defer { gate.leave(scope, isScope: true) }
        let snapshot = try snapshot()
        for offset in snapshot.offsets {
            guard let record = snapshot.view.record(at: offset), !isExpired(record, snapshot.view) else { continue }
            try body(record, snapshot.view)
        }
        guard snapshot.view.isIntact else { throw truncatedError }
    }

    /// Calls `body` with the intact record of each key that has a value, in the order in which they were written, and `damaged` with what cannot be read;
    /// without `damaged`, that is an error. `body` returns whether the record was intact after all. No record changes during the iteration.
    func forEachListed(
        damaged: ((DamagedEntry) -> Void)? = nil,
        _ body: (MappedRecord, MappedView) throws(MappedStoreError) -> Bool
    ) throws(MappedStoreError) {
        let scope = gate.enter(isScope: true)
        defer { gate.leave(scope, isScope: true) }
        let snapshot = try snapshot(isWhole: true)
        let view = snapshot.view
        var isDamaged = false
        func report(_ entry: DamagedEntry) throws(MappedStoreError) {
            isDamaged = true
            guard let damaged else { throw error(for: entry, view) }
            damaged(entry)
        }
        if snapshot.hasLost { try report(.unlisted(1)) }
        let records = DamagedRecords(view)
        // Whether superseded records are counted in the totals is unknown: their flags may be damaged.
        var (count, superseded) = (0, 0)
        for offset in snapshot.offsets {
            if let record = view.record(at: offset), view.isIntact(record) {
                if record.isRemoved { continue }
                count += 1
                if isExpired(record, view) { continue }
                if try body(record, view) { continue }
            } else if records.isSuperseded(offset) {
                superseded += 1
                continue
            }
            try report(damagedKey(offset, view).map { .value(of: $0) } ?? .unreadable)
        }
        guard view.isIntact else { throw truncatedError }
        if !isDamaged, superseded > 0, count < snapshot.totals.count { recount(snapshot.totals) }
        if !isDamaged, !(count...count + superseded).contains(snapshot.totals.count) {
            try report(.unlisted(max(1, snapshot.totals.count - count)))
        }
    }

    /// Corrects the number of values, which still includes one whose key was damaged and that has since been replaced or removed. If anybody holds the lock,
    /// or has changed the store since the scan, that is left to a later one.
    private func recount(_ totals: SharedHeader.Totals) {
        guard !options.readOnly else { return }
        _ = try? reading { view throws(MappedStoreError) -> Bool? in
            try lock.withLock(view, within: .zero) { () throws(MappedStoreError) in
                guard view.isCurrent, unsafe view.header.pendingEnd == 0, unsafe view.header.capacity <= view.length else { return true }
                if view.totals == totals { try rebuild(view) }
                return true
            }
        }
    }

    private func error(for entry: DamagedEntry, _ view: MappedView) -> MappedStoreError {
        guard view.isIntact else { return truncatedError }
        let others = "forEachIntact(_:) reads all others"
        return switch entry {
        case .value(of: let key):
            MappedStoreError(.corruption, "a value of \(path) is damaged; set or remove it. \(others)").about(key)
        case .unreadable:
            MappedStoreError(
                .corruption,
                "a value of \(path) is damaged along with its key. \(others); to remove it, back up the store and restore the backup"
            )
        case .unlisted:
            options.readOnly
                ? damagedError
                : MappedStoreError(.corruption, "the index of \(path) was damaged and has been rebuilt; values are lost. \(others)")
        }
    }

    /// Returns the key that a lookup finds a damaged record under; `nil` if there is none.
    func damagedKey(_ offset: Int, _ view: MappedView) -> String? {
        guard let record = view.record(at: offset), !record.isSealed,
            let key = unsafe String(validating: record.key(in: view.base), as: UTF8.self)
        else { return nil }
        let found = unsafe key.withLentBytes { unsafe view.find($0, hash: view.hash($0))?.record?.offset }
        return found == offset ? key : nil
    }

    /// Returns the key of a record; `nil` if it is damaged.
    func key(of record: MappedRecord, _ view: MappedView) -> String? {
        view.isIntact(record) ? keyOfIntact(record, view) : nil
    }

    /// Returns the key of a record with the right checksum; `nil` if it was changed nevertheless.
    func keyOfIntact(_ record: MappedRecord, _ view: MappedView) -> String? {
        if record.isSealed { return MappedSealed.open(record, view).map { String(decoding: $0.key, as: UTF8.self) } }
        return unsafe String(decoding: record.key(in: view.base), as: UTF8.self)
    }

    /// Returns the entry of a record with the right checksum; `nil` if it was changed nevertheless.
    func entryOfIntact(_ record: MappedRecord, _ view: MappedView) -> MappedEntry? {
        let expires = unsafe record.expires ? Date(timeIntervalSince1970: Double(record.deadline(in: view.base)) / 1000) : nil
        if record.isSealed {
            guard let content = MappedSealed.open(record, view) else { return nil }
            return unsafe MappedEntry(
                key: String(decoding: content.key, as: UTF8.self),
                value: Self.variant(content.value.span.bytes, content.type),
                expires: expires
            )
        }
        return unsafe MappedEntry(
            key: String(decoding: record.key(in: view.base), as: UTF8.self),
            value: Self.variant(RawSpan(_unsafeBytes: record.value(in: view.base)), record.type),
            expires: expires
        )
    }

    /// A value that cannot be read as its type is kept as bytes of that type.
    private static func variant(_ bytes: RawSpan, _ type: MappedValueType) -> MappedVariant {
        do throws(MappedStoreError) { return try MappedVariant(stored: bytes, as: type) } catch {
            return .other(type, [UInt8](copying: bytes))
        }
    }
}
