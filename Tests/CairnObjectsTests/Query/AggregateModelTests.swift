import CairnObjects
import CairnTestSupport
import Foundation
import Testing

/// Random aggregates and groups of random objects with unsaved changes are those that Swift computes of all objects.
struct AggregateModelTests {
    /// The aggregates of one context, with and without indexes.
    private struct Scope<Kind: TrackValues> {
        let context: ObjectContext
        let paths: TrackPaths<Kind>
        let question: Question<Kind>
        let tracks: [Kind]

        init(_ context: ObjectContext, _ paths: TrackPaths<Kind>, _ question: Question<Kind>) throws {
            (self.context, self.paths, self.question) = (context, paths, question)
            tracks = try context.allObjects(Kind.self).filter(question.holds)
        }

        var condition: ObjectCondition<Kind> { question.condition }

        // MARK: One value

        func checkSum<Number: SummableValue>(of path: KeyPath<Kind, Number>, _ values: [Int]) throws where Number.Sum == Int {
            let total = values.reduce(Int128(0)) { $0 + Int128($1) }
            let sum = Result { try context.sum(Kind.self, of: path, where: condition) }
            if let wanted = Int(exactly: total) {
                #expect(try sum.get() == wanted, "sum of \(path), \(question.text)")
            } else {
                #expect(code { try sum.get() } == .outOfRange, "sum of \(path), \(question.text)")
            }
            let average = try context.average(Kind.self, of: path, where: condition)
            #expect(average == (values.isEmpty ? nil : Double(total) / Double(values.count)), "average of \(path), \(question.text)")
        }

        func checkRatings() throws {
            let values = tracks.compactMap(\.rating)
            let sum = try context.sum(Kind.self, of: paths.rating, where: condition)
            let wanted = values.reduce(0, +)
            #expect(sum == wanted || sum.isNaN && wanted.isNaN, "sum of ratings, \(question.text)")
            let average = try context.average(Kind.self, of: paths.rating, where: condition)
            #expect((average == nil) == values.isEmpty, "average of ratings, \(question.text)")
            if let average, !wanted.isNaN { #expect(average == wanted / Double(values.count), "average of ratings, \(question.text)") }
        }

        func checkExtremes<Value: KeyCodable>(_ path: KeyPath<Kind, Value>) throws {
            let keys = keys(tracks.map { $0[keyPath: path] })
            #expect(try context.min(Kind.self, of: path, where: condition)?.keyBytes == keys.first, "min of \(path), \(question.text)")
            #expect(try context.max(Kind.self, of: path, where: condition)?.keyBytes == keys.last, "max of \(path), \(question.text)")
        }

        func checkExtremes<Value: KeyCodable>(_ path: KeyPath<Kind, Value?>) throws {
            let keys = keys(tracks.compactMap { $0[keyPath: path] })
            #expect(try context.min(Kind.self, of: path, where: condition)?.keyBytes == keys.first, "min of \(path), \(question.text)")
            #expect(try context.max(Kind.self, of: path, where: condition)?.keyBytes == keys.last, "max of \(path), \(question.text)")
        }

        /// In order, without NaN.
        private func keys<Value: KeyCodable>(_ values: [Value]) -> [[UInt8]] {
            values.filter { !(($0 as? Double)?.isNaN ?? false) }.map(\.keyBytes).sorted { $0.lexicographicallyPrecedes($1) }
        }

        // MARK: Groups

        func checkGroups<Value: KeyCodable>(_ path: KeyPath<Kind, Value>) throws {
            func key(_ track: Kind) -> [UInt8] {
                let value = track[keyPath: path]
                guard let number = value as? Double, number.isZero || number.isNaN else { return value.keyBytes }
                return number.isNaN ? Double.nan.keyBytes : 0.0.keyBytes
            }
            let wanted = Dictionary(grouping: tracks, by: key).sorted { $0.key.lexicographicallyPrecedes($1.key) }
            let groups = try context.groups(
                Kind.self,
                by: path,
                .count,
                .sum(of: paths.small),
                .max(of: paths.rating),
                .min(of: paths.seconds),
                .average(of: paths.seconds),
                .max(of: paths.genre),
                where: condition
            )
            let text = "groups by \(path), \(question.text)"
            #expect(groups.map(\.0.keyBytes) == wanted.map(\.key), "\(text)")
            for (group, (_, tracks)) in zip(groups, wanted) {
                #expect(group.1 == tracks.count, "\(text)")
                #expect(group.2 == tracks.reduce(0) { $0 + Int($1.small) }, "\(text)")
                #expect(group.3?.keyBytes == keys(tracks.compactMap(\.rating)).last, "\(text)")
                #expect(group.4 == tracks.map(\.seconds).min(), "\(text)")
                #expect(group.5 == Double(tracks.reduce(Int128(0)) { $0 + Int128($1.seconds) }) / Double(tracks.count), "\(text)")
                #expect(group.6?.rawValue == tracks.map(\.genre.rawValue).max(), "\(text)")
            }
            let counts = try context.groups(Kind.self, by: path, .count, where: condition)
            #expect(counts.map(\.1) == wanted.map(\.value.count), "\(text)")
            let values = try context.groups(Kind.self, by: path, where: condition)
            #expect(values.map(\.keyBytes) == wanted.map(\.key), "\(text)")
        }

        func check(_ generator: inout SeededGenerator) throws {
            switch generator.int(in: 0..<14) {
            case 0: try checkSum(of: paths.seconds, tracks.map(\.seconds))
            case 1: try checkSum(of: paths.small, tracks.map { Int($0.small) })
            case 2: try checkSum(of: paths.lengthInMinutes, tracks.map(\.lengthInMinutes))
            case 3: try checkRatings()
            case 4: try checkExtremes(paths.seconds)
            case 5: try checkExtremes(paths.rating)
            case 6: try generator.oneIn(2) ? checkExtremes(paths.note) : checkExtremes(paths.code)
            case 7: try generator.oneIn(2) ? checkExtremes(paths.released) : checkExtremes(paths.lengthInMinutes)
            case 8: try generator.oneIn(2) ? checkExtremes(paths.genre) : checkExtremes(paths.identity)
            case 9: try generator.oneIn(2) ? checkExtremes(paths.artist) : checkExtremes(paths.title)
            case 10: try generator.oneIn(2) ? checkGroups(paths.artist) : checkGroups(paths.note)
            case 11: try generator.oneIn(2) ? checkGroups(paths.rating) : checkGroups(paths.released)
            case 12: try generator.oneIn(2) ? checkGroups(paths.isLive) : checkGroups(paths.lengthInMinutes)
            default: try checkGroups(paths.genre)
            }
        }
    }

    /// What indexes answer alone, and some that they do not.
    private static func questions<Kind: TrackValues>(_ paths: TrackPaths<Kind>) -> [Question<Kind>] {
        var questions = [Question<Kind>("everything", .everything) { _ in true }]
        for text in ["Abba", "Zappa"] {
            questions.append(Question("artist = \(text)", paths.artist == text) { $0.artist.isSame(text) })
            questions.append(
                Question("artist = \(text) and seconds > 60", paths.artist == text && paths.seconds > 60) {
                    $0.artist.isSame(text) && $0.seconds > 60
                }
            )
        }
        for genres in [[Style.jazz], [.rock, .blues]] {
            questions.append(Question("genre in \(genres)", .isIn(paths.genre, genres)) { genres.contains($0.genre) })
        }
        questions.append(
            Question("live and jazz or ambient", paths.isLive == true && .isIn(paths.genre, [.jazz, .ambient])) {
                $0.isLive && ($0.genre == .jazz || $0.genre == .ambient)
            }
        )
        questions.append(Question("rating > -1", paths.rating > -1) { $0.rating.map { $0 > -1 } ?? false })
        questions.append(Question("rating nil", paths.rating == nil) { $0.rating == nil })
        questions.append(Question("none", paths.seconds < 0 && paths.seconds > 0) { _ in false })
        return questions
    }

    private static func run<Kind: TrackValues>(
        _ paths: TrackPaths<Kind>,
        _ engine: any StorageEngine,
        _ rounds: Int,
        _ options: ObjectStoreOptions,
        _ generator: inout SeededGenerator
    ) throws {
        let store = try Scene().tracks(engine, options)
        let (all, answered) = (Questions.all(paths), questions(paths))
        var number = 0
        // Every tenth store is empty.
        if !generator.oneIn(10) {
            try store.write { context in
                for _ in 0..<generator.int(in: 0..<300) {
                    context.insert(TrackPool.track(number, Kind.self, &generator))
                    number += 1
                }
            }
        }
        var options = ObjectContextOptions()
        options.conflictPolicy = .keepMine
        let context = try store.makeContext(options)
        var kept: [Kind] = []
        for round in 0..<rounds {
            if round % 10 == 0 {
                if generator.oneIn(2) { context.rollback() } else { try context.save() }
                let all = try context.allObjects(Kind.self)
                kept = all.isEmpty ? [] : (0..<min(40, all.count)).map { _ in generator.pick(all) }
                // Another context changes what is in memory here, and what is not.
                try store.write { other in
                    for track in try other.allObjects(Kind.self) where generator.oneIn(20) {
                        track.seconds = generator.pick(TrackPool.integers)
                    }
                }
                if generator.oneIn(2) { try DifferentialTests.change(context, &kept, &number, &generator) }
            }
            let question = generator.oneIn(2) ? generator.pick(answered) : DifferentialTests.question(all, &generator)
            try Scope(context, paths, question).check(&generator)
        }
    }

    @Test func aggregatesAreThoseOfAllObjects() async throws {
        try await withSeeds("aggregates", count: Thorough.count(2, of: 8)) { generator in
            try Self.run(.indexed, MemoryEngine(), Thorough.count(150, of: 300), ObjectStoreOptions(), &generator)
            try Self.run(.plain, MemoryEngine(), Thorough.count(60, of: 300), ObjectStoreOptions(), &generator)
        }
    }

    @Test func aggregatesOfSeveralThreadsAreThoseOfAllObjects() async throws {
        try await withSeeds("aggregates of several threads", count: Thorough.count(1, of: 8)) { generator in
            try Self.run(.plain, MemoryEngine(), Thorough.count(100, of: 300), .sharingScans, &generator)
            try Self.run(.indexed, MemoryEngine(), Thorough.count(100, of: 300), .sharingScans, &generator)
        }
    }

    @Test func aggregatesInRocksDBAreThoseOfAllObjects() async throws {
        try await withSeeds("aggregates in RocksDB", count: 1) { generator in
            let directory = try TemporaryDirectory()
            let engine = try RocksEngine(path: directory.path("store"))
            try Self.run(.indexed, engine, Thorough.count(80, of: 300), ObjectStoreOptions(), &generator)
        }
    }
}
