import CRocks
import CairnCore

/// Owns one reference to a C++ comparator; options and databases take their own.
@safe final class ComparatorHandle {
    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }

    convenience init(name: String, compare: @escaping @Sendable (RawSpan, RawSpan) -> Int) {
        let context = unsafe Unmanaged.passRetained(Compare(compare)).toOpaque()
        let pointer = unsafe crk_comparator_create(
            name,
            context,
            { context, first, second in
                let order = unsafe Unmanaged<Compare>.fromOpaque(context)._withUnsafeGuaranteedRef {
                    unsafe $0.body(first.span, second.span)
                }
                return order < 0 ? -1 : (order > 0 ? 1 : 0)
            },
            { context in unsafe Unmanaged<Compare>.fromOpaque(context).release() }
        )
        unsafe self.init(owning: pointer)
    }

    deinit { unsafe crk_comparator_release(pointer) }

    private final class Compare {
        let body: @Sendable (RawSpan, RawSpan) -> Int
        init(_ body: @escaping @Sendable (RawSpan, RawSpan) -> Int) { self.body = body }
    }
}

// A reference-counted, immutable C++ object.
extension ComparatorHandle: @unchecked Sendable {}

/// Owns one reference to a C++ merge operator; options and databases take their own.
@safe final class MergeOperatorHandle {
    typealias Full = @Sendable (_ key: RawSpan, _ existing: RawSpan?, _ operands: MergeOperands) -> [UInt8]?
    typealias Partial = @Sendable (_ key: RawSpan, _ operands: MergeOperands) -> [UInt8]?

    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }

    convenience init(name: String, full: @escaping Full, partial: Partial?) {
        let context = unsafe Unmanaged.passRetained(Merge(full: full, partial: partial)).toOpaque()
        let pointer = unsafe crk_merge_operator_create(
            name,
            context,
            { context, key, existing, operands, count, result in
                unsafe Unmanaged<Merge>.fromOpaque(context)._withUnsafeGuaranteedRef { merge in
                    let operands = unsafe MergeOperands(start: operands, count: count)
                    let merged =
                        if let existing = unsafe existing {
                            unsafe merge.full(key.span, existing.pointee.span, operands)
                        } else {
                            unsafe merge.full(key.span, nil, operands)
                        }
                    return unsafe MergeOperatorHandle.set(result, merged)
                }
            },
            partial == nil
                ? nil
                : { context, key, operands, count, result in
                    unsafe Unmanaged<Merge>.fromOpaque(context)._withUnsafeGuaranteedRef { merge in
                        let combined = unsafe merge.partial?(key.span, MergeOperands(start: operands, count: count))
                        return unsafe MergeOperatorHandle.set(result, combined)
                    }
                },
            { context in unsafe Unmanaged<Merge>.fromOpaque(context).release() }
        )
        unsafe self.init(owning: pointer)
    }

    deinit { unsafe crk_merge_operator_release(pointer) }

    private static func set(_ result: OpaquePointer, _ bytes: [UInt8]?) -> Bool {
        guard let bytes else { return false }
        return unsafe bytes.span.bytesOfUInt8.withShimBytes { unsafe crk_result_set(result, $0) }
    }

    private final class Merge {
        let full: Full
        let partial: Partial?
        init(full: @escaping Full, partial: Partial?) {
            self.full = full
            self.partial = partial
        }
    }
}

// A reference-counted, immutable C++ object.
extension MergeOperatorHandle: @unchecked Sendable {}

extension Span<UInt8> {
    /// `bytes` without the warning about padding, of which bytes have none.
    var bytesOfUInt8: RawSpan {
        @_lifetime(copy self) get { unsafe bytes }
    }
}

/// Owns one reference to a C++ block cache.
@safe final class CacheHandle {
    let pointer: OpaquePointer
    init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }
    deinit { unsafe crk_cache_release(pointer) }
}

// RocksDB's caches are thread-safe.
extension CacheHandle: @unchecked Sendable {}

/// Owns one reference to a C++ Statistics.
@safe final class StatisticsHandle {
    let pointer: OpaquePointer
    init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }
    deinit { unsafe crk_statistics_release(pointer) }
}

// RocksDB's statistics are thread-safe.
extension StatisticsHandle: @unchecked Sendable {}
