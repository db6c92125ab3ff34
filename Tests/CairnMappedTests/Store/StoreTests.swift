import CairnMapped
import CairnTestSupport
import Testing

struct StoreTests {
    @Test func whatIsSetIsThereAfterReopening() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/a.map"
        let count = Thorough.count(2_000, of: 10_000)
        do {
            let store = try MappedStore(path: path)
            #expect(store.openReport.wasCreated)
            try store.set(3, for: "launches")
            try store.set("World", for: "Hello")
            try store.set(nil as Int?, for: "nothing")
            #expect(try store.get("launches", default: 0) == 3)
            #expect(try store.get("Hello", as: String.self) == "World")
            #expect(throws: MappedStoreError.self) { try store.get("Hello", as: Int.self) }
            for number in 0..<count { try store.set(number, for: "key\(number)") }
            #expect(try store.count == count + 2)
            try store.close()
            #expect(throws: MappedStoreError.self) { try store.get("Hello", as: Int.self) }
        }
        let store = try MappedStore(path: path)
        #expect(!store.openReport.wasRebuilt)
        for number in 0..<count { #expect(try store.get("key\(number)") == number) }
        #expect(try store.verify().isIntact)
        for number in 0..<count where number % 2 == 0 { #expect(try store.remove("key\(number)")) }
        #expect(try store.count == count / 2 + 2)
        let size = try store.fileSize
        try store.compact()
        #expect(try store.fileSize < size)
        #expect(try store.count == count / 2 + 2)
        for number in 0..<count { #expect(try store.get("key\(number)") == (number % 2 == 0 ? nil : number)) }
        try store.transaction { changes in
            #expect(try changes.get("launches", default: 0) == 3)
            try changes.set(4, for: "launches")
            changes.remove("Hello")
            #expect(throws: MappedStoreError.self) { try store.set(1, for: "x") }
        }
        #expect(try store.get("launches", default: 0) == 4)
        #expect(try !store.contains("Hello"))
        #expect(
            try store.update("launches", default: 0) {
                $0 += 1; return $0
            } == 5
        )
        try store.removeAll()
        #expect(try store.isEmpty)
        try store.set(1.5, for: "d")
        #expect(try store.entries() == [MappedEntry(key: "d", value: .double(1.5))])
    }

    @Test func manyOverwritesCompactInTheBackground() throws {
        let directory = try TemporaryDirectory()
        let store = try MappedStore(path: directory.path + "/a.map")
        let count = Thorough.count(100_000, of: 1_000_000)
        for number in 0..<count { try store.set(number, for: "key\(number % 1000)") }
        for number in count - 1000..<count { #expect(try store.get("key\(number % 1000)") == number) }
        #expect(try store.verify().isIntact)
        #expect(try store.count == 1000)
    }
}
