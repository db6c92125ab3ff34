import CairnCore

/// Builds a page, slot by slot.
@safe
struct PageBuilder: ~Copyable {
    private var sizes: [UInt8] = []
    private var records: UnsafeMutableRawPointer
    private var capacity: Int
    private var count = 0
    private var bits: UInt32 = 0

    init() {
        capacity = 4096
        unsafe records = .allocate(byteCount: capacity, alignment: 8)
    }

    deinit { unsafe records.deallocate() }

    mutating func reset() {
        sizes.removeAll(keepingCapacity: true)
        count = 0
        bits = 0
    }

    /// Adds a record after those of lower slots; an empty one is stored outside the page.
    @inline(__always)
    mutating func add(_ slot: Int, _ record: RawSpan) {
        let size = record.byteCount
        bits |= 1 << UInt32(slot)
        if size < 0x80 { sizes.append(UInt8(size)) } else { Varint.append(UInt64(size), to: &sizes) }
        if count + size > capacity { grow(size) }
        unsafe record.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            unsafe (records + count).copyMemory(from: start, byteCount: size)
        }
        count += size
    }

    private mutating func grow(_ more: Int) {
        let size = max(capacity * 2, count + more)
        let new = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
        unsafe new.copyMemory(from: records, byteCount: count)
        unsafe records.deallocate()
        unsafe records = new
        capacity = size
    }

    var isEmpty: Bool { bits == 0 }

    /// Writes the page.
    func finish(into bytes: inout [UInt8]) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(ObjectPage.format)
        for shift in stride(from: UInt32(0), to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: bits >> shift)) }
        bytes += sizes
        unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(start: records, count: count))
    }
}
