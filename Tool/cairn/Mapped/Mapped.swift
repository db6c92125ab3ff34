import ArgumentParser
import CairnToolKit

/// `cairn mapped`: commands for mapped stores.
struct Mapped: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mapped",
        abstract: "Read, write and verify mapped stores.",
        discussion: """
            A mapped store is a single file of small values, such as preferences, caches and session state.

              cairn mapped set settings.map launches 3 --create
              cairn mapped list settings.map

            Any number of programs, including this tool, may have a store open at the same time, and see each other's changes at once. Commands \
            that only read never change the file.

            Encrypted stores need --key-file or --passphrase-file with every command.

            \(ExitStatus.help)
            """,
        subcommands: [
            Get.self, SetValue.self, Remove.self, List.self,
            Import.self, Export.self,
            Verify.self, Compact.self, Info.self, Watch.self,
            Backup.self, Restore.self, Rekey.self,
        ]
    )
}
