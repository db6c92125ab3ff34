import Foundation

/// The mass of an amount of a substance, from tables that are part of the program.
@main
enum MolarMass {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard let text = arguments.first, arguments.count <= 2 else {
            print("Usage: MolarMass FORMULA [AMOUNT]    such as: MolarMass C6H12O6 5mmol")
            print("Knows \(Elements.shared.count) elements and \(Prefixes.shared.count) prefixes.")
            exit(2)
        }
        do {
            let formula = try Formula(text)
            guard let mass = formula.molarMass else { throw Formula.Fault(description: "an element in \(text) has no standard weight") }
            guard let amount = arguments.dropFirst().first else { return print("\(text): \(rounded(mass)) g/mol") }
            print("\(amount) of \(text): \(rounded(mass * (try moles(amount)))) g")
        } catch {
            print("MolarMass: \(error)")
            exit(1)
        }
    }

    /// Parses an amount, such as `5mmol`.
    private static func moles(_ text: String) throws(Formula.Fault) -> Double {
        let number = text.prefix { $0.isNumber || $0 == "." }
        let unit = text.dropFirst(number.count)
        guard let count = Double(number), unit.hasSuffix("mol") else {
            throw Formula.Fault(description: "'\(text)' is not an amount such as 5mmol")
        }
        let symbol = String(unit.dropLast(3))
        if symbol.isEmpty { return count }
        guard let prefix = Prefixes.shared[symbol] else {
            let known = Prefixes.shared.map(\.symbol).joined(separator: ", ")
            throw Formula.Fault(description: "'\(symbol)' is not a prefix; there are \(known)")
        }
        return count * pow(10, Double(prefix.exponent))
    }

    private static func rounded(_ number: Double) -> String { String(format: "%.4g", number) }
}
