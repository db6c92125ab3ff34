import CairnCore
import CairnRocksGraph
import CairnToolKit

extension ObjectsChapter {
    func arrange() throws {
        try stage.section(
            "Arrange, undo, redo",
            "Lists keep their order. Changes are grouped, and can be undone even after they were saved.",
            code: "context.undo.group(\"Move\") { shelf.pieces.move(from: last, to: 0) }",
            "try context.save()",
            "try context.undo.undo()"
        ) {
            let shelf = Shelf(title: data.unused("tour"))
            context.insert(shelf)
            for piece in try context.fetch(Piece.self, limit: 4) { shelf.pieces.append(piece) }
            try context.save()
            var columns = [shelf.pieces.map(\.name)]
            context.undo.group("Move") { shelf.pieces.move(from: shelf.pieces.count - 1, to: 0) }
            try context.save()
            columns.append(shelf.pieces.map(\.name))
            let name = context.undo.undoName ?? ""
            let (_, time, _) = try stage.measure { try context.undo.undo() }
            columns.append(shelf.pieces.map(\.name))
            try context.save()
            var table = TextTable(["", "created", "moved", "undone"])
            for place in columns[0].indices { table.append(["\(place + 1)."] + columns.map { data.cut($0[place], 24) }) }
            return TourResult(table: table, summary: "\"\(name)\" undone in \(time)")
        }
    }

    func conflict() throws {
        try stage.section(
            "Change an object in two contexts",
            "The second save fails or merges by property, depending on your policy.",
            code: "options.conflictPolicy = .merge",
            "let other = try store.makeContext(options)"
        ) {
            let piece = try example()
            let (text, size) = (piece.text, piece.size)
            var table = TextTable(["", "", "text", "size"])
            for policy in [ConflictPolicy.fail, .merge] {
                var options = ObjectContextOptions()
                options.conflictPolicy = policy
                let other = try store.makeContext(options)
                defer { other.close() }
                let same = try piece.objectID.flatMap { try other.object($0, as: Piece.self) }
                same?.text = "changed there"
                piece.size = (piece.size ?? 0) + 1
                try context.save()
                let outcome = Result { () throws(ObjectStoreError) in try other.save() }
                var thrown = "saved"
                if case .failure(let error) = outcome { thrown = "\(error.code)" }
                context.refresh()
                table.append(["\(policy)", thrown, data.cut(piece.text, 24), "\(piece.size ?? 0)"])
            }
            piece.text = text
            piece.size = size
            try context.save()
            return TourResult(table: table, summary: "no change was lost silently")
        }
    }

    func delete() throws {
        try stage.section(
            "Delete without dangling references",
            "References to the object are removed. Undo puts them back in the same places.",
            code: "try context.delete(piece)",
            "try context.undo.undo()"
        ) {
            let piece = try example()
            let shelves = piece.shelves.map { $0 }
            let name = piece.name
            func counts() -> [String] { shelves.map { Numbers.grouped($0.pieces.count) } }
            var columns = [counts()]
            let (_, time, _) = try stage.measure {
                try context.delete(piece)
                try context.save()
            }
            columns.append(counts())
            try context.undo.undo()
            try context.save()
            columns.append(counts())
            var table = TextTable(["shelf", "before", "deleted", "undone"], [.left, .right, .right, .right])
            for (place, shelf) in shelves.enumerated() { table.append([shelf.title] + columns.map { $0[place] }) }
            return TourResult(table: table, summary: "\(data.cut(name)) deleted in \(time)")
        }
    }

    func look() throws {
        try stage.section(
            "Inspect the store without its classes",
            "A store describes its classes and properties, so tools can show and verify everything.",
            code: "let store = try ObjectStore(path: path, classes: [])",
            "try store.verify()"
        ) {
            context.close()
            try store.close()
            let bare = try ObjectStore(path: path, classes: [])
            let (report, time, _) = try stage.measure { try bare.verify() }
            try bare.close()
            var table = TextTable(["class", "objects"], [.left, .right])
            for checked in report.classes { table.append([checked.name, Numbers.grouped(checked.objectCount)]) }
            let references = Numbers.counted(report.referenceCount, "reference", "references")
            return TourResult(
                table: table,
                summary: "verified in \(time): \(references), \(report.isIntact ? "no damage found" : "DAMAGED")"
            )
        }
    }
}
