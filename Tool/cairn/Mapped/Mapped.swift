import ArgumentParser
import CairnToolKit

/// `cairn mapped`: everything about mapped stores.
struct Mapped: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mapped",
        abstract: "Read, write and check mapped stores.",
        discussion: """
            A mapped store is one file of small values: preferences, caches, the state of a session.

              cairn mapped set settings.map launches 3 --create
              cairn mapped list settings.map

            Any number of programs may have a store open, and this tool beside them: each sees at once what the others change. Commands that only \
            read write nothing.

            Encrypted stores need --key-file or --passphrase-file, each time.

            \(ExitStatus.help)
            """,
        subcommands: [
            Get.self, SetValue.self, Remove.self, List.self,
            Import.self, Export.self,
            Check.self, Compact.self, Info.self, Watch.self,
            Backup.self, Restore.self, Rekey.self,
        ]
    )
}
