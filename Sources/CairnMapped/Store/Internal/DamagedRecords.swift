/// Distinguishes damaged records that hold the value of a key from superseded ones: if a damaged record's key can no longer be recognized, setting
/// the key again takes another slot, and the old one stays until the index is rebuilt.
struct DamagedRecords {
    private let view: MappedView
    private let slots = Slots()

    /// The slots of the index, by the offset that they point to; made when first needed.
    private final class Slots { var positions: [Int: UInt64]? }

    init(_ view: MappedView) { self.view = view }

    /// Whether any record at these offsets is damaged and was not superseded.
    func exist(in offsets: [Int]) -> Bool {
        offsets.contains { offset in
            if let record = view.record(at: offset), view.isIntact(record) { return false }
            return !isSuperseded(offset)
        }
    }

    /// Whether the key of the damaged record at `offset` was set again since, judging by its slot: 24 bits of the hash, and the place.
    func isSuperseded(_ offset: Int) -> Bool {
        guard let start = position(of: offset) else { return false }
        let table = unsafe view.table
        let tag = unsafe table[start]
        var position = unsafe table.next(start)
        while position != start {
            let slot = unsafe table[position]
            guard slot != 0 else { return false }
            let newer = unsafe IndexTable.offset(of: slot)
            if unsafe IndexTable.tagsAgree(slot, tag), newer > offset, let record = view.record(at: newer), view.isIntact(record) {
                return true
            }
            position = unsafe table.next(position)
        }
        return false
    }

    private func position(of offset: Int) -> UInt64? {
        if let positions = slots.positions { return positions[offset] }
        var positions: [Int: UInt64] = [:]
        for position in 0..<(unsafe view.table.count) {
            let slot = unsafe view.table[position]
            if slot != 0 { positions[unsafe IndexTable.offset(of: slot)] = position }
        }
        slots.positions = positions
        return positions[offset]
    }
}
