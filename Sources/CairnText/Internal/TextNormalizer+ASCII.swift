extension TextNormalizer {
    /// Normalizes ASCII text, in which no scalar combines with another; returns whether the text is ASCII.
    ///
    /// - Parameters:
    ///   - table: What each scalar becomes; a space for scalars that separate words.
    ///   - bytes: Becomes the form.
    static func foldASCII(_ text: Span<UInt8>, _ table: [UInt8], into bytes: inout [UInt8]) -> Bool {
        if bytes.count < text.count { bytes.append(contentsOf: repeatElement(0, count: text.count - bytes.count)) }
        let size = unsafe text.withUnsafeBufferPointer { text in
            unsafe table.withUnsafeBufferPointer { table in
                unsafe bytes.withUnsafeMutableBufferPointer { bytes in unsafe fold(text, table, bytes) }
            }
        }
        guard let size else { return false }
        bytes.removeLast(bytes.count - size)
        return true
    }

    /// Returns the size of the form, which is no larger than the text; `nil` if the text is not ASCII.
    private static func fold(
        _ text: UnsafeBufferPointer<UInt8>,
        _ table: UnsafeBufferPointer<UInt8>,
        _ form: UnsafeMutableBufferPointer<UInt8>
    ) -> Int? {
        var size = 0
        // Whether what was written last is a space, or nothing was written.
        var isSpace = true
        for place in 0..<text.count {
            let byte = unsafe text[place]
            guard byte < 0x80 else { return nil }
            let folded = unsafe table[Int(byte)]
            guard folded != 0x20 || !isSpace else { continue }
            isSpace = folded == 0x20
            unsafe form[size] = folded
            size += 1
        }
        return isSpace && size > 0 ? size - 1 : size
    }
}
