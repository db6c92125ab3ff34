import CairnCore

/// A table of typed rows in a constant database, made at build time from CSV, TSV or JSON Lines by `ConstantDatabasePlugin`.
///
/// ```swift
/// for country in Countries.shared where country.population ?? 0 > 100_000_000 { print(country.name) }
/// print(Countries.shared["de"]?.capital ?? "")
/// ```
///
/// Opening a table maps its file and reads its header, at the same cost for any number of rows. A row is decoded when it is read.
///
/// Subscript and iteration are for a file that is part of the program: if it is damaged, they end the program with a message that names the file.
/// For other files, ``row(for:)`` and ``forEachRow(_:)`` throw. A cdb has no checksums, so not all damage is noticed: see ``CDBReader``.
///
/// Any thread may use the table; copies share the open file.
public struct CDBTable<Row: CDBTableRow>: Sendable {
    /// The number of rows.
    public let count: Int

    let reader: CDBReader

    /// Opens the file of a table.
    ///
    /// - Throws: ``CDBError``: as ``CDBReader/init(path:access:dialect:)``; `foreignFile` if the file is not a table with the columns of `Row`.
    /// - Complexity: O(1).
    public init(path: String) throws(CDBError) {
        reader = try CDBReader(path: path)
        let header: String?
        do throws(CDBError) { header = try reader.get("") } catch  where error.code == .codec { header = nil }
        guard let (count, columns) = header.flatMap(CDBTableFormat.parse) else {
            throw CDBError(.foreignFile, "could not open \(path): it is not a table")
        }
        guard columns == Row.columns else {
            throw CDBError(.foreignFile, "could not open \(path): it has the columns \(columns), not \(Row.columns); build it again")
        }
        self.count = count
    }

    /// Opens the file of a table that is part of the program. Ends the program with a message if it cannot be opened.
    ///
    /// - Parameters:
    ///   - path: Where the file is; `nil` if it was not found.
    ///   - name: The name of the file, for the message.
    public init(bundled path: String?, name: String) {
        guard let path else { fatalError("the program's resources have no file \(name); install them beside the program") }
        do { try self.init(path: path) } catch { fatalError(error.message) }
    }

    /// Returns the row with `key`, or `nil` if there is none.
    ///
    /// - Throws: ``CDBError``: `corruption`; `codec` if the row cannot be decoded.
    /// - Complexity: As ``CDBReader/get(_:)``, and decoding the columns.
    public func row(for key: Row.Key) throws(CDBError) -> Row? {
        let text = key.description
        // The header has the empty key.
        guard !text.isEmpty else { return nil }
        guard let bytes = try reader.get(text) else { return nil }
        return try row(key, unsafe bytes.span.bytes)
    }

    /// Returns the row with `key`, or `nil` if there is none. Ends the program if the file is damaged.
    ///
    /// - Complexity: As ``row(for:)``.
    public subscript(key: Row.Key) -> Row? {
        do { return try row(for: key) } catch { fatalError("\(error.message); the program's resources are damaged") }
    }

    func row(_ key: Row.Key, _ columns: RawSpan) throws(CDBError) -> Row {
        do throws(CodecError) {
            var decoder = KeyDecoder(columns)
            let row = try Row(key: key, columns: &decoder)
            try decoder.finish()
            return row
        } catch {
            throw CDBError(.codec, "could not decode a row of \(reader.name)", userData: "key \(key)", cause: error)
        }
    }
}
