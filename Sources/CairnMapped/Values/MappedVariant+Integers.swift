import CairnCore

extension MappedVariant {
    /// Creates the integer that `text` represents, of any width that can be stored; `nil` if `text` is not an integer.
    package init?(integer text: String) {
        if let value = Int128(text) {
            self = .int(value)
        } else if let value = UInt128(text), let stored = try? value.withStoredBytes({ MappedVariant.other($1, [UInt8](copying: $0)) }) {
            self = stored
        } else {
            return nil
        }
    }

    /// The integer, if it is wider than ``int(_:)``.
    package var wideInteger: UInt128? {
        guard case .other(.int, let bytes) = self else { return nil }
        return try? unsafe UInt128(stored: bytes.span.bytes, as: .int)
    }
}
