/// The objects of a context that are in memory, by identity. It holds none of them: each removes itself when it goes.
///
/// Open addressing with linear probing. Rows that follow one another lie in one line of memory, eight at a time, as scans want them.
@safe
struct IdentityTable: ~Copyable {
    private var keys: UnsafeMutablePointer<UInt64>
    private var objects: UnsafeMutablePointer<UnsafeRawPointer>
    private var mask: Int
    private(set) var count = 0

    init() {
        mask = 63
        unsafe keys = .allocate(capacity: mask + 1)
        unsafe keys.initialize(repeating: 0, count: mask + 1)
        unsafe objects = .allocate(capacity: mask + 1)
    }

    deinit {
        unsafe keys.deallocate()
        unsafe objects.deallocate()
    }

    @inline(__always)
    private func home(_ key: UInt64) -> Int {
        let mixed = (key >> 3) &* 0x9e37_79b9_7f4a_7c15
        return Int(truncatingIfNeeded: (mixed >> 29) &* 8 &+ (key & 7)) & mask
    }

    /// The object with this identity.
    @inline(__always)
    subscript(id: ObjectID) -> AnyObject? {
        var position = home(id.raw)
        while true {
            let key = unsafe keys[position]
            if key == id.raw { return unsafe Unmanaged<AnyObject>.fromOpaque(objects[position]).takeUnretainedValue() }
            if key == 0 { return nil }
            position = (position &+ 1) & mask
        }
    }

    /// Adds an object whose identity is not there yet.
    mutating func insert(_ object: AnyObject, _ id: ObjectID) {
        if count &* 2 > mask { grow(to: (mask + 1) * 2) }
        unsafe place(id.raw, UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()))
        count &+= 1
    }

    /// Makes room for `more` objects.
    mutating func reserve(_ more: Int) {
        var size = mask + 1
        while (count + more) * 2 >= size { size *= 2 }
        if size > mask + 1 { grow(to: size) }
    }

    mutating func remove(_ id: ObjectID) {
        var position = home(id.raw)
        while unsafe keys[position] != id.raw {
            if unsafe keys[position] == 0 { return }
            position = (position &+ 1) & mask
        }
        count &-= 1
        // What comes behind moves up, unless it is at home there.
        var gap = position
        var next = (gap &+ 1) & mask
        while case let key = unsafe keys[next], key != 0 {
            if (next &- home(key)) & mask >= (next &- gap) & mask {
                unsafe keys[gap] = key
                unsafe objects[gap] = unsafe objects[next]
                gap = next
            }
            next = (next &+ 1) & mask
        }
        unsafe keys[gap] = 0
    }

    /// All objects, retained.
    func all() -> [AnyObject] {
        var all: [AnyObject] = []
        all.reserveCapacity(count)
        for position in 0...mask where unsafe keys[position] != 0 {
            all.append(unsafe Unmanaged<AnyObject>.fromOpaque(objects[position]).takeUnretainedValue())
        }
        return all
    }

    private mutating func place(_ key: UInt64, _ object: UnsafeRawPointer) {
        var position = home(key)
        while unsafe keys[position] != 0 { position = (position &+ 1) & mask }
        unsafe keys[position] = key
        unsafe objects[position] = unsafe object
    }

    private mutating func grow(to size: Int) {
        let (oldKeys, oldObjects, oldMask) = unsafe (keys, objects, mask)
        mask = size - 1
        unsafe keys = .allocate(capacity: size)
        unsafe keys.initialize(repeating: 0, count: size)
        unsafe objects = .allocate(capacity: size)
        for position in 0...oldMask where unsafe oldKeys[position] != 0 { unsafe place(oldKeys[position], oldObjects[position]) }
        unsafe oldKeys.deallocate()
        unsafe oldObjects.deallocate()
    }
}
