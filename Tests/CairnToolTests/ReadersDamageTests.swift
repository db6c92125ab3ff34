import CairnTestSupport
import CairnToolKit
import Testing

/// Whatever comes in: records or an error, never a trap, never a line that does not exist.
struct ReadersDamageTests {
    private static let samples: [RecordFormat: String] = [
        .jsonl: #"{"key":"a","value":"1"}"# + "\n" + #"{"key_hex":"00ff","value":[1,"\u00e9"],"column_family":"x"}"# + "\r\n\n",
        .csv: "k,v\r\n\"a\"\"b\",\"two\nlines\"\n\nc,\n",
        .tsv: "k\tv\na\t\"b\tc\"\nd\t\n",
        .control: "Package: a\nDescription: x\n more\n .\n\n# note\nPackage: b\n",
    ]

    @Test(arguments: RecordFormat.allCases)
    func damagedInputIsSurvived(format: RecordFormat) async throws {
        let whole = Array(try #require(Self.samples[format]).utf8)
        try await withSeeds("damaged \(format)", count: Thorough.count(40, of: 150)) { generator in
            var text = whole
            for _ in 0..<generator.int(in: 1..<6) {
                let place = generator.int(in: 0..<text.count)
                switch generator.int(in: 0..<4) {
                case 0 where text.count > 1: text.remove(at: place)
                case 1: text.insert(generator.pick(Array("\"\n\r\t,:{}\\ #".utf8)), at: place)
                case 2: text = Array(text[...place])
                default: text[place] = UInt8(truncatingIfNeeded: generator.next())
                }
            }
            let lines = text.count { $0 == UInt8(ascii: "\n") } + 1
            for item in try read(text, format) {
                guard let number = item.firstMatch(of: /^(?:error )?([0-9]+)[ :]/)?.1 else { continue }
                #expect((1...lines).contains(Int(number) ?? 0), "\(item)")
            }
        }
    }
}
