import CairnObjects

/// An item as an object.
@Stored final class Piece {
    @Unique var name: String
    @Indexed var group: String
    var size: Int?
    var text: String
    /// The shelves tell.
    @Relationship var shelves: ObjectSet<Shelf>
}

/// Pieces in an order.
@Stored final class Shelf {
    @Unique var title: String
    @Relationship(inverse: \Piece.shelves) var pieces: ObjectList<Piece>
}

extension Item {
    init(_ piece: Piece) { self.init(name: piece.name, group: piece.group, size: piece.size, text: piece.text) }
}
