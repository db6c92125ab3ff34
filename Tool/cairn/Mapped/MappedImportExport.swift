import ArgumentParser
import CairnMapped
import CairnMappedEncryption
import CairnMappedImport
import CairnToolKit

extension Mapped {
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Import an MMKV or Goose file, a property list or JSON: all values, or none if it fails.",
            discussion: """
                json   One object with keys and values as its members: what 'export' writes.
                plist  A dictionary, binary or XML.
                mmkv   An MMKV file. Its .crc file is read too. Encrypted files need
                       --mmkv-key-file.
                goose  A Goose file.

                MMKV and Goose do not store types. Types that are not given with --types are guessed, and the result lists the alternatives. Expired \
                values are omitted. Exits with 1 if the file is damaged, a value could not be imported, or --types does not match the file; all other values are \
                stored.
                """
        )

        enum Format: String, ExpressibleByArgument, CaseIterable { case json, plist, mmkv, goose }

        @OptionGroup var store: MappedArguments
        @Argument(help: "The file to import.", completion: .file()) var file: String
        @Option(help: "The format. (default: detected from the file's name or its .crc file)") var format: Format?
        @Option(
            parsing: .upToNextOption,
            help: ArgumentHelp(
                "The types of values, for mmkv and goose: \(MappedForeignType.allCases.map(\.rawValue).joined(separator: ", ")).",
                valueName: "key=type"
            )
        )
        var types: [String] = []
        @Option(help: "A file with the key of an encrypted MMKV file, exactly as it was given to MMKV.", completion: .file())
        var mmkvKeyFile: String?
        @Flag(help: "Keep existing values.") var keepExisting = false
        @Flag(help: "Print the result as a JSON object.") var json = false
        @OptionGroup var writing: MappedWritingArguments

        func validate() throws { _ = try givenTypes() }

        private func givenTypes() throws -> [String: MappedForeignType] {
            var result: [String: MappedForeignType] = [:]
            for text in types {
                guard let place = text.lastIndex(of: "="), let type = MappedForeignType(rawValue: String(text[text.index(after: place)...]))
                else {
                    throw ValidationError("--types takes KEY=TYPE, not '\(text)'.")
                }
                result[String(text[..<place])] = type
            }
            return result
        }

        func run() throws {
            let found = try read()
            let store = try store.openForWriting(create: writing.create, durability: writing.durability.durability)
            let count = try store.import(found, keepsExisting: keepExisting)
            try printing { output in
                if json { return try output.write(result(found.report, count)) }
                try output.writeLine("Stored \(Numbers.counted(count, "value", "values")) from '\(file)'.")
                let report = found.report
                for (key, source) in report.types.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                    guard case .guessed(let type, let alternatives) = source else { continue }
                    let others = alternatives.isEmpty ? "" : ", could be \(alternatives.map(\.rawValue).joined(separator: ", "))"
                    try output.writeLine("guessed: \(EscapedText.string(Array(key.utf8))) is \(type.rawValue)\(others)")
                }
                for key in report.mismatchedKeys.sorted() { try output.writeLine("wrong type: \(EscapedText.string(Array(key.utf8)))") }
                for left in report.leftOut { try output.writeLine("omitted: \(EscapedText.string(Array(left.key.utf8))): \(left.reason)") }
                if let damage = report.damage { try output.writeLine("damage: \(damage)") }
                for warning in report.warnings { try output.writeLine("warning: \(warning)") }
            }
            if let problem = try problem(found.report) { throw Failure(.no, problem) }
        }

        /// What was not imported as it should be; `nil` if there is nothing.
        private func problem(_ report: MappedImportReport) throws -> String? {
            if report.damage != nil { return "'\(file)' is damaged; what could be read was stored." }
            if !report.leftOut.isEmpty {
                let values = Numbers.counted(report.leftOut.count, "value", "values")
                return "\(values) of '\(file)' could not be imported; all others were stored."
            }
            if !report.mismatchedKeys.isEmpty { return "Some values do not have the types given with --types; their types were guessed." }
            let missing = try givenTypes().keys.filter { report.types[$0] == nil }.min()
            return missing.map { "'\(file)' has no value for the key '\($0)', which --types names." }
        }

        private func read() throws -> MappedImport {
            guard file == "-" || (try? FileSystem.system.stat(file)) != nil else { throw Failure(.file, "There is no file '\(file)'.") }
            guard let format = try format ?? detectedFormat() else {
                throw Failure(
                    .usage,
                    "The format of '\(file)' cannot be detected from its name.",
                    hint: "Give it with --format json, plist, mmkv or goose."
                )
            }
            guard types.isEmpty || format == .mmkv || format == .goose else {
                throw Failure(.usage, "--types is for mmkv and goose; in \(format.rawValue), values have their own types.")
            }
            do {
                switch format {
                case .json: return try .json(path: file)
                case .plist: return try .propertyList(path: file)
                case .goose: return try .goose(path: file, types: givenTypes())
                case .mmkv:
                    let key = try mmkvKeyFile.map(KeyFile.bytes)
                    return try .mmkv(path: file, cipher: key.map { .aes(key: $0) }, types: givenTypes())
                }
            } catch let error as MappedStoreError {
                let needsKey = error.code == .keyNeeded || error.code == .wrongKey
                let message = error.message.asSentence
                throw Failure(.file, message, hint: needsKey ? "Give the key with --mmkv-key-file." : nil)
            }
        }

        private func detectedFormat() throws -> Format? {
            let name = file.split(separator: "/").last ?? ""
            if name.hasSuffix(".json") { return .json }
            if name.hasSuffix(".plist") { return .plist }
            return (try? ByteInput(path: file + ".crc", isText: false)) == nil ? nil : .mmkv
        }

        private func result(_ report: MappedImportReport, _ count: Int) -> JSONValue {
            let types = report.types.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            let guessed: [JSONValue] = types.compactMap { key, source in
                guard case .guessed(let type, let alternatives) = source else { return nil }
                return .object([
                    ("key", .string(key)), ("type", .string(type.rawValue)),
                    ("alternatives", .array(alternatives.map { .string($0.rawValue) })),
                ])
            }
            return .object([
                ("stored", .int(Int64(count))), ("records", .int(Int64(report.recordCount))), ("guessed", .array(guessed)),
                ("wrong_types", .array(report.mismatchedKeys.sorted().map { .string($0) })),
                ("omitted", .array(report.leftOut.map { .object([("key", .string($0.key)), ("reason", .string($0.reason))]) })),
                ("damage", report.damage.map { .string($0) } ?? .null), ("warnings", .array(report.warnings.map { .string($0) })),
            ])
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Export all values as JSON that 'import' reads, or as a constant database.",
            discussion: """
                In JSON, values of types that JSON does not have are written with their type: {"type":"date","value":"2026-03-01T12:30:00Z"}. In a \
                constant database, each value begins with a byte that gives its type, except with --raw. Damaged values are omitted; exits with 1 \
                if there are any.
                """
        )

        enum Format: String, ExpressibleByArgument, CaseIterable { case json, cdb }

        @OptionGroup var store: MappedArguments
        @Argument(help: "The file to write; '-' is standard output.", completion: .file()) var output = "-"
        @Option(help: "The format. (default: detected from the file's name, otherwise json)") var format: Format?
        @Flag(help: "Write the values of a constant database without their types.") var raw = false

        private var chosen: Format { format ?? (output.hasSuffix(".cdb") ? .cdb : .json) }

        func validate() throws {
            if chosen == .cdb, output == "-" {
                throw ValidationError("A constant database cannot be written to standard output; give a file.")
            }
            if raw, chosen != .cdb { throw ValidationError("--raw is only for constant databases.") }
        }

        func run() throws {
            let store = try store.openForReading()
            if output != "-", let place = try? FileSystem.system.stat(output).identity,
                place == (try? FileSystem.system.stat(store.path).identity)
            {
                throw Failure(.file, "'\(output)' is the store itself.", hint: "Give another file to write.")
            }
            let entries = try store.intactEntries().entries
            switch chosen {
            case .json where output == "-":
                try printing { try $0.write(JSONValue.escapingControls(Array(MappedExport.json(entries).utf8))) }
            case .json: try writing { () throws(MappedStoreError) in try MappedExport.json(entries, to: output, mode: store.fileMode()) }
            case .cdb:
                try writing { () throws(MappedStoreError) in
                    try MappedExport.cdb(entries, to: output, values: raw ? .raw : .typed, mode: store.fileMode())
                }
            }
            guard try store.verify().isIntact, store.openReport.isClean else {
                throw Failure(
                    .no,
                    "'\(store.path)' is damaged; all other values were written.",
                    hint: "'cairn mapped verify' shows the damage."
                )
            }
        }

        private func writing(_ body: () throws(MappedStoreError) -> Void) throws {
            do throws(MappedStoreError) { try body() } catch {
                throw Failure(.file, error.message.asSentence)
            }
        }
    }
}
