import BenchKit

extension Names {
    /// What is looked for in sentences: in a tenth of them, in a hundredth, in one of ten thousand, and three words in one of a thousand.
    static let tenth = "between", hundredth = "harbour", rare = "lighthouse", phrase = "down the river"

    /// Sentences of twelve English words, of which some are common, the same in every run.
    static func sentences(_ count: Int, seed: UInt64 = 17) -> Names {
        var random = SplitMix64(state: seed)
        func any(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        return Names(
            strings: (0..<count).map { place in
                // The product of two numbers at random: words at the beginning of the list are common.
                var words = (0..<12).map { _ in Self.words[any(Self.words.count) * any(Self.words.count) / Self.words.count] }
                for (word, each) in [(tenth, 10), (hundredth, 100), (rare, 10_000)] where place % each == each / 2 { words[any(9)] = word }
                if place % 1_000 == 3 { words.replaceSubrange(9..., with: phrase.split(separator: " ").map(String.init)) }
                return words.joined(separator: " ")
            }
        )
    }

    /// Words, the most common first. None contains what is looked for.
    private static let words = stems.flatMap { stem in [stem] } + stems.dropFirst(60).flatMap { stem in endings.map { stem + $0 } }

    private static let endings = ["s", "ed", "ing", "er", "ly", "ness", "able", "ful"]

    private static let stems = """
        the of and to in a is that for it was on are as with his they at be this from have or by one had not but what all were when we there can an \
        your which their said if do will each about how up out them then she many some so these would other into has more her two like him see time \
        could no make than first been its who now people my made over did down only way find use may water long little very after words called just \
        where most know get through back much before go good new write our used me man too any day same right look think also around another came \
        come work three word must because does part even place well such here take why things help put years different away again off went old \
        number great tell men say small every found still name should home big give air line set own under read last never us left end along while \
        might next sound below saw something thought both few those always looked show large often together asked house world going want school \
        important until form food keep children feet land side without boy once animals life enough took sometimes four head above kind began \
        almost live page got earth need far hand high year mother light parts country father let night following picture being study second eyes \
        soon times story boys since white days ever paper hard near sentence better best across during today others however sure means knew tried \
        told young miles sun ways thing whole hear example heard several change answer room sea against top turned learn point city play toward \
        five using himself usually money seen didn car morning body upon family later turn move face door cut done group true half red fish plants
        """.split { $0 == " " || $0 == "\n" }.map(String.init)
}
