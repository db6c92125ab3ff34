import CairnCore
import CairnObjects
import CairnTestSupport
import Foundation

struct PaperDetails: Codable, Equatable {
    var lines: [String] = []
}

/// Values of each type that can be large.
@Stored final class Paper {
    @Unique var title: String
    @Searchable var text: String
    @Indexed var sign: String?
    var data: [UInt8]
    var picture: Data?
    var numbers: [Int]
    var details: PaperDetails
    @Relationship var links: ObjectList<Paper>

    init(_ title: String, size: Int = 0) {
        self.title = title
        text = String(repeating: "word \(title) ", count: size / 10)
        sign = size == 0 ? nil : String(repeating: title, count: size)
        data = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        picture = size == 0 ? nil : Data(repeating: 7, count: size)
        numbers = Array(0..<size)
        details = PaperDetails(lines: (0..<size / 10).map { "line \($0)" })
        links = []
    }

    /// Whether all values are what `init` gave them.
    func isWhole(_ size: Int, title: String) -> Bool {
        let other = Paper(title, size: size)
        return text == other.text && sign == other.sign && data == other.data && picture == other.picture && numbers == other.numbers
            && details == other.details
    }
}

/// More values than ``ObjectState`` has bits for, of which the last three share one.
@Stored final class WidePaper {
    var a0: String = ""
    var a1: String = ""
    var a2: String = ""
    var a3: String = ""
    var a4: String = ""
    var a5: String = ""
    var a6: String = ""
    var a7: String = ""
    var a8: String = ""
    var a9: String = ""
    var b0: String = ""
    var b1: String = ""
    var b2: String = ""
    var b3: String = ""
    var b4: String = ""
    var b5: String = ""
    var b6: String = ""
    var b7: String = ""
}

@Stored(name: "Leaflet") final class OldLeaflet {
    var title: String
    var picture: [UInt8]
}

/// Has lost its picture.
@Stored(name: "Leaflet", version: 2) final class Leaflet {
    var title: String
    var text: String = ""
}

/// A store whose values are large when they have more than 100 bytes.
struct PaperScene<Engine: StorageEngine> {
    let engine: Engine
    var options = ObjectStoreOptions()

    init(_ engine: Engine, longest: (inRecord: Int, part: Int)? = (100, 64)) {
        self.engine = engine
        if let longest { options.longestValue = longest }
    }

    func store(_ classes: [any StoredObject.Type] = [Paper.self, WidePaper.self]) throws -> ObjectStore {
        try ObjectStore(engine: engine, classes: classes, options: options)
    }

    func add(_ papers: Paper...) throws {
        try store().write { (context) throws in for paper in papers { context.insert(paper) } }
    }

    /// What is stored apart from records.
    func parts() throws -> [(key: [UInt8], value: [UInt8])] { try engine.makeView().entries(KeyRange(prefix: [4])) }

    func commit(_ body: (inout EngineCommit) throws -> Void) throws {
        var commit = EngineCommit()
        try body(&commit)
        _ = try engine.commit(commit, durability: .buffered)
    }
}

extension ObjectContext {
    func paper(_ title: String) throws -> Paper {
        guard let paper = try first(Paper.self, where: \.title == title) else { throw Mismatch("there is no paper \(title)") }
        return paper
    }
}
