import CRocks
import CairnCore

/// A Swift value that C++ holds as the context of its callbacks and releases through ``release``.
@safe final class CallbackBox<Body> {
    let body: Body
    init(_ body: Body) { self.body = body }

    /// Returns a reference for C++ to keep.
    static func retained(_ body: Body) -> UnsafeMutableRawPointer { unsafe Unmanaged.passRetained(CallbackBox(body)).toOpaque() }

    /// Lends the value behind `context`.
    @unsafe @inline(__always)
    static func with<Value>(_ context: UnsafeMutableRawPointer, _ use: (Body) -> Value) -> Value {
        unsafe Unmanaged<CallbackBox>.fromOpaque(context)._withUnsafeGuaranteedRef { use($0.body) }
    }

    @unsafe static func release(_ context: UnsafeMutableRawPointer) { unsafe Unmanaged<CallbackBox>.fromOpaque(context).release() }
}

/// The closures of a comparator.
struct ComparatorBody {
    let compare: @Sendable (RawSpan, RawSpan) -> Int
    let shortening: KeyComparator.Shortening?
}

/// The closures of a merge operator.
struct MergeBody {
    let full: MergeOperator.Full
    let partial: MergeOperator.Partial?
}

extension ObjectHandle {
    /// A C++ comparator that calls `body`.
    convenience init(comparatorNamed name: String, equalKeys: KeyComparator.EqualKeys, body: ComparatorBody) {
        var functions = unsafe crk_comparator_functions(
            compare: { context, first, second in
                let order = unsafe CallbackBox<ComparatorBody>.with(context) { unsafe $0.compare(first.span, second.span) }
                return order < 0 ? -1 : (order > 0 ? 1 : 0)
            },
            separate: nil,
            succeed: nil,
            destroy: { context in unsafe CallbackBox<ComparatorBody>.release(context) }
        )
        if body.shortening != nil {
            unsafe functions.separate = { context, start, limit, result in
                unsafe CallbackBox<ComparatorBody>.with(context) {
                    unsafe set(result, $0.shortening?.separator(start.span, limit.span))
                }
            }
            unsafe functions.succeed = { context, key, result in
                unsafe CallbackBox<ComparatorBody>.with(context) { unsafe set(result, $0.shortening?.successor(key.span)) }
            }
        }
        let context = unsafe CallbackBox.retained(body)
        let pointer = unsafe crk_comparator_create(name, equalKeys == .anyBytes, context, functions)
        unsafe self.init(owning: pointer) { unsafe crk_comparator_release($0) }
    }

    /// A C++ merge operator that calls `body`.
    convenience init(mergeOperatorNamed name: String, body: MergeBody) {
        let pointer = unsafe crk_merge_operator_create(
            name,
            CallbackBox.retained(body),
            { context, key, existing, operands, count, result in
                unsafe CallbackBox<MergeBody>.with(context) { merge in
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
            body.partial == nil
                ? nil
                : { context, key, operands, count, result in
                    unsafe CallbackBox<MergeBody>.with(context) { merge in
                        let combined = unsafe merge.partial?(key.span, MergeOperands(start: operands, count: count))
                        return unsafe set(result, combined)
                    }
                },
            { context in unsafe CallbackBox<MergeBody>.release(context) }
        )
        unsafe self.init(owning: pointer) { unsafe crk_merge_operator_release($0) }
    }

    /// A C++ prefix extractor that calls `length`.
    convenience init(prefixExtractorNamed name: String, length: @escaping PrefixExtractor.Length) {
        let pointer = unsafe crk_prefix_extractor_create(
            name,
            CallbackBox.retained(length),
            { context, key in
                unsafe CallbackBox<PrefixExtractor.Length>.with(context) { length in
                    // To the shim, negative means no prefix.
                    unsafe length(key.span).map { max(0, $0) } ?? -1
                }
            },
            { context in unsafe CallbackBox<PrefixExtractor.Length>.release(context) }
        )
        unsafe self.init(owning: pointer) { unsafe crk_prefix_extractor_release($0) }
    }

    /// A C++ compaction filter that calls `body`.
    convenience init(compactionFilterNamed name: String, stages: CompactionFilter.Stages, body: FilterBody) {
        let pointer = unsafe crk_compaction_filter_create(
            name,
            stages.rawValue,
            body.operands != nil,
            CallbackBox.retained(body),
            { context, file, key, value, result in
                unsafe CallbackBox<FilterBody>.with(context) { body in
                    let file = unsafe file.pointee
                    let decide = file.is_operand ? body.operands ?? body.values : body.values
                    switch unsafe decide(key.span, value.span, CompactionFilter.Context(file)) {
                    case .keep: return CRK_KEEP
                    case .remove: return CRK_REMOVE
                    case .change(let bytes): return unsafe set(result, bytes) ? CRK_CHANGE : CRK_KEEP
                    case .removeAndSkipUntil(let bytes): return unsafe set(result, bytes) ? CRK_SKIP : CRK_KEEP
                    }
                }
            },
            { context in unsafe CallbackBox<FilterBody>.release(context) }
        )
        unsafe self.init(owning: pointer) { unsafe crk_compaction_filter_release($0) }
    }
}

/// The closures of a compaction filter.
struct FilterBody {
    let values: CompactionFilter.Decide
    let operands: CompactionFilter.Decide?
}

private func set(_ result: OpaquePointer, _ bytes: [UInt8]?) -> Bool {
    guard let bytes else { return false }
    return unsafe bytes.span.bytesOfUInt8.withShimBytes { unsafe crk_result_set(result, $0) }
}

extension Span<UInt8> {
    /// `bytes` without the warning about padding, which bytes do not have.
    var bytesOfUInt8: RawSpan {
        @_lifetime(copy self) get { unsafe bytes }
    }
}
