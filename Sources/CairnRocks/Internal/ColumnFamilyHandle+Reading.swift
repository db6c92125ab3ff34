import CRocks
import CairnCore

extension ColumnFamilyHandle {
    func lendValue(for key: RawSpan, options: ReadOptionsHandle, to body: (RawSpan) -> Void) throws(RocksError) -> Bool {
        try unsafe Self.lendValue(for: key, family: pointer, options: options.pointer, to: body) { attempt("reading from") }
    }

    /// The read itself, on bare pointers. The caller keeps their owners alive; a store that holds them in constants need not retain them.
    @unsafe @inline(__always)
    static func lendValue(
        for key: RawSpan,
        family: OpaquePointer,
        options: OpaquePointer,
        to body: (RawSpan) -> Void,
        attempt: () -> String
    ) throws(RocksError) -> Bool {
        try unsafe lendOne(key, attempt: attempt(), to: body) { key, value, bytes in unsafe crk_get(family, options, key, value, &bytes) }
    }

    func lendValues(for keys: KeyList, options: ReadOptionsHandle, to body: (Int, RawSpan?) -> Void) throws(RocksError) {
        try unsafe lendMany(keys, attempt: attempt("reading \(keys.count) keys from"), to: body) { keys, found, values in
            unsafe crk_multi_get(pointer, options.pointer, keys.count, keys.baseAddress, keys.isSorted, found, &values)
        }
    }

    func keyMayExist(_ key: RawSpan, options: ReadOptionsHandle) throws(RocksError) -> Bool {
        try unsafe askForKey(key, attempt: attempt("looking for a key in")) { key, mayExist in
            unsafe crk_key_may_exist(pointer, options.pointer, key, &mayExist)
        }
    }
}

/// Reads one key with `read`, which fills in the value and the bytes it receives, and lends the bytes to `body`; returns false if the key is missing.
@inline(__always)
func lendOne(
    _ key: RawSpan,
    attempt: @autoclosure () -> String,
    to body: (RawSpan) -> Void,
    read: (crk_bytes, UnsafeMutablePointer<crk_value>, inout crk_bytes) -> crk_status
) throws(RocksError) -> Bool {
    var value = crk_value()
    return try unsafe withUnsafeMutablePointer(to: &value) { (value) throws(RocksError) in
        var bytes = unsafe crk_bytes()
        let status = unsafe key.withShimBytes { unsafe read($0, value, &bytes) }
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

/// Uses `ask` to find out whether a key may exist.
func askForKey(
    _ key: some ByteSource & ~Escapable,
    attempt: @autoclosure () -> String,
    ask: (crk_bytes, inout Bool) -> crk_status
) throws(RocksError) -> Bool {
    var mayExist = false
    let status = key.withBytes { key in unsafe key.withShimBytes { unsafe ask($0, &mayExist) } }
    try status.check(attempt())
    return mayExist
}

/// The keys of a list in the shim's form.
@unsafe struct ShimKeys {
    let baseAddress: UnsafePointer<crk_bytes>?
    let count: Int
    let isSorted: Bool
}

/// Reads many keys with `read`, which fills in the bytes and the values it receives, and lends them to `body` one by one.
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
