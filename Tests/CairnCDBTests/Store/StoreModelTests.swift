import CairnCDB
import CairnTestSupport
import Foundation
import Testing

struct StoreModelTests {
    /// A directory tree, stored as name -> contents and compared.
    @Test func aDirectoryTreeIsStoredAndCompared() throws {
        let root = URL(filePath: #filePath + "/../../../..").standardizedFileURL
            .appending(path: "Sources")
        var files: [String: [UInt8]] = [:]
        let names = try #require(FileManager.default.enumerator(atPath: root.path))
        for case let name as String in names {
            let url = root.appending(path: name)
            if try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
                files[name] = [UInt8](try Data(contentsOf: url))
            }
        }
        #expect(files.count > 100)
        let scene = try Scene()
        let store = try CDBStore(path: scene.path(), key: String.self, value: [UInt8].self, codec: .raw, options: .buffered)
        for (name, contents) in files { try store.put(contents, for: name) }
        try store.close()
        let reader = try scene.reader()
        try reader.verify()
        #expect(try reader.count == files.count)
        for (name, contents) in files { #expect(try reader.get(name) == contents) }
        let again = try CDBStore(path: scene.path(), key: String.self, value: [UInt8].self, codec: .raw)
        #expect(try Dictionary(uniqueKeysWithValues: again.entries().map { ($0.key, $0.value) }) == files)
    }

    /// 16 passes of 100 random changes over 400 keys, beside a dictionary: saved, opened again and compared each time.
    @Test func sixteenPassesOfAHundredChanges() async throws {
        try await withSeeds("sixteen passes", count: 3) { random in
            let scene = try Scene()
            var model: [String: String] = [:]
            var store = try scene.store()
            for _ in 0..<16 {
                for _ in 0..<100 {
                    let key = "key \(random.int(in: 0..<400))"
                    let value = random.int(in: 0..<4) == 0 ? nil : "value \(random.next())"
                    model[key] = value
                    if let value { try store.put(value, for: key) } else { try store.delete(key) }
                }
                #expect(try Dictionary(uniqueKeysWithValues: store.entries().map { ($0.key, $0.value) }) == model)
                try store.save()
                store = try scene.store()
                #expect(try store.count == model.count)
                #expect(try Dictionary(uniqueKeysWithValues: store.entries().map { ($0.key, $0.value) }) == model)
                for (key, value) in model { #expect(try store[key] == value) }
            }
        }
    }

    private enum Operation: CustomStringConvertible {
        case put(Int, Int), delete(Int), removeAll, save, revert, reload, reopen, other(Int, Int)

        var description: String {
            switch self {
            case .put(let key, let value): ".put(\(key), \(value))"
            case .delete(let key): ".delete(\(key))"
            case .removeAll: ".removeAll"
            case .save: ".save"
            case .revert: ".revert"
            case .reload: ".reload"
            case .reopen: ".reopen"
            case .other(let key, let value): ".other(\(key), \(value))"
            }
        }
    }

    private struct Difference: Error {}

    /// A list of pairs with what a store means by each operation.
    private struct Model {
        var file: [(String, String)] = []
        /// What the store saw when it read the file.
        var base: [(String, String)] = []
        var changes: [(key: String, value: String?)] = []
        var cleared = false

        private static func value(_ pairs: [(String, String)], _ key: String) -> String? { pairs.first { $0.0 == key }?.1 }

        var pairs: [(String, String)] { applied(to: base) }

        func applied(to base: [(String, String)]) -> [(String, String)] {
            var pairs = cleared ? [] : base
            for (key, value) in changes {
                let place = pairs.firstIndex { $0.0 == key }
                switch (place, value) {
                case (let place?, let value?): pairs[place].1 = value
                case (let place?, nil): pairs.remove(at: place)
                case (nil, let value?): pairs.append((key, value))
                case (nil, nil): break
                }
            }
            return pairs
        }

        mutating func set(_ key: String, _ value: String?) {
            let stored = cleared ? nil : Self.value(base, key)
            let place = changes.firstIndex { $0.key == key }
            if stored == value {
                if let place { changes.remove(at: place) }
            } else if let place {
                changes[place].value = value
            } else {
                changes.append((key, value))
            }
        }

        var isChanged: Bool { cleared || !changes.isEmpty }

        /// The changes that are still some on another file.
        mutating func move() {
            base = file
            let old = changes
            changes = []
            for (key, value) in old { set(key, value) }
        }

        mutating func save() {
            guard isChanged else { return }
            file = applied(to: file)
            base = file
            changes = []
            cleared = false
        }
    }

    @Test func randomOperations() async throws {
        try await withSeeds("store operations", count: Thorough.count(10, of: 40)) { random in
            let operations: [Operation] = (0..<120).map { _ in
                switch random.int(in: 0..<100) {
                case 0..<50: .put(random.int(in: 0..<12), random.int(in: 0..<4))
                case 50..<75: .delete(random.int(in: 0..<12))
                case 75..<77: .removeAll
                case 77..<87: .save
                case 87..<90: .revert
                case 90..<93: .reload
                case 93..<96: .reopen
                default: .other(random.int(in: 0..<12), random.int(in: 0..<4))
                }
            }
            if try !self.holds(operations) {
                // The shortest list that still fails, to be pasted into a test.
                var shortest = operations
                var index = 0
                while index < shortest.count {
                    var shorter = shortest
                    shorter.remove(at: index)
                    if try self.holds(shorter) { index += 1 } else { shortest = shorter }
                }
                Issue.record("the store differs from the model after \(shortest)")
            }
        }
    }

    private func holds(_ operations: [Operation]) throws -> Bool {
        let scene = try Scene()
        var options = CDBStoreOptions.buffered
        options.durability = .none
        options.onConflict = .merge
        var store = try scene.store(options: options)
        var model = Model()
        for operation in operations {
            switch operation {
            case .put(let key, let value):
                try store.put("\(value)", for: "\(key)")
                model.set("\(key)", "\(value)")
            case .delete(let key):
                let wasThere = model.pairs.contains { $0.0 == "\(key)" }
                guard try store.delete("\(key)") == wasThere else { return false }
                model.set("\(key)", nil)
            case .removeAll:
                try store.removeAll()
                model.changes = []
                model.cleared = true
            case .save:
                try store.save()
                model.save()
            case .revert:
                try store.revert()
                model.base = model.file
                model.changes = []
                model.cleared = false
            case .reload:
                try store.reload()
                model.move()
            case .reopen:
                try store.close()
                model.save()
                model.base = model.file
                store = try scene.store(options: options)
            case .other(let key, let value):
                let other = try scene.store(options: options)
                try other.put("\(value)", for: "\(key)")
                try other.save()
                if let place = model.file.firstIndex(where: { $0.0 == "\(key)" }) {
                    model.file[place].1 = "\(value)"
                } else {
                    model.file.append(("\(key)", "\(value)"))
                }
            }
            let pairs = model.pairs
            guard try store.pairTexts() == pairs.map({ "\($0)=\($1)" }), try store.count == pairs.count, store.hasChanges == model.isChanged
            else { return false }
            if !model.cleared { guard try store.changedKeys().sorted() == model.changes.map(\.key).sorted() else { return false } }
            for key in 0..<12 { guard try store["\(key)"] == pairs.first(where: { $0.0 == "\(key)" })?.1 else { return false } }
        }
        if let reader = try? scene.reader() { try reader.verify() }
        return true
    }
}
