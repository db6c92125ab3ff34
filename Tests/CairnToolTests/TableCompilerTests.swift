import CairnCDB
import CairnCore
import CairnTables
import CairnTestSupport
import Foundation
import Testing

/// The files that `cairn-cdb-compiler` writes.
struct TableCompilerTests {
    struct Place: CDBTableRow, Equatable {
        static let columns = "id:Int,name:String,height:Double?,isCity:Bool"
        let id: Int
        let name: String
        let height: Double?
        let isCity: Bool

        init(key: Int, columns: inout KeyDecoder) throws(CodecError) {
            id = key
            name = try columns.decode()
            height = try columns.decode()
            isCity = try columns.decode()
        }
    }

    let directory: TemporaryDirectory
    let source: String
    let database: String
    let code: String

    init() throws {
        directory = try TemporaryDirectory()
        source = directory.path("Places.table.csv")
        database = directory.path("Places.cdb")
        code = directory.path("Places+Table.swift")
    }

    private func write(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: source)) }

    private func compile() throws -> ToolResult { try runTool("cairn-cdb-compiler", [source, database, code]) }

    private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

    @Test func rowsReadBackWithTheirTypes() throws {
        try write("id:Int,name,height:Double?,isCity:Bool\n-3,\"Zürich, \"\"ZH\"\"\",408.5,true\n9223372036854775807,,,false\n")
        let result = try compile()
        #expect(result.status == 0 && result.standardError.isEmpty && result.standardOutput.isEmpty)
        let table = try CDBTable<Place>(path: database)
        let zurich = table[-3]
        #expect(zurich?.name == #"Zürich, "ZH""# && zurich?.height == 408.5 && zurich?.isCity == true)
        let other = table[.max]
        #expect(other?.name.isEmpty == true && other?.height == nil && other?.isCity == false)
        #expect(table.count == 2 && table.map(\.id) == [-3, .max])
        // Other programs find rows by the text of the key.
        #expect(try CDBReader(path: database).contains("-3"))
        try CDBReader(path: database).verify()
    }

    @Test func theSameFileGivesTheSameBytes() throws {
        try write("id:Int,name,height:Double?,isCity:Bool\n1,Bern,540,true\n2,Eiger,3967,false\n")
        #expect(try compile().status == 0)
        let first = (try bytes(database), try bytes(code))
        try FileManager.default.removeItem(atPath: database)
        try FileManager.default.removeItem(atPath: code)
        #expect(try compile().status == 0)
        #expect(try bytes(database) == first.0 && (try bytes(code)) == first.1)
        // Of this version of the format, on any machine.
        #expect(CRC32C.checksum(of: first.0) == 2_671_898_245)
    }

    @Test func theCodeHasAPropertyForEachColumn() throws {
        try write("id:Int,name,height:Double?,isCity:Bool\n")
        #expect(try compile().status == 0)
        let expected = """
            // Made by ConstantDatabasePlugin from Places.table.csv, and again whenever that changes.
            import CairnCDB
            import Foundation

            /// The rows of Places.table.csv, by `id`, in a file that is part of the program.
            enum Places {
                /// All rows. Opens the file on first use; ends the program if it is missing.
                static let shared = CDBTable<Row>(bundled: Bundle.module.path(forResource: "Places", ofType: "cdb"), name: "Places.cdb")

                /// A row of Places.table.csv.
                struct Row: Hashable, Sendable {
                    let id: Int
                    let name: String
                    let height: Double?
                    let isCity: Bool
                }
            }

            extension Places.Row: CDBTableRow {
                typealias Key = Int

                static var columns: String { "id:Int,name:String,height:Double?,isCity:Bool" }

                init(key: Key, columns: inout KeyDecoder) throws(CodecError) {
                    self.id = key
                    self.name = try columns.decode()
                    self.height = try columns.decode()
                    self.isCity = try columns.decode()
                }
            }

            """
        #expect(String(decoding: try bytes(code), as: UTF8.self) == expected)
    }

    @Test func codeThatDoesNotChangeIsNotWritten() throws {
        try write("id:Int\n1\n")
        #expect(try compile().status == 0)
        func inode() throws -> Int? { try FileManager.default.attributesOfItem(atPath: code)[.systemFileNumber] as? Int }
        // A file that is written has another number: it replaces the one that is there.
        let before = try inode()
        try write("id:Int\n1\n2\n")
        #expect(try compile().status == 0)
        #expect(try inode() == before)
        #expect(try CDBReader(path: database).count == 3)
        try write("id:Int,name\n1,a\n")
        #expect(try compile().status == 0)
        #expect(try inode() != before)
    }

    @Test func faultsLeaveTheFilesThatAreThere() throws {
        try write("id:Int\n1\n")
        #expect(try compile().status == 0)
        let before = try bytes(database)
        try write("id:Int\nx\ny\n")
        let result = try compile()
        #expect(result.status == 4 && result.standardOutput.isEmpty)
        #expect(
            result.standardError == """
                \(source):2: error: 'x', in the column 'id', is not an Int
                \(source):3: error: 'y', in the column 'id', is not an Int

                """
        )
        #expect(try bytes(database) == before)
    }

    @Test func otherErrorsHaveAPlaceToo() throws {
        let missing = try compile()
        #expect(missing.status == 4 && missing.standardError.hasPrefix("\(source):1: error: the file cannot be opened: "))
        try write("id:Int\n1\n")
        let result = try runTool("cairn-cdb-compiler", [source, directory.path("none/Places.cdb"), code])
        #expect(result.status == 3 && result.standardError.hasPrefix("\(source):1: error: "), "\(result.standardError)")
        let usage = try runTool("cairn-cdb-compiler", [source])
        #expect(usage.status == 2 && usage.standardError.hasPrefix("Usage: cairn-cdb-compiler "))
    }

    @Test func manyRowsTakeSeconds() throws {
        var text = "id:Int,name,height:Double?,isCity:Bool\n"
        for number in 0..<(Thorough.isOn ? 100_000 : 2_000) {
            text += "\(number),Place \(number),\(number % 7 == 0 ? "" : "\(number).5"),\(number % 2 == 0)\n"
        }
        try write(text)
        var result: ToolResult?
        let time = try ContinuousClock().measure { result = try compile() }
        #expect(result?.status == 0)
        #expect(time < .seconds(300))
        let table = try CDBTable<Place>(path: database)
        #expect(table[1_999]?.height == 1_999.5 && table[7]?.height == nil && table[1_998]?.isCity == true)
        #expect(table.lazy.map(\.id).elementsEqual(0..<table.count))
    }
}
