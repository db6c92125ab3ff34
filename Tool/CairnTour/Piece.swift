extension Item {
    init(_ piece: Piece) { self.init(name: piece.name, group: piece.group, size: piece.size, text: piece.text) }
}
