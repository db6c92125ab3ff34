import CRocks
import CairnCore

extension ObjectHandle {
    /// A C++ comparator that calls `compare`.
    convenience init(comparatorNamed name: String, compare: @escaping @Sendable (RawSpan, RawSpan) -> Int) {
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
        unsafe self.init(owning: pointer) { unsafe crk_comparator_release($0) }
    }

    /// A C++ merge operator that calls `full` and `partial`.
    convenience init(mergeOperatorNamed name: String, full: @escaping Merge.Full, partial: Merge.Partial?) {
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
                    return unsafe set(result, merged)
                }
            },
            partial == nil
                ? nil
                : { context, key, operands, count, result in
                    unsafe Unmanaged<Merge>.fromOpaque(context)._withUnsafeGuaranteedRef { merge in
                        let combined = unsafe merge.partial?(key.span, MergeOperands(start: operands, count: count))
                        return unsafe set(result, combined)
                    }
                },
            { context in unsafe Unmanaged<Merge>.fromOpaque(context).release() }
        )
        unsafe self.init(owning: pointer) { unsafe crk_merge_operator_release($0) }
    }
}

private func set(_ result: OpaquePointer, _ bytes: [UInt8]?) -> Bool {
    guard let bytes else { return false }
    return unsafe bytes.span.bytesOfUInt8.withShimBytes { unsafe crk_result_set(result, $0) }
}

private final class Compare {
    let body: @Sendable (RawSpan, RawSpan) -> Int
    init(_ body: @escaping @Sendable (RawSpan, RawSpan) -> Int) { self.body = body }
}

/// The closures of a merge operator.
final class Merge {
    typealias Full = @Sendable (_ key: RawSpan, _ existing: RawSpan?, _ operands: MergeOperands) -> [UInt8]?
    typealias Partial = @Sendable (_ key: RawSpan, _ operands: MergeOperands) -> [UInt8]?

    fileprivate let full: Full
    fileprivate let partial: Partial?

    fileprivate init(full: @escaping Full, partial: Partial?) {
        self.full = full
        self.partial = partial
    }
}

extension Span<UInt8> {
    /// `bytes` without the warning about padding, of which bytes have none.
    var bytesOfUInt8: RawSpan {
        @_lifetime(copy self) get { unsafe bytes }
    }
}
