import CairnCDB
import CairnTestSupport
import Testing

/// The vectors of tinycdb's own tests: the same records give the same bytes.
struct VectorTests {
    @Test func md5IsRight() {
        #expect(md5([]) == "d41d8cd98f00b204e9800998ecf8427e")
        #expect(md5(Array("message digest".utf8)) == "f96b697d7cb7938d525a2f31aaf161d0")
        #expect(md5([UInt8](repeating: 0x61, count: 119)) == "8a7bd0732ed6a28ce75f6dabc90e1613")
    }

    @Test func emptyDatabase() throws {
        let scene = try Scene()
        let bytes = try scene.make([])
        #expect(bytes.count == 2048 && md5(bytes) == "a646d6b87720195feb973de130b10123")
        let reader = try scene.reader()
        #expect(try reader.count == 0 && reader.entries().isEmpty && !reader.contains("") && !reader.contains("a"))
        try reader.verify()
    }

    @Test func fewRecordsWithADuplicate() throws {
        let scene = try Scene()
        let bytes = try scene.make([("one", "here"), ("a", "b"), ("b", "abc"), ("one", "also")])
        #expect(bytes.count == 2164 && md5(bytes) == "97549c2e76e2d446430a392d77ed1bcb")
        let reader = try scene.reader()
        #expect(try reader.values(for: "one", as: String.self) == ["here", "also"])
        #expect(try reader.get("one", as: String.self) == "here")
    }

    @Test func sixHundredValuesOfOneKey() throws {
        let scene = try Scene()
        let values = (0..<600).map { String(String($0 + 1000).dropFirst()) }
        let bytes = try scene.make(values.map { ("a", $0) } + [("b", "other")])
        #expect(bytes.count == 18878 && md5(bytes) == "412a0b7578efca528bf8398c8811caf4")
        let reader = try scene.reader()
        #expect(try reader.values(for: "a", as: String.self) == values)
        #expect(try reader.statistics().collisionCount == 599)
        try reader.verify()
    }

    @Test func newlinesInKeyAndValue() throws {
        let scene = try Scene()
        let bytes = try scene.make([("a\n", "b\n")])
        #expect(bytes.count == 2076 && md5(bytes) == "1d444fe759c26d36f500d01c41cfda40")
    }
}
