import CairnToolKit
import Testing

struct JSONTreeTests {
    private func tree(_ text: String) throws -> JSONTree { try JSONTree(object: Array(text.utf8)) }

    @Test func allThatIsInAnObjectIsRead() throws {
        let tree = try tree(
            #" { "a" : [ 1 , -2.50e+3,[], {} ] , "b":{"c":{"d":null}},"e":[true,false],"f":"\u00e9\n\"","a":2,"":"" } "#
        )
        #expect(
            tree
                == .object([
                    JSONTree.Member(name: "a", value: .array([.number("1"), .number("-2.50e+3"), .array([]), .object([])])),
                    JSONTree.Member(name: "b", value: .object([.init(name: "c", value: .object([.init(name: "d", value: .null)]))])),
                    JSONTree.Member(name: "e", value: .array([.bool(true), .bool(false)])),
                    JSONTree.Member(name: "f", value: .string("é\n\"")), JSONTree.Member(name: "a", value: .number("2")),
                    JSONTree.Member(name: "", value: .string("")),
                ])
        )
        #expect(tree["a"] != .number("2") && tree["b"]?["c"]?["d"] == .null && tree["g"] == nil && tree["f"]?["x"] == nil)
        #expect(try self.tree("{}") == .object([]))
    }

    @Test func numbersKeepTheirDigits() throws {
        #expect(try tree(#"{"a":170141183460469231731687303715884105727}"#)["a"] == .number("170141183460469231731687303715884105727"))
    }

    @Test(arguments: ["", "[]", "{", "{\"a\":}", "{\"a\":1}x", "{\"a\":\"\\ud800\"}", "{\"a\":[\"\\ud800\"]}"])
    func whatIsNoObjectIsRefused(text: String) {
        #expect(throws: JSONFault.self) { try tree(text) }
    }
}
