import CairnCDB
import CairnCore
import CairnTestSupport
import Testing

/// Typed rows of a constant database.
struct TableTests {
    struct Country: CDBTableRow, Hashable {
        static let columns = "code:String,name:String,population:Int?"
        let code: String
        let name: String
        let population: Int?

        init(code: String, name: String, population: Int?) {
            self.code = code
            self.name = name
            self.population = population
        }

        init(key: String, columns: inout KeyDecoder) throws(CodecError) {
            code = key
            name = try columns.decode()
            population = try columns.decode()
        }
    }

    struct Numbered: CDBTableRow, Equatable {
        static let columns = "number:Int,isPrime:Bool"
        let number: Int
        let isPrime: Bool

        init(key: Int, columns: inout KeyDecoder) throws(CodecError) {
            number = key
            isPrime = try columns.decode()
        }
    }

    static let header = "cairn table 1 2 \(Country.columns)"
    static let rows = [("nr", Key("Nauru", 12_511 as Int?).keyBytes), ("aq", Key("Antarctica", nil as Int?).keyBytes)]

    /// A file with these records after a header.
    static func file(_ directory: TemporaryDirectory, header: String? = header, _ records: [(String, [UInt8])] = rows) throws -> String {
        let path = directory.path("table.cdb")
        let writer = try CDBWriter(path: path)
        if let header { try writer.put(header, for: "") }
        for (key, value) in records { try writer.put(value, for: key) }
        try writer.finish()
        return path
    }

    @Test func rowsAreFoundByKeyAndListedInOrder() throws {
        let directory = try TemporaryDirectory()
        let table = try CDBTable<Country>(path: try Self.file(directory))
        let nauru = Country(code: "nr", name: "Nauru", population: 12_511)
        let antarctica = Country(code: "aq", name: "Antarctica", population: nil)
        #expect(table.count == 2 && table.underestimatedCount == 2)
        #expect(table["nr"] == nauru && table["aq"] == antarctica && table["NR"] == nil)
        #expect(try table.row(for: "nr") == nauru)
        #expect(Array(table) == [nauru, antarctica] && Array(table) == Array(table))
        var listed: [Country] = []
        try table.forEachRow { listed.append($0) }
        #expect(listed == [nauru, antarctica])
        // The key of the header is that of no row.
        #expect(table[""] == nil)
    }

    @Test func keysMayBeIntegers() throws {
        let directory = try TemporaryDirectory()
        let records = [("7", Key(true).keyBytes), ("-8", Key(false).keyBytes)]
        let table = try CDBTable<Numbered>(path: try Self.file(directory, header: "cairn table 1 2 \(Numbered.columns)", records))
        #expect(table[7]?.isPrime == true && table[-8]?.isPrime == false && table[8] == nil)
        #expect(table.map(\.number) == [7, -8])
    }

    @Test(
        arguments: [
            (nil, "is not a table"),
            ("cairn table 2 2 \(Country.columns)", "is not a table"),
            ("cairn table 1 \(Country.columns)", "is not a table"),
            ("cairn table 1 -1 \(Country.columns)", "is not a table"),
            ("cairn table 1 2", "is not a table"),
            (
                "cairn table 1 2 code:String,name:String",
                "it has the columns code:String,name:String, not code:String,name:String,population:Int?"
            ),
        ] as [(String?, String)]
    )
    func otherFilesAreRefused(header: String?, message: String) throws {
        let directory = try TemporaryDirectory()
        let path = try Self.file(directory, header: header)
        let error = #expect(throws: CDBError.self) { try CDBTable<Country>(path: path) }
        #expect(error?.code == .foreignFile)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test func missingFilesThrow() throws {
        let directory = try TemporaryDirectory()
        #expect(throws: CDBError.self) { try CDBTable<Country>(path: directory.path("none.cdb")) }
    }

    @Test(
        arguments: [
            [], [0xFF], Key("Nauru").keyBytes, Key("Nauru", "many").keyBytes, Key(1, 2).keyBytes, Key("Nauru", 1, 2).keyBytes,
            Array(Key("Nauru", 12_511).keyBytes.dropLast()),
        ] as [[UInt8]]
    )
    func rowsThatAreDamagedThrow(value: [UInt8]) throws {
        let directory = try TemporaryDirectory()
        let table = try CDBTable<Country>(path: try Self.file(directory, [("nr", value)]))
        let error = #expect(throws: CDBError.self) { try table.row(for: "nr") }
        #expect(error?.code == .codec && error?.userData == "key nr")
        #expect(throws: CDBError.self) { try table.forEachRow { _ in } }
    }

    @Test func keysThatAreDamagedThrow() throws {
        let directory = try TemporaryDirectory()
        let path = try Self.file(directory, header: "cairn table 1 1 \(Numbered.columns)", [("seven", Key(true).keyBytes)])
        let error = #expect(throws: CDBError.self) { try CDBTable<Numbered>(path: path).forEachRow { _ in } }
        #expect(error?.code == .corruption)
    }

    @Test func aMissingResourceEndsTheProgramWithItsName() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = CDBTable<TableTests.Country>(bundled: nil, name: "Countries.cdb")
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("no file Countries.cdb"))
    }

    @Test func threadsShareATable() async throws {
        let directory = try TemporaryDirectory()
        let table = try CDBTable<Country>(path: try Self.file(directory))
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask { (0..<100).reduce(0) { sum, _ in sum + (table["nr"]?.population ?? 0) + table.map(\.name.count).count } }
            }
            for await sum in group { #expect(sum == 100 * (12_511 + 2)) }
        }
    }
}
