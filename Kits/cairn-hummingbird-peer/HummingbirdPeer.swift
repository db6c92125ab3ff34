#if Hummingbird
import CairnHummingbird
import CairnMapped
import Foundation
import Hummingbird

/// The second process of the tests of sessions.
///
/// `race PATH NAME OTHER COUNT` creates the keys 0 to COUNT - 1, each at the same moment as the process OTHER, and prints those that it created.
/// `write PATH` sets one session after the other, and prints the number of each once it is set, until it is killed.
@main struct HummingbirdPeer {
    static func main() async throws {
        let arguments = CommandLine.arguments
        let store = try MappedStore(path: arguments[2])
        let driver = MappedPersistDriver(store: store)
        switch arguments[1] {
        case "race": try await race(driver, arguments[3], against: arguments[4], Int(arguments[5]) ?? 0)
        default: try await write(driver)
        }
        try store.close()
    }

    private static func race(_ driver: MappedPersistDriver, _ name: String, against other: String, _ count: Int) async throws {
        for number in 0..<count {
            try driver.store.set(number, for: "at \(name)")
            while try driver.store.get("at \(other)", default: -1) < number {}
            do {
                try await driver.create(key: "\(number)", value: name, expires: .seconds(600))
                FileHandle.standardOutput.write(Data("\(number)\n".utf8))
            } catch let error as PersistError where error == .duplicate {}
        }
    }

    private static func write(_ driver: MappedPersistDriver) async throws {
        for number in 0... {
            try await driver.set(key: "\(number)", value: ["user": "\(number)"], expires: .seconds(600))
            // Without a buffer, so that what is printed was acknowledged, and the other way around.
            FileHandle.standardOutput.write(Data("\(number)\n".utf8))
        }
    }
}
#else
/// Nothing without the trait.
@main struct HummingbirdPeer {
    static func main() {}
}
#endif
