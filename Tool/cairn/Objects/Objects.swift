import ArgumentParser
import CairnToolKit

/// `cairn objects`: commands for object stores.
struct Objects: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "objects",
        abstract: "Read, change, verify, export and import object stores.",
        discussion: """
            An object store is a directory with the objects of a program's classes, and their relationships and indexes.

              cairn objects info Music.store
              cairn objects list Music.store Song --limit 10

            No Swift classes are needed: a store describes its classes, properties and types. Commands that only read never change the store, \
            and work while a program has it open; they see its state from when they started.

            An object is identified by its class and row, such as 'Song 17' or '1/17'.

            \(ExitStatus.help)
            """,
        subcommands: [
            Info.self, List.self, Find.self, Show.self, Names.self,
            SetValues.self, Add.self, Delete.self,
            Verify.self, Explain.self, Upgrade.self, Compact.self,
            Export.self, Import.self, ImportBNR.self, Rekey.self, Shred.self, Move.self,
        ]
    )
}
