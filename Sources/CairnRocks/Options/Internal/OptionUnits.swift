import CairnCore

/// Reads a whole number as RocksDB does, including suffixes; `nil` for anything else, even if RocksDB would silently accept it.
func wholeNumber(_ text: String) -> Int128? {
    let shifts: [Character: Int128] = ["k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40]
    let factor = text.last.flatMap { shifts[Character($0.lowercased())] }
    let digits = factor == nil ? text[...] : text.dropLast()
    guard let number = Int128(digits) else { return nil }
    let (product, overflow) = number.multipliedReportingOverflow(by: factor ?? 1)
    return overflow ? nil : product
}

extension NamedOptions {
    /// An option that RocksDB counts in whole seconds. Fractions are rounded up, so that none becomes zero.
    subscript(seconds name: String) -> Duration {
        get { .seconds(self[name, as: Int.self]) }
        set { self[name] = newValue.rounded(upTo: 1_000_000_000_000_000_000) }
    }

    /// An option that RocksDB counts in whole microseconds. Fractions are rounded up, so that none becomes zero.
    subscript(microseconds name: String) -> Duration {
        get { .microseconds(self[name, as: Int.self]) }
        set { self[name] = newValue.rounded(upTo: 1_000_000_000_000) }
    }

    /// An option that RocksDB counts in whole seconds, where `nil` stands for RocksDB's special value that lets it decide.
    subscript(automaticSeconds name: String) -> Duration? {
        get {
            let text = self[name] ?? ""
            return text == "18446744073709551614" ? nil : .seconds(Int(optionText: text) ?? 0)
        }
        set {
            if let newValue { self[seconds: name] = newValue } else { settings[name] = nil }
        }
    }

    /// An option that RocksDB counts in whole mebibytes. Fractions are rounded up.
    subscript(mebibytes name: String) -> ByteCount {
        get { .mebibytes(min(Int64(self[name, as: Int.self]), .max >> 20)) }
        set { self[name] = Int(newValue.bytes >> 20) + (newValue.bytes & 0xF_FFFF == 0 ? 0 : 1) }
    }
}

extension Duration {
    /// The number of units of `unit` attoseconds; a fraction is rounded away from zero. `components` would trap for very long durations.
    func rounded(upTo unit: Int128) -> Int {
        let (units, rest) = attoseconds.quotientAndRemainder(dividingBy: unit)
        return Int(clamping: units + Int128(rest.signum()))
    }
}
