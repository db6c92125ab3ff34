import CCairn
import Synchronization

/// A few keys that are looked up together: the memory for one is fetched while the others take their steps.
///
/// The thread is a reader until ``leave(_:)``, and the values found stay where they are until then.
@safe
@usableFromInline
struct LookupBatch {
    /// As many lines of memory as a processor fetches at a time, and some more.
    @usableFromInline static var size: Int { 16 }

    private var view: Unmanaged<MappedView>?
    private var line: UInt32 = 0
    private var steps: [Step] = []

    private struct Step {
        var hash: UInt64
        var slot: UInt64 = 0
    }

    @usableFromInline
    init() {}

    /// Takes the first steps for `keys`; returns false if all of them need the long way.
    @usableFromInline
    mutating func begin(_ keys: ArraySlice<String>, in store: MappedStore) -> Bool {
        line = store.gate.enter()
        guard let view = unsafe store.current.load(ordering: .sequentiallyConsistent),
            unsafe cairn_looks_up_any(view._withUnsafeGuaranteedRef { unsafe $0.index }) != 0
        else {
            store.gate.leave(line)
            return false
        }
        unsafe self.view = unsafe view
        let index = unsafe view._withUnsafeGuaranteedRef { unsafe $0.index }
        steps.removeAll(keepingCapacity: true)
        for key in keys {
            // Text that is not stored as UTF-8, such as a bridged string, takes the long way.
            let hash = unsafe key.utf8.withContiguousStorageIfAvailable { unsafe cairn_look_up_begin(index, $0.baseAddress, $0.count) }
            steps.append(Step(hash: hash ?? 0))
        }
        for place in steps.indices { unsafe steps[place].slot = cairn_look_up_slot(index, steps[place].hash) }
        return true
    }

    /// Takes the last step for the key at `place` of the batch.
    @usableFromInline
    func find(_ key: String, at place: Int, in store: MappedStore) -> FoundValue {
        guard let view = unsafe view else { return .unknown }
        let index = unsafe view._withUnsafeGuaranteedRef { unsafe $0.index }
        let found = unsafe key.utf8.withContiguousStorageIfAvailable {
            unsafe cairn_look_up_end(index, $0.baseAddress, $0.count, steps[place].slot)
        }
        guard let found else { return .unknown }
        let value = FoundValue(word: found.value, head: found.head)
        return store.isExpired(value) ? .missing : value
    }

    @usableFromInline
    func leave(_ store: MappedStore) { store.gate.leave(line) }
}
