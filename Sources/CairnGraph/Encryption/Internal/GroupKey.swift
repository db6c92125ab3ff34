import CairnCore

/// The key of a group, as stored.
///
/// ```
/// 0..<8       the generation, which records name too
/// 8           the size of the key
/// 9…          the key
/// …           the name of the group, UTF-8
/// ```
struct GroupKey: Equatable {
    var generation: UInt64
    var key: [UInt8]
    var name: String

    init(generation: UInt64, key: [UInt8], name: String) {
        self.generation = generation
        self.key = key
        self.name = name
    }

    /// `nil` if the bytes are not a group key.
    init?(_ bytes: [UInt8]) {
        guard bytes.count > 9, bytes.count >= 9 + Int(bytes[8]) else { return nil }
        generation = unsafe Keyspace.number(bytes.span.bytes, at: 0)
        key = Array(bytes[9..<9 + Int(bytes[8])])
        guard let name = String(validating: bytes[(9 + key.count)...], as: UTF8.self) else { return nil }
        self.name = name
    }

    var bytes: [UInt8] { Keyspace.bigEndian(generation) + [UInt8(truncatingIfNeeded: key.count)] + key + Array(name.utf8) }
}
