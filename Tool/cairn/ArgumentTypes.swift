import ArgumentParser
import CairnCore
import CairnForms

// What the command line takes as the names of types.

extension KeyTypes: ExpressibleByArgument {}

extension MappedTypeName: ExpressibleByArgument {}

extension ValueType {
    /// For `--value-type`.
    static func parse(_ name: String) throws -> ValueType {
        guard let type = ValueType(name) else { throw ValidationError("There is no type '\(name)'.") }
        return type
    }
}
