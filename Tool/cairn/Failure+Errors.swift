import CairnCDB
import CairnCore
import CairnMapped
import CairnObjectsBNR
import CairnRocks
import CairnRocksGraph
import CairnToolKit

extension Failure {
    /// The failure that `error` means to the user; `nil` for errors of the command line, which ArgumentParser words.
    init?(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as InputError: self.init(.file, "\(error).")
        case .failed(let reason) as OutputError: self.init(.file, "The output cannot be written: \(reason).")
        case let error as RocksError: self.init(.database, error.sentence, hint: Self.hint(error))
        case let error as CDBError: self.init(error)
        case let error as MappedStoreError: self.init(.database, error.sentence, hint: Self.hint(error))
        case let error as ObjectStoreError: self.init(.database, error.sentence, hint: Self.hint(error))
        case let error as BNRError: self.init(error.code == .storeFailed ? .database : .file, error.sentence, hint: Self.hint(error))
        case let error as any CairnError: self.init(.database, error.sentence)
        default: return nil
        }
    }

    private init(_ error: CDBError) {
        let isText = error.code == .malformedText || error.code == .incompleteText
        let hint: String? =
            switch error.code {
            case .corruption: "'cairn cdb verify' tells what is damaged; 'cairn cdb dump' prints the records before it."
            case .noSpace: "The disk is full; the file that was there before is still there."
            default: nil
            }
        // The message says all that the cause does.
        self.init(isText ? .file : .database, error.message.asSentence, hint: hint)
    }

    private static func hint(_ error: MappedStoreError) -> String? {
        switch error.code {
        case .keyNeeded, .wrongKey: "--key-file or --passphrase-file gives the key."
        case .corruption: "'cairn mapped check' tells what is damaged."
        case .noSpace: "The disk is full; what was stored before is still there."
        case .foreignFile: "It was left alone."
        default: nil
        }
    }

    private static func hint(_ error: ObjectStoreError) -> String? {
        switch error.code {
        case .keyNeeded, .wrongKey: "--key-file or --passphrase-file gives the key."
        case .changeUnfinished: "'cairn objects rekey' goes on with the keys that it was given."
        case .corruption: "'cairn objects check' tells what is damaged."
        case .noSpace: "The disk is full; what was stored before is still there."
        case .foreignFile: "It was left alone."
        case .locked: "Another program has the store open for writing; commands that only read work beside it."
        default: nil
        }
    }

    private static func hint(_ error: BNRError) -> String? {
        switch error.code {
        case .wrongPassphrase: "--passphrase-file gives the encryptionKey of the old store."
        case .invalidLayout: "docs/formats/bnrpersistence.md describes layouts."
        default: nil
        }
    }

    private static func hint(_ error: RocksError) -> String? {
        if error.subcode == .noSpace { return "The disk is full; what was stored before is still there." }
        return switch error.code {
        case .locked: "Another program has the database open for writing; commands that only read work beside it."
        case .corruption: "'cairn rocks verify' tells what is damaged."
        default: nil
        }
    }
}

extension CairnError {
    /// What went wrong, and why: who can start the tool may see the data, so causes are told in full.
    var sentence: String {
        var text = message
        if let cause { text += " (\((cause as? any CairnError)?.message ?? "\(cause)"))" }
        return text.asSentence
    }
}

extension String {
    /// With a capital letter, unless it begins with a path, and a full stop.
    var asSentence: String {
        let beginning = prefix { $0 != " " }
        let isPath = beginning.contains("/") || beginning.contains(".")
        return (isPath ? self : prefix(1).uppercased() + dropFirst()) + "."
    }
}
