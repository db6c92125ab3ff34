import CairnGraph

/// A relationship with an inverse that is stored too. One side, the owner, determines both.
///
/// BNRPersistence has no inverses. Often only one side was written and the other was derived in memory; if both were written, they may differ.
struct ImportInverse {
    struct Side: Hashable {
        /// The position of the class.
        var place: Int
        var property: String
    }

    let owner: Side
    let other: Side
    /// Whether the other side refers to a single object.
    let isOtherOne: Bool
    /// The references of each owner, as they were read.
    private(set) var noted: [(row: UInt32, references: [BNRReference])] = []
    /// The owners that refer to each object of the other side: at most one if that side refers to a single object.
    private(set) var owners: [UInt32: [UInt32]] = [:]

    /// All inverses of these classes with a side that the layout fills.
    ///
    /// - Throws: `invalidLayout` if a side is a dictionary, whose keys are not known.
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
                // Each pair is found twice, from both sides.
                guard (one.place, one.property) < (other.place, other.property) else { continue }
                let fills = (classes[place].fills(property.name), classes[otherPlace].fills(name))
                guard fills.0 || fills.1 else { continue }
                guard shape != .dictionary, relationship.shape != .dictionary else {
                    throw BNRError(
                        .invalidLayout,
                        "\(item.stored.name).\(property.name) and \(classes[otherPlace].stored.name).\(name) are inverses, and one of them is a dictionary, whose keys are not known"
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

    /// Records the references of an owner.
    mutating func note(_ row: UInt32, _ references: [BNRReference]) { noted.append((row, references)) }

    /// Finds the owners of each object, once it is known which objects exist.
    ///
    /// - Parameter resolve: Returns the row of a reference; `nil` if its target is not an object of the other side.
    mutating func settle(_ resolve: (BNRReference) -> UInt32?) {
        for (row, references) in noted {
            // An owner may refer to an object several times.
            for target in references.compactMap(resolve) where owners[target]?.last != row {
                if isOtherOne, owners[target] != nil { continue }
                owners[target, default: []].append(row)
            }
        }
        noted = []
    }
}

extension ImportClass {
    /// Whether the layout may fill a property.
    func fills(_ property: String) -> Bool { filled?.contains(property) ?? true }
}
