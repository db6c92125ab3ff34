/// The header of a record: the version of its class, and its change count. A ``GroupedRecord`` prefix may precede it.
enum ObjectRecord {
    struct Header {
        var version: UInt8
        var changeCount: UInt32
        var size: Int

        /// `nil` if the bytes are not a record.
        @inline(__always)
        init?(_ record: RawSpan) {
            guard record.byteCount >= 2 else { return nil }
            var offset = 0
            if record.byte(0) == GroupedRecord.mark {
                offset = GroupedRecord.prefixSize
                guard record.byteCount >= offset + 2, record.byte(offset) != GroupedRecord.mark else { return nil }
            }
            version = record.byte(offset)
            offset &+= 1
            var count: UInt32 = 0
            var shift: UInt32 = 0
            while true {
                guard offset < record.byteCount, shift < 35 else { return nil }
                let byte = record.byte(offset)
                offset &+= 1
                count |= UInt32(byte & 0x7f) << shift
                shift += 7
                if byte < 0x80 { break }
            }
            changeCount = count
            size = offset
        }
    }

    @inline(__always)
    static func begin(_ writer: inout RecordWriter, version: UInt8, changeCount: UInt32) {
        writer.reset(version: version, changeCount: changeCount)
    }
}

extension RecordWriter {
    /// Starts a new record of an object.
    @inline(__always)
    mutating func reset(version: UInt8, changeCount: UInt32) {
        reset()
        field.reserve(6)
        field.append(byte: version)
        field.append(varint: UInt64(changeCount))
        start = field.count
    }
}
