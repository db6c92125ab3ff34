import CairnCore

/// Encrypted records. In place of the value they hold the hash of the key and, sealed together, the type, the length of the key, the key and the
/// value. The hash, the flags and the deadline are authenticated with them.
enum MappedSealed {
    /// The decrypted content.
    struct Content {
        let bytes: [UInt8]
        let keyCount: Int

        init?(_ bytes: [UInt8]) {
            guard bytes.count >= 3 else { return nil }
            keyCount = Int(bytes[1]) | Int(bytes[2]) << 8
            guard bytes.count >= 3 + keyCount else { return nil }
            self.bytes = bytes
        }

        var type: MappedValueType { MappedValueType(rawValue: bytes[0]) }
        var key: ArraySlice<UInt8> { bytes[3..<3 + keyCount] }
        var value: ArraySlice<UInt8> { bytes[(3 + keyCount)...] }

        func isKey(_ other: UnsafeRawBufferPointer) -> Bool { unsafe key.elementsEqual(other) }
    }

    /// Space for a value in its stored form.
    static func seal(
        key: UnsafeRawBufferPointer,
        type: MappedValueType,
        value: RawSpan,
        hash: UInt64,
        flags: MappedRecord.Flags,
        deadline: Int64?,
        by cipher: any MappedCipherSession
    ) throws(MappedStoreError) -> [UInt8] {
        var plain: [UInt8] = [type.rawValue, UInt8(truncatingIfNeeded: key.count), UInt8(truncatingIfNeeded: key.count >> 8)]
        unsafe plain.append(contentsOf: key)
        unsafe value.withUnsafeBytes { unsafe plain.append(contentsOf: $0) }
        let context = context(hash, flags, deadline)
        do {
            return littleEndian(hash) + (try unsafe cipher.seal(plain.span.bytes, context: context.span.bytes))
        } catch {
            throw MappedStoreError(.codec, "could not encrypt a record", cause: error)
        }
    }

    /// The hash of the record's key; 0 for a record too short to be one.
    @inline(__always)
    static func hash(of record: MappedRecord, in base: UnsafeRawPointer) -> UInt64 {
        record.valueCount >= 8 ? unsafe (base + record.valueOffset).loadUnaligned(as: UInt64.self) : 0
    }

    /// Decrypts a record; returns `nil` if it was changed.
    static func open(_ record: MappedRecord, _ view: MappedView) -> Content? {
        guard let cipher = view.cipher, record.isSealed, record.valueCount >= 8 else { return nil }
        let hash = unsafe hash(of: record, in: view.base)
        let deadline = unsafe record.expires ? record.deadline(in: view.base) : nil
        let context = context(hash, record.flags, deadline)
        let sealed = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: record.value(in: view.base)[8...]))
        guard let plain = try? unsafe cipher.open(sealed, context: context.span.bytes) else { return nil }
        return Content(plain)
    }

    /// The data authenticated with a record in addition to its content. Membership in a transaction is not: copying ends it.
    private static func context(_ hash: UInt64, _ flags: MappedRecord.Flags, _ deadline: Int64?) -> [UInt8] {
        littleEndian(hash) + [flags.subtracting(.ofTransactions).rawValue] + littleEndian(UInt64(bitPattern: deadline ?? .max))
    }

    private static func littleEndian(_ number: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
}
