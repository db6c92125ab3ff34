import ArgumentParser
import CairnCore
import CairnForms
import CairnRocks
import CairnToolKit

/// How keys are written on the command line and in the output: by the types of their elements, or as bytes.
struct KeyForm: ParsableArguments {
    @OptionGroup var hex: HexArguments

    @Flag(help: "Write keys and values as bytes, even if the database remembers the types of the table.")
    var raw = false

    @Option(
        help: ArgumentHelp(
            "The types of the elements of a typed table's keys: string, int, float, double, bool, date, uuid, bytes, with ? if an element can be null. Keys are then written as their elements, separated by commas. (default: what the database remembers)",
            valueName: "types"
        )
    )
    var keyType: KeyTypes?

    func validate() throws {
        if hex.hex && keyType != nil { throw ValidationError("--hex cannot be combined with --key-type.") }
        if raw && keyType != nil { throw ValidationError("--raw cannot be combined with --key-type.") }
    }

    /// The types that the database at `path` remembers; none if all are to be bytes.
    func remembered(in path: String) -> RememberedTypes { hex.hex || raw ? RememberedTypes() : RememberedTypes(path: path) }

    /// The form of the entries of a column family.
    func form(of family: String, _ remembered: RememberedTypes, valueType: ValueType? = nil) -> EntryForm {
        EntryForm(
            hex: hex,
            keyTypes: keyType ?? remembered.keyTypes(of: family),
            valueType: valueType ?? remembered.valueType(of: family),
            isKeyTypeGiven: keyType != nil,
            isValueTypeGiven: valueType != nil
        )
    }
}

/// How keys and values are written.
struct EntryArguments: ParsableArguments {
    @OptionGroup var keys: KeyForm

    @Option(
        help: ArgumentHelp(
            "The type of a typed table's values: text, bytes, json, plist, float, double, int64, uint8 and so on; with be if it is big-endian. (default: what the database remembers)",
            valueName: "type"
        ),
        transform: ValueType.parse
    )
    var valueType: ValueType?

    func validate() throws {
        if keys.hex.hex && valueType != nil { throw ValidationError("--hex cannot be combined with --value-type.") }
        if keys.raw && valueType != nil { throw ValidationError("--raw cannot be combined with --value-type.") }
    }

    /// The form of the entries of a column family.
    func form(of family: String, _ remembered: RememberedTypes) -> EntryForm { keys.form(of: family, remembered, valueType: valueType) }
}

/// The types of a database's tables, as its program declared them.
struct RememberedTypes {
    private var tables: [String: TableTypes] = [:]

    /// None.
    init() {}

    /// Says so if they cannot be read, which is not an error.
    init(path: String) {
        let file = FileSystem.join(path, TableTypesFile.name)
        do {
            tables = try TableTypesFile.read(in: path)
            let isKnown = tables.values.allSatisfy { types in
                types.key.map { KeyTypes(argument: $0) != nil } ?? true && types.value.map { ValueType($0) != nil } ?? true
            }
            if !isKnown { Self.note("'\(file)' names types that this version of the tool does not know; they are handled as bytes.") }
        } catch is TableTypesFile.Unreadable {
            Self.note("'\(file)' is damaged or not Cairn's, so the types of keys and values are not known; they are handled as bytes.")
        } catch {
            Self.note("'\(file)' cannot be read, so the types of keys and values are not known; they are handled as bytes.")
        }
    }

    func keyTypes(of family: String) -> KeyTypes? { tables[family]?.key.flatMap { KeyTypes(argument: $0) } }

    func valueType(of family: String) -> ValueType? { tables[family]?.value.flatMap { ValueType($0) } }

    private static func note(_ text: String) {
        OutputWriter.finish(with: " \(text)\n", on: .error, label: ("Note:", .cyan))
    }
}
