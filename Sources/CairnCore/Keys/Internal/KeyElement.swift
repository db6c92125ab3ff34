/// One element of a key, looked at without decoding it.
package enum KeyElement {
    /// Where the element that starts at an offset ends; `nil` if the bytes are not an element.
    package static func end(at start: Int, in key: RawSpan) -> Int? {
        guard start < key.byteCount else { return nil }
        let code = key.keyByte(start)
        let end: Int
        switch code {
        case KeyTypeCode.null, KeyTypeCode.true, KeyTypeCode.false: end = start + 1
        case KeyTypeCode.bytes, KeyTypeCode.string:
            var place = start + 1
            while place < key.byteCount {
                if key.keyByte(place) == 0 {
                    guard place + 1 < key.byteCount, key.keyByte(place + 1) == KeyTypeCode.escape else { return place + 1 }
                    place += 1
                }
                place += 1
            }
            return nil
        case KeyTypeCode.largeNegative + 1..<KeyTypeCode.largePositive: end = start + 1 + abs(Int(code) - Int(KeyTypeCode.zero))
        case KeyTypeCode.largeNegative, KeyTypeCode.largePositive:
            guard start + 1 < key.byteCount else { return nil }
            end = start + 2 + Int(key.keyByte(start + 1) ^ (code == KeyTypeCode.largeNegative ? 0xFF : 0))
        case KeyTypeCode.float: end = start + 5
        case KeyTypeCode.double: end = start + 9
        case KeyTypeCode.uuid: end = start + 17
        default:
            var decoder = KeyDecoder(key.extracting(droppingFirst: start))
            guard (try? KeyValue(decoding: &decoder)) != nil else { return nil }
            end = start + decoder.position
        }
        return end <= key.byteCount ? end : nil
    }

    /// The number that an element holds; `nil` for a null, anything else, and integers of more than 128 bits.
    package static func number(_ element: RawSpan) -> KeyNumber? {
        guard element.byteCount > 0 else { return nil }
        let code = element.keyByte(0)
        switch code {
        case KeyTypeCode.largeNegative + 1..<KeyTypeCode.largePositive:
            var magnitude: UInt64 = 0
            let isNegative = code < KeyTypeCode.zero
            for place in 1..<max(1, element.byteCount) {
                magnitude = magnitude << 8 | UInt64(element.keyByte(place) ^ (isNegative ? 0xFF : 0))
            }
            return .integer(isNegative ? -Int128(magnitude) : Int128(magnitude))
        case KeyTypeCode.largeNegative, KeyTypeCode.largePositive:
            var decoder = KeyDecoder(element)
            if let number = try? Int128(decoding: &decoder) { return .integer(number) }
            decoder = KeyDecoder(element)
            return (try? UInt128(decoding: &decoder)).map { .large($0) }
        case KeyTypeCode.float:
            var decoder = KeyDecoder(element)
            return (try? Float(decoding: &decoder)).map { .floating(Double($0)) }
        case KeyTypeCode.double:
            var decoder = KeyDecoder(element)
            return (try? Double(decoding: &decoder)).map { .floating($0) }
        default: return nil
        }
    }

    /// The element that stands for all values equal to this one: positive zero for both zeros, and one NaN for all. `nil` for any other element.
    package static func normalized(_ element: RawSpan) -> [UInt8]? {
        guard case .floating(let number)? = number(element), number.isZero || number.isNaN else { return nil }
        let normal = number.isNaN ? Double.nan : 0
        return element.keyByte(0) == KeyTypeCode.float ? Float(normal).keyBytes : normal.keyBytes
    }
}

/// A number in a key.
package enum KeyNumber {
    case integer(Int128)
    /// Too large for `Int128`.
    case large(UInt128)
    case floating(Double)
}

extension RawSpan {
    /// The byte at an offset, which must be within the span: only debug builds check it.
    @inline(__always)
    fileprivate func keyByte(_ offset: Int) -> UInt8 {
        assert(offset >= 0 && offset < byteCount)
        return unsafe unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
    }
}
