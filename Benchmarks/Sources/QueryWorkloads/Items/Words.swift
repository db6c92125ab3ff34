import BenchKit

/// Words that titles are made of.
enum Words {
    /// 2,000 of four to nine letters, of which some are not in ASCII, the same in every run.
    static let all: [String] = {
        let syllables = "bdfghklmnprstvz".flatMap { consonant in "aeiouü".map { "\(consonant)\($0)" } }
        var random = SplitMix64(state: 5)
        var words: Set<String> = []
        var ordered: [String] = []
        while ordered.count < 2_000 {
            let count = 2 + Int(random.next() % 3)
            let word = (0..<count).map { _ in syllables[Int(random.next() % UInt64(syllables.count))] }.joined()
            if words.insert(word).inserted { ordered.append(word) }
        }
        return ordered
    }()

    /// The words as a title begins with them.
    static let capitalized = all.map { $0.prefix(1).uppercased() + $0.dropFirst() }

    /// Four words, chosen by the bits of a number.
    static func title(_ random: UInt64) -> String {
        func place(_ shift: UInt64) -> Int { Int((random >> shift) % UInt64(all.count)) }
        return "\(capitalized[place(0)]) \(all[place(15)]) \(all[place(30)]) \(all[place(45)])"
    }
}
