import ArgumentParser
import CairnToolKit

/// The types of columns, for `--types seconds=int,live=bool`.
struct FieldTypes: ExpressibleByArgument {
    let byName: [String: FieldType]

    init?(argument: String) {
        var types: [String: FieldType] = [:]
        for pair in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let mark = pair.lastIndex(of: "="), let type = FieldType(rawValue: String(pair[pair.index(after: mark)...])) else {
                return nil
            }
            guard types.updateValue(type, forKey: String(pair[..<mark])) == nil else { return nil }
        }
        byName = types
    }
}
