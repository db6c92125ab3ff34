import CairnMapped
import CairnTestSupport
import Foundation
import Testing

private enum Theme: String, MappedValue { case light, dark }
private enum Level: Int, Codable, MappedValue { case low = 1, high = 300 }
private struct Mask: OptionSet, MappedValue { let rawValue: UInt16 }
private struct Window: Codable, Equatable, MappedValue { var width = 800.5, title = "Ü", tags: [String: Int]? }
private struct Foreign: Codable, Equatable { var name: String }

struct ValueTests {
    /// Sets, gets, reopens, gets.
    private func roundTrip<Value: MappedValue & Equatable>(
        _ values: [Value],
        as type: MappedValueType,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let scene = try Scene()
        var store = try scene.store()
        for (number, value) in values.enumerated() {
            try store.set(value, for: "\(number)")
            #expect(try store.get("\(number)") == value, sourceLocation: location)
            #expect(try store.valueType(of: "\(number)") == type, sourceLocation: location)
        }
        try store.close()
        store = try scene.store()
        for (number, value) in values.enumerated() {
            #expect(try store.get("\(number)", as: Value.self) == value, sourceLocation: location)
            // Whatever it is, it can be listed, stored again, and is the same then.
            let variant = try #require(try store.get("\(number)", as: MappedVariant.self), sourceLocation: location)
            #expect(variant.type == type, sourceLocation: location)
            try store.set(variant, for: "copy")
            #expect(try store.get("copy", as: Value.self) == value, sourceLocation: location)
        }
        #expect(try store.verify().isIntact, sourceLocation: location)
    }

    private func integers<Number: FixedWidthInteger & MappedValue>(_ type: Number.Type) throws {
        var values: [Number] = [0, 1, .min, .max, .min + 1, .max - 1]
        for bit in 0..<Number.bitWidth { values += [1 << bit, ~(1 << bit), (1 << bit) &- 1] }
        try roundTrip(values, as: .int)
    }

    @Test func everyIntegerOfEveryWidth() throws {
        try integers(Int8.self)
        try integers(Int16.self)
        try integers(Int32.self)
        try integers(Int64.self)
        try integers(Int128.self)
        try integers(Int.self)
        try integers(UInt8.self)
        try integers(UInt16.self)
        try integers(UInt32.self)
        try integers(UInt64.self)
        try integers(UInt128.self)
        try integers(UInt.self)
    }

    @Test func integersTakeAsFewBytesAsTheyNeed() throws {
        let scene = try Scene()
        let store = try scene.store()
        let sizes: [(Int128, Int)] = [(0, 1), (-128, 1), (128, 2), (-32769, 4), (1 << 31, 8), (1 << 63, 16), (.min, 16)]
        for (value, size) in sizes {
            try store.set(value, for: "n")
            #expect(try store.valueSize(of: "n") == size)
        }
        try store.set(UInt128.max, for: "n")
        #expect(try store.valueSize(of: "n") == 17)
        guard case .other(.int, let bytes)? = try store.get("n", as: MappedVariant.self) else { return #expect(Bool(false)) }
        #expect(bytes.count == 17)
    }

    @Test func integersReadAsEveryTypeThatHoldsThem() throws {
        let scene = try Scene()
        let store = try scene.store()
        try store.set(200, for: "n")
        #expect(try store.get("n", as: UInt8.self) == 200)
        #expect(try store.get("n", as: UInt128.self) == 200)
        #expect(code { try store.get("n", as: Int8.self) } == .typeMismatch)
        try store.set(-1, for: "n")
        #expect(try store.get("n", as: Int8.self) == -1)
        #expect(code { try store.get("n", as: UInt64.self) } == .typeMismatch)
        #expect(code { try store.get("n", as: UInt128.self) } == .typeMismatch)
        try store.set(UInt128.max, for: "n")
        #expect(code { try store.get("n", as: Int128.self) } == .typeMismatch)
        #expect(failure { try store.get("n", as: Int.self) }?.fullDescription.contains("n") == true)
        try store.set(UInt64.max, for: "n")
        #expect(code { try store.get("n", as: Int.self) } == .typeMismatch)
        #expect(try store.get("n", as: Int128.self) == Int128(UInt64.max))
    }

    /// Nothing here writes such bytes; another program may.
    @Test func integersOf17BytesAreReadByTheirValueAndSign() throws {
        let scene = try Scene()
        let store = try scene.store()
        let small = [7] + [UInt8](repeating: 0, count: 16)
        try store.set(MappedVariant.other(.int, small), for: "n")
        #expect(try store.get("n", as: Int.self) == 7)
        #expect(try store.get("n", as: MappedVariant.self) == .int(7))
        let negative = [UInt8](repeating: 255, count: 17)
        try store.set(MappedVariant.other(.int, negative), for: "n")
        #expect(code { try store.get("n", as: UInt128.self) } == .codec)
        #expect(try store.get("n", as: MappedVariant.self) == .other(.int, negative))
    }

    @Test func floatingPoint() throws {
        try roundTrip([0, -0.0, 1.5, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude] as [Double], as: .double)
        try roundTrip([0, 1.5, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude] as [Float], as: .float)
        let scene = try Scene()
        let store = try scene.store()
        let odd = Double(bitPattern: 0x7ff8_dead_beef_0001)
        try store.set(odd, for: "nan")
        #expect(try store.get("nan", as: Double.self)?.bitPattern == odd.bitPattern)
        try store.set(-0.0, for: "zero")
        #expect(try store.get("zero", as: Double.self)?.sign == .minus)
        try store.set(Float(1.25), for: "float")
        #expect(try store.get("float", as: Double.self) == 1.25)
        #expect(code { try store.get("nan", as: Float.self) } == .typeMismatch)
    }

    /// JSON, property lists and command lines write 1.0 as 1.
    @Test func integersAreReadAsNumbersThatEqualThem() throws {
        let scene = try Scene()
        let store = try scene.store()
        for number in [0, 1, -7, 300, 1 << 40, -(1 << 62)] {
            try store.set(number, for: "int")
            #expect(try store.get("int", as: Double.self) == Double(number))
            #expect(try store.get("int", as: Float.self) == Float(number))
        }
        try store.set([1, 2], for: "list")
        #expect(try store.get("list", as: [Double].self) == [1, 2])
        #expect(try store.get("int", default: 0.5) == Double(-(1 << 62)))

        try store.set((1 << 24) + 1, for: "int")
        #expect(code { try store.get("int", as: Float.self) } == .typeMismatch)
        try store.set((1 << 53) + 1, for: "int")
        #expect(code { try store.get("int", as: Double.self) } == .typeMismatch)
        try store.set(UInt128.max, for: "int")
        #expect(code { try store.get("int", as: Double.self) } == .typeMismatch)
        // A date is stored as a number, but is not one.
        #expect(code { try store.get("int", as: Date.self) } == .typeMismatch)
    }

    @Test func textBytesAndTheRest() throws {
        try roundTrip([true, false], as: .bool)
        try roundTrip(["", "a", "Grüße 👩‍👩‍👧", "\u{0}\n", String(repeating: "x", count: 70_000)], as: .string)
        try roundTrip([Data(), Data([0]), Data(repeating: 7, count: 5_000)], as: .bytes)
        try roundTrip([[], [0, 255], [UInt8](repeating: 1, count: 300)] as [[UInt8]], as: .bytes)
        try roundTrip([.distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: 0.25)], as: .date)
        try roundTrip([UUID(), UUID(uuidString: "00000000-0000-0000-0000-000000000000")!], as: .uuid)
        try roundTrip([URL(string: "https://example.org/a%20b?c=d#e")!, URL(filePath: "/tmp/x")], as: .url)
    }

    @Test func arraysNestAndMayBeEmpty() throws {
        try roundTrip([[], [1], [.min, .max]] as [[Int]], as: .array)
        try roundTrip([[""], ["a", ""], []] as [[String]], as: .array)
        try roundTrip([[[], [[]], [[1, 2], []]]] as [[[[Int]]]], as: .array)
        try roundTrip([[[1, 2], []]] as [[[UInt8]]], as: .array)
        try roundTrip([[MappedVariant.int(1), .string("a"), .array([.bool(true)])]], as: .array)
        let scene = try Scene()
        let store = try scene.store()
        try store.set([1, 300], for: "a")
        #expect(try store.get("a", as: [Int16].self) == [1, 300])
        #expect(code { try store.get("a", as: [Int8].self) } == .typeMismatch)
        #expect(code { try store.get("a", as: [String].self) } == .typeMismatch)
        #expect(code { try store.get("a", as: [UInt8].self) } == .typeMismatch)
    }

    @Test func ownTypes() throws {
        try roundTrip([Theme.light, .dark], as: .string)
        try roundTrip([Level.low, .high], as: .int)
        try roundTrip([Mask(rawValue: 0), Mask(rawValue: .max)], as: .int)
        try roundTrip([Window(), Window(width: -1, title: "", tags: ["a": 1])], as: .json)
        try roundTrip([["a": 1, "b": 2], [:]] as [[String: Int]], as: .json)
        try roundTrip([["a", "b"], []] as [Set<String>], as: .json)
        try roundTrip([JSONCoded(Foreign(name: "x"))], as: .json)
        let scene = try Scene()
        let store = try scene.store()
        try store.set("purple", for: "theme")
        #expect(code { try store.get("theme", as: Theme.self) } == .codec)
        try store.set(7, for: "theme")
        #expect(code { try store.get("theme", as: Theme.self) } == .typeMismatch)
        try store.set(["a": 1], for: "window")
        #expect(code { try store.get("window", as: Window.self) } == .codec)
        let error = failure { try store.set(Window(width: .nan), for: "window") }
        #expect(error?.code == .codec && error?.message == "could not encode Window as JSON, which has no NaN")
        #expect(try store.get("window", as: [String: Int].self) == ["a": 1])
    }

    @Test func bytesThatMakeNoValueAreErrors() throws {
        let scene = try Scene()
        let store = try scene.store()
        let types: [MappedValueType] = [.bool, .int, .float, .double, .date, .uuid]
        for type in types {
            try store.set(MappedVariant.other(type, [1, 2, 3]), for: "\(type)")
            #expect(code { try store.get("\(type)", as: MappedVariant.self) } == .codec)
        }
        #expect(code { try store.get("bool", as: Bool.self) } == .codec)
        #expect(code { try store.get("int", as: Int.self) } == .codec)
        #expect(code { try store.get("float", as: Float.self) } == .codec)
        #expect(code { try store.get("double", as: Double.self) } == .codec)
        #expect(code { try store.get("date", as: Date.self) } == .codec)
        #expect(code { try store.get("uuid", as: UUID.self) } == .codec)
        try store.set(MappedVariant.other(.string, [0xff]), for: "text")
        #expect(code { try store.get("text", as: String.self) } == .codec)
        for bytes: [UInt8] in [[2], [2, 5, 1], [2, 0x80], [2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]] {
            try store.set(MappedVariant.other(.array, bytes), for: "array")
            #expect(code { try store.get("array", as: [Int].self) } == .codec)
        }
        // Listed as what they are.
        #expect(try store.entries().count == 8)
        #expect(try store.entries().first == MappedEntry(key: "bool", value: .other(.bool, [1, 2, 3])))
        let later = MappedValueType(rawValue: 200)
        try store.set(MappedVariant.other(later, [1]), for: "later")
        #expect(try store.get("later", as: MappedVariant.self) == .other(later, [1]) && later.description == "type 200")
    }

    @Test func nothingIsConvertedBeyondThat() throws {
        let scene = try Scene()
        let store = try scene.store()
        try store.set(1, for: "int")
        try store.set("1", for: "string")
        try store.set(true, for: "bool")
        try store.set(Data([1]), for: "bytes")
        #expect(try store.get("bytes", as: [UInt8].self) == [1])
        #expect(code { try store.get("int", as: Bool.self) } == .typeMismatch)
        #expect(code { try store.get("int", as: String.self) } == .typeMismatch)
        #expect(code { try store.get("string", as: Int.self) } == .typeMismatch)
        #expect(code { try store.get("string", as: Data.self) } == .typeMismatch)
        #expect(code { try store.get("string", as: URL.self) } == .typeMismatch)
        #expect(code { try store.get("bool", as: Int.self) } == .typeMismatch)
        #expect(code { try store.get("bytes", as: String.self) } == .typeMismatch)
        #expect(code { try store.get("int", default: "x") } == .typeMismatch)
        #expect(code { try store.get("string", as: Window.self) } == .typeMismatch)
    }
}
