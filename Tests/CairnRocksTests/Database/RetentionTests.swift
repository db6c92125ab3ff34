import CairnCore
import CairnRocks
import CairnTestSupport
import Testing

/// What C++ points to stays as long as it does, and no longer.
struct RetentionTests {
    let scene = try! Scene()

    /// Captured by the closures under test.
    private final class Witness: Sendable {}

    private static func order(_ witness: Witness) -> ColumnFamilyOptions {
        ColumnFamilyOptions(
            comparator: KeyComparator(name: "test.witness") { first, second in withExtendedLifetime(witness) { compareBytes(first, second) }
            }
        )
    }

    private static func merging(_ witness: Witness) -> ColumnFamilyOptions {
        ColumnFamilyOptions(
            mergeOperator: MergeOperator(name: "test.witness") { _, _, operand in
                withExtendedLifetime(witness) { [UInt8](copying: operand) }
            }
        )
    }

    /// The one thing that is left of a database.
    private final class Last {
        var db: RocksDB?, family: ColumnFamily?, snapshot: Snapshot?, cursor: Cursor?

        init(_ kind: String, of db: RocksDB, _ family: ColumnFamily) throws {
            switch kind {
            case "database": self.db = db
            case "column family": self.family = family
            case "snapshot": snapshot = try family.makeSnapshot()
            default: cursor = try family.makeCursor()
            }
        }

        func use() throws {
            try db?.put("2", for: "b")
            try db?.flush()
            try family?.put("2", for: "b")
            #expect(try family?.text("a") ?? "1" == "1")
            #expect(try snapshot?.text("a") ?? "1" == "1")
            if cursor != nil {
                #expect(try cursor?.perform(.last) == "a")
                #expect(try cursor?.perform(.seek("a")) == "a")
            }
        }
    }

    static let kinds = ["database", "column family", "snapshot", "cursor"]

    @Test(arguments: kinds, [true, false]) func comparators(kind: String, opened: Bool) throws {
        weak var witness: Witness?
        var last: Last?
        do {
            let captured = Witness(), options = Self.order(captured)
            witness = captured
            let db = opened ? try scene.open(options) : try scene.open()
            let family = opened ? db.defaultColumnFamily : try db.createColumnFamily("new", options: options)
            try family.fill("a")
            try family.put("1", for: "a")
            last = try Last(kind, of: db, family)
        }
        #expect(witness != nil)
        try last?.use()
        last = nil
        #expect(witness == nil)
    }

    @Test(arguments: kinds) func mergeOperators(kind: String) throws {
        weak var witness: Witness?
        var last: Last?
        do {
            let captured = Witness()
            witness = captured
            let db = try scene.open(Self.merging(captured))
            try db.merge("0", for: "a")
            try db.merge("1", for: "a")
            last = try Last(kind, of: db, db.defaultColumnFamily)
        }
        #expect(witness != nil)
        try last?.use()
        last = nil
        #expect(witness == nil)
    }

    @Test func ofADroppedColumnFamily() throws {
        weak var witness: Witness?
        let db = try scene.open()
        var cursor: Cursor?
        do {
            let captured = Witness()
            witness = captured
            let family = try db.createColumnFamily("a", options: Self.order(captured))
            try family.fill("a", "b", "c")
            cursor = try family.makeCursor()
            try db.dropColumnFamily("a")
        }
        #expect(try cursor?.perform(.seek("b")) == "b")
        #expect(witness != nil)
        cursor = nil
        try db.put("1", for: "a")
        try db.flush()
        try db.close()
    }

    @Test func ofOptionsThatWereRefused() throws {
        weak var witness: Witness?
        do {
            let captured = Witness()
            witness = captured
            var options = Self.order(captured)
            options["no_such_option"] = "1"
            #expect(code { try scene.open(options) } == .invalidOption)
            let db = try scene.open()
            #expect(code { try db.createColumnFamily("default", options: Self.order(captured)) } == .invalidArgument)
            try db.close()
        }
        #expect(witness == nil)
    }

    @Test func sharedByManyDatabases() throws {
        weak var witness: Witness?
        let scenes = try (0..<5).map { _ in try Scene() }
        var databases: [RocksDB] = []
        do {
            let captured = Witness(), options = Self.order(captured)
            witness = captured
            databases = try scenes.map { try $0.open(options) }
        }
        while let db = databases.popLast() {
            try db.fill("a", "b")
            #expect(try witness != nil && db.keyTexts() == ["a", "b"])
        }
        #expect(witness == nil)
    }
}
