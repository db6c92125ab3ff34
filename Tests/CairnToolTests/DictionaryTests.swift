import CairnObjects
import CairnTestSupport
import Testing

@Stored final class Menu {
    var prices: [String: Int] = [:]
    var weights: [Double: String] = [:]
}

/// Dictionaries that a program could not read are not stored.
struct DictionaryTests {
    private let playground: Playground
    private var path: String { playground.path("menus") }

    init() throws {
        playground = try Playground()
        let store = try ObjectStore(path: path, classes: [Menu.self])
        try store.write { (context) throws in context.insert(Menu(prices: ["tea": 2])) }
        try store.close()
    }

    @Test(arguments: [
        #"prices={"tea":1,"tea":2}"#, #"prices={"é":1,"e\u0301":2}"#, #"weights=[[0.5,"a"],[0.5,"b"]]"#,
        #"weights=[[0.0,"a"],["-0.0","b"]]"#,
    ])
    func keysAreDifferent(assignment: String) throws {
        let outcome = try Outcome(runTool("cairn", ["objects", "set", path, "1/1", assignment], stdin: "", environment: [:]))
        #expect(outcome.status == 2 && outcome.error.contains("alue of Menu.\(assignment.prefix { $0 != "=" }) is not"), "\(outcome)")
        let store = try ObjectStore(path: path, classes: [Menu.self])
        #expect(try store.read { try $0.allObjects(Menu.self).map(\.prices) } == [["tea": 2]])
        try store.close()
    }

    @Test func importsRefuseThemToo() throws {
        func importing(_ row: String) throws -> Outcome {
            let arguments = ["objects", "import", path, "-", "--class", "Menu", "--format", "jsonl"]
            return try Outcome(runTool("cairn", arguments, stdin: row + "\n", environment: [:]))
        }
        #expect(try importing(#"{"prices":{"tea":1,"milk":2},"weights":[]}"#) == Outcome("Stored 1 object.\n"))
        let outcome = try importing(#"{"prices":{"tea":1,"tea":2},"weights":[]}"#)
        #expect(outcome.status != 0 && outcome.error.contains("a dictionary has a duplicate key"), "\(outcome)")
    }

    @Test func differentOnesAreStored() throws {
        let outcome = try cairn("objects", "set", path, "1/1", #"prices={"a":1,"A":2}"#, #"weights=[["nan","a"],["nan","b"],[1.5,"c"]]"#)
        #expect(outcome.status == 0, "\(outcome)")
        let store = try ObjectStore(path: path, classes: [Menu.self])
        #expect(try store.read { try $0.allObjects(Menu.self).map(\.prices) } == [["a": 1, "A": 2]])
        try store.close()
    }
}
