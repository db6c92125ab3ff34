import CairnCore
import CairnRocks

// The same as RivalRocksDB/Extending.cpp.
extension Extension {
    func extend(_ options: inout ColumnFamilyOptions) {
        switch self {
        case .none, .transactions: break
        case .comparator:
            options.comparator = KeyComparator(name: "bench.order", equalKeys: .sameBytes) { first, second in
                let x = number(first, 0), y = number(second, 0)
                if x != y { return x < y ? -1 : 1 }
                let v = number(first, 8), w = number(second, 8)
                return v < w ? -1 : v > w ? 1 : 0
            }
        case .mergeOperator:
            options.mergeOperator = MergeOperator(name: "bench.add") { _, existing, operand in
                var sum = load(operand)
                if let existing { sum &+= load(existing) }
                return unsafe [UInt8](unsafeUninitializedCapacity: 8) { bytes, count in
                    unsafe UnsafeMutableRawBufferPointer(bytes).storeBytes(of: sum, as: UInt64.self)
                    count = 8
                }
            }
        case .compactionFilter:
            options.compactionFilter = CompactionFilter(name: "bench.thirds") { _, value, _ in load(value) % 3 == 0 ? .remove : .keep }
        }
    }
}

@inline(__always)
private func load(_ bytes: RawSpan) -> UInt64 { unsafe bytes.unsafeLoadUnaligned(as: UInt64.self) }

@inline(__always)
private func number(_ key: RawSpan, _ offset: Int) -> UInt64 {
    unsafe key.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self).bigEndian
}
