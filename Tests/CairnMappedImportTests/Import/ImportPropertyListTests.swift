import CairnMapped
import CairnMappedImport
import CairnTestSupport
import Foundation
import Testing

struct ImportPropertyListTests {
    private func read(_ text: String) throws -> MappedImport {
        let head =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"\">\n<plist version=\"1.0\">"
        return try MappedImport.propertyList(bytes: Array("\(head)\(text)</plist>\n".utf8))
    }

    /// Every kind of value, by Foundation's own writer.
    @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml]) func everyKind(
        format: PropertyListSerialization.PropertyListFormat
    ) throws {
        let date = Date(timeIntervalSinceReferenceDate: 794_061_000)
        let long = String(repeating: "lang ", count: 100)
        let list: [String: Any] = [
            "true": true, "false": false, "small": 7, "negative": -7, "wide": 70_000, "wider": 5_000_000_000, "least": Int64.min,
            "unsigned": UInt64.max, "one": 1.0, "pi": 3.14159, "text": "a<&>\"é", "umlaut": "ü 🗝️", "long": long, "empty": "",
            "data": Data([0, 255, 1]), "date": date, "array": [1, "x", 2.5, [true]] as [Any], "Schlüssel": 1,
            "dictionary": ["b": 1, "a": [1.5, true, "x\n"] as [Any], "d": date, "e": Data([1])] as [String: Any], "none": [String: Any](),
        ]
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
        let result = try MappedImport.propertyList(bytes: [UInt8](data))
        let expected: [String: MappedVariant] = [
            "true": .bool(true), "false": .bool(false), "small": .int(7), "negative": .int(-7), "wide": .int(70_000),
            "wider": .int(5_000_000_000),
            "least": .int(Int128(Int64.min)), "unsigned": .int(Int128(UInt64.max)), "one": .double(1), "pi": .double(3.14159),
            "text": .string("a<&>\"é"), "umlaut": .string("ü 🗝️"), "long": .string(long), "empty": .string(""), "data": .bytes([0, 255, 1]),
            "date": .date(date), "array": .array([.int(1), .string("x"), .double(2.5), .array([.bool(true)])]), "Schlüssel": .int(1),
            "dictionary": .json(#"{"a":[1.5,true,"x\n"],"b":1,"d":794061000.0,"e":"AQ=="}"#), "none": .json("{}"),
        ]
        #expect(result.values == expected)
        #expect(result.report.damage == nil && result.report.leftOut.isEmpty && result.report.warnings.count == 1)
    }

    private struct Window: Codable, Equatable, MappedValue {
        var width = 800
        var opened = Date(timeIntervalSinceReferenceDate: 5.5)
        var icon = Data([1, 2])
        var tags = ["a"]
    }

    /// A dictionary reads as the value that it was encoded from.
    @Test func dictionariesAreCodable() throws {
        for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
            let encoder = PropertyListEncoder()
            encoder.outputFormat = format
            var window = Window()
            if format == .xml { window.opened = Date(timeIntervalSinceReferenceDate: 5) }
            let result = try MappedImport.propertyList(bytes: [UInt8](try encoder.encode(["window": window])))
            let value = try #require(result.values["window"])
            #expect(try value.withStoredBytes { bytes, type throws(MappedStoreError) in try Window(stored: bytes, as: type) } == window)
        }
    }

    @Test func floatsAndWideIntegersOfBinaryLists() throws {
        // {"f": float 1.5, "i": 16 bytes, "u": UID 3, "n": null}, by hand.
        var list = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        func add(_ bytes: [UInt8]) {
            offsets.append(UInt8(list.count))
            list += bytes
        }
        add([0xD5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
        for name in ["f", "i", "u", "n", "s"] { add([0x51] + Array(name.utf8)) }
        add([0x22, 0x3F, 0xC0, 0, 0])
        add([0x14] + [UInt8](repeating: 0xFF, count: 16))
        add([0x80, 3])
        add([0x00])
        add([0xC1, 1])
        let table = UInt8(list.count)
        list +=
            offsets + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 11] + [UInt8](repeating: 0, count: 8) + [0, 0, 0, 0, 0, 0, 0, table]
        let result = try MappedImport.propertyList(bytes: list)
        let expected: [String: MappedVariant] = [
            "f": .float(1.5), "i": .int(-1), "u": .json(#"{"CF$UID":3}"#), "s": .array([.string("f")]),
        ]
        #expect(result.values == expected)
        #expect(result.report.leftOut == [.init(key: "n", reason: "the value is null")] && result.report.damage != nil)
    }

    @Test func whatXMLMayLookLike() throws {
        let result = try read(
            """
            <!-- a comment --><dict >
            <key>a&amp;<!-- here, too -->b</key> <string>x<![CDATA[<&>]]>y&#233;&#x1F5DD;&apos;</string>
            <key>hex</key><integer> -0x1F </integer><key>plus</key><integer>+5</integer>
            <key>inf</key><real>-infinity</real><key>nan</key><real>nan</real><key>real</key><real>1e3</real>
            <key>empty</key><string/><key>none</key><array/><key>nothing</key><dict/><key>data</key><data>
                AP8 =
            </data>
            <key/><true/><key>twice</key><false/><key>twice</key><true></true></dict>
            """
        )
        var values = result.values
        if case .double(let number)? = values.removeValue(forKey: "nan") { #expect(number.isNaN) } else { Issue.record("no double") }
        let expected: [String: MappedVariant] = [
            "a&b": .string("x<&>yé🗝'"), "hex": .int(-31), "plus": .int(5), "inf": .double(-.infinity), "real": .double(1000),
            "empty": .string(""),
            "none": .array([]), "nothing": .json("{}"), "data": .bytes([0, 255]), "": .bool(true), "twice": .bool(true),
        ]
        #expect(values == expected && result.report.supersededCount == 1)
    }

    @Test func numbersThatJSONLacksAreLeftOut() throws {
        let result = try read("<dict><key>a</key><dict><key>b</key><real>nan</real></dict><key>c</key><true/></dict>")
        #expect(result.values == ["c": .bool(true)] && result.report.leftOut.map(\.key) == ["a"])
        #expect(result.report.leftOut[0].reason.contains("a number that JSON cannot represent"))
    }

    @Test(arguments: [
        "", "<dict>", "<dict></array>", "<dict><key>a</key></dict>", "<dict><true/></dict>", "<dict><key>a</key><thing/></dict>", "<true/>",
        "<dict><key>a</key><integer>1.5</integer></dict>", "<dict><key>a</key><integer></integer></dict>",
        "<dict><key>a</key><integer>--5</integer></dict>",
        "<dict><key>a</key><real>x</real></dict>", "<dict><key>a</key><date>today</date></dict>", "<dict><key>a</key><data>*</data></dict>",
        "<dict><key>a</key><string>&nbsp;</string></dict>", "<dict><key>a</key><string>&#xD800;</string></dict>",
        "<dict><key>a</key><string>&amp</string></dict>",
        "<dict><key>a</key><string><b/></string></dict>", "<dict/><dict/>", "<dict><key>a</key><true>x</true></dict>", "<dict>x</dict>",
        "<dict><key>a</key><string><![CDATA[x</string></dict>", "<dict><!-- </dict>",
    ])
    func whatIsNoXMLList(text: String) {
        #expect(importCode { try read(text) } == .malformedInput)
    }

    @Test func whatIsNoList() throws {
        for text in ["", "{ a = b; }", "bplist15 and so on", "{\"a\":1}"] {
            #expect(importCode { try MappedImport.propertyList(bytes: Array(text.utf8)) } == .foreignFile)
        }
        for text in [
            "<plist>", "<?xml", "<html></html>", "<plist/>", "<", "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><dict/></plist>", "bplist00",
        ] {
            #expect(importCode { try MappedImport.propertyList(bytes: Array(text.utf8)) } == .malformedInput)
        }
        #expect(importCode { try MappedImport.propertyList(bytes: Array("<plist><dict><key>".utf8) + [0xFF]) } == .malformedInput)
        let array = try PropertyListSerialization.data(fromPropertyList: [1], format: .binary, options: 0)
        #expect(importCode { try MappedImport.propertyList(bytes: [UInt8](array)) } == .malformedInput)
        #expect(try MappedImport.propertyList(bytes: [0xEF, 0xBB, 0xBF] + Array("<plist><dict/></plist>".utf8)).entries.isEmpty)
    }

    @Test func depthHasALimit() throws {
        func nested(_ depth: Int) -> String {
            "<dict><key>a</key>" + String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth) + "</dict>"
        }
        #expect(try read(nested(511)).entries.count == 1)
        #expect(importCode { try read(nested(512)) } == .malformedInput)
        #expect(importCode { try read(nested(100_000)) } == .malformedInput)
    }

    @Test func listsThatContainThemselves() throws {
        // {"a": [the array itself, the array itself]}
        let list =
            Array("bplist00".utf8) + [0xD1, 1, 2, 0x51, 0x61, 0xA2, 2, 2] + [8, 11, 13]
            + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 3] + [UInt8](repeating: 0, count: 8) + [0, 0, 0, 0, 0, 0, 0, 16]
        let result = try MappedImport.propertyList(bytes: list)
        #expect(result.entries.isEmpty && result.report.leftOut.map(\.key) == ["a"])
    }

    /// Each of its references is a list of as many: reading ends soon all the same.
    @Test func listsThatContainThemselvesVeryOften() throws {
        let count = 5000, table = 8 + 3 + 2 + 4 + count
        let big: (Int) -> [UInt8] = { [UInt8($0 >> 8), UInt8($0 & 255)] }
        // {"a": [the array itself, ...]}
        let list =
            Array("bplist00".utf8) + [0xD1, 1, 2, 0x51, 0x61, 0xAF, 0x11] + big(count) + [UInt8](repeating: 2, count: count)
            + big(8) + big(11) + big(13)
            + [0, 0, 0, 0, 0, 0, 2, 1] + [0, 0, 0, 0, 0, 0, 0, 3] + [UInt8](repeating: 0, count: 8) + [0, 0, 0, 0, 0, 0] + big(table)
        let result = try MappedImport.propertyList(bytes: list)
        #expect(result.entries.isEmpty && result.report.leftOut.map(\.key) == ["a"])
    }

    /// {"a": [the same data, ...]}: `count` references to `size` bytes.
    private static func repeating(_ count: Int, _ size: Int) -> [UInt8] {
        let big: (Int) -> [UInt8] = { [UInt8($0 >> 8), UInt8($0 & 255)] }
        let array = [0xAF, 0x11] + big(count) + [UInt8](repeating: 3, count: count)
        let data = [0x4F, 0x11] + big(size) + [UInt8](repeating: 7, count: size)
        let list = Array("bplist00".utf8) + [0xD1, 1, 2, 0x51, 0x61] + array + data
        return list + big(8) + big(11) + big(13) + big(13 + array.count)
            + [0, 0, 0, 0, 0, 0, 2, 1] + [0, 0, 0, 0, 0, 0, 0, 4] + [UInt8](repeating: 0, count: 8) + [0, 0, 0, 0, 0, 0] + big(list.count)
    }

    /// Writers of property lists store equal values once.
    @Test func valuesInCommonAreReadEachTime() throws {
        let result = try MappedImport.propertyList(bytes: Self.repeating(2_000, 1_000))
        let data = MappedVariant.bytes([UInt8](repeating: 7, count: 1_000))
        #expect(result.values == ["a": .array([MappedVariant](repeating: data, count: 2_000))] && result.report.leftOut.isEmpty)
    }

    /// Each value is small, and all together would take thousands of times the size of the list.
    @Test func listsThatExpandTooFarAreNotRead() throws {
        let result = try MappedImport.propertyList(bytes: Self.repeating(5_000, 5_000))
        #expect(result.entries.isEmpty && result.report.leftOut == [.init(key: "a", reason: "the same values are referred to too often")])
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml]) func damageNeverTraps(
        format: PropertyListSerialization.PropertyListFormat
    ) throws {
        let list: [String: Any] = [
            "int": 70_000, "text": "ü", "date": Date(timeIntervalSinceReferenceDate: 5), "data": Data([1, 2]),
            "array": [1, "x", 2.5] as [Any],
            "long": String(repeating: "x", count: 20), "dictionary": ["a": [true]],
        ]
        let data = [UInt8](try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0))
        for count in 0..<data.count - 1 { #expect(importCode { try MappedImport.propertyList(bytes: Array(data.prefix(count))) } != nil) }
        let changes: [UInt8] = [0, 1, 2, 0x10, 0x20, 0x80, 0xFF]
        for offset in data.indices {
            // One of them, another from byte to byte, or all.
            for change in Thorough.isOn ? changes : [changes[offset % changes.count]] {
                var changed = data
                changed[offset] = change < 3 ? change : data[offset] ^ change
                _ = importCode { try MappedImport.propertyList(bytes: changed) }
            }
        }
    }

    /// A damaged value costs itself.
    @Test func theOtherValuesAreRead() throws {
        let list: [String: Any] = ["a": 70_000, "b": "text", "c": [5]]
        let data = [UInt8](try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0))
        let text = try #require(data.indices.first { data[$0...].starts(with: [0x54] + Array("text".utf8)) })
        var changed = data
        changed[text] = 0xF4
        let result = try MappedImport.propertyList(bytes: changed)
        #expect(result.values == ["a": .int(70_000), "c": .array([.int(5)])])
        #expect(result.report.leftOut.map(\.key) == ["b"] && result.report.damage == "1 of 3 values or keys cannot be read")
    }

    @Test func files() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("a.plist")
        #expect(importCode { try MappedImport.propertyList(path: path) } == .notFound)
        try PropertyListEncoder().encode(["a": 1]).write(to: URL(filePath: path))
        #expect(try MappedImport.propertyList(path: path).values == ["a": .int(1)])
    }
}
