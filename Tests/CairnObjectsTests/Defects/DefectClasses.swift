import CairnObjects

/// Leads to others of its class in a circle, and has them deleted with it in both ways.
@Stored final class Ring {
    var name: String
    @Relationship(onDelete: .cascade) var next: Ring?
    @Relationship var partner: Ring?
    @Transient var preparations = 0

    func prepareForDelete() {
        preparations += 1
        if let partner { try? objectContext?.delete(partner) }
    }
}

/// Has an index on a property of the same name as that of ``Song``.
@Stored final class Painter {
    @Indexed var artist: String
}

/// A value that may refuse to be encoded.
struct Refusing: Codable, Sendable, Equatable {
    var refuses: Bool
    struct Refusal: Error {}

    func encode(to encoder: any Encoder) throws {
        guard !refuses else { throw Refusal() }
        var container = encoder.singleValueContainer()
        try container.encode(refuses)
    }

    init(refuses: Bool) { self.refuses = refuses }
    init(from decoder: any Decoder) throws { refuses = try decoder.singleValueContainer().decode(Bool.self) }
}

@Stored final class Sealed {
    var title: String
    var value: Refusing = Refusing(refuses: false)
}

@Stored(name: "Aged", version: 65) final class AgedNow { var name: String }
@Stored(name: "Aged", version: 64) final class AgedBefore { var name: String }

/// Leads to objects of several classes.
protocol Exhibit: StoredObject {}
extension Painter: Exhibit {}
extension Image: Exhibit {}

@Stored final class Gallery {
    @Relationship var exhibits: ObjectList<any Exhibit>
}
