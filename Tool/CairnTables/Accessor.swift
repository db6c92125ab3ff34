/// The Swift code that gives a program its table.
package struct Accessor {
    /// The name of the file with the rows, without its directory.
    let source: String
    /// The name of the type, and of the resource.
    let name: String
    let columns: [TableColumn]

    package init(source: String, name: String, columns: [TableColumn]) {
        self.source = source
        self.name = name
        self.columns = columns
    }

    /// The whole file.
    package var text: String {
        let key = columns[0]
        let properties = columns.map { "        let \($0.name): \($0.typeText)" }
        let others = columns.dropFirst().map { "        self.\($0.name) = try columns.decode()" }
        return """
            // Made by ConstantDatabasePlugin from \(source), and again whenever that changes.
            import CairnCDB
            import Foundation

            /// The rows of \(source), by `\(key.name)`, in a file that is part of the program.
            enum \(name) {
                /// All rows. Opens the file on first use; ends the program if it is missing.
                static let shared = CDBTable<Row>(bundled: Bundle.module.path(forResource: "\(name)", ofType: "cdb"), name: "\(name).cdb")

                /// A row of \(source).
                struct Row: Hashable, Sendable {
            \(properties.joined(separator: "\n"))
                }
            }

            extension \(name).Row: CDBTableRow {
                typealias Key = \(key.typeText)

                static var columns: String { "\(columns.map(\.text).joined(separator: ","))" }

                init(key: Key, columns: inout KeyDecoder) throws(CodecError) {
            \((["        self.\(key.name) = key"] + others).joined(separator: "\n"))
                }
            }

            """
    }
}
