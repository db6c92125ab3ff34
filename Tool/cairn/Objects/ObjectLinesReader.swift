import CairnForms
import CairnRocksGraph
import CairnToolKit

/// Reads the lines of an export: classes first, then objects and names.
final class ObjectLinesReader {
    enum Item {
        case object(ObjectDump)
        case name(StoreInspector.Name)
    }

    private let input: ByteInput
    private var lines: JSONTreeReader
    /// The first line after the classes.
    private var waiting: (ObjectJSON.Line, Int)?

    init(_ input: ByteInput) {
        self.input = input
        lines = JSONTreeReader(input: input)
    }

    private func next() throws -> (ObjectJSON.Line, Int)? {
        guard let (tree, line) = try lines.next() else { return nil }
        do { return (try ObjectJSON.read(tree), line) } catch { throw input.error(line, error.message) }
    }

    func readClasses() throws -> ObjectCatalog {
        guard let (first, line) = try lines.next(), case .number(let text)? = first["cairn_objects"], let format = Int(text) else {
            throw input.error(1, "is not an export of objects: the first line must be {\"cairn_objects\":1}")
        }
        guard format <= ObjectJSON.format else {
            throw input.error(line, "has format \(format), but this release supports only up to \(ObjectJSON.format)")
        }
        var catalog = ObjectCatalog(classes: [])
        while let (item, line) = try next() {
            guard case .storedClass(let stored) = item else {
                waiting = (item, line)
                break
            }
            guard catalog[stored.name] == nil else { throw input.error(line, "the class \(stored.name) occurs twice") }
            catalog.classes.append(stored)
        }
        return catalog
    }

    /// Calls `body` with each object and name; its errors are reported with the line.
    func forEach(_ catalog: ObjectCatalog, _ body: (Item) throws -> Void) throws {
        while let (item, line) = try waiting ?? next() {
            waiting = nil
            do {
                switch item {
                case .object(let values, let id, let name, let version):
                    guard let stored = catalog[id], stored.name == name else {
                        throw ObjectJSONFault(message: "the class \(name) does not have number \(id.classNumber)")
                    }
                    try body(.object(try ObjectJSON.object(values, id, version: version, stored)))
                case .name(let name): try body(.name(name))
                case .storedClass: throw ObjectJSONFault(message: "classes must come before objects")
                }
            } catch {
                guard let message = (error as? ObjectJSONFault)?.message ?? (error as? ObjectStoreError)?.message else { throw error }
                throw input.error(line, message)
            }
        }
    }
}
