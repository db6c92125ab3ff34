extension EncodingError {
    /// `NaN`, `infinity` or `-infinity`, if such a number is what could not be encoded.
    package var unencodableNumber: String? {
        guard case .invalidValue(let value, _) = self, let number = value as? any BinaryFloatingPoint else { return nil }
        if number.isNaN { return "NaN" }
        guard number.isInfinite else { return nil }
        return number.sign == .minus ? "-infinity" : "infinity"
    }
}
