import ArgumentParser
import CairnForms
import CairnRocksGraph
import CairnToolKit

/// How `list` and `find` print objects: a line for each.
struct ObjectLines: ParsableArguments {
    @Option(help: "A property to print. Can be repeated. (default: all)") var property: [String] = []
    @Flag(help: "Print JSON Lines.") var json = false

    /// Throws if the class lacks one of the properties.
    func check(_ stored: ObjectCatalog.Class) throws {
        for name in property where !stored.properties.contains(where: { $0.name == name }) {
            throw Failure(
                .usage,
                "\(stored.name) has no property '\(name)'.",
                hint: "It has: \(stored.properties.map(\.name).joined(separator: ", "))."
            )
        }
    }

    func write(_ object: ObjectDump, _ stored: ObjectCatalog.Class, _ output: OutputWriter) throws {
        var object = object
        if !property.isEmpty { object.fields.removeAll { !property.contains($0.name) } }
        guard !json else { return try output.write(ObjectJSON.line(object, stored)) }
        let fields = object.fields.map { "\($0.name)=\(ObjectJSON.text($0, stored))" }
        try output.writeLine((["\(object.id)"] + fields).joined(separator: "\t"))
    }
}
