/// A chemical formula, such as `C6H12O6` or `Ca(OH)2`.
struct Formula {
    /// How many atoms there are of each element, by its symbol.
    private(set) var atoms: [String: Int] = [:]

    /// What is wrong with a formula.
    struct Fault: Error, CustomStringConvertible { let description: String }

    /// Parses `text`.
    init(_ text: String) throws(Fault) {
        var rest = Substring(text)
        atoms = try Self.atoms(&rest, depth: 0)
        guard rest.isEmpty else { throw Fault(description: "there is a ')' too many in \(text)") }
        guard !atoms.isEmpty else { throw Fault(description: "there are no atoms in '\(text)'") }
    }

    /// Grams per mole; `nil` if an element has no stable isotopes, and so no standard weight.
    var molarMass: Double? {
        var mass = 0.0
        // Always in the same order, or the last digit may differ.
        for (symbol, count) in atoms.sorted(by: { $0.key < $1.key }) {
            guard let weight = Elements.shared[symbol]?.weight else { return nil }
            mass += weight * Double(count)
        }
        return mass
    }

    private static func atoms(_ rest: inout Substring, depth: Int) throws(Fault) -> [String: Int] {
        var atoms: [String: Int] = [:]
        while let first = rest.first, first != ")" {
            var group: [String: Int]
            if first == "(" {
                guard depth < 8 else { throw Fault(description: "parentheses are nested more than 8 deep") }
                rest.removeFirst()
                group = try Self.atoms(&rest, depth: depth + 1)
                guard rest.popFirst() == ")" else { throw Fault(description: "a '(' is not closed") }
            } else {
                let symbol = String(first) + rest.dropFirst().prefix { $0.isLowercase }
                guard Elements.shared[symbol] != nil else { throw Fault(description: "there is no element \(symbol)") }
                rest.removeFirst(symbol.count)
                group = [symbol: 1]
            }
            let digits = rest.prefix { $0.isNumber }
            guard digits.count <= 6, let count = digits.isEmpty ? 1 : Int(digits), count > 0 else {
                throw Fault(description: "there cannot be \(digits) atoms of one kind")
            }
            rest.removeFirst(digits.count)
            for (symbol, atom) in group {
                let (product, isTooLarge) = atom.multipliedReportingOverflow(by: count)
                let (sum, isSumTooLarge) = atoms[symbol, default: 0].addingReportingOverflow(product)
                guard !isTooLarge, !isSumTooLarge else { throw Fault(description: "there are too many atoms of \(symbol)") }
                atoms[symbol] = sum
            }
        }
        return atoms
    }
}
