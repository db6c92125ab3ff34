import ArgumentParser
import CairnRocks

/// The orders of keys that the tool knows.
enum KeyOrder: String, CaseIterable, ExpressibleByArgument {
    case bytewise = "bytewise"
    case reverseBytewise = "reverse-bytewise"
    case unicode = "unicode"
    case unicodeReverse = "unicode-reverse"
    case objectiveRocks = "objectiverocks-string"
    case objectiveRocksReverse = "objectiverocks-string-reverse"

    var comparator: KeyComparator {
        switch self {
        case .bytewise: .bytewise
        case .reverseBytewise: .reverseBytewise
        case .unicode: .unicodeAscending
        case .unicodeReverse: .unicodeDescending
        case .objectiveRocks: .objectiveRocksStringAscending
        case .objectiveRocksReverse: .objectiveRocksStringDescending
        }
    }
}
