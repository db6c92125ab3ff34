import ArgumentParser
import CairnToolKit

/// `cairn objects`: everything about object stores.
struct Objects: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "objects",
        abstract: "Read, check, export and import object stores.",
        discussion: """
            An object store is a directory with the objects of a program's classes, their relationships and indexes.

              cairn objects info Music.store
              cairn objects list Music.store Song --limit 10

            No Swift classes are needed: a store knows its classes, properties and types. Commands that only read write nothing, and work beside \
            a program that has the store open; they see it as it was when they began.

            An object is called by its class and row, such as 'Song 17' or '1/17'.

            \(ExitStatus.help)
            """,
        subcommands: [
            Info.self, List.self, Show.self, Names.self,
            Check.self, Explain.self, Upgrade.self,
            Export.self, Import.self, ImportBNR.self, Rekey.self, Shred.self,
        ]
    )
}
