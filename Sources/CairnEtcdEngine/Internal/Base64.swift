import CairnCore

/// Bytes as JSON has them.
enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    /// The number of each digit; 255 for other characters.
    private static let numbers = {
        var numbers = [UInt8](repeating: 255, count: 256)
        for (number, digit) in digits.enumerated() { numbers[Int(digit)] = UInt8(number) }
        return numbers
    }()

    static func append(_ bytes: RawSpan, to text: inout [UInt8]) {
        let digits = digits
        text.reserveCapacity(text.count + (bytes.byteCount + 2) / 3 * 4)
        unsafe bytes.withUnsafeBytes { bytes in
            var index = 0
            while index + 2 < bytes.count {
                let group = unsafe Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
                text.append(digits[group >> 18])
                text.append(digits[group >> 12 & 63])
                text.append(digits[group >> 6 & 63])
                text.append(digits[group & 63])
                index += 3
            }
            guard index < bytes.count else { return }
            let second = index + 1 < bytes.count
            let group = unsafe Int(bytes[index]) << 16 | (second ? Int(bytes[index + 1]) << 8 : 0)
            text.append(digits[group >> 18])
            text.append(digits[group >> 12 & 63])
            text.append(second ? digits[group >> 6 & 63] : UInt8(ascii: "="))
            text.append(UInt8(ascii: "="))
        }
    }

    /// Returns the bytes of a text with padding; `nil` if it is none.
    static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        let padding = text.suffix(2).count(where: { $0 == UInt8(ascii: "=") })
        let size = text.count / 4 * 3 - padding
        var seen: UInt8 = 0
        let bytes = unsafe text.withUnsafeBufferPointer { text in
            unsafe numbers.withUnsafeBufferPointer { numbers in
                unsafe [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3) { bytes, count in
                    func number(_ index: Int) -> UInt8 {
                        let number = unsafe numbers[Int(text[index])]
                        // Padding is at the end only.
                        guard number > 63, index >= text.count - padding else { return number }
                        return 0
                    }
                    var (index, place) = (0, 0)
                    while index < text.count {
                        let (one, two, three, four) = (number(index), number(index + 1), number(index + 2), number(index + 3))
                        seen |= one | two | three | four
                        unsafe bytes[place] = one << 2 | two >> 4
                        unsafe bytes[place + 1] = two << 4 | three >> 2
                        unsafe bytes[place + 2] = three << 6 | four
                        index += 4
                        place += 3
                    }
                    count = size
                }
            }
        }
        return seen < 64 ? bytes : nil
    }
}
