import CairnCDB
import CairnTestSupport
import Testing

struct TextTests {
    /// Parses a text that comes in parts of `size` bytes.
    private func parse(_ text: some Sequence<UInt8>, _ format: CDBTextFormat = .records, parts size: Int = .max) throws(CDBError)
        -> [String]
    {
        var parser = CDBTextParser(format)
        var records: [String] = []
        func take() throws(CDBError) {
            while let record = try parser.next() {
                records.append("\(String(decoding: record.key, as: UTF8.self))=\(String(decoding: record.value, as: UTF8.self))")
            }
        }
        let text = Array(text)
        var start = 0
        while start < text.count {
            let end = size < text.count - start ? start + size : text.count
            parser.append(text[start..<end])
            try take()
            start = end
        }
        parser.finish()
        try take()
        return records
    }

    @Test(arguments: [1, 2, 7, .max]) func recordsInPartsOfAnySize(size: Int) throws {
        let text = "+3,4:one->here\n+1,0:a->\n+0,1:->x\n+2,2:a\n->b\n\n\n".utf8
        #expect(try parse(text, parts: size) == ["one=here", "a=", "=x", "a\n=b\n"])
        #expect(try parse("\n".utf8, parts: size).isEmpty)
        #expect(try parse("+1,1:a->b\n\nanything".utf8, parts: size) == ["a=b"])
    }

    @Test(arguments: [1, .max]) func malformedRecordsAreRefused(size: Int) throws {
        let texts = [
            "", "x", "+", "+1", "+1,", "+1,1", "+1,1:", "+1,1:a", "+1,1:a-", "+1,1:a->", "+1,1:a->b", "+1,1:a->b\n", "+1,1:a->bc\n\n",
            "+,1:->b\n\n", "+1,:a->\n\n", "+-1,1:a->b\n\n", "+1,1;a->b\n\n", "+1,1:a=>b\n\n", "+4294967296,1:a->b\n\n",
            "+4294967295,1:a->b\n\n", "+99999999999999999999,1:a->b\n\n", "+2,1:a->b\n\n", "+4000000000,0:a->\n\n", " \n",
        ]
        for text in texts {
            let endsWithin = ["+1,1:", "+1,1:a->", "+4000000000,0:a->\n\n"].contains(text)
            #expect(code { try parse(text.utf8, parts: size) } == (endsWithin ? .incompleteText : .malformedText), "\(text)")
        }
        let error = try #require(failure { try parse("+1,1:a->b\n+1,1:secret".utf8) })
        #expect(error.message.contains("record 2") && !"\(error)".contains("secret"))
        #expect(failure { try parse("+1,1:a->b\n".utf8, parts: size) }?.message == "the empty line at the end of the text is missing")
    }

    @Test(arguments: [1, 3, .max]) func lines(size: Int) throws {
        let text = "# comment\n\n  key value with spaces \nb\t \tc\n#\nonly\n  # no record\nlast line".utf8
        #expect(try parse(text, .map, parts: size) == ["key=value with spaces ", "b=c", "only=", "last=line"])
        #expect(try parse("".utf8, .map).isEmpty)
    }

    @Test func whatIsWrittenIsRead() async throws {
        try await withSeeds("text", count: 20) { random in
            let records = (0..<random.int(in: 0..<50)).map { _ in
                (random.bytes(random.int(in: 0..<30)), random.bytes(random.int(in: 0..<30)))
            }
            var parser = CDBTextParser(.records)
            let text = recordText(records)
            for start in stride(from: 0, to: text.count, by: 11) { parser.append(text[start..<min(start + 11, text.count)]) }
            parser.finish()
            for (key, value) in records {
                let record = try parser.next()
                #expect(record == CDBTextRecord(key: key, value: value))
            }
            let isAtEnd = try parser.next() == nil
            #expect(isAtEnd)
        }
    }
}
