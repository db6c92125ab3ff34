import CRocks
import CairnCore

extension ColumnFamilyHandle {
    func lendValue(for key: RawSpan, options: ReadOptionsHandle, to body: (RawSpan) -> Void) throws(RocksError) -> Bool {
        try unsafe Self.lendValue(for: key, family: pointer, options: options.pointer, to: body) { attempt("reading from") }
    }

    /// The read itself, on bare pointers: whoever calls it keeps their owners alive, for which a store that holds them in constants need not
    /// count references.
    @unsafe @inline(__always)
    static func lendValue(
        for key: RawSpan,
        family: OpaquePointer,
        options: OpaquePointer,
        to body: (RawSpan) -> Void,
        attempt: () -> String
    ) throws(RocksError) -> Bool {
        var value = crk_value()
        return try unsafe withUnsafeMutablePointer(to: &value) { (value) throws(RocksError) in
            var bytes = unsafe crk_bytes()
            let status = unsafe key.withShimBytes { unsafe crk_get(family, options, $0, value, &bytes) }
            guard status.isOK else {
                if status.code == UInt8(CRK_NOT_FOUND.rawValue) {
                    if unsafe status.message != nil { crk_status_free(status) }
                    return false
                }
                throw status.error(attempt(), code: nil)
            }
            unsafe bytes.lend(to: body)
            unsafe crk_value_release(value)
            return true
        }
    }

    func lendValues(for keys: KeyList, options: ReadOptionsHandle, to body: (Int, RawSpan?) -> Void) throws(RocksError) {
        try unsafe lendMany(keys, attempt: attempt("reading \(keys.count) keys from"), to: body) { keys, found, values in
            unsafe crk_multi_get(pointer, options.pointer, keys.count, keys.baseAddress, keys.isSorted, found, &values)
        }
    }

    func keyMayExist(_ key: RawSpan, options: ReadOptionsHandle) throws(RocksError) -> Bool {
        var mayExist = false
        try unsafe key.withShimBytes { unsafe crk_key_may_exist(pointer, options.pointer, $0, &mayExist) }
            .check(attempt("looking for a key in"))
        return mayExist
    }
}

/// The keys of a list as the shim takes them.
@unsafe struct ShimKeys {
    let baseAddress: UnsafePointer<crk_bytes>?
    let count: Int
    let isSorted: Bool
}

/// Reads many keys by `read`, which fills the bytes and the values it receives, and lends them to `body` one by one.
func lendMany(
    _ keys: KeyList,
    attempt: @autoclosure () -> String,
    to body: (Int, RawSpan?) -> Void,
    read: (ShimKeys, UnsafeMutablePointer<crk_bytes>, inout OpaquePointer?) -> crk_status
) throws(RocksError) {
    guard keys.count > 0 else { return }
    var values: OpaquePointer?
    let status = unsafe keys.bytes.withUnsafeBytes { packed in
        var start = 0
        let lent: [crk_bytes] = unsafe keys.ends.map { end in
            defer { start = end }
            return unsafe crk_bytes(data: packed.baseAddress.map { unsafe $0 + start }, size: end - start)
        }
        return unsafe withUnsafeTemporaryAllocation(of: crk_bytes.self, capacity: lent.count) { found in
            let status = unsafe lent.withUnsafeBufferPointer { lent in
                unsafe read(
                    ShimKeys(baseAddress: lent.baseAddress, count: lent.count, isSorted: keys.isSorted),
                    found.baseAddress!,
                    &values
                )
            }
            guard status.isOK else { return status }
            for index in found.indices {
                if unsafe found[index].data == nil { body(index, nil) } else { unsafe body(index, found[index].span) }
            }
            unsafe crk_values_release(values!)
            return status
        }
    }
    try status.check(attempt())
}
