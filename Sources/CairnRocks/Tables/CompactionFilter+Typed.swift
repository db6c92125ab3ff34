public import CairnCore

extension CompactionFilter {
    /// What a filter decides about a decoded entry; see ``Decision``.
    public enum TypedDecision<Key, Value> {
        /// Stays as it is.
        case keep
        /// Goes.
        case remove
        /// Stays with this value.
        case change(Value)
        /// Goes with all that follows up to this key, see ``Decision/removeAndSkipUntil(_:)``.
        case removeAndSkipUntil(Key)
    }

    /// A filter of decoded keys and values.
    ///
    /// ```swift
    /// let tidy = CompactionFilter(name: "example.tidy", keys: .ordered, values: .utf8) { (_: Int, text: String, _) in
    ///     text.isEmpty ? .remove : .keep
    /// }
    /// ```
    ///
    /// As ``init(name:stages:mergeOperands:decide:)``, for values only. An entry that cannot be decoded, or whose change cannot be encoded, is
    /// kept as it is.
    public convenience init<Key, Value>(
        name: String,
        stages: Stages = .compaction,
        keys: KeyCodec<Key>,
        values: ValueCodec<Key, Value>,
        decide: @escaping @Sendable (_ key: Key, _ value: Value, _ context: Context) -> TypedDecision<Key, Value>
    ) {
        self.init(name: name, stages: stages) { key, value, context in
            do throws(CodecError) {
                let key = try keys.decode(key)
                switch decide(key, try values.decode(value, for: key), context) {
                case .keep: return .keep
                case .remove: return .remove
                case .change(let new): return .change(try values.encode(new, for: key))
                case .removeAndSkipUntil(let key): return .removeAndSkipUntil(try keys.encode(key))
                }
            } catch {
                return .keep
            }
        }
    }
}
