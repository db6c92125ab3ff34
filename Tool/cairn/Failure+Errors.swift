import CairnCDB
import CairnCore
import CairnMapped
import CairnObjectsBNR
import CairnRocks
import CairnRocksGraph
import CairnToolKit

extension Failure {
    /// The failure to show for `error`; `nil` for command-line errors, which ArgumentParser describes.
    init?(_ error: any Error) {
        switch error {
        case let error as RocksError: self.init(.database, error.sentence, hint: Self.hint(error))
        case let error as CDBError: self.init(error)
        case let error as MappedStoreError: self.init(.database, error.sentence, hint: Self.hint(error))
        case let error as ObjectStoreError:
            let outcome = error.code == .foreignFile ? " Nothing was changed." : ""
            self.init(Self.status(error), error.sentence + outcome, hint: Self.hint(error))
        case let error as BNRError: self.init(error.code == .storeFailed ? .database : .file, error.sentence, hint: Self.hint(error))
        default: self.init(general: error)
        }
    }

    private init(_ error: CDBError) {
        let isText = error.code == .malformedText || error.code == .incompleteText
        let hint: String? =
            switch error.code {
            case .corruption: "'cairn cdb verify' shows the damage; 'cairn cdb dump' prints the records before it."
            case .noSpace: "The disk is full; nothing was changed."
            case .foreignFile: "'cairn doctor' shows what can read it."
            default: nil
            }
        // The message already says what the cause does.
        self.init(isText ? .file : .database, error.message.asSentence, hint: hint)
    }

    private static func hint(_ error: MappedStoreError) -> String? {
        switch error.code {
        case .keyNeeded, .wrongKey: keyHint(error.message)
        case .corruption: "'cairn mapped verify' shows the damage."
        case .foreignFile: "'cairn doctor' identifies it."
        case .noSpace: "The disk is full; everything stored before is still there."
        default: nil
        }
    }

    /// The stores have one code for another key and for a key that is not needed; their messages say which it is.
    private static func keyHint(_ message: String) -> String {
        message.contains("is not encrypted")
            ? "Leave out the key; 'rekey' encrypts the store." : "Give the key with --key-file or --passphrase-file."
    }

    private static func status(_ error: ObjectStoreError) -> ExitStatus {
        error.code == .malformedQuery || error.code == .invalidPredicate ? .usage : .database
    }

    private static func hint(_ error: ObjectStoreError) -> String? {
        switch error.code {
        case .keyNeeded, .wrongKey: keyHint(error.message)
        case .changeUnfinished: "Run the command that was interrupted again, with the same stores and keys: it continues."
        case .corruption: "'cairn objects verify' shows the damage."
        case .noSpace: "The disk is full; everything stored before is still there."
        case .locked: "Commands that only read still work."
        case .permissionDenied where error.message.contains("the password"):
            "Give the password with --password-file, or in the environment variable CAIRN_PASSWORD."
        default: nil
        }
    }

    private static func hint(_ error: BNRError) -> String? {
        switch error.code {
        case .wrongPassphrase: "Give the encryptionKey of the old store with --passphrase-file."
        case .invalidLayout: "See docs/formats/bnrpersistence.md for the layout format."
        default: nil
        }
    }

    private static func hint(_ error: RocksError) -> String? {
        if error.code == .noSpace { return "The disk is full; everything stored before is still there." }
        return switch error.code {
        case .locked: "Commands that only read still work."
        case .corruption: "'cairn rocks verify' shows the damage."
        default: nil
        }
    }
}
