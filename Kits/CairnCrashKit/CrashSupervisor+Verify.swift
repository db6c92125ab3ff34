import CairnCore
import CairnTestSupport

extension CrashSupervisor {
    /// Opens the store, compares it with what was acknowledged, and takes what it holds as the start of the next round.
    ///
    /// - Throws: ``CrashDamage`` where anything is missing, added or changed.
    mutating func verify(_ store: inout CrashStore, after written: Written) throws {
        let parts: [CrashContents]
        do {
            let clock = ContinuousClock()
            let start = clock.now
            let subject = try subject.init(directory: store.directory.path("store"))
            opening = clock.now - start
            parts = try split(subject.contents())
            closing = try clock.measure { try subject.close() }
        } catch {
            throw CrashDamage("\(written.end); reopened: \((error as? any CairnError)?.fullDescription ?? "\(error)")")
        }
        for writer in store.models.indices {
            let acknowledged = try store.progress.acknowledged(writer: writer)
            report.acknowledged += acknowledged - store.models[writer].number
            let remains = writer < written.writers ? written.remains : .acknowledged
            do {
                try advance(&store.models[writer], to: acknowledged, remains, found: parts[writer])
            } catch {
                throw CrashDamage("\(written.end); writer \(writer) of \(written.writers): \(error)")
            }
            if store.models[writer].number > acknowledged {
                report.unacknowledged += 1
                try store.progress.acknowledge(acknowledged + 1, writer: writer)
            }
        }
    }

    /// The contents by writer.
    private func split(_ contents: CrashContents) throws -> [CrashContents] {
        let prefixes = (0..<CrashProgress.maximumWriters).map(CrashWorkload.prefix)
        var parts = Array(repeating: CrashContents(), count: prefixes.count)
        for (space, entries) in contents {
            for (key, value) in entries {
                guard let writer = prefixes.firstIndex(where: { key.starts(with: $0) }) else {
                    throw CrashDamage("\(space): there is a key that no one wrote: \(key)")
                }
                parts[writer][space, default: [:]][key] = value
            }
        }
        return parts
    }

    /// Moves the model to the operation that `found` shows: the last acknowledged, or the one after it.
    private func advance(
        _ model: inout CrashModel,
        to acknowledged: Int,
        _ remains: Remains,
        found: CrashContents
    ) throws(CrashDamage) {
        guard acknowledged >= model.number else {
            throw CrashDamage("\(acknowledged) operations are acknowledged where there were \(model.number) before")
        }
        model.advance(to: acknowledged)
        var next = model
        next.advance(to: acknowledged + 1)
        if remains != .acknowledged, next.differences(from: found).isEmpty {
            model = next
            return
        }
        if remains != .next, model.differences(from: found).isEmpty { return }
        let wanted = remains == .next ? next : model
        let differences = wanted.differences(from: found).joined(separator: "; ")
        let either = remains == .any ? ", and nothing or all of the next," : ""
        throw CrashDamage("operations up to \(wanted.number)\(either) must be there, but \(differences)")
    }
}
