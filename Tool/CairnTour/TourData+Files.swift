import CairnCore
package import CairnToolKit

extension TourData {
    /// The maximum number of records; the rest of a file is ignored.
    static let mostRecords = 100_000

    /// Real data from this machine: its packages, or else its time zones, or else built-in data.
    static func found() throws -> TourData {
        let packages = "/var/lib/dpkg/status"
        if exists(packages) { return try records(of: packages) }
        for zones in ["/usr/share/zoneinfo/zone1970.tab", "/usr/share/zoneinfo/zone.tab"] where exists(zones) {
            return try timeZones(of: zones)
        }
        return builtIn
    }

    private static func exists(_ path: String) -> Bool { (try? FileSystem.system.stat(path))?.kind == .file }

    /// The records of a file in any format that can be imported. Those of a Debian control file are packages.
    static func records(of path: String, format: RecordFormat? = nil, key: String? = nil) throws -> TourData {
        let input = try ByteInput(path: path)
        guard let format = try format ?? RecordFormat.detect(name: input.name, beginning: input.preview()) else {
            let hint = "Let the name end in .jsonl, .csv, .tsv or .control, or use 'cairn tour --format'."
            throw Failure.unknownFormat(of: input.name, hint: hint)
        }
        var reader = try format.reader(of: input, key: key)
        var records: [(name: String, fields: [(name: String, text: String)])] = []
        while records.count < mostRecords, let item = try reader.next() {
            guard case .record(let record) = item else { continue }
            records.append((EscapedText.string(record.key), fields(of: record.value)))
        }
        guard !records.isEmpty else { throw Failure(.file, "\(input.name) does not contain records.") }
        if format == .control, key == nil { return packages(records, source: input.name) }
        return anything(records, source: input.name, keyLabel: key ?? "key")
    }

    private static func packages(_ records: [(name: String, fields: [(name: String, text: String)])], source: String) -> TourData {
        let items = records.map { name, fields in
            func field(_ name: String) -> String? { fields.first { $0.name.lowercased() == name }?.text }
            let summary = field("description")?.prefix { $0 != "\n" } ?? ""
            let size = field("installed-size").flatMap { Int($0) }
            return Item(name: name, group: field("section") ?? "none", size: size, text: String(summary))
        }
        return TourData(noun: "packages", source: source, labels: ("package", "section", "KiB", "summary"), items: items)
    }

    /// Grouped by the first field with few distinct values, or else by the first letter.
    private static func anything(
        _ records: [(name: String, fields: [(name: String, text: String)])],
        source: String,
        keyLabel: String
    ) -> TourData {
        let names = records.first?.fields.map(\.name) ?? []
        let label = names.first { name in
            let kinds = Set(records.compactMap { $0.fields.first { $0.name == name }?.text })
            return kinds.count > 1 && kinds.count <= max(2, records.count / 4)
        }
        let items = records.map { name, fields in
            let group = label == nil ? String(name.prefix(1)) : fields.first { $0.name == label }?.text ?? ""
            let others = fields.filter { $0.text != name && $0.name != label }.map(\.text)
            return Item(name: name, group: group, text: others.joined(separator: ", "))
        }
        return TourData(noun: "records", source: source, labels: (keyLabel, label ?? "letter", nil, "content"), items: items)
    }

    /// The fields of a JSON object as text, or else the value itself.
    private static func fields(of value: [UInt8]) -> [(name: String, text: String)] {
        guard let fields = try? JSONScanner.fields(ofObject: value) else { return [("value", EscapedText.string(value))] }
        return fields.map { field in
            let text = field.kind == .string ? (try? JSONScanner.string(value, at: field.range)) ?? [] : Array(value[field.range])
            return (String(decoding: field.name, as: UTF8.self), String(decoding: text, as: UTF8.self))
        }
    }

    /// The zones in the table of the time-zone database: countries, coordinates, zone and an optional comment, separated by tabs.
    private static func timeZones(of path: String) throws -> TourData {
        let input = try ByteInput(path: path)
        var items: [Item] = []
        var line: [UInt8] = []
        while try input.readLine(into: &line) {
            let parts = String(decoding: line, as: UTF8.self).split(separator: "\t").map(String.init)
            guard parts.count >= 3, !parts[0].hasPrefix("#") else { continue }
            let area = String(parts[2].prefix { $0 != "/" })
            items.append(Item(name: parts[2], group: area, text: ([parts[0], parts[1]] + parts.dropFirst(3)).joined(separator: ", ")))
        }
        guard !items.isEmpty else { return builtIn }
        return TourData(noun: "time zones", source: path, labels: ("zone", "area", nil, "countries, place"), items: items)
    }
}

extension Failure {
    package static func unknownFormat(
        of name: String,
        hint: String = "Give it with --format jsonl, csv, tsv or control."
    ) -> Failure {
        Failure(.file, "\(name): the format cannot be detected from the name or the first bytes.", hint: hint)
    }
}
