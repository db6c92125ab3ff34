import CairnGraph

/// A relationship with an inverse that is stored too: one side, the owner, tells both.
///
/// BNRPersistence has no inverses. Often one side was written, and the other made of it in memory; where both were, they may differ.
struct ImportInverse {
    struct Side: Hashable {
        /// Its place among the classes.
        var place: Int
        var property: String
    }

    let owner: Side
    let other: Side
    /// Whether the other side leads to one object.
    let isOtherOne: Bool
    /// What each owner leads to, as it was read.
    private(set) var told: [(row: UInt32, references: [BNRReference])] = []
    /// Which owners lead to each object of the other side: one at most, where that leads to one.
    private(set) var owners: [UInt32: [UInt32]] = [:]

    /// All in a store, for classes of which some are filled.
    ///
    /// - Throws: `invalidLayout` where the other side is a dictionary, whose keys nobody knows.
    static func all(_ classes: [ImportClass]) throws(BNRError) -> [ImportInverse] {
        var inverses: [ImportInverse] = []
        for (place, item) in classes.enumerated() {
            for property in item.properties.values.sorted(by: { $0.name < $1.name }) {
                guard let relationship = property.relationship, !relationship.isDerived, let name = relationship.inverse,
                    let otherPlace = classes.firstIndex(where: { $0.stored.name == relationship.target }),
                    let inverse = classes[otherPlace].properties[name], let shape = inverse.relationship?.shape,
                    inverse.relationship?.isDerived == false
                else { continue }
                let (one, other) = (Side(place: place, property: property.name), Side(place: otherPlace, property: name))
                // Each pair is met twice, from both sides.
                guard (one.place, one.property) < (other.place, other.property) else { continue }
                let fills = (classes[place].fills(property.name), classes[otherPlace].fills(name))
                guard fills.0 || fills.1 else { continue }
                guard shape != .dictionary, relationship.shape != .dictionary else {
                    throw BNRError(
                        .invalidLayout,
                        "\(item.stored.name).\(property.name) and \(classes[otherPlace].stored.name).\(name) are inverse, and one is a dictionary, whose keys nobody knows"
                    )
                }
                let isOneOwner = fills.0 && (!fills.1 || relationship.shape != .one || shape == .one)
                inverses.append(
                    isOneOwner
                        ? ImportInverse(owner: one, other: other, isOtherOne: shape == .one)
                        : ImportInverse(owner: other, other: one, isOtherOne: relationship.shape == .one)
                )
            }
        }
        return inverses
    }

    private init(owner: Side, other: Side, isOtherOne: Bool) {
        self.owner = owner
        self.other = other
        self.isOtherOne = isOtherOne
    }

    /// Notes what an owner leads to.
    mutating func tell(_ row: UInt32, _ references: [BNRReference]) { told.append((row, references)) }

    /// Turns it round, once it is known which objects are there.
    ///
    /// - Parameter resolve: The row of a reference; `nil` where it leads to no object of the other side.
    mutating func settle(_ resolve: (BNRReference) -> UInt32?) {
        for (row, references) in told {
            // An owner may lead to an object several times.
            for target in references.compactMap(resolve) where owners[target]?.last != row {
                if isOtherOne, owners[target] != nil { continue }
                owners[target, default: []].append(row)
            }
        }
        told = []
    }
}

extension ImportClass {
    /// Whether a property may be read from the old objects.
    func fills(_ property: String) -> Bool { filled?.contains(property) ?? true }
}
